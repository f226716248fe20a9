/// The perspective map from the unit square to a quadrilateral (Heckbert), and its inverse.
struct PerspectiveMap: Sendable {
  private let numerators: (right: ImagePoint, up: ImagePoint, origin: ImagePoint)
  private let denominator: ImagePoint

  /// Creates the map to the given corners, from (0, 0), (1, 0), (1, 1) and (0, 1). Returns `nil` if they do not form a
  /// convex quadrilateral.
  init?(_ a: ImagePoint, _ b: ImagePoint, _ c: ImagePoint, _ d: ImagePoint) {
    let corners = [a, b, c, d]
    let turns = (0..<4).map { index in
      let (before, at, after) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      return (at - before).cross(after - at)
    }
    let size = max((c - a).length, (d - b).length)
    let least = 1e-9 * size * size
    guard least.isFinite, turns.allSatisfy({ $0 > least }) || turns.allSatisfy({ $0 < -least }) else { return nil }
    let (fromRight, fromTop, rest) = (b - c, d - c, a - b + c - d)
    let share = fromRight.cross(fromTop)
    denominator = ImagePoint(rest.cross(fromTop), fromRight.cross(rest)) / share
    numerators = (b - a + b * denominator.x, d - a + d * denominator.y, a)
  }

  /// Maps a position in the unit square.
  func callAsFunction(_ point: ImagePoint) -> ImagePoint {
    (numerators.right * point.x + numerators.up * point.y + numerators.origin) / (denominator.dot(point) + 1)
  }

  /// Returns the position in the unit square that is mapped to a position; ``ImagePoint/nowhere`` for positions behind
  /// the viewer.
  func back(_ point: ImagePoint) -> ImagePoint {
    // Solves p (g·u + h·v + 1) = a·u + b·v + c for u and v.
    let (right, up) = (numerators.right - point * denominator.x, numerators.up - point * denominator.y)
    let (rest, determinant) = (point - numerators.origin, right.cross(up))
    let result = ImagePoint(rest.cross(up), right.cross(rest)) / determinant
    return denominator.dot(result) + 1 > 0 ? result : .nowhere
  }
}
