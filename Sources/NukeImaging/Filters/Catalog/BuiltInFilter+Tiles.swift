import Foundation

extension BuiltInFilter {
  private static let frame: [ImageFilterParameter] = [
    center, .number("inputAngle", 0), .number("inputWidth", 100, in: 1...1e6),
  ]
  private static let reflected = """
    Fills the image with a parallelogram of it. Every other one is mirrored in u and in v.
    """

  /// Creates a filter that fills the image with a part of it.
  ///
  /// - Parameters:
  ///   - isSlanted: `true` if there is a parameter for the acute angle between the sides of a tile.
  ///   - fold: maps u and v to those of the position to sample.
  private init(
    _ name: String, tiling summary: String, isSlanted: Bool = false,
    _ fold: @escaping @Sendable (ImagePoint) -> ImagePoint
  ) {
    let angle: [ImageFilterParameter] = isSlanted ? [.number("inputAcuteAngle", Double.pi / 2)] : []
    self.init(name, warping: summary, Self.frame + angle) { values, _ in TileFrame(values).folded(fold) }
  }

  /// Filters that fill the whole image with a part of it. u and v are in tiles, relative to the center, where corners
  /// of tiles meet. u is along the angle in radians from the x axis; v is along the acute angle from there, or
  /// perpendicular.
  static let tiles: [BuiltInFilter] = [
    BuiltInFilter(
      "CIFourfoldTranslatedTile",
      tiling: """
        Fills the image with a parallelogram of it, repeated: the fractional parts of u and v.
        """,
      isSlanted: true
    ) { $0 - $0.rounded(.down) },
    BuiltInFilter("CIFourfoldReflectedTile", tiling: reflected, isSlanted: true) { $0.mirrored },
    BuiltInFilter("CIParallelogramTile", tiling: reflected, isSlanted: true) { $0.mirrored },
    BuiltInFilter(
      "CIEightfoldReflectedTile",
      tiling:
        """
        Fills the image with a triangle of it, half of a square below its diagonal. It is mirrored at the diagonal, \
        and every other square is mirrored.
        """
    ) {
      let place = $0.mirrored
      return place.y > place.x ? ImagePoint(place.y, place.x) : place
    },
    BuiltInFilter(
      "CIFourfoldRotatedTile",
      tiling: """
        Fills the image with groups of four copies of a square around a corner, rotated by 0°, 90°, 180° and 270°.
        """
    ) {
      let whole = ($0 / 2).rounded(.down) * 2
      let place = $0 - whole - 1
      let turned: ImagePoint =
        switch (place.x < 0, place.y < 0) {
        case (true, true): place
        case (true, false): ImagePoint(-place.y, place.x)
        case (false, false): -place
        case (false, true): ImagePoint(place.y, -place.x)
        }
      return turned + 1
    },
    BuiltInFilter(
      "CIGlideReflectedTile",
      tiling: """
        Fills the image with a square of it, repeated along u. Every other row is upside down and shifted by half a \
        square.
        """
    ) {
      let row = $0.y.rounded(.down)
      let isOdd = row / 2 != (row / 2).rounded(.down)
      let (u, v) = ($0.x + (isOdd ? 0.5 : 0), $0.y - row)
      return ImagePoint(u - u.rounded(.down), isOdd ? 1 - v : v)
    },
    BuiltInFilter(
      "CIKaleidoscope",
      warping: """
        A kaleidoscope: a sector, starting at the angle, mirrored all around the center. The sector is half a turn \
        divided by the count, which is rounded to a whole number.
        """,
      [.number("inputCount", 6, in: 1...1e6), center, .number("inputAngle", 0)]
    ) { values, _ in
      let (center, start) = (values.center, values.angle)
      let sector = Double.pi / values.number("inputCount").rounded()
      return { point in
        let offset = point - center
        let turns = (atan2(offset.y, offset.x) - start) / sector
        let angle = start + ImagePoint(turns, 0).mirrored.x * sector
        return center + ImagePoint(cos(angle), sin(angle)) * offset.length
      }
    },
    BuiltInFilter(
      "CITriangleKaleidoscope",
      """
      A kaleidoscope with an equilateral triangle of the image. Its center is at the point, its sides have the size, \
      and it is rotated by the rotation in radians and mirrored at its sides repeatedly. Outside the triangle, colors \
      are multiplied by decay^(r / size), where r is the distance from the point. Our own formula.
      """,
      [
        .vector("inputPoint", [150, 150]), .number("inputSize", 700, in: 1...1e6),
        .number("inputRotation", 5.924285296593801), .number("inputDecay", 0.85, in: 0...1),
      ]
    ) { values, image in
      let triangle = Triangle(
        middle: values.place("inputPoint"), side: values.number("inputSize"), angle: values.number("inputRotation"))
      let (point, size, decay) = (values.place("inputPoint"), values.number("inputSize"), values.number("inputDecay"))
      return image.warped(edges: .repeated) { triangle.folded($0) }?.recolored { color, place in
        triangle.contains(place) ? color : color * pow(decay, (place - point).length / size)
      }
    },
    BuiltInFilter(
      "CITriangleTile",
      warping: """
        A kaleidoscope with an equilateral triangle of the image. Its center is at the center, its sides have the width, \
        and it is mirrored at its sides repeatedly.
        """,
      frame
    ) { values, _ in
      let triangle = Triangle(
        middle: values.center, side: values.width, angle: values.angle)
      return { triangle.folded($0) }
    },
    BuiltInFilter(
      "CIOpTile",
      warping: """
        Fills the image with small copies of its center, in squares of the width that start at the center. They are \
        rotated by an angle in radians and scaled down by the scale. Our own formula.
        """,
      [
        center, .number("inputScale", 2.8, in: 0...1e6), .number("inputAngle", 0),
        .number("inputWidth", 65, in: 1...1e6),
      ]
    ) { values, _ in
      let scale = values.scale
      return TileFrame(values).folded {
        let middle = $0.rounded(.down) + 0.5
        return middle + ($0 - middle) * scale
      }
    },
  ]
}

