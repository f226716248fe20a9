#if GTK
  import Foundation
  import Nuke

  /// Computes the placeholder of an image from the beginning of its file.
  enum FilePlaceholder {
    /// The number of bytes that are read of a large file. They contain embedded thumbnails, and the first scans of
    /// progressive images.
    static let prefixLength = 128 << 10
    /// The maximum length of a file that is read completely.
    static let wholeLength = 512 << 10

    /// The limits for decoding a complete image.
    private static let limits = CodecLimits(maximumPixelCount: 4_000_000)

    /// Returns the hash of the embedded thumbnail, the complete image, the first scan, or the color of the available rows,
    /// in this order of preference; `nil` if none of them is available. It takes a few milliseconds.
    ///
    /// - Parameter isWhole: `true` if `data` is the complete file.
    static func hash(of data: Data, isWhole: Bool) -> ThumbHash? {
      if let thumbnail = preview(of: data, .thumbnail) { return try? ThumbHash(encoding: thumbnail.image) }
      if isWhole, let reader = try? ImageReaders.reader(for: data, limits: limits) {
        let options = DecodeOptions(scaleDenominator: reader.scaleDenominators.max() ?? 1)
        return (try? reader.decode(options)).flatMap { try? ThumbHash(encoding: $0) }
      }
      // The first rows of a baseline JPEG do not represent the image.
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
