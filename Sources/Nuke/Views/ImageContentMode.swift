public import Foundation

/// The position and scale of an image in the bounds of a view.
public enum ImageContentMode: String, Hashable, Sendable, CaseIterable {
  /// It is stretched to the bounds, and keeps its proportions by chance only.
  case fill
  /// Scales the image to fit inside the bounds, centered.
  case aspectFit
  /// Scales the image to fill the bounds, centered. Parts outside are cut off.
  case aspectFill
  /// In its own size, in the middle; what sticks out is cut off.
  case center
  /// In its own size where that fits, else as ``aspectFit``.
  case scaleDown

  /// Returns the frame of the image; it may exceed `bounds`.
  ///
  /// - Parameters:
  ///   - size: the image's, in points as `bounds` is. An empty one lies in the middle, with no extent.
  ///   - bounds: those of the view.
  public func frame(of size: CGSize, in bounds: CGRect) -> CGRect {
    guard size.width > 0, size.height > 0 else { return CGRect(x: bounds.midX, y: bounds.midY, width: 0, height: 0) }
    let (x, y) = (bounds.width / size.width, bounds.height / size.height)
    let scale: (x: CGFloat, y: CGFloat)
    switch self {
    case .fill: scale = (x, y)
    case .aspectFit: scale = (min(x, y), min(x, y))
    case .aspectFill: scale = (max(x, y), max(x, y))
    case .center: scale = (1, 1)
    case .scaleDown: scale = (min(x, y, 1), min(x, y, 1))
    }
    let (width, height) = (size.width * scale.x, size.height * scale.y)
    return CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
  }
}
