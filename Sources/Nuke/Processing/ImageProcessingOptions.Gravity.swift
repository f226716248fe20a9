public import Foundation
import NukeImaging

extension ImageProcessingOptions {
  /// The position of a smaller rectangle in an image.
  public enum Gravity: Sendable, Hashable, CustomStringConvertible {
    case center
    case top
    case bottom
    case left
    case right
    case topLeft
    case topRight
    case bottomLeft
    case bottomRight
    /// Centers the result on a point, or as close to it as the edges of the image allow. Coordinates range from 0, 0
    /// (upper left) to 1, 1 (lower right).
    case focalPoint(x: CGFloat, y: CGFloat)
    /// The region with the most detail: where the sum of luminance differences between neighboring pixels and half of
    /// the saturation is greatest. It is computed on a copy of at most 128 pixels a side. For overlays it means the
    /// center.
    case attention

    public var description: String {
      switch self {
      case .center: "center"
      case .top: "top"
      case .bottom: "bottom"
      case .left: "left"
      case .right: "right"
      case .topLeft: "topLeft"
      case .topRight: "topRight"
      case .bottomLeft: "bottomLeft"
      case .bottomRight: "bottomRight"
      case .focalPoint(let x, let y): "focalPoint(\(Double(x)),\(Double(y)))"
      case .attention: "attention"
      }
    }

    /// The fractions of the free space to the left and above, from 0 to 1.
    private var shares: (x: Double, y: Double) {
      switch self {
      case .center, .attention, .focalPoint: (0.5, 0.5)
      case .top: (0.5, 0)
      case .bottom: (0.5, 1)
      case .left: (0, 0.5)
      case .right: (1, 0.5)
      case .topLeft: (0, 0)
      case .topRight: (1, 0)
      case .bottomLeft: (0, 1)
      case .bottomRight: (1, 1)
      }
    }

    /// Returns the upper left corner of a `width` x `height` region in a larger `image`.
    func origin(width: Int, height: Int, in image: PlatformImage) -> (x: Int, y: Int) {
      switch self {
      case .attention: image.busiest(width: width, height: height)
      case .focalPoint(let x, let y):
        (
          Self.centered(at: Double(x), width, of: image.pixelWidth),
          Self.centered(at: Double(y), height, of: image.pixelHeight)
        )
      default: origin(freeX: image.pixelWidth - width, freeY: image.pixelHeight - height)
      }
    }

    /// Returns the upper left corner for a number of free pixels; negative if the region exceeds the image.
    func origin(freeX: Int, freeY: Int) -> (x: Int, y: Int) {
      let (x, y) = shares
      return (Int((Double(freeX) * x).rounded(.down)), Int((Double(freeY) * y).rounded(.down)))
    }

    private static func centered(at share: Double, _ side: Int, of whole: Int) -> Int {
      let place = share.isNaN ? 0.5 : min(max(share, 0), 1)
      return min(max(Int((place * Double(whole) - Double(side) / 2).rounded()), 0), whole - side)
    }
  }
}
