import Foundation

extension BuiltInFilter {
  private static let frame: [ImageFilterParameter] = [
    center, .number("inputAngle", 0), .number("inputWidth", 100, in: 1...1e6),
  ]
  private static let reflected = "A parallelogram of the image, every other one mirrored in u and in v."

  /// A filter that fills the image with a part of it.
  ///
  /// - Parameters:
  ///   - isSlanted: `true` if there is an acute angle between both sides of a tile.
  ///   - fold: from u and v to those of the place that is looked up.
  private init(
    _ name: String, tiling summary: String, isSlanted: Bool = false,
    _ fold: @escaping @Sendable (ImagePoint) -> ImagePoint
  ) {
    let angle: [ImageFilterParameter] = isSlanted ? [.number("inputAcuteAngle", Double.pi / 2)] : []
    self.init(name, warping: summary, Self.frame + angle) { values, _ in TileFrame(values).folded(fold) }
  }

  /// A part of the image that fills its whole size. u and v count tiles from the center, where corners of tiles lie: u
  /// along the angle in radians from the x axis, v along the acute angle from there, or across.
  static let tiles: [BuiltInFilter] = [
    BuiltInFilter(
      "CIFourfoldTranslatedTile", tiling: "A parallelogram of the image, repeated: u and v less their whole parts.",
      isSlanted: true
    ) { $0 - $0.rounded(.down) },
    BuiltInFilter("CIFourfoldReflectedTile", tiling: reflected, isSlanted: true) { $0.mirrored },
    BuiltInFilter("CIParallelogramTile", tiling: reflected, isSlanted: true) { $0.mirrored },
    BuiltInFilter(
      "CIEightfoldReflectedTile",
      tiling:
        "The half of a square of the image below its diagonal, mirrored there; every other square mirrored besides."
    ) {
      let place = $0.mirrored
      return place.y > place.x ? ImagePoint(place.y, place.x) : place
    },
    BuiltInFilter(
      "CIFourfoldRotatedTile",
      tiling: "Four copies of a square of the image around a corner, turned by 0°, 90°, 180° and 270°, repeated."
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
      tiling: "A square of the image, repeated along u; every other row upside down and half a square further."
    ) {
      let row = $0.y.rounded(.down)
      let isOdd = row / 2 != (row / 2).rounded(.down)
      let (u, v) = ($0.x + (isOdd ? 0.5 : 0), $0.y - row)
      return ImagePoint(u - u.rounded(.down), isOdd ? 1 - v : v)
    },
    BuiltInFilter(
      "CIKaleidoscope",
      warping: """
        A sector from the angle on, half a turn divided by the count wide, mirrored into its neighbors all around the \
        center. The count is rounded to whole ones.
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
      An equilateral triangle of the image with its middle at the point, its sides as long as the size, turned by the \
      rotation in radians, mirrored at its sides again and again. The decay is how much of the brightness is left where \
      that reaches a distance of the size from the point: times decay^(r / size) beyond the triangle. A design of ours.
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
        An equilateral triangle of the image with its middle at the center, its sides as long as the width, mirrored at its \
        sides again and again.
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
        Squares of the width from the center on, turned by an angle in radians, each with the image around its middle made \
        smaller by the scale; a design of ours.
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

/// Tiles as a frame of reference.
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
    // Where both directions are one there are no tiles but squares.
    toPlaces = map.inverse == nil ? square : map
    toTiles = toPlaces.inverse ?? .identity
  }

  func folded(_ fold: @escaping (ImagePoint) -> ImagePoint) -> (ImagePoint) -> ImagePoint {
    { toPlaces(fold(toTiles($0))) }
  }
}

extension ImagePoint {
  /// Each coordinate up from 0 to 1 and down again.
  fileprivate var mirrored: ImagePoint {
    let rest = self - (self / 2).rounded(.down) * 2
    return rest.replacing(with: 2 - rest, where: rest .> 1)
  }
}

/// An equilateral triangle that is mirrored at its sides until the plane is full.
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
    // The radius of the circle within.
    inner = side / (2 * 3.0.squareRoot())
  }

  func contains(_ point: ImagePoint) -> Bool {
    let place = (point - middle).turned(ImagePoint(turn.x, -turn.y))
    return Self.normals.allSatisfy { place.dot($0) <= inner }
  }

  /// The place of the triangle that is seen there in the mirrors.
  func folded(_ point: ImagePoint) -> ImagePoint {
    var place = (point - middle).turned(ImagePoint(turn.x, -turn.y))
    // Two mirrors in a row that are parallel shift by twice the triangle's height, in three directions.
    let period = 6 * inner
    for normal in Self.normals[..<2] {
      // Along each of two directions, in steps that leave the other alone.
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
