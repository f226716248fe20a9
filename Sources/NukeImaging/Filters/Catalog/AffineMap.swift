/// An affine transform of the plane.
struct AffineMap: Hashable, Sendable {
  /// The images of the unit vectors to the right and upwards.
  let right: ImagePoint
  let up: ImagePoint
  let origin: ImagePoint

  init(right: ImagePoint, up: ImagePoint, origin: ImagePoint) {
    self.right = right
    self.up = up
    self.origin = origin
  }

  /// - Parameter numbers: a, b, c, d, tx and ty. x is mapped to ax + cy + tx, and y to bx + dy + ty.
  init(_ numbers: [Double]) {
    self.init(
      right: ImagePoint(numbers[0], numbers[1]), up: ImagePoint(numbers[2], numbers[3]),
      origin: ImagePoint(numbers[4], numbers[5]))
  }

  static let identity = AffineMap([1, 0, 0, 1, 0, 0])

  func callAsFunction(_ point: ImagePoint) -> ImagePoint { right * point.x + up * point.y + origin }

  /// The factor by which areas grow; negative if the transform mirrors.
  var determinant: Double { right.cross(up) }

  /// The inverse transform; `nil` if it does not exist or is numerically unstable.
  var inverse: AffineMap? {
    let determinant = determinant
    let largest = max(abs(right.x), abs(right.y), abs(up.x), abs(up.y))
    guard determinant.isFinite, abs(determinant) > 1e-12 * largest * largest else { return nil }
    let (toRight, toUp) = (
      ImagePoint(up.y, -right.y) / determinant, ImagePoint(-up.x, right.x) / determinant
    )
    let map = AffineMap(right: toRight, up: toUp, origin: -(toRight * origin.x + toUp * origin.y))
    return map(ImagePoint(1, 1)).isFinite ? map : nil
  }
}

extension ImagePoint {
  var length: Double { (x * x + y * y).squareRoot() }
  var isFinite: Bool { x.isFinite && y.isFinite }
  static let nowhere = ImagePoint(.nan, .nan)

  func cross(_ other: ImagePoint) -> Double { x * other.y - y * other.x }
  func dot(_ other: ImagePoint) -> Double { x * other.x + y * other.y }

  /// Returns the complex product: rotated by the angle of the other, and scaled by its length.
  func turned(_ other: ImagePoint) -> ImagePoint {
    ImagePoint(x * other.x - y * other.y, x * other.y + y * other.x)
  }
}
