public import Foundation
import NukeImaging

extension ImageRequest {
  /// How small a picture is to be made while decoding.
  public struct ThumbnailOptions: Hashable, Sendable {
    enum Target: Hashable, Sendable {
      /// The longest side, in pixels.
      case maxPixelSize(CGFloat)
      /// Both sides in pixels.
      case size(width: CGFloat, height: CGFloat, ImageProcessingOptions.ContentMode)
    }
    let target: Target

    /// A picture whose longest side has at most `maxPixelSize` pixels.
    public init(maxPixelSize: Float) { target = .maxPixelSize(CGFloat(maxPixelSize)) }

    /// A picture that fills or fits `size`.
    ///
    /// - Parameters:
    ///   - size: the wanted size.
    ///   - unit: whether `size` is in points (of the display scale) or pixels.
    ///   - contentMode: whether the picture covers all of `size` or fits into it. Nothing is cropped.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill
    ) {
      let factor = unit.pixelsPerUnit
      target = .size(width: size.width * factor, height: size.height * factor, contentMode)
    }

    /// A short name that is stable across platforms and versions.
    var identifier: String {
      switch target {
      case .maxPixelSize(let side): "maxPixelSize=\(Double(side))"
      case .size(let width, let height, let mode): "\(Double(width))x\(Double(height)),\(mode)"
      }
    }
  }
}
