import Foundation
import NukeImaging
import Testing

/// Filters that look pixels up at other places, against their formulas in double precision.
@Suite("Filters that move pixels")
struct WarpingFilterTests {
  typealias Place = (x: Double, y: Double)

  struct Warp: Sendable, CustomTestStringConvertible {
    let name: String
    let parameters: @Sendable () -> [String: Any]
    /// `true` if nothing is beyond the image's edges.
    var ends = false
    /// From a place of the result to one of the image, both from the lower left.
    let place: @Sendable (Double, Double) -> Place

    var testDescription: String { "\(name) \(parameters())" }
  }

  /// The size of the image all are tried on.
  private static let (width, height) = (61.0, 43.0)

  /// A warp around a center, told by polar coordinates: from distance and angle to those that are looked up.
  private static func polar(
    _ name: String, _ x: Double, _ y: Double, _ more: [String: Double], ends: Bool = false,
    _ place: @escaping @Sendable (Double, Double) -> (Double, Double)
  ) -> Warp {
    Warp(name: name, parameters: { ["inputCenter": [x, y]].merging(more) { $1 } as [String: Any] }, ends: ends) {
      px, py in
      let (r, angle) = place(hypot(px - x, py - y), atan2(py - y, px - x))
      return (x + r * cos(angle), y + r * sin(angle))
    }
  }

  /// Turned counterclockwise.
  private static func turned(_ x: Double, _ y: Double, _ angle: Double) -> Place {
    let (c, s): (Double, Double) = (cos(angle), sin(angle))
    return (x * c - y * s, x * s + y * c)
  }

  private static func refracted(_ t: Double, _ n: Double) -> Double {
    let sine = min(t / n, 1)
    // tan(asin t − asin s) by the tangents' difference.
    let (a, b) = (t / (1 - t * t).squareRoot(), sine / (1 - sine * sine).squareRoot())
    return t - (1 - t * t).squareRoot() * (a - b) / (1 + a * b)
  }

  private static let distortions: [Warp] =
    [(20.0, 0.5), (35, -0.8), (60, 1.0)].flatMap { around(radius: $0, scale: $1) + lenses(radius: $0, scale: $1) }

  private static func around(radius: Double, scale: Double) -> [Warp] {
    [
      polar("CIBumpDistortion", 27.3, 18.9, ["inputRadius": radius, "inputScale": scale]) { r, angle in
        let inside = max(1 - r * r / (radius * radius), 0)
        return (r - r * scale * inside * inside, angle)
      },
      Warp(
        name: "CIBumpDistortionLinear",
        parameters: { ["inputCenter": [30, 20], "inputRadius": radius / 2, "inputScale": scale, "inputAngle": scale] }
      ) { x, y in
        // Turned so that the line is the x axis.
        let (u, v) = turned(x - 30, y - 20, -scale)
        let inside = max(1 - v * v / (radius * radius / 4), 0)
        let back = turned(u, v * (1 - scale * inside * inside), scale)
        return (30 + back.x, 20 + back.y)
      },
      polar("CIPinchDistortion", 31.2, 20.1, ["inputRadius": radius, "inputScale": abs(scale)]) { r, angle in
        (r < radius ? radius * pow(r / radius, 1 / (1 + abs(scale))) : r, angle)
      },
      polar("CITwirlDistortion", 31.2, 20.1, ["inputRadius": radius, "inputAngle": scale * 3]) { r, angle in
        (r, angle - 3 * scale * pow(max(1 - r / radius, 0), 2))
      },
      polar("CIVortexDistortion", 31.2, 20.1, ["inputRadius": radius, "inputAngle": scale * 20]) { r, angle in
        (r, angle - 20 * scale * pow(max(1 - r / radius, 0), 4))
      },
      polar("CIHoleDistortion", 31.2, 20.1, ["inputRadius": radius / 3]) { r, angle in
        (r > radius / 3 ? r - radius * radius / 9 / r : .nan, angle)
      },
      polar("CICircleSplashDistortion", 31.2, 20.1, ["inputRadius": radius / 3]) { r, angle in
        (min(r, radius / 3), angle)
      },
      polar("CILightTunnel", 31.2, 20.1, ["inputRadius": radius / 3, "inputRotation": scale * 2]) { r, angle in
        r > radius / 3 ? (radius / 3, angle - 2 * scale * (1 - radius / 3 / r)) : (r, angle)
      },
    ]
  }

