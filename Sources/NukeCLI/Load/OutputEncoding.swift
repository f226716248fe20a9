#if Command
  import Foundation
  import Nuke

  /// An encoder for the output.
  struct OutputEncoding: Sendable {
    var options = EncodeOptions()

    /// Encodes all frames of an animated image if the format supports them, otherwise the image.
    func encode(_ container: ImageContainer, as format: OutputFormat) throws -> Data {
      if options.isLossless, format.format == .jpeg {
        throw CodecError.encodingFailed(.jpeg, reason: "it has no lossless form: write webp or png")
      }
      let writer = try ImageWriters.writer(for: format.format, options: options)
      if let writer = writer as? any AnimationWriter, let animation = container.animation {
        return try writer.encode(animation)
      }
      return try writer.encode(container.image)
    }

    /// Encodes a single image.
    func encode(_ image: PlatformImage, as format: OutputFormat) throws -> Data {
      try encode(ImageContainer(image: image), as: format)
    }
  }
#endif
