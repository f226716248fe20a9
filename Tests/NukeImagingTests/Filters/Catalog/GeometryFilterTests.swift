import Foundation
import NukeImaging
import Testing

@Suite("Filters that change an image's shape")
struct GeometryFilterTests {
  private typealias Place = (x: Double, y: Double)

  /// The image looked up in n x n places a pixel of a canvas whose lower left corner is told.
  private func expected(
    _ source: Bitmap, canvas: (x: Int, y: Int, width: Int, height: Int), samples: Int,
    _ place: (Double, Double) -> Place
  ) -> [Double] {
    let reference = ReferenceSampling(source, ends: true)
    return (0..<canvas.height).flatMap { row in
      (0..<canvas.width).flatMap { column -> [Double] in
        var sums = [0.0, 0, 0, 0]
        for sample in 0..<samples * samples {
          let right = (Double(sample % samples) + 0.5) / Double(samples)
          let up = (Double(sample / samples) + 0.5) / Double(samples)
          let found = place(
            Double(canvas.x + column) + right, Double(canvas.y + canvas.height - 1 - row) + up)
          let value = reference.value(found.x, found.y)
          for c in 0..<4 { sums[c] += value[c] / Double(samples * samples) }
        }
        return sums
      }
    }
  }

  @Test(
    "An affine transform gives a canvas that holds all of it, with the mean of several places where it makes smaller",
    arguments: [
      ([1, 0, 0, 1, 0.25, -0.5], (0, -1, 42, 31), 1), ([0.8, 0.6, -0.6, 0.8, 5, 3], (-13, 3, 51, 49), 1),
      ([0.4, 0, 0, -0.3, 100, 7], (100, -2, 17, 9), 3), ([1, 0, 1.5, 2, 0, 0], (0, 0, 86, 60), 1),
    ] as [([Double], (Int, Int, Int, Int), Int)])
  func affine(_ m: [Double], _ canvas: (Int, Int, Int, Int), _ samples: Int) throws {
    var random = SeededGenerator(seed: 83)
    let source = try SampleImages.noise(41, 30, isOpaque: false, random: &random)
    let result = try Catalog.apply("CIAffineTransform", ["inputTransform": m], to: source)
    #expect((result.pixelWidth, result.pixelHeight) == (canvas.2, canvas.3))
    let det = m[0] * m[3] - m[1] * m[2]
    let wanted = expected(source, canvas: canvas, samples: samples) { x, y in
      let (u, v) = (x - m[4], y - m[5])
      return ((m[3] * u - m[2] * v) / det, (m[0] * v - m[1] * u) / det)
    }
    #expect(Deviations(result, wanted).worst <= 1.1)
  }

  @Test("A transform of Foundation's says the same, whole steps and quarter turns move pixels as they are")
  func transforms() throws {
    var random = SeededGenerator(seed: 84)
    let source = try SampleImages.noise(20, 10, isOpaque: true, random: &random)
    var transform = AffineTransform(translationByX: 7, byY: -3)
    #expect(try Catalog.apply("CIAffineTransform", ["inputTransform": transform], to: source).bytes == source.bytes)
    transform = AffineTransform(rotationByDegrees: 90)
    let turned = try Catalog.apply("CIAffineTransform", ["inputTransform": transform], to: source)
    #expect((turned.pixelWidth, turned.pixelHeight) == (10, 20))
    #expect(turned.bytes == source.turned(.left)?.bytes)
    let boxed = NSAffineTransform(transform: transform)
    #expect(try Catalog.apply("CIAffineTransform", ["inputTransform": boxed], to: source).bytes == turned.bytes)
  }

  /// Lower left, lower right, upper right and upper left.
  private static let quadrilaterals: [[[Double]]] = [
    [[2, 3], [33, 1.5], [30, 25], [6, 22.5]], [[0, 0], [40, 0], [40, 30], [0, 30]],
    [[-4, 5], [60.5, -7.25], [70, 41], [11, 25]],
  ]

  private func keys(_ corners: [[Double]]) -> [String: Any] {
    [
      "inputBottomLeft": corners[0], "inputBottomRight": corners[1], "inputTopRight": corners[2],
      "inputTopLeft": corners[3],
    ]
  }

  /// Where a place of the unit square goes: the eight numbers of a homography by Gauss's elimination.
  private func homography(_ corners: [[Double]]) -> (Double, Double) -> Place {
    var rows: [[Double]] = []
    for (index, unit) in [[0.0, 0], [1, 0], [1, 1], [0, 1]].enumerated() {
      let (u, v, x, y) = (unit[0], unit[1], corners[index][0], corners[index][1])
      rows.append([u, v, 1, 0, 0, 0, -u * x, -v * x, x])
      rows.append([0, 0, 0, u, v, 1, -u * y, -v * y, y])
    }
    for column in 0..<8 {
      let best = (column..<8).max { abs(rows[$0][column]) < abs(rows[$1][column]) }!
      rows.swapAt(column, best)
      for row in 0..<8 where row != column {
        let factor = rows[row][column] / rows[column][column]
        for k in column..<9 { rows[row][k] -= factor * rows[column][k] }
      }
    }
    let h = (0..<8).map { rows[$0][8] / rows[$0][$0] }
    return { u, v in
      let w = h[6] * u + h[7] * v + 1
      return ((h[0] * u + h[1] * v + h[2]) / w, (h[3] * u + h[4] * v + h[5]) / w)
    }
  }