  private static func lenses(radius: Double, scale: Double) -> [Warp] {
    [
      Warp(
        name: "CICircularWrap",
        parameters: { ["inputCenter": [30.3, 20.2], "inputRadius": radius / 6, "inputAngle": scale] }, ends: true
      ) { x, y in
        let clockwise = atan2(x - 30.3, y - 20.2) + scale
        let turns = clockwise / (2 * .pi)
        return ((turns - floor(turns)) * width, hypot(x - 30.3, y - 20.2) - radius / 6)
      },
      polar(
        "CITorusLensDistortion", 31.2, 20.1,
        ["inputRadius": radius / 3, "inputWidth": 12, "inputRefraction": 1.5 + scale / 2]
      ) { r, angle in
        let t = (r - radius / 3) / 6
        guard abs(t) < 1 else { return (r, angle) }
        return (radius / 3 + 6 * (t < 0 ? -1 : 1) * refracted(abs(t), 1.5 + scale / 2), angle)
      },
      Warp(
        name: "CIGlassLozenge",
        parameters: {
          ["inputPoint0": [15, 20], "inputPoint1": [40, 20], "inputRadius": radius / 3, "inputRefraction": 2 + scale]
        }
      ) { x, y in
        let nearest = min(max(x, 15), 40)
        let (dx, dy) = (x - nearest, y - 20)
        let t = hypot(dx, dy) / (radius / 3)
        guard t < 1, t > 0 else { return (x, y) }
        let factor = refracted(t, 2 + scale) / t
        return (nearest + dx * factor, 20 + dy * factor)
      },
    ]
  }

  private static func mirrored(_ t: Double) -> Double { abs(t - 2 * (t / 2).rounded()) }

  /// Tiles told by coordinates in a square or slanted grid.
  private static func tile(
    _ name: String, _ angle: Double, _ acute: Double, _ size: Double,
    _ fold: @escaping @Sendable (Double, Double) -> Place
  ) -> Warp {
    let isSlanted = ["CIFourfoldTranslatedTile", "CIFourfoldReflectedTile", "CIParallelogramTile"].contains(name)
    return Warp(
      name: name,
      parameters: {
        var all: [String: Any] = ["inputCenter": [20.3, 15.7], "inputAngle": angle, "inputWidth": size]
        if isSlanted { all["inputAcuteAngle"] = acute }
        return all
      }
    ) { x, y in
      let slant = isSlanted ? acute : Double.pi / 2
      // Oblique coordinates, where u is along the x axis.
      let level = turned(x - 20.3, y - 15.7, -angle)
      let v = level.y / (size * sin(slant))
      let (s, t) = fold(level.x / size - v * cos(slant), v)
      let back = turned(size * (s + t * cos(slant)), size * t * sin(slant), angle)
      return (20.3 + back.x, 15.7 + back.y)
    }
  }

  private static let tiles: [Warp] =
    [(0.0, 1.2, 21.0), (0.4, 0.9, 13.3), (-1.1, 1.9, 30.1)].flatMap { tiles(angle: $0, acute: $1, size: $2) }