/// The coordinate system of tiles.
private struct TileFrame {
  private let toPlaces: AffineMap
  private let toTiles: AffineMap

  init(_ values: ImageFilterValues) {
    let (angle, width) = (values.angle, values.width)
    let across = angle + (values.has("inputAcuteAngle") ? values.number("inputAcuteAngle") : Double.pi / 2)
    let right = ImagePoint(cos(angle), sin(angle)) * width
    let up = ImagePoint(cos(across), sin(across)) * width
    let map = AffineMap(right: right, up: up, origin: values.center)
    let square = AffineMap(right: right, up: ImagePoint(-right.y, right.x), origin: map.origin)
    // If both directions are parallel, use squares.
    toPlaces = map.inverse == nil ? square : map
    toTiles = toPlaces.inverse ?? .identity
  }

  func folded(_ fold: @escaping (ImagePoint) -> ImagePoint) -> (ImagePoint) -> ImagePoint {
    { toPlaces(fold(toTiles($0))) }
  }
}

extension ImagePoint {
  /// A triangle wave of each coordinate: from 0 up to 1 and down again.
  fileprivate var mirrored: ImagePoint {
    let rest = self - (self / 2).rounded(.down) * 2
    return rest.replacing(with: 2 - rest, where: rest .> 1)
  }
}

/// An equilateral triangle that is mirrored at its sides until it fills the plane.
private struct Triangle {
  private let middle: ImagePoint
  private let turn: ImagePoint
  private let inner: Double
  private static let normals = (0..<3).map { index -> ImagePoint in
    let angle = Double.pi * (2 * Double(index) / 3 - 0.5)
    return ImagePoint(cos(angle), sin(angle))
  }

  init(middle: ImagePoint, side: Double, angle: Double) {
    self.middle = middle
    turn = ImagePoint(cos(angle), sin(angle))
    // The radius of the inscribed circle.
    inner = side / (2 * 3.0.squareRoot())
  }

  func contains(_ point: ImagePoint) -> Bool {
    let place = (point - middle).turned(ImagePoint(turn.x, -turn.y))
    return Self.normals.allSatisfy { place.dot($0) <= inner }
  }

  /// Returns the position in the triangle whose mirror image is at the given position.
  func folded(_ point: ImagePoint) -> ImagePoint {
    var place = (point - middle).turned(ImagePoint(turn.x, -turn.y))
    // Two reflections at parallel sides are a translation by twice the triangle's height, in three directions.
    let period = 6 * inner
    for normal in Self.normals[..<2] {
      // Along each of two directions, in steps that do not affect the other one.
      let other = normal == Self.normals[0] ? Self.normals[1] : Self.normals[0]
      let across = ImagePoint(-other.y, other.x)
      let steps = (place.dot(across) / (normal.dot(across) * period)).rounded()
      place -= normal * (steps * period)
    }
    for _ in 0..<12 {
      guard let side = Self.normals.first(where: { place.dot($0) > inner }) else { break }
      place -= side * (2 * (place.dot(side) - inner))
    }
    return middle + place.turned(turn)
  }
}
