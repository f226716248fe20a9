package import Foundation
package import NukeImaging

/// Shows an image while its data is arriving. For one thread at a time.
///
/// The owner passes the data whenever more has arrived, and requests previews. Data is not parsed twice. The reader
/// retains none of the data between two calls, so that the owner can append to it without a copy. Each format has a
/// reader: ``JPEGIncrementalReader``, ``PNGIncrementalReader``, ``WebPIncrementalReader``, ``GIFIncrementalReader``.
/// ``IncrementalReaders`` selects the right one.
///
/// The final image is decoded from the complete data by an ``ImageReader``, independently of the previews.
package protocol IncrementalImageReader: AnyObject {
  /// - Parameters:
  ///   - limits: checked against the header, before memory for pixels is allocated.
  ///   - previewPixelLimit: the maximum number of pixels of a preview, if the format supports reduced decoding.
  init(limits: CodecLimits, previewPixelLimit: Int)

  /// The header of the image, once everything before its pixels has arrived.
  var header: ImageHeader? { get }

  /// `true` if there is so much data before the pixels that the reader has stopped. There are no previews then. The
  /// limit is 256 KB for JPEG (``JPEGIncrementalReader/headerLimit``) and 1 MB for others.
  var headerIsTooLarge: Bool { get }

  /// Returns the upright thumbnail that a camera has embedded, as soon as it has arrived; `nil` if there is none or it
  /// is damaged.
  func embeddedThumbnail() -> Bitmap?

  /// Parses more of `data`, which contains all bytes so far, including those of earlier calls. Errors are thrown by
  /// ``nextPreview()``.
  func update(_ data: Data)

  /// Returns the latest preview, upright and in sRGB, if it shows more than the previous one; otherwise `nil`.
  ///
  /// - Throws: the error in the data, after the preview of what precedes it; the same one in every later call.
  func nextPreview() throws(CodecError) -> IncrementalPreview?
}

extension IncrementalImageReader {
  /// `true` if the image is stored in passes of increasing quality, for which previews are worthwhile; `nil` if that is
  /// not known yet.
  package var isProgressive: Bool? { header?.isProgressive }

  package func embeddedThumbnail() -> Bitmap? { nil }
}

/// A preview of an image that is still arriving.
package struct IncrementalPreview: Sendable {
  package let bitmap: Bitmap
  /// The number of the last complete scan of a JPEG or pass of an interlaced PNG, starting at 1.
  package let scanNumber: Int?
  /// The fraction of rows with pixels, above 0 and up to 1. The other rows are transparent.
  package let rowFraction: Double
}

/// The incremental readers of this build.
package enum IncrementalReaders {
  /// The maximum number of bytes before the pixels, 1 MB, unless a format has its own limit. They are parsed again each
  /// time data arrives.
  static let headerLimit = 1 << 20

  /// One megapixel: more than a preview needs, at a tenth of the cost of decoding all pixels of a photo.
  package static let defaultPreviewPixelLimit = 1 << 20

  /// Returns a new reader for the format of `data`; `nil` if more bytes are needed to detect the format.
  ///
  /// - Parameters:
  ///   - data: the first bytes of a file.
  ///   - limits: the limits for the image.
  ///   - previewPixelLimit: the maximum number of pixels of a preview. Only JPEG supports reduced decoding.
  ///   - tolerance: whether a JPEG has more previews after damage that libjpeg can continue after.
  /// - Throws: ``CodecError/unrecognizedFormat(looksLike:)``.
  package static func reader(
    forPrefix data: Data, limits: CodecLimits = .init(), previewPixelLimit: Int = defaultPreviewPixelLimit,
    tolerance: DamageTolerance = .strict
  ) throws(CodecError) -> (any IncrementalImageReader)? {
    guard data.count >= 16 else { return nil }
    guard let format = ImageFormat(sniffing: data) else {
      throw .unrecognizedFormat(looksLike: ImageFormat.name(ofUnrecognized: data))
    }
    return switch format {
    case .gif: GIFIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .jpeg: JPEGIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit, tolerance: tolerance)
    case .png: PNGIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .webp: WebPIncrementalReader(limits: limits, previewPixelLimit: previewPixelLimit)
    case .bmp, .ico, .tiff, .avif, .heic, .jxl, .svg, .mp4, .mov, .webm:
      throw .unsupported(format, feature: "a part of a file")
    }
  }
}
