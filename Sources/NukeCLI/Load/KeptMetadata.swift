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
      OpenedWithMetadata(base: try base.open(data, limits: limits), metadata: metadata(of: data))
    }

    /// Returns `nil` if the header is damaged, so that only a part of the image can be shown.
    private func metadata(of data: Data) -> ImageMetadata? {
      try? ImageReaders.reader(for: data, limits: limits).metadata
    }
  }

  /// An opened image, whose metadata is added when it is decoded.
  private struct OpenedWithMetadata: OpenedImage {
    let base: any OpenedImage
    let metadata: ImageMetadata?

    var pixelSize: (width: Int, height: Int) { base.pixelSize }
    var orientation: Orientation { base.orientation }
    var embeddedThumbnail: (any OpenedImage)? { base.embeddedThumbnail }
    var scaleDenominators: [Int] { base.scaleDenominators }
    var isVector: Bool { base.isVector }
    func checkDrawnSize(_ size: DecodeOptions.TargetSize) throws { try base.checkDrawnSize(size) }
    func byteCount(scaleDenominator: Int) -> Int { base.byteCount(scaleDenominator: scaleDenominator) }

    func decode(_ options: DecodeOptions) throws -> ImageContainer {
      var container = try base.decode(options)
      container.metadata = metadata
      return container
    }
  }
#endif
