import Foundation
import NukeImaging
import Testing

/// Halftones, drawings, light and colors by place, against their formulas in double precision.
@Suite("Filters that draw an image anew")
struct StylizingFilterTests {
  typealias Formula = FilterFormula

  private static func luminance(_ color: [Double]) -> Double {
    0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
  }

  private static func unit(_ value: Double) -> Double { min(max(value, 0), 1) }

  /// 1 at whole numbers, 0 in the middle between, straight in between.
  private static func zigzag(_ t: Double) -> Double { 1 - acos(cos(2 * .pi * t)) / .pi }

  private static func dot(_ u: Double, _ v: Double) -> Double {
    let mean = (zigzag(u) + zigzag(v)) / 2
    return mean < 0.5 ? 2 * mean * mean : 1 - 2 * pow(1 - mean, 2)
  }

  private static func screened(_ tone: Double, _ threshold: Double, _ sharpness: Double) -> Double {
    let softness = max(1 - sharpness, 1.0 / 256)
    return unit((tone + softness * tone - threshold) / softness)
  }

  /// Coordinates in widths from 14.3, 8.2, along the angle and across.
  private static func turned(_ x: Double, _ y: Double, _ angle: Double, _ width: Double) -> (Double, Double) {
    let (dx, dy) = ((x - 14.3) / width, (y - 8.2) / width)
    return (dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle))
  }

  private static func halftones(_ width: Double, _ angle: Double, _ sharpness: Double) -> [Formula] {
    @Sendable func keys(_ more: [String: Any]) -> [String: Any] {
      ["inputCenter": [14.3, 8.2], "inputWidth": width, "inputSharpness": sharpness].merging(more) { $1 }
    }
    let turning: [(String, @Sendable (Double, Double) -> Double)] = [
      ("CILineScreen", { zigzag($1) }), ("CIDotScreen", dot),
      ("CIHatchedScreen", { pow(max(zigzag($0), zigzag($1)), 2) }),
    ]
    let gray = turning.map { name, threshold in
      Formula.recoloring(name, keys(["inputAngle": angle]), undecided: 0.005) { color, x, y in
        let (u, v) = turned(x, y, angle, width)
        return [Double](repeating: screened(luminance(color), threshold(u, v), sharpness), count: 3)
      }
    }
    let rings = Formula.recoloring("CICircularScreen", keys([:]), undecided: 0.005) { color, x, y in
      let ring = zigzag(hypot(x - 14.3, y - 8.2) / width)
      return [Double](repeating: screened(luminance(color), ring, sharpness), count: 3)
    }
    let inks = Formula.recoloring(
      "CICMYKHalftone", keys(["inputAngle": angle, "inputGCR": sharpness, "inputUCR": 0.4]), undecided: 0.005
    ) { color, x, y in
      let black = color.map { 1 - $0 }.min()! * sharpness
      let all = color.map { max(1 - $0 - 0.4 * black, 0) } + [black]
      let left = zip(all, [15.0, 75, 0, 45]).map { ink, degrees in
        let (u, v) = turned(x, y, angle + degrees * .pi / 180, width)
        return 1 - screened(ink, dot(u, v), sharpness)
      }
      return left[..<3].map { $0 * left[3] }
    }
    return gray + [rings, inks]
  }

  /// √(x² + y²) of Sobel's operator over 4, of what `value` tells of a pixel.
  private static func edge(_ x: Int, _ y: Int, _ value: (Int, Int) -> Double) -> Double {
    let down = [1.0, 2, 1]
    let across = (0..<3).reduce(0.0) { $0 + down[$1] * (value(x + 1, y + $1 - 1) - value(x - 1, y + $1 - 1)) }
    let along = (0..<3).reduce(0.0) { $0 + down[$1] * (value(x + $1 - 1, y + 1) - value(x + $1 - 1, y - 1)) }
    return hypot(across, along) / 4
  }

  private static func edges(_ intensity: Double) -> Formula {
    Formula(name: "CIEdges", parameters: { ["inputIntensity": intensity] }) { source, x, y in
      let colors = (0..<3).map { c in intensity * edge(x, y) { source.pixel($0, $1, c) } }
      return Formula.clamped(colors + [source.pixel(x, y, 3)])
    }
  }

  private static func spotLight(_ light: [Double], _ target: [Double], _ concentration: Double) -> Formula {
    Formula.recoloring(
      "CISpotLight",
      [
        "inputLightPosition": light, "inputLightPointsAt": target, "inputBrightness": 2,
        "inputConcentration": concentration, "inputColor": Color(red: 1, green: 0.8, blue: 0.5),
      ]
    ) { color, x, y in
      let (ray, axis) = ([x - light[0], y - light[1], -light[2]], zip(target, light).map { $0 - $1 })
      func length(_ v: [Double]) -> Double { v.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      let cosine = zip(ray, axis).reduce(0) { $0 + $1.0 * $1.1 } / (length(ray) * length(axis))
      let brightness = 2 * pow(max(cosine, 0), 1 / concentration)
      return zip(color, [1, 0.8, 0.5]).map { $0 * $1 * brightness }
    }
  }

  private static func tones(_ shadow: Double, _ highlight: Double) -> Formula {
    Formula.recoloring(
      "CIHighlightShadowAdjust", ["inputShadowAmount": shadow, "inputHighlightAmount": highlight]
    ) { color, _, _ in
      let tone = luminance(color)
      let (power, gain) = (pow(2, -shadow * pow(1 - tone, 2)), 1 - (1 - highlight) * tone * tone / 2)
      return color.map { pow($0, power) * gain }
    }
  }

  private static func spotColor(_ closeness: Double, _ contrast: Double) -> Formula {
    Formula.recoloring(
      "CISpotColor",
      [
        "inputCenterColor1": Color.red, "inputReplacementColor1": Color.blue, "inputCloseness1": closeness,
        "inputContrast1": contrast, "inputCloseness2": 0, "inputCloseness3": closeness / 2,
        "inputCenterColor3": Color.gray, "inputReplacementColor3": Color.white, "inputContrast3": 0,
      ], undecided: 0.01
    ) { color, _, _ in
      var color = color
      for (center, replacement, closeness, contrast) in [
        ([1.0, 0, 0], [0.0, 0, 1], closeness, contrast), ([0.5, 0.5, 0.5], [1, 1, 1], closeness / 2, 0),
      ] {
        let distance = zip(color, center).reduce(0) { $0 + pow($1.0 - $1.1, 2) }.squareRoot()
        let amount = unit((closeness - distance) / max(closeness * (1 - contrast), 1e-9))
        color = zip(color, replacement).map { $0 + ($1 - $0) * amount }
      }
      return color
    }
  }

  /// As documented: lowbias32, with the constants that C. Wellons has published ("Prospecting for Hash Functions", 2018), of
  /// the sum of x times 2³² divided by the golden ratio and y times the first factor of MurmurHash3's 32-bit finalizer.
  static func hash(_ x: Int, _ y: Int) -> (Double, Double) {
    let golden = UInt32(4_294_967_296 / ((1 + 5.0.squareRoot()) / 2))
    var bits = UInt32(truncatingIfNeeded: x) &* golden &+ UInt32(truncatingIfNeeded: y) &* 0x85eb_ca6b
    bits ^= bits >> 16
    bits = bits &* 0x7feb_352d
    bits ^= bits >> 15
    bits = bits &* 0x846c_a68b
    bits ^= bits >> 16
    return (Double(bits % 65536) / 65536, Double(bits / 65536) / 65536)
  }

  private static let others: [Formula] =
    [1, 0.4, 3].map(edges)
    + [
      spotLight([10, 30, 12], [15, 8, 0], 0.1), spotLight([400, 600, 150], [0, 0, 0], 1),
      spotLight([5, 5, 40], [20, 5, 30], 0.02),
    ]
    + [(0.7, 1), (-0.6, 0.4), (1, 0)].map(tones) + [(0.8, 0.9), (0.5, 0), (1.2, 1)].map(spotColor)
    + [0.1, 1, 4].map { intensity in
      Formula.recoloring("CIDither", ["inputIntensity": intensity]) { color, x, y in
        // The images are 19 rows high, and rows are counted from the top.
        let noise = hash(Int(x), 18 - Int(y)).0 - 0.5
        return color.map { unit($0 + intensity * noise) }
      }
    }

  @Test(
    "Each makes of colors and places what its formula says",
    arguments: halftones(6, 0, 0.7) + halftones(4.5, 0.6, 1) + halftones(11, -1.2, 0.2) + others)
  func formula(_ formula: Formula) throws { try formula.check(seed: 95) }

  @Test("A screen keeps the mean brightness of a gray", arguments: ["CILineScreen", "CIDotScreen", "CIHatchedScreen"])
  func brightness(_ name: String) throws {
    for gray: UInt8 in [40, 100, 200] {
      let even = try SampleImages.bitmap(
        180, 180, isOpaque: true, pixels: (0..<180 * 180).flatMap { _ in [gray, gray, gray, 255] })
      let bytes = try Catalog.apply(
        name, ["inputWidth": 15, "inputSharpness": 1, "inputAngle": 0.3], to: even
      ).bytes
      let mean = stride(from: 0, to: bytes.count, by: 4).reduce(0.0) { $0 + Double(bytes[$1]) } / (180 * 180)
      #expect(abs(mean - Double(gray)) <= 4)
    }
  }

  /// The mean of each cell of pixels, by what tells cells apart.
  private func averaged(_ source: Bitmap, _ cell: (Double, Double) -> [Int]) -> (means: [Double], cells: [[Int]]) {
    let bytes = source.bytes.map(Double.init)
    let cells = (0..<source.pixelHeight).flatMap { row in
      (0..<source.pixelWidth).map { cell(Double($0) + 0.5, Double(source.pixelHeight - row) - 0.5) }
    }
    var sums: [[Int]: [Double]] = [:]
    for (index, cell) in cells.enumerated() {
      let pixel = Array(bytes[index * 4..<index * 4 + 4]) + [1]
      sums[cell] = zip(sums[cell] ?? [0, 0, 0, 0, 0], pixel).map { $0 + $1 }
    }
    return (cells.flatMap { cell in (0..<4).map { sums[cell]![$0] / sums[cell]![4] } }, cells)
  }

  @Test("Hexagons are the pixels nearest to their middles, and show their mean", arguments: [3.0, 8, 14.5])
  func hexagons(_ side: Double) throws {
    var random = SeededGenerator(seed: 96)
    let source = try SampleImages.noise(50, 40, isOpaque: false, random: &random)
    let result = try Catalog.apply(
      "CIHexagonalPixellate", ["inputCenter": [20.3, 11.9], "inputScale": side], to: source)
    let expected = averaged(source) { x, y in
      var best = (distance: Double.infinity, cell: [0])
      let rows = Int(60 / side)
      for row in -rows...rows {
        for column in -rows...rows {
          let middle = (
            20.3 + side * 3.0.squareRoot() * (Double(column) + Double(row & 1) / 2), 11.9 + side * 1.5 * Double(row)
          )
          let distance = hypot(x - middle.0, y - middle.1)
          if distance < best.distance { best = (distance, [column, row]) }
        }
      }
      return best.cell
    }
    #expect(Deviations(result, expected.means).worst <= 0.51)
  }

  @Test("Crystals are the pixels nearest to seeds in a grid, and dots lie around these", arguments: [3.0, 6, 20])
  func crystals(_ radius: Double) throws {
    var random = SeededGenerator(seed: 97)
    let source = try SampleImages.noise(50, 40, isOpaque: false, random: &random)
    let keys: [String: Any] = ["inputCenter": [20.3, 11.9], "inputRadius": radius]
    let crystals = try Catalog.apply("CICrystallize", keys, to: source)
    let dots = try Catalog.apply("CIPointillize", keys, to: source)
    func seed(_ cell: [Int]) -> (Double, Double) {
      let (a, b) = Self.hash(cell[0], cell[1])
      return (
        20.3 + 2 * radius * (Double(cell[0]) + 0.1 + 0.8 * a), 11.9 + 2 * radius * (Double(cell[1]) + 0.1 + 0.8 * b)
      )
    }
    func distance(_ x: Double, _ y: Double, _ cell: [Int]) -> Double { hypot(x - seed(cell).0, y - seed(cell).1) }
    let expected = averaged(source) { x, y in
      let (i, j) = (Int(floor((x - 20.3) / (2 * radius))), Int(floor((y - 11.9) / (2 * radius))))
      let around = (-1...1).flatMap { down in (-1...1).map { [i + $0, j + down] } }
      return around.min { distance(x, y, $0) < distance(x, y, $1) }!
    }
    #expect(Deviations(crystals, expected.means).worst <= 0.51)
    var pointed = expected.means
    for (index, cell) in expected.cells.enumerated()
    where distance(Double(index % 50) + 0.5, Double(40 - index / 50) - 0.5, cell) > radius {
      for c in 0..<3 { pointed[index * 4 + c] = pointed[index * 4 + 3] }
    }
    #expect(Deviations(dots, pointed, leavingOut: 0.001).worst <= 1.6)
  }

  /// The luminance of premultiplied pixels from 0 to 1, counted from the lower left.
  private func luminances(_ image: Bitmap) -> (Int, Int) -> Double {
    let reference = ReferenceSampling(image, ends: false)
    return { x, y in Self.luminance((0..<3).map { reference.pixel(x, y, $0) }) / 255 }
  }

  @Test("Edge work, line overlay and comic draw lines from what differs from its surroundings")
  func lines() throws {
    var random = SeededGenerator(seed: 98)
    let noise = try SampleImages.noise(40, 30, isOpaque: true, random: &random)
    let source = try Catalog.apply("CIGaussianBlur", ["inputRadius": 1.5], to: noise)
    let own = luminances(source)
    for radius in [1.0, 3, 8] {
      let around = luminances(try Catalog.apply("CIGaussianBlur", ["inputRadius": radius], to: source))
      let expected = (0..<30).flatMap { row in
        (0..<40).flatMap { column -> [Double] in
          let value = Self.unit(1 - 16 * (around(column, 29 - row) - own(column, 29 - row))) * 255
          return [value, value, value, 255]
        }
      }
      #expect(Deviations(try Catalog.apply("CIEdgeWork", ["inputRadius": radius], to: source), expected).worst <= 0.6)
    }
    for (intensity, threshold, contrast) in [(1, 0.1, 50), (3, 0.2, 2), (0.5, 0, 10)] as [(Double, Double, Double)] {
      let quiet = try Catalog.apply("CINoiseReduction", ["inputNoiseLevel": 0.05, "inputSharpness": 0.5], to: source)
      let tone = luminances(quiet)
      let result = try Catalog.apply(
        "CILineOverlay",
        [
          "inputNRNoiseLevel": 0.05, "inputNRSharpness": 0.5, "inputEdgeIntensity": intensity,
          "inputThreshold": threshold, "inputContrast": contrast,
        ], to: source)
      let expected = (0..<30).flatMap { row in
        (0..<40).flatMap { column -> [Double] in
          [0, 0, 0, Self.unit((Self.edge(column, 29 - row, tone) * intensity - threshold) * contrast) * 255]
        }
      }
      #expect(Deviations(result, expected).worst <= 0.6)
    }
    let median = try Catalog.apply("CIMedianFilter", to: source)
    let (tone, pixels) = (luminances(median), ReferenceSampling(median, ends: false))
    let comic = (0..<30).flatMap { row in
      (0..<40).flatMap { column -> [Double] in
        let color = (0..<3).map { pixels.pixel(column, 29 - row, $0) / 255 }
        let gray = Self.luminance(color)
        let line = 1 - Self.unit((Self.edge(column, 29 - row, tone) - 0.15) * 6)
        return color.map { value in
          let vivid = Self.unit(gray + (value - gray) * 1.3)
          return min(floor(vivid * 6 + 1.0 / 4096), 5) / 5 * line * 255
        } + [255]
      }
    }
    #expect(Deviations(try Catalog.apply("CIComicEffect", to: source), comic, leavingOut: 0.005).worst <= 1.1)
  }

  @Test("A height field rises from the edge of its mask, and a material is lit by its slopes")
  func heights() throws {
    var random = SeededGenerator(seed: 99)
    let noise = try SampleImages.noise(40, 30, isOpaque: true, random: &random)
    let source = try Catalog.apply("CIGaussianBlur", ["inputRadius": 2.5], to: noise)
    let tone = luminances(source)
    let dark = (0..<1200).map { ($0 % 40, 29 - $0 / 40) }.filter { tone($0.0, $0.1) < 0.5 }
    try #require(!dark.isEmpty && dark.count < 1200)
    for radius in [0.0, 2.5, 10] {
      let result = try Catalog.apply("CIHeightFieldFromMask", ["inputRadius": radius], to: source)
      let expected = (0..<1200).flatMap { index -> [Double] in
        let (x, y) = (index % 40, 29 - index / 40)
        let distance = dark.map { hypot(Double($0.0 - x), Double($0.1 - y)) }.min()!
        let rest = distance < radius ? 1 - distance / radius : 0
        let height = distance > 0 ? (1 - rest * rest).squareRoot() * 255 : 0
        return [height, height, height, 255]
      }
      #expect(Deviations(result, expected).worst <= 0.6)
    }
    // Without anything dark there is no edge, and all is as high as can be.
    let white = try SampleImages.bitmap(3, 2, isOpaque: true, pixels: [UInt8](repeating: 255, count: 24))
    #expect(try Catalog.apply("CIHeightFieldFromMask", to: white).bytes == white.bytes)

    let ball = try SampleImages.noise(21, 17, isOpaque: true, random: &random)
    let shading = ReferenceSampling(ball, ends: false)
    for scale in [0.0, 3, 10] {
      let result = try Catalog.apply(
        "CIShadedMaterial", ["inputShadingImage": ball, "inputScale": scale], to: source)
      let expected = (0..<1200).flatMap { index -> [Double] in
        let (x, y) = (index % 40, 29 - index / 40)
        let (right, up) = ((tone(x + 1, y) - tone(x - 1, y)) / 2 * scale, (tone(x, y + 1) - tone(x, y - 1)) / 2 * scale)
        let length = (right * right + up * up + 1).squareRoot()
        return shading.value(21 * (1 - right / length) / 2, 17 * (1 - up / length) / 2)
      }
      #expect(Deviations(result, expected).worst <= 0.6)
      #expect(result.isOpaque)
    }
  }

  @Test("Highlights and shadows follow the blurred luminance where there is a radius")
  func blurredTones() throws {
    var random = SeededGenerator(seed: 100)
    let source = try SampleImages.noise(30, 20, isOpaque: true, random: &random)
    let blurred = luminances(try Catalog.apply("CIGaussianBlur", ["inputRadius": 4], to: source))
    let result = try Catalog.apply(
      "CIHighlightShadowAdjust", ["inputRadius": 4, "inputShadowAmount": 0.8, "inputHighlightAmount": 0.5], to: source)
    let bytes = source.bytes
    let expected = bytes.indices.map { index -> Double in
      guard index % 4 != 3 else { return 255 }
      let tone = blurred(index / 4 % 30, 19 - index / 120)
      return 255 * pow(Double(bytes[index]) / 255, pow(2, -0.8 * pow(1 - tone, 2))) * (1 - 0.25 * tone * tone)
    }
    #expect(Deviations(result, expected).worst <= 0.6)
    #expect(try Catalog.apply("CIHighlightShadowAdjust", to: source) === source)
    #expect(try Catalog.apply("CIDither", ["inputIntensity": 0], to: source) === source)
  }
}
