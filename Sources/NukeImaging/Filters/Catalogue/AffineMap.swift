/// A transform of the plane that keeps lines parallel.
struct AffineMap: Hashable, Sendable {
  /// Where the unit steps to the right and upwards go.
  let right: PicturePoint
  let up: PicturePoint
  let origin: PicturePoint

  init(right: PicturePoint, up: PicturePoint, origin: PicturePoint) {
    self.right = right
    self.up = up
    self.origin = origin
  }

  /// - Parameter numbers: a, b, c, d, tx and ty: x is taken to ax + cy + tx, and y to bx + dy + ty.
  init(_ numbers: [Double]) {
    self.init(
      right: PicturePoint(numbers[0], numbers[1]), up: PicturePoint(numbers[2], numbers[3]),
      origin: PicturePoint(numbers[4], numbers[5]))
  }

  static let identity = AffineMap([1, 0, 0, 1, 0, 0])

  func callAsFunction(_ point: PicturePoint) -> PicturePoint { right * point.x + up * point.y + origin }

  /// How much areas grow; negative where it mirrors.
  var determinant: Double { right.cross(up) }

  /// The transform back; `nil` if there is none that could be told.
  var inverse: AffineMap? {
    let determinant = determinant
    let largest = max(abs(right.x), abs(right.y), abs(up.x), abs(up.y))
    guard determinant.isFinite, abs(determinant) > 1e-12 * largest * largest else { return nil }
    let (toRight, toUp) = (
      PicturePoint(up.y, -right.y) / determinant, PicturePoint(-up.x, right.x) / determinant
    )
    let map = AffineMap(right: toRight, up: toUp, origin: -(toRight * origin.x + toUp * origin.y))
    return map(PicturePoint(1, 1)).isFinite ? map : nil
  }
}

extension PicturePoint {
  var length: Double { (x * x + y * y).squareRoot() }
  var isFinite: Bool { x.isFinite && y.isFinite }
  static let nowhere = PicturePoint(.nan, .nan)

  func cross(_ other: PicturePoint) -> Double { x * other.y - y * other.x }
  func dot(_ other: PicturePoint) -> Double { x * other.x + y * other.y }

  /// Multiplied as complex numbers: turned by the angle of the other, and longer by its length.
  func turned(_ other: PicturePoint) -> PicturePoint {
    PicturePoint(x * other.x - y * other.y, x * other.y + y * other.x)
  }
}
