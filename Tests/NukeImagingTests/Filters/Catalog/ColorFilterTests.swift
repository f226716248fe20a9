import Foundation
import NukeImaging
import Testing

/// Each filter of colors against its formula, written down again here in double precision.
@Suite("Filters of color")
struct ColorFilterTests {
  typealias Pixel = (r: Double, g: Double, b: Double, a: Double)

  struct Formula: Sendable, CustomTestStringConvertible {
    let name: String
    let parameters: @Sendable () -> [String: Any]
    let expected: @Sendable (Pixel) -> Pixel

    init(
      _ name: String, _ parameters: @autoclosure @escaping @Sendable () -> [String: Any] = [:],
      _ expected: @escaping @Sendable (Pixel) -> Pixel
    ) {
      self.name = name
      self.parameters = parameters
      self.expected = expected
    }

    var testDescription: String { "\(name) \(parameters())" }
  }

  private static func luma(_ p: Pixel) -> Double { 0.2126 * p.r + 0.7152 * p.g + 0.0722 * p.b }

  private static func each(_ p: Pixel, _ f: (Double) -> Double) -> Pixel { (f(p.r), f(p.g), f(p.b), p.a) }

  private static func mix(_ p: Pixel, _ q: Pixel, _ t: Double) -> Pixel {
    (p.r + (q.r - p.r) * t, p.g + (q.g - p.g) * t, p.b + (q.b - p.b) * t, p.a)
  }

