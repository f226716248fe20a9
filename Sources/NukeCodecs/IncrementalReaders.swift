package import Foundation

/// The incremental readers of this build.
package enum IncrementalReaders {
  /// The most bytes before the pixels of an image, 1 MB, unless a format has a limit of its own. What stands there is
  /// walked again each time data comes.
  static let headerLimit = 1 << 20

  /// One megapixel: more than a preview needs, at a tenth of what all pixels of a photograph cost.
  package static let defaultPreviewPixelLimit = 1 << 20

  /// A reader for the format that `data` begins with, which has seen none of it yet; `nil` if more bytes are needed to
  /// tell the format.
  ///
  /// - Parameters:
  ///   - data: the first bytes of a file.
  ///   - limits: what the image may ask for.
  ///   - previewPixelLimit: how many pixels a preview should have at most. Only JPEG can be decoded smaller.
  /// - Throws: ``CodecError/unrecognizedFormat(looksLike:)``.
  package static func reader(
    forPrefix data: Data, limits: CodecLimits = .init(), previewPixelLimit: Int = defaultPreviewPixelLimit
  ) throws(CodecError) -> (any IncrementalImageReader)? {
    guard data.count >= 16 else { return nil }
    guard let format = ImageFormat(sniffing: data) else {
      throw .unrecognizedFormat(looksLike: ImageFormat.name(ofUnrecognized: data))
    }
    return switch format {
    case .gif: GIFIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .jpeg: JPEGIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .png: PNGIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .webp: WebPIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .bmp, .ico, .tiff, .avif, .heic, .jxl, .svg: throw .unsupported(format, feature: "a part of a file")
    }
  }
}