  private static func tiles(angle: Double, acute: Double, size: Double) -> [Warp] {
    [
      tile("CIFourfoldTranslatedTile", angle, acute, size) { ($0 - floor($0), $1 - floor($1)) },
      tile("CIFourfoldReflectedTile", angle, acute, size) { (mirrored($0), mirrored($1)) },
      tile("CIParallelogramTile", angle, acute, size) { (mirrored($0), mirrored($1)) },
      tile("CIEightfoldReflectedTile", angle, acute, size) {
        (max(mirrored($0), mirrored($1)), min(mirrored($0), mirrored($1)))
      },
      tile("CIFourfoldRotatedTile", angle, acute, size) { u, v in
        let (i, j) = (Int(floor(u)), Int(floor(v)))
        let (a, b) = (u - floor(u), v - floor(v))
        // Odd columns and even rows are turned by 90° about the corner, and so on around it.
        switch (i & 1, j & 1) {
        case (0, 0): return (a, b)
        case (1, 0): return (b, 1 - a)
        case (1, 1): return (1 - a, 1 - b)
        default: return (1 - b, a)
        }
      },
      tile("CIGlideReflectedTile", angle, acute, size) { u, v in
        let isOdd = Int(floor(v)) & 1 == 1
        let s = isOdd ? u + 0.5 : u
        return (s - floor(s), mirrored(v))
      },
      polar("CIKaleidoscope", 31.2, 20.1, ["inputCount": (size / 4).rounded(), "inputAngle": angle]) { r, theta in
        let sector = Double.pi / (size / 4).rounded()
        return (r, angle + sector * mirrored((theta - angle) / sector))
      },
      Warp(
        name: "CIOpTile",
        parameters: {
          ["inputCenter": [20.3, 15.7], "inputAngle": angle, "inputWidth": size, "inputScale": acute]
        }
      ) { x, y in
        let (u, v) = turned(x - 20.3, y - 15.7, -angle)
        let (a, b): (Double, Double) = ((floor(u / size) + 0.5) * size, (floor(v / size) + 0.5) * size)
        let back = turned(a + (u - a) * acute, b + (v - b) * acute, angle)
        return (20.3 + back.x, 15.7 + back.y)
      },
      Warp(
        name: "CITriangleTile",
        parameters: { ["inputCenter": [20.3, 15.7], "inputAngle": angle, "inputWidth": size] }
      ) { x, y in triangle(x - 20.3, y - 15.7, size, angle, 20.3, 15.7) },
    ]
  }

  /// Mirrors a place at a triangle's sides until it lies within.
  private static func triangle(
    _ dx: Double, _ dy: Double, _ side: Double, _ angle: Double, _ cx: Double, _ cy: Double
  ) -> Place {
    var (x, y) = (dx, dy)
    for _ in 0..<200 {
      var moved = false
      for index in 0..<3 {
        let normal = angle + Double(index) * 2 * .pi / 3 - .pi / 2
        let beyond = x * cos(normal) + y * sin(normal) - side * 3.0.squareRoot() / 6
        guard beyond > 0 else { continue }
        x -= 2 * beyond * cos(normal)
        y -= 2 * beyond * sin(normal)
        moved = true
      }
      if !moved { break }
    }
    return (cx + x, cy + y)
  }

  private static let transforms: [Warp] =
    [[0.9, 0.3, -0.4, 1.1, 3, -2], [1.2, 0, 0.5, -1, 10, 30], [2, 0.1, 0.2, 1.7, 0, 0]].flatMap { m -> [Warp] in
      let det = m[0] * m[3] - m[1] * m[2]
      @Sendable func back(_ x: Double, _ y: Double) -> Place {
        let (u, v) = (x - m[4], y - m[5])
        return ((m[3] * u - m[2] * v) / det, (m[0] * v - m[1] * u) / det)
      }
      return [
        Warp(name: "CIAffineClamp", parameters: { ["inputTransform": m] }, place: back),
        Warp(name: "CIAffineTile", parameters: { ["inputTransform": m] }) { x, y in
          let (u, v) = back(x, y)
          return (u - width * floor(u / width), v - height * floor(v / height))
        },
      ]
    }
    + [0.2, -0.7, 2].map { angle in
      Warp(name: "CIStraightenFilter", parameters: { ["inputAngle": angle] }) { x, y in
        // The smallest enlargement whose turned corners all lie within.
        let corners: [Place] = [turned(width, height, -angle), turned(width, -height, -angle)]
        let scale: Double = corners.map { max(abs($0.x) / width, abs($0.y) / height) }.max()!
        let back = turned((x - width / 2) / scale, (y - height / 2) / scale, -angle)
        return (width / 2 + back.x, height / 2 + back.y)
      }
    }

