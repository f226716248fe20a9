public import Foundation

/// The position and scale of an image in the bounds of a view.
public enum ImageContentMode: String, Hashable, Sendable, CaseIterable {
  /// Stretches the image to the bounds, without keeping its aspect ratio.
  case fill
  /// Scales the image to fit inside the bounds, centered.
  case aspectFit
  /// Scales the image to fill the bounds, centered. Parts outside are cut off.
  case aspectFill
  /// Centers the image in its own size. Parts outside are cut off.
  case center
  /// Centers the image in its own size if it fits inside the bounds; otherwise the same as ``aspectFit``.
  case scaleDown

  /// Returns the frame of the image; it may exceed `bounds`.
  ///
  /// - Parameters:
  ///   - size: the size of the image, in points as `bounds`. An empty size results in an empty frame at the center.
  ///   - bounds: the bounds of the view.
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
