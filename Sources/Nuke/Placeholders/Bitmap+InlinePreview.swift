public import Foundation
import NukeCodecs
public import NukeImaging

/// The format of an inline preview.
public enum InlinePreviewFormat: Sendable, Hashable {
  /// WebP: the smaller one, with alpha.
  case webP
  /// JPEG, for consumers without WebP support. It is about 500 bytes longer, and transparent pixels are blended over
  /// white.
  case jpeg
}

extension Bitmap {
  /// Returns a small version of the image as a `data:` URL of a few hundred bytes. Embed it in a page, a database or a
  /// response, and show it until the image is loaded. A pipeline loads it like any other URL.
  ///
  /// The image is scaled down with the Lanczos filter, keeping its aspect ratio. Smaller images are not enlarged.
  ///
  /// - Parameters:
  ///   - maxPixelSize: the longer side in pixels, from 1 to 256.
  ///   - format: the format of the preview.
  ///   - quality: from 0, the smallest file, to 1, the best quality.
  /// - Throws: `PlaceholderError` for an empty image and a size out of range, `CodecError` if encoding fails.
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