  @Test("A perspective correction reads a quadrilateral as a rectangle", arguments: quadrilaterals)
  func correction(_ corners: [[Double]]) throws {
    var random = SeededGenerator(seed: 85)
    let source = try SampleImages.noise(40, 30, isOpaque: true, random: &random)
    let result = try Catalog.apply("CIPerspectiveCorrection", keys(corners), to: source)
    func distance(_ a: Int, _ b: Int) -> Double {
      hypot(corners[a][0] - corners[b][0], corners[a][1] - corners[b][1])
    }
    let (width, height) = (max(distance(0, 1), distance(3, 2)).rounded(), max(distance(0, 3), distance(1, 2)).rounded())
    #expect((Double(result.pixelWidth), Double(result.pixelHeight)) == (width, height))
    let map = homography(corners)
    let wanted = expected(source, canvas: (0, 0, Int(width), Int(height)), samples: 1) { map($0 / width, $1 / height) }
    #expect(Deviations(result, wanted).worst <= 0.6)
    #expect(result.isOpaque == (corners[0][0] >= 0))
  }

  @Test("A perspective transform and its correction bring the corners there and back", arguments: quadrilaterals)
  func transform(_ corners: [[Double]]) throws {
    var random = SeededGenerator(seed: 86)
    // Soft, so that looking up twice changes little.
    let noise = try SampleImages.noise(40, 30, isOpaque: true, random: &random)
    let source = try Catalog.apply("CIGaussianBlur", ["inputRadius": 4], to: noise)
    let there = try Catalog.apply("CIPerspectiveTransform", keys(corners), to: source)
    let (xs, ys) = (corners.map { $0[0] }, corners.map { $0[1] })
    let (left, bottom) = (floor(xs.min()!), floor(ys.min()!))
    #expect(Double(there.pixelWidth) == ceil(xs.max()!) - left)
    #expect(Double(there.pixelHeight) == ceil(ys.max()!) - bottom)
    let moved = corners.map { [$0[0] - left, $0[1] - bottom] }
    let map = homography(corners)
    // What lies at a place of the image lies at the mapped place of the result.
    let (found, original) = (ReferenceSampling(there, ends: true), ReferenceSampling(source, ends: true))
    for (u, v) in [(0.2, 0.3), (0.5, 0.5), (0.8, 0.25), (0.4, 0.75), (0.7, 0.9)] {
      let place = map(u, v)
      let (a, b) = (found.value(place.x - left, place.y - bottom), original.value(u * 40, v * 30))
      #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 3 })
    }
    let back = try Catalog.apply("CIPerspectiveCorrection", keys(moved), to: there)
    #expect(back.pixelWidth >= 25 && back.pixelHeight >= 19)
    // A tile of it is the same where the transformed image lies.
    let tiled = try Catalog.apply("CIPerspectiveTile", keys(Self.quadrilaterals[0]), to: source)
    let corner = ReferenceSampling(tiled, ends: true).value(18, 12)
    let once = try Catalog.apply("CIPerspectiveTransform", keys(Self.quadrilaterals[0]), to: source)
    let same = ReferenceSampling(once, ends: true).value(18 - 2, 12 - 1)
    #expect(zip(corner, same).allSatisfy { abs($0 - $1) <= 1.1 })
  }