  @Test("Each looks pixels up where its formula says", arguments: distortions + tiles + transforms)
  func formula(_ warp: Warp) throws {
    var random = SeededGenerator(seed: 80)
    for isOpaque in [true, false] {
      let source = try SampleImages.noise(Int(Self.width), Int(Self.height), isOpaque: isOpaque, random: &random)
      let result = try Catalog.apply(warp.name, warp.parameters(), to: source)
      #expect((result.pixelWidth, result.pixelHeight) == (source.pixelWidth, source.pixelHeight))
      let reference = ReferenceSampling(source, ends: warp.ends)
      let expected = (0..<source.pixelHeight).flatMap { row in
        (0..<source.pixelWidth).flatMap { column -> [Double] in
          let place = warp.place(Double(column) + 0.5, Self.height - Double(row) - 0.5)
          return reference.value(place.x, place.y)
        }
      }
      #expect(Deviations(result, expected, leavingOut: 0.002).worst <= 0.6)
      let isWhole = stride(from: 3, to: result.bytes.count, by: 4).allSatisfy { result.bytes[$0] == 255 }
      #expect(result.isOpaque == (isOpaque && isWhole))
      #expect(isWhole == isOpaque || warp.ends || warp.name == "CIHoleDistortion")
    }
  }

  /// Parameters with which a filter does nothing.
  private static let identities: [(String, [String: Double])] = [
    ("CIBumpDistortion", ["inputScale": 0]), ("CIBumpDistortionLinear", ["inputScale": 0]),
    ("CIPinchDistortion", ["inputScale": 0]), ("CITwirlDistortion", ["inputAngle": 0]),
    ("CIVortexDistortion", ["inputAngle": 0]), ("CICircleSplashDistortion", ["inputRadius": 1e6]),
    ("CILightTunnel", ["inputRadius": 1e6]), ("CITorusLensDistortion", ["inputRefraction": 1]),
    ("CIGlassLozenge", ["inputRefraction": 1]), ("CIBumpDistortion", ["inputRadius": 0]),
    ("CITwirlDistortion", ["inputRadius": 0]), ("CITorusLensDistortion", ["inputWidth": 0]),
    ("CIGlassLozenge", ["inputRadius": 0]), ("CIAffineClamp", [:]), ("CIAffineTile", [:]), ("CIAffineTransform", [:]),
    ("CIStraightenFilter", [:]), ("CIOpTile", ["inputScale": 1]), ("CITriangleTile", ["inputWidth": 1e6]),
    ("CITriangleKaleidoscope", ["inputSize": 1e6]),
  ]

  @Test("Where parameters mean no change every pixel stays", arguments: identities.indices)
  func identity(_ index: Int) throws {
    var random = SeededGenerator(seed: 81)
    let (name, parameters) = Self.identities[index]
    let source = try SampleImages.noise(40, 30, isOpaque: false, random: &random)
    let result = try Catalog.apply(name, parameters, to: source)
    #expect(zip(result.bytes, source.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test("Every variant of the kernels gives the same pixels, also of several places a pixel")
  func variants() throws {
    var random = SeededGenerator(seed: 82)
    let source = try SampleImages.noise(50, 20, isOpaque: false, random: &random)
    let scalar = try #require(PixelKernels(.scalar))
    for edges in [EdgeMode.repeated, .transparent] {
      for samples in 1...3 {
        func warped(_ kernels: PixelKernels) -> [UInt8]? {
          source.warped(width: 33, edges: edges, samples: samples, kernels: kernels) { $0 * 1.37 - 3.1 }?.bytes
        }
        let expected = try #require(warped(scalar))
        for kernels in availableKernels { #expect(warped(kernels) == expected) }
      }
    }
  }
}
