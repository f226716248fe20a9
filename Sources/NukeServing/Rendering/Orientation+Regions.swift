import NukeImaging

extension Orientation {
  /// Returns the region of the stored image that becomes `part` of the rotated image.
  ///
  /// - Parameter turned: the size of the whole rotated image.
  func region(before part: PixelRegion, in turned: (width: Double, height: Double)) -> PixelRegion {
    let (right, bottom) = (turned.width - part.x - part.width, turned.height - part.y - part.height)
    return switch self {
    case .up: part
    case .upMirrored: PixelRegion(x: right, y: part.y, width: part.width, height: part.height)
    case .down: PixelRegion(x: right, y: bottom, width: part.width, height: part.height)
    case .downMirrored: PixelRegion(x: part.x, y: bottom, width: part.width, height: part.height)
    case .leftMirrored: PixelRegion(x: part.y, y: part.x, width: part.height, height: part.width)
    case .right: PixelRegion(x: part.y, y: right, width: part.height, height: part.width)
    case .rightMirrored: PixelRegion(x: bottom, y: right, width: part.height, height: part.width)
    case .left: PixelRegion(x: bottom, y: part.x, width: part.height, height: part.width)
    }
  }

  /// Returns the position in the rotated image of a position in the stored image, as fractions from 0 to 1.
  func shares(after x: Double, _ y: Double) -> (x: Double, y: Double) {
    switch self {
    case .up: (x, y)
    case .upMirrored: (1 - x, y)
    case .down: (1 - x, 1 - y)
    case .downMirrored: (x, 1 - y)
    case .leftMirrored: (y, x)
    case .right: (1 - y, x)
    case .rightMirrored: (1 - y, 1 - x)
    case .left: (y, 1 - x)
    }
  }
}

/// A rectangle in pixels with fractional coordinates.
typealias PixelRegion = ResizeGeometry.Region