  @Test("Corners of no convex quadrilateral, a transform without a way back, and results too large are errors")
  func degenerate() throws {
    let source = try SampleImages.bitmap(4, 3, isOpaque: true, pixels: [UInt8](repeating: 255, count: 48))
    for corners in [
      [[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0], [4, 0], [1, 1], [0, 4]], [[0, 0], [4, 4], [4, 0], [0, 4]],
      [[0, 0], [0, 0], [0, 0], [0, 0]], [[0, 0], [1e300, 0], [1e300, 1e300], [0, 1e300]],
    ] as [[[Double]]] {
      for name in ["CIPerspectiveTransform", "CIPerspectiveCorrection", "CIPerspectiveTile"] {
        #expect {
          try Catalog.apply(name, keys(corners), to: source)
        } throws: {
          "\($0)" == "inputTopLeft of \(name) must be with the other three a corner of a convex quadrilateral"
        }
      }
    }
    for m in [[0, 0, 0, 0, 0, 0], [1, 2, 2, 4, 0, 0], [1e300, 0, 0, 1e300, 0, 0], [1e-300, 0, 0, 1, 0, 0]] as [[Double]]
    {
      for name in ["CIAffineTransform", "CIAffineClamp", "CIAffineTile"] {
        #expect {
          try Catalog.apply(name, ["inputTransform": m], to: source)
        } throws: { "\($0)" == "inputTransform of \(name) must be a transform that can be undone" }
      }
    }
    #expect(throws: ImageFilterError.resultTooLarge(filter: "CIAffineTransform", limit: 100_000_000)) {
      try Catalog.apply("CIAffineTransform", ["inputTransform": [9000, 0, 0, 9000, 0, 0]], to: source)
    }
    let far = [[0, 0], [1e5, 0], [1e5, 9e4], [0, 9e4]] as [[Double]]
    for name in ["CIPerspectiveTransform", "CIPerspectiveCorrection"] {
      #expect(throws: ImageFilterError.resultTooLarge(filter: name, limit: 100_000_000)) {
        try Catalog.apply(name, keys(far), to: source)
      }
    }
  }

  @Test("A displacement looks up further by the other image, glass by the slope of its texture")
  func displacement() throws {
    var random = SeededGenerator(seed: 87)
    let source = try SampleImages.noise(40, 30, isOpaque: true, random: &random)
    let shifts = try SampleImages.noise(20, 30, isOpaque: true, random: &random)
    let (reference, other) = (ReferenceSampling(source, ends: false), ReferenceSampling(shifts, ends: false))
    func luminance(_ x: Int, _ y: Int) -> Double {
      let (column, row) = ((x % 20 + 20) % 20, (y % 30 + 30) % 30)
      let (red, green) = (other.pixel(column, row, 0), other.pixel(column, row, 1))
      return (0.2126 * red + 0.7152 * green + 0.0722 * other.pixel(column, row, 2)) / 255
    }
    for scale in [0.0, 7.5, -20] {
      let displaced = try Catalog.apply(
        "CIDisplacementDistortion", ["inputDisplacementImage": shifts, "inputScale": scale], to: source)
      let glass = try Catalog.apply(
        "CIGlassDistortion", ["inputTexture": shifts, "inputScale": scale, "inputCenter": [3, 28]], to: source)
      var (first, second): ([Double], [Double]) = ([], [])
      for row in 0..<30 {
        for x in 0..<40 {
          let y = 29 - row
          let (red, green) = (other.pixel(x, y, 0) / 255, other.pixel(x, y, 1) / 255)
          first += reference.value(
            Double(x) + 0.5 + scale * (red - 0.5), Double(y) + 0.5 + scale * (green - 0.5))
          let (u, v) = (x - 3, y - 28)
          let right = (luminance(u + 1, v) - luminance(u - 1, v)) / 2
          let up = (luminance(u, v + 1) - luminance(u, v - 1)) / 2
          second += reference.value(Double(x) + 0.5 + scale * right, Double(y) + 0.5 + scale * up)
        }
      }
      #expect(Deviations(displaced, first).worst <= 0.6)
      #expect(Deviations(glass, second).worst <= 0.6)
      #expect(displaced.isOpaque && glass.isOpaque)
      if scale == 0 { #expect(displaced.bytes == source.bytes && glass.bytes == source.bytes) }
    }
  }

  @Test("A triangle kaleidoscope mirrors a triangle of the image, darker with the distance")
  func triangleKaleidoscope() throws {
    let white = try SampleImages.bitmap(90, 60, isOpaque: true, pixels: [UInt8](repeating: 255, count: 90 * 60 * 4))
    let point: [Double] = [45, 30]
    for decay in [0.85, 0.3, 0] {
      let bytes = try Catalog.apply(
        "CITriangleKaleidoscope",
        ["inputPoint": point, "inputSize": 40, "inputRotation": 0, "inputDecay": decay], to: white
      ).bytes
      for row in 0..<60 {
        for column in 0..<90 {
          let (dx, dy) = (Double(column) + 0.5 - 45, 59.5 - Double(row) - 30)
          // The sides of the triangle: one below, two that meet above.
          let inner = 40 / (2 * 3.0.squareRoot())
          let isInside = -dy <= inner && abs(dx) * 3.0.squareRoot() / 2 + dy / 2 <= inner
          let expected = isInside ? 255 : 255 * pow(decay, hypot(dx, dy) / 40)
          #expect(abs(Double(bytes[(row * 90 + column) * 4]) - expected) <= 0.6)
        }
      }
    }
    // Without decay it is the tile of the same triangle.
    var random = SeededGenerator(seed: 88)
    let source = try SampleImages.noise(40, 30, isOpaque: false, random: &random)
    let kaleidoscope = try Catalog.apply(
      "CITriangleKaleidoscope",
      ["inputPoint": [17, 12], "inputSize": 15, "inputRotation": 0.7, "inputDecay": 1], to: source)
    let tile = try Catalog.apply(
      "CITriangleTile", ["inputCenter": [17, 12], "inputWidth": 15, "inputAngle": 0.7], to: source)
    #expect(zip(kaleidoscope.bytes, tile.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }
}
