#if Command
  import Foundation
  import Nuke

  /// An encoder for the output.
  struct OutputEncoding: Sendable {
    var options = EncodeOptions()
    /// The maximum size of the file in bytes, reached by lower quality; `nil` for no limit.
    var maximumByteCount: Int?
    /// The metadata of the source to write; `nil` for none.
    var keptMetadata: KeptMetadata?

    /// Encodes all frames of an animated image if the format supports them, otherwise the image.
    func encode(_ container: ImageContainer, as format: OutputFormat) throws -> Data {
      if options.isLossless, format.format == .jpeg {
        throw CodecError.encodingFailed(.jpeg, reason: "it has no lossless form: write webp or png")
      }
      var options = options
      if let metadata = container.metadata { keptMetadata?.add(metadata, to: &options) }
      func encoded(_ options: EncodeOptions) throws -> Data {
        let writer = try ImageWriters.writer(for: format.format, options: options)
        if let writer = writer as? any AnimationWriter, let animation = container.animation {
          return try writer.encode(animation)
        }
        return try writer.encode(container.image)
      }
      let data = try encoded(options)
      guard let maximumByteCount, data.count > maximumByteCount else { return data }
      return try smaller(than: data, by: options, as: format.format, encoded)
    }

    /// Encodes a single image.
    func encode(_ image: PlatformImage, as format: OutputFormat) throws -> Data {
      try encode(ImageContainer(image: image), as: format)
    }

    /// Returns the file with the highest quality that is not too large. Searches for it by bisection, in at most seven
    /// attempts.
    ///
    /// - Parameter first: the file that is too large.
    private func smaller(
      than first: Data, by options: EncodeOptions, as format: ImageFormat, _ encode: (EncodeOptions) throws -> Data
    ) throws -> Data {
      let limit = maximumByteCount ?? .max
      var (smallest, best) = (first.count, Data?.none)
      if format.hasQuality, !options.isLossless {
        // The range of qualities that is left to search, in percent.
        var (low, high) = (1, Int((options.quality * 100).rounded()) - 1)
        while low <= high {
          let middle = (low + high) / 2
          var attempt = options
          attempt.quality = Double(middle) / 100
          let data = try encode(attempt)
          smallest = min(smallest, data.count)
          if data.count <= limit {
            best = data
            low = middle + 1
          } else {
            high = middle - 1
          }
        }
      }
      guard let best else {
        throw CodecError.encodingFailed(
          format,
          reason: "it would have \(Format.bytes(Int64(smallest))) at least, more than the \(Format.bytes(Int64(limit)))"
            + " of --max-output-bytes: write a smaller image")
      }
      return best
    }
  }
#endif
