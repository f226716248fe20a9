/// A transform of the plane that keeps lines parallel.
struct AffineMap: Hashable, Sendable {
  /// Where the unit steps to the right and upwards go.
  let right: ImagePoint
  let up: ImagePoint
  let origin: ImagePoint

  init(right: ImagePoint, up: ImagePoint, origin: ImagePoint) {
    self.right = right
    self.up = up
    self.origin = origin
  }

  /// - Parameter numbers: a, b, c, d, tx and ty: x is taken to ax + cy + tx, and y to bx + dy + ty.
  init(_ numbers: [Double]) {
    self.init(
      right: ImagePoint(numbers[0], numbers[1]), up: ImagePoint(numbers[2], numbers[3]),
      origin: ImagePoint(numbers[4], numbers[5]))
  }

  static let identity = AffineMap([1, 0, 0, 1, 0, 0])

  func callAsFunction(_ point: ImagePoint) -> ImagePoint { right * point.x + up * point.y + origin }

  /// How much areas grow; negative where it mirrors.
  var determinant: Double { right.cross(up) }

  /// The transform back; `nil` if there is none that could be told.
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

  /// Multiplied as complex numbers: turned by the angle of the other, and longer by its length.
  func turned(_ other: ImagePoint) -> ImagePoint {
    ImagePoint(x * other.x - y * other.y, x * other.y + y * other.x)
  }
}
