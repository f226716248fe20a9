#if GTK
  import Foundation
  import Nuke

  /// Makes a small likeness of an image that was never shown from the beginning of its file.
  enum SourceLikeness {
    /// How much of a large file is read: what cameras embed stands there, and the first passes of images that come in
    /// several.
    static let prefixLength = 128 << 10
    /// A file up to this length is read as a whole.
    static let wholeLength = 512 << 10

    /// An image that has to be decoded in full must not be larger.
    private static let limits = CodecLimits(maximumPixelCount: 4_000_000)

    /// The likeness of an image: its embedded thumbnail, else the whole image made small, else what a first pass shows,
    /// else one color by the rows that are there. `nil` if the bytes tell nothing. It takes some milliseconds.
    ///
    /// - Parameter isWhole: whether `data` is all there is.
    static func hash(of data: Data, isWhole: Bool) -> ThumbHash? {
      if let thumbnail = preview(of: data, .thumbnail) { return try? ThumbHash(encoding: thumbnail.image) }
      if isWhole, let reader = try? ImageReaders.reader(for: data, limits: limits) {
        let options = DecodeOptions(scaleDenominator: reader.scaleDenominators.max() ?? 1)
        return (try? reader.decode(options)).flatMap { try? ThumbHash(encoding: $0) }
      }
      // Rows of a JPEG without scans are no likeness of the whole.
      guard let preview = preview(of: data, .incremental),
        preview.type != .jpeg || preview.userInfo[.scanNumberKey] != nil
      else { return nil }
      if preview.userInfo[.scanNumberKey] != nil { return try? ThumbHash(encoding: preview.image) }
      return preview.image.dominantColor.flatMap(hash)
    }

    private static func preview(of data: Data, _ policy: ImagePipeline.PreviewPolicy) -> ImageContainer? {
      ImageDecoders.Default(limits: limits, previewPolicy: policy).decodePartiallyDownloadedData(data)
    }

    private static func hash(_ color: Color) -> ThumbHash? {
      let pixel = [color.red, color.green, color.blue, 1].map { UInt8(($0 * 255).rounded()) }
      let image = PlatformImage(pixelWidth: 4, pixelHeight: 3, isOpaque: true) { bytes in
        for place in bytes.indices { bytes[place] = pixel[place % 4] }
      }
      return image.flatMap { try? ThumbHash(encoding: $0) }
    }
  }
#endif
