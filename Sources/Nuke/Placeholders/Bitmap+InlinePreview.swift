public import Foundation
import NukeCodecs
public import NukeImaging

/// The encoding of a small preview.
public enum InlinePreviewFormat: Sendable, Hashable {
  /// The smallest, with alpha.
  case webP
  /// For what reads no WebP; it is about 500 bytes longer, and what is not opaque is laid over white.
  case jpeg
}

extension Bitmap {
  /// The image in a few hundred bytes, as a `data:` URL to stand in a page, a database or a response until the image
  /// itself is loaded. A pipeline loads it as any other address.
  ///
  /// The image is reduced, its proportions kept, by Lanczos; images that are smaller are not enlarged.
  ///
  /// - Parameters:
  ///   - maxPixelSize: the longer side in pixels, from 1 to 256.
  ///   - format: see ``InlinePreviewFormat``.
  ///   - quality: from 0, the smallest, to 1, the best.
  /// - Throws: ``PlaceholderError`` for an empty image and a size out of range, `CodecError`.
  public func inlinePreview(
    maxPixelSize: Int = 24, format: InlinePreviewFormat = .webP, quality: Double = 0.4
  ) throws -> URL {
    guard pixelWidth > 0 else { throw PlaceholderError.emptyImage }
    guard (1...256).contains(maxPixelSize) else {
      throw PlaceholderError.sizeOutOfRange(width: maxPixelSize, height: maxPixelSize, limit: 256)
    }
    let side = Double(maxPixelSize)
    let resize = ImageProcessors.Resize(width: side, height: side, contentMode: .aspectFit, crop: false, upscale: false)
    let small = try resize.resize(self)
    let (type, data) =
      switch format {
      case .webP: ("webp", try WebPWriter(quality: quality, effort: 6).encode(small))
      case .jpeg: ("jpeg", try JPEGWriter(quality: quality).encode(small))
      }
    guard let url = URL(string: "data:image/\(type);base64,\(data.base64EncodedString())") else {
      throw ImageProcessingError.unknown
    }
    return url
  }
}
