#if Command
  import Foundation
  import Nuke

  /// The metadata of sources that is written with their images.
  enum KeptMetadata: Sendable {
    case all
    case withoutLocation

    /// Adds the metadata of a source to options for encoding. A color profile is not among it: pixels are sRGB.
    func add(_ metadata: ImageMetadata, to options: inout EncodeOptions) {
      options.metadata = self == .all ? metadata : metadata.withoutLocation
      options.metadata.hasColorProfile = false
      options.keptMetadata = .all
    }
  }

  extension ImageContainer {
    /// The metadata of the file, if the pipeline was configured to read it.
    fileprivate(set) var metadata: ImageMetadata? {
      get { userInfo[.metadata] as? ImageMetadata }
      set { userInfo[.metadata] = newValue }
    }
  }

  extension ImageContainer.UserInfoKey {
    fileprivate static let metadata: Self = "metadata"
  }

  extension ImagePipeline.Configuration {
    /// Adds the metadata of files to their images.
    mutating func readMetadata() {
      makeImageDecoder = { [makeImageDecoder, codecLimits] context in
        let decoder = makeImageDecoder(context)
        // A drawing is only opened in the sandbox, and a preview is written without metadata.
        guard context.isCompleted, let base = decoder as? ImageDecoders.Default,
          let format = ImageFormat(sniffing: context.data), format != .svg, !format.isVideo
        else { return decoder }
        return MetadataDecoder(base: base, limits: codecLimits)
      }
    }
  }

  /// Decodes images like another decoder, and adds their metadata.
  private struct MetadataDecoder: ScalableImageDecoding {
    let base: ImageDecoders.Default
    let limits: CodecLimits

    func decode(_ data: Data) throws -> ImageContainer {
      var container = try base.decode(data)
      container.metadata = metadata(of: data)
      return container
    }

    func openingByteCount(of data: Data) -> Int? { base.openingByteCount(of: data) }

    func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
      let opened = try base.open(data, limits: limits)
      return metadata(of: data).map { opened.adding([.metadata: $0]) } ?? opened
    }

    /// Returns `nil` if the header is damaged, so that only a part of the image can be shown.
    private func metadata(of data: Data) -> ImageMetadata? {
      try? ImageReaders.reader(for: data, limits: limits).metadata
    }
  }
#endif
