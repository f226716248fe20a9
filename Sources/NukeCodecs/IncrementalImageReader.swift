package import Foundation
package import NukeImaging

/// Shows an image while its data is still coming. For one thread at a time.
///
/// The owner hands over the data whenever more has come and asks for a preview when it wants one; what was read before
/// is not read again. Nothing of the data is kept between two calls, so that the owner can go on appending to it without
/// a copy. Each format has one reader: ``JPEGIncrementalReader``, ``PNGIncrementalReader``, ``WebPIncrementalReader``,
/// ``GIFIncrementalReader``; ``IncrementalReaders`` finds the right one.
///
/// The final image is not its business: an ``ImageReader`` makes that of the complete data, whatever happened here.
package protocol IncrementalImageReader: AnyObject {
  /// - Parameters:
  ///   - limits: checked against the header, before memory for pixels is taken.
  ///   - previewPixelLimit: how many pixels a preview should have at most, where the format can be decoded smaller.
  init(limits: CodecLimits, previewPixelLimit: Int)

  /// The header of the image, once everything before its pixels has arrived.
  var header: ImageHeader? { get }

  /// `true` if so much stands before the pixels that the reader has given up: there will be no previews. The bound is
  /// 256 KB for JPEG (``JPEGIncrementalReader/headerLimit``) and 1 MB for the others.
  var headerIsTooLarge: Bool { get }

  /// The small image that a camera embedded, upright, as soon as it has come; `nil` if there is none, or it is damaged.
  func embeddedThumbnail() -> Bitmap?

  /// Reads on in `data`, which holds all bytes so far, those of the call before included. Damage is reported by
  /// ``nextPreview()``.
  func update(_ data: Data)

  /// The newest preview, upright and sRGB, where more can be shown than the last time, else `nil`.
  ///
  /// - Throws: what is wrong with the data, again at every later call.
  func nextPreview() throws(CodecError) -> IncrementalPreview?
}

extension IncrementalImageReader {
  /// `true` if the image comes in passes of growing quality, which is when previews are worth their cost; `nil` while
  /// that is not known.
  package var isProgressive: Bool? { header?.isProgressive }

  package func embeddedThumbnail() -> Bitmap? { nil }
}

/// A preview of an image that is still arriving.
package struct IncrementalPreview: Sendable {
  package let bitmap: Bitmap
  /// The scan of a JPEG or the pass of an interlaced PNG, from 1 on, that is the last one complete.
  package let scanNumber: Int?
  /// The fraction of rows with pixels, above 0 and up to 1; the others are transparent.
  package let rowFraction: Double
}

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