  private static func decode(_ v: Double) -> Double { v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4) }

  private static func encode(_ v: Double) -> Double { v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055 }

  private static func sepia(_ p: Pixel) -> Pixel {
    (
      0.393 * p.r + 0.769 * p.g + 0.189 * p.b, 0.349 * p.r + 0.686 * p.g + 0.168 * p.b,
      0.272 * p.r + 0.534 * p.g + 0.131 * p.b, p.a
    )
  }

  private static func posterized(_ value: Double, _ levels: Double) -> Double {
    min((value * levels + 1.0 / 4096).rounded(.down), levels - 1) / (levels - 1)
  }

  static let formulas: [Formula] = adjustments + curves + effects

  private static let adjustments: [Formula] =
    [(0.0, 0.1, 1.5), (1.7, -0.2, 0.6), (0.4, 0.0, 1.0)].map { saturation, brightness, contrast in
      Formula(
        "CIColorControls",
        ["inputSaturation": saturation, "inputBrightness": brightness, "inputContrast": contrast]
      ) { p in
        let gray = luma(p)
        return each(p) { (gray + ($0 - gray) * saturation - 0.5) * contrast + 0.5 + brightness }
      }
    }
    + [0.5, 2, -1.2].map { angle in
      Formula("CIHueAdjust", ["inputAngle": angle]) { p in
        // Rodrigues: v cos + (k × v) sin + k (k · v)(1 − cos), k being the gray axis.
        let (c, s, third) = (cos(angle), sin(angle) / 3.0.squareRoot(), (p.r + p.g + p.b) / 3 * (1 - cos(angle)))
        return (
          p.r * c + (p.b - p.g) * s + third, p.g * c + (p.r - p.b) * s + third, p.b * c + (p.g - p.r) * s + third, p.a
        )
      }
    }
    + [
      Formula("CIColorMatrix", ["inputRVector": [0.2, 0.5, -0.1, 0], "inputBiasVector": [0.1, 0, -0.2, 0]]) { p in
        (0.2 * p.r + 0.5 * p.g - 0.1 * p.b + 0.1, p.g, p.b - 0.2, p.a)
      },
      Formula("CIColorMatrix", ["inputGVector": [0, 9, 0, 0.3], "inputAVector": [0.5, 0, 0, 0.5]]) { p in
        (p.r, 9 * p.g + 0.3 * p.a, p.b, 0.5 * p.r + 0.5 * p.a)
      },
      Formula("CIColorMatrix", ["inputAVector": [0, 0, 0, 0.25]]) { p in (p.r, p.g, p.b, p.a / 4) },
      Formula("CIColorClamp", ["inputMinComponents": [0.2, 0, 0.1, 0], "inputMaxComponents": [0.8, 0.5, 1, 1]]) { p in
        (min(max(p.r, 0.2), 0.8), min(p.g, 0.5), max(p.b, 0.1), p.a)
      },
      Formula(
        "CIColorPolynomial", ["inputRedCoefficients": [0.1, 0.2, 0.3, 0.4], "inputBlueCoefficients": [1, -1, 0, 0]]
      ) {
        p in (0.1 + 0.2 * p.r + 0.3 * p.r * p.r + 0.4 * p.r * p.r * p.r, p.g, 1 - p.b, p.a)
      },
      Formula("CIColorPolynomial", ["inputAlphaCoefficients": [0, 0, 1, 0]]) { p in (p.r, p.g, p.b, p.a * p.a) },
      Formula("CIColorCrossPolynomial", ["inputRedCoefficients": [0, 0, 0, 0.5, 0.1, 0, 0.3, 0, 0.1, 0.05]]) { p in
        let squares = 0.5 * p.r * p.r + 0.1 * p.g * p.g
        let products = 0.3 * p.r * p.g + 0.1 * p.b * p.r
        return (squares + products + 0.05, p.g, p.b, p.a)
      },
    ]
    + [0.8, -0.6, 1].map { amount in
      Formula("CIVibrance", ["inputAmount": amount]) { p in
        let gain = 1 + amount * (1 - (max(p.r, p.g, p.b) - min(p.r, p.g, p.b)))
        return each(p) { luma(p) + ($0 - luma(p)) * gain }
      }
    }

  private static let curves: [Formula] =
    [-1.5, 0.5, 2].map { ev in
      Formula("CIExposureAdjust", ["inputEV": ev]) { p in each(p) { encode(decode($0) * pow(2, ev)) } }
    }
    + [0.45, 2.2, 3].map { power in Formula("CIGammaAdjust", ["inputPower": power]) { p in each(p) { pow($0, power) } }
    }
    + [
      Formula("CIWhitePointAdjust", ["inputColor": Color(red: 1, green: 0.8, blue: 0.5)]) { p in
        (p.r, encode(decode(p.g) * decode(0.8)), encode(decode(p.b) * decode(0.5)), p.a)
      },
      // A spline through points of a parabola's ends is level outside, so only the knots are compared: see `toneCurve`.
      Formula("CILinearToSRGBToneCurve") { p in each(p, encode) },
      Formula("CISRGBToneCurveToLinear") { p in each(p, decode) },
      Formula("CIColorPosterize") { p in each(p) { posterized($0, 6) } },
      Formula("CIColorPosterize", ["inputLevels": 2]) { p in each(p) { posterized($0, 2) } },
      Formula("CIColorPosterize", ["inputLevels": 17.9]) { p in each(p) { posterized($0, 17) } },
      Formula("CIColorThreshold", ["inputThreshold": 0.3]) { p in each(p) { $0 >= 0.3 ? 1 : 0 } },
      Formula("CIColorInvert") { p in each(p) { 1 - $0 } },
    ]

  private static let effects: [Formula] =
    [1, 0.35, 0].map { intensity in
      Formula("CISepiaTone", ["inputIntensity": intensity]) { p in mix(p, sepia(p), intensity) }
    }
    + [
      Formula("CIColorMonochrome") { p in (0.6 * luma(p), 0.45 * luma(p), 0.3 * luma(p), p.a) },
      Formula("CIColorMonochrome", ["inputColor": Color.red, "inputIntensity": 0.5]) { p in
        mix(p, (luma(p), 0, 0, p.a), 0.5)
      },
      Formula("CIFalseColor") { p in (0.3 + 0.7 * luma(p), 0.9 * luma(p), 0.8 * luma(p), p.a) },
      Formula("CIFalseColor", ["inputColor0": Color.white, "inputColor1": Color.blue]) { p in
        (1 - luma(p), 1 - luma(p), 1, p.a)
      },
      Formula("CIMaskToAlpha") { p in (1, 1, 1, luma(p)) },
      Formula("CIMinimumComponent") { p in each(p) { _ in min(p.r, p.g, p.b) } },
      Formula("CIMaximumComponent") { p in each(p) { _ in max(p.r, p.g, p.b) } },
      Formula("CIPhotoEffectTonal") { p in each(p) { _ in luma(p) } },
      Formula("CIPhotoEffectMono") { p in each(p) { _ in (luma(p) - 0.5) * 0.88 + 0.5 } },
    ]

  private func pixels(_ source: Bitmap) -> [Pixel] {
    let bytes = source.bytes.map(Double.init)
    return stride(from: 0, to: bytes.count, by: 4).map { i in
      let alpha = max(bytes[i + 3], 1)
      return (bytes[i] / alpha, bytes[i + 1] / alpha, bytes[i + 2] / alpha, bytes[i + 3] / 255)
    }
  }

  @Test("Each is within one of its formula", arguments: formulas)
  func formula(_ formula: Formula) throws {
    var random = SeededGenerator(seed: 40)
    let filter = try ImageFilters.filter(named: formula.name)
    let values = try ImageFilterValues(formula.parameters(), for: filter)
    for isOpaque in [true, false] {
      let source = try SampleImages.noise(61, 23, isOpaque: isOpaque, random: &random)
      let result = try filter.apply(values, to: source)
      #expect((result.pixelWidth, result.pixelHeight) == (61, 23))
      let expected = pixels(source).flatMap { pixel -> [Double] in
        let p = formula.expected(pixel)
        func unit(_ value: Double) -> Double { min(max(value, 0), 1) }
        return [unit(p.r), unit(p.g), unit(p.b)].map { $0 * unit(p.a) * 255 } + [unit(p.a) * 255]
      }
      let worst = zip(result.bytes, expected).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(worst <= 1)
      let isWhole = stride(from: 3, to: result.bytes.count, by: 4).allSatisfy { result.bytes[$0] == 255 }
      #expect(!result.isOpaque || isWhole, "it says opaque and is not")
      if formula.name != "CIMaskToAlpha", formula.parameters()["inputAVector"] == nil {
        #expect(result.isOpaque == isOpaque)
      }
    }
  }

  @Test("A tone curve passes through its points, and refuses points that go back")
  func toneCurve() throws {
    let points: [String: Any] = [
      "inputPoint0": CGPoint(x: 0, y: 0.1), "inputPoint1": [0.2, 0.4], "inputPoint2": [0.4, 0.3],
      "inputPoint3": [0.6, 0.9], "inputPoint4": [0.8, 0.7],
    ]
    let filter = try ImageFilters.filter(named: "CIToneCurve")
    let source = try SampleImages.bitmap(
      6, 1, isOpaque: true, pixels: [0, 51, 102, 153, 204, 255].flatMap { [$0, $0, $0, 255] })
    let result = try filter.apply(ImageFilterValues(points, for: filter), to: source).bytes
    let expected = [0.1, 0.4, 0.3, 0.9, 0.7, 0.7]
    for (index, value) in expected.enumerated() { #expect(abs(Double(result[index * 4]) - value * 255) <= 0.6) }
    let back = try ImageFilterValues(["inputPoint2": [0.1, 0.3]], for: filter)
    #expect(throws: ImageFilterError.self) { try filter.apply(back, to: source) }
    // Through four points of a cubic that is level in bend at its ends the spline is that cubic.
    #expect(try filter.apply(ImageFilterValues([:], for: filter), to: source) === source)
  }

  @Test("A map takes colors from its image by luminance, a cube from its table by all three channels")
  func tables() throws {
    var random = SeededGenerator(seed: 41)
    let source = try SampleImages.noise(50, 20, isOpaque: true, random: &random)
    var colors: [UInt8] = []
    for index in 0..<256 * 3 {
      let value = UInt8(index % 256)
      colors += [value, 0, 255 - value, 255]
    }
    let ramp = try SampleImages.bitmap(256, 3, isOpaque: true, pixels: colors)
    let map = try ImageFilters.filter(named: "CIColorMap")
    let mapped = try map.apply(ImageFilterValues(["inputGradientImage": ramp], for: map), to: source).bytes
    for (index, p) in pixels(source).enumerated() {
      let (red, blue, gray) = (Double(mapped[index * 4]), Double(mapped[index * 4 + 2]), Self.luma(p) * 255)
      #expect(abs(red - gray) <= 0.6)
      #expect(abs(blue - (255 - gray)) <= 0.6)
    }
    // A cube of three entries a side that swaps red and blue and turns green round.
    var entries: [Float] = []
    for index in 0..<27 {
      let (red, green, blue) = (Float(index % 3) / 2, Float(index / 3 % 3) / 2, Float(index / 9) / 2)
      entries += [blue, 1 - green, red, 1]
    }
    let cube = try ImageFilters.filter(named: "CIColorCube")
    let data = entries.withUnsafeBytes { Data($0) }
    let values = try ImageFilterValues(["inputCubeDimension": 3, "inputCubeData": data], for: cube)
    let result = try cube.apply(values, to: source)
    #expect(result.isOpaque)
    for (index, p) in pixels(source).enumerated() {
      for (channel, expected) in [p.b, 1 - p.g, p.r].enumerated() {
        #expect(abs(Double(result.bytes[index * 4 + channel]) - expected * 255) <= 0.6)
      }
    }
    let short = try ImageFilterValues(["inputCubeDimension": 4, "inputCubeData": data], for: cube)
    #expect(
      throws: ImageFilterError.invalidParameter(
        key: "inputCubeData", filter: "CIColorCube", expected: "1024 bytes")
    ) { try cube.apply(short, to: source) }
  }

  @Test("A vignette darkens with the distance from its center, by its formula")
  func vignettes() throws {
    let white = try SampleImages.bitmap(
      300, 20, isOpaque: true, pixels: [UInt8](repeating: 255, count: 300 * 20 * 4))
    let filter = try ImageFilters.filter(named: "CIVignette")
    let values = try ImageFilterValues(["inputIntensity": 0.8, "inputRadius": 0.9], for: filter)
    let effect = try ImageFilters.filter(named: "CIVignetteEffect")
    let effectValues = try ImageFilterValues(
      ["inputCenter": [100, 4], "inputRadius": 60, "inputFalloff": 0.25], for: effect)
    let (first, second) = (try filter.apply(values, to: white).bytes, try effect.apply(effectValues, to: white).bytes)
    for y in 0..<20 {
      for x in 0..<300 {
        let (dx, dy) = (Double(x) + 0.5, Double(y) + 0.5)
        let (dimmed, effect) = (Double(first[(y * 300 + x) * 4]), Double(second[(y * 300 + x) * 4]))
        let t = min(hypot(dx - 150, dy - 10) / (hypot(150, 10) * 0.9), 1)
        #expect(abs(dimmed - 255 * (1 - 0.8 * t * t)) <= 0.6)
        // The center counts from the lower left.
        let s = min(max((hypot(dx - 100, dy - 16) - 45) / 15, 0), 1)
        let brightness = 1 - s * s * (3 - 2 * s)
        #expect(abs(effect - 255 * brightness) <= 0.6)
      }
    }
  }

  @Test("Temperature and tint carry the neutral to its target, and gray to gray where both are the same")
  func temperature() throws {
    let filter = try ImageFilters.filter(named: "CITemperatureAndTint")
    let gray = try SampleImages.bitmap(1, 1, isOpaque: true, pixels: [128, 128, 128, 255])
    func result(_ neutral: [Double], _ target: [Double]) throws -> [Int] {
      let values = try ImageFilterValues(["inputNeutral": neutral, "inputTargetNeutral": target], for: filter)
      return try filter.apply(values, to: gray).bytes.map(Int.init)
    }
    #expect(try result([6500, 0], [6500, 0]) == [128, 128, 128, 255])
    let warm = try result([6500, 0], [3500, 0])
    #expect(warm[0] > 140 && warm[2] < 115)
    let cool = try result([6500, 0], [12000, 0])
    #expect(cool[0] < 125 && cool[2] > 132)
    let magenta = try result([6500, 0], [6500, 60])
    #expect(magenta[1] < 128 && magenta[0] > magenta[1] && magenta[2] > magenta[1])
    // There and back.
    let values = try ImageFilterValues(["inputNeutral": [3500, 10], "inputTargetNeutral": [6500, 0]], for: filter)
    let there = try ImageFilterValues(["inputNeutral": [6500, 0], "inputTargetNeutral": [3500, 10]], for: filter)
    let back = try filter.apply(values, to: filter.apply(there, to: gray)).bytes
    #expect(back.prefix(3).allSatisfy { (126...130).contains($0) })
  }
}
