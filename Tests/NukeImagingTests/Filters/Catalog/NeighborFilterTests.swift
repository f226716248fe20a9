import Foundation
import NukeImaging
import Testing

/// Filters that make a pixel of several, against their formulas in double precision.
@Suite("Filters that look at neighbors")
struct NeighborFilterTests {
  typealias Formula = FilterFormula

  private static func convolutions(_ name: String, _ width: Int, _ height: Int) -> [Formula] {
    ["", "RGB"].flatMap { kind in
      (0..<3).map { round in
        var random = SeededGenerator(seed: UInt64(90 + round))
        let raw = (0..<width * height).map { _ in Double.random(in: -1...1, using: &random) }
        // The last one sums to one, so that alpha is seen.
        let sum = round == 2 ? raw.reduce(0, +) : 1
        let (weights, bias) = (raw.map { $0 / sum }, [0, 0.25, -0.1][round])
        return Formula(
          name: "CIConvolution\(kind)\(name)",
          parameters: { ["inputWeights": weights, "inputBias": bias] }
        ) { source, x, y in
          let sums = (0..<4).map { c in
            weights.enumerated().reduce(bias * 255) { sum, tap in
              let (column, row) = (tap.offset % width - width / 2, tap.offset / width - height / 2)
              return sum + tap.element * source.pixel(x + column, y - row, c)
            }
          }
          return FilterFormula.clamped(kind == "RGB" ? Array(sums[..<3]) + [source.pixel(x, y, 3)] : sums)
        }
      }
    }
  }

  /// The pixels at most `radius` away.
  private static func disc(_ source: ReferenceSampling, _ x: Int, _ y: Int, _ radius: Double) -> [[Double]] {
    let reach = Int(radius)
    return (-reach...reach).flatMap { dy in
      (-reach...reach).compactMap { dx in
        hypot(Double(dx), Double(dy)) <= radius ? (0..<4).map { source.pixel(x + dx, y + dy, $0) } : nil
      }
    }
  }

  private static func rectangle(_ source: ReferenceSampling, _ x: Int, _ y: Int, _ side: (Int, Int)) -> [[Double]] {
    (-side.1...side.1).flatMap { dy in
      (-side.0...side.0).map { dx in (0..<4).map { source.pixel(x + dx, y + dy, $0) } }
    }
  }

  private static func reduced(_ pixels: [[Double]], _ body: ([Double]) -> Double) -> [Double] {
    (0..<4).map { c in body(pixels.map { $0[c] }) }
  }

  @Sendable private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private typealias Reduction = @Sendable ([Double]) -> Double
  private static let largest: Reduction = { $0.max()! }
  private static let smallest: Reduction = { $0.min()! }
  private static let middle: Reduction = { $0.sorted()[$0.count / 2] }

  private static func discs(_ radius: Double) -> [Formula] {
    let names: [(String, Reduction)] = [
      ("CIDiscBlur", mean), ("CIMorphologyMaximum", largest), ("CIMorphologyMinimum", smallest),
    ]
    let plain = names.map { name, reduction in
      Formula(name: name, parameters: { ["inputRadius": radius] }) { reduced(disc($0, $1, $2, radius), reduction) }
    }
    let gradient = Formula(name: "CIMorphologyGradient", parameters: { ["inputRadius": radius] }) { source, x, y in
      let pixels = disc(source, x, y, radius)
      let (high, low) = (reduced(pixels, largest), reduced(pixels, smallest))
      return (0..<3).map { high[$0] - low[$0] } + [high[3]]
    }
    return plain + [gradient]
  }

  private static func rectangles(_ width: Int, _ height: Int) -> [Formula] {
    let names: [(String, Reduction)] = [
      ("CIMorphologyRectangleMaximum", largest), ("CIMorphologyRectangleMinimum", smallest),
    ]
    return names.map { name, reduction in
      Formula(name: name, parameters: { ["inputWidth": width, "inputHeight": height] }) {
        reduced(rectangle($0, $1, $2, (width / 2, height / 2)), reduction)
      }
    }
  }

  private static let shapes: [Formula] =
    [1.0, 2.6, 7].flatMap(discs) + [(1, 3), (4, 1), (9, 12)].flatMap(rectangles)
    + [Formula(name: "CIMedianFilter", parameters: { [:] }) { reduced(rectangle($0, $1, $2, (1, 1)), middle) }]

  private static func luminance(_ pixel: [Double]) -> Double {
    0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]
  }

  private static func motion(_ radius: Double, _ angle: Double) -> Formula {
    Formula(name: "CIMotionBlur", parameters: { ["inputRadius": radius, "inputAngle": angle] }) { source, x, y in
      let isSteep = abs(sin(angle)) > abs(cos(angle))
      let steps = Int(radius * max(abs(sin(angle)), abs(cos(angle))))
      let places = (-steps...steps).map { step -> [Double] in
        let t = Double(step)
        let (dx, dy) = isSteep ? (t / tan(angle), t) : (t, t * tan(angle))
        return source.value(Double(x) + 0.5 + dx, Double(y) + 0.5 + dy)
      }
      return reduced(places, mean)
    }
  }

  private static func zoom(_ amount: Double) -> Formula {
    Formula(name: "CIZoomBlur", parameters: { ["inputCenter": [12.3, 7.9], "inputAmount": amount] }, tolerance: 1.1) {
      source, x, y in
      let (u, v): (Double, Double) = (Double(x) + 0.5, Double(y) + 0.5)
      let places = (0..<32).map { index -> [Double] in
        let way = amount / 100 * Double(index) / 31
        return source.value(u + (12.3 - u) * way, v + (7.9 - v) * way)
      }
      return reduced(places, mean)
    }
  }

  private static func noise(_ level: Double, _ sharpness: Double) -> Formula {
    // The mean is rounded before it is made sharper; a hair decides what is noise.
    Formula(
      name: "CINoiseReduction", parameters: { ["inputNoiseLevel": level, "inputSharpness": sharpness] },
      tolerance: 1.1 + sharpness / 2, undecided: 0.01
    ) { source, x, y in
      let own = (0..<4).map { source.pixel(x, y, $0) }
      let mean = reduced(rectangle(source, x, y, (1, 1)), mean)
      let isNoise = abs(luminance(own) - luminance(mean)) < level * 255
      let colors = (0..<3).map { isNoise ? mean[$0] : own[$0] + sharpness * (own[$0] - mean[$0]) }
      return FilterFormula.clamped(colors + [own[3]])
    }
  }

  private static let blurs: [Formula] =
    [(20.0, 0.0), (6.5, 0.7), (9, -1.3)].map(motion) + [20.0, -60, 150].map(zoom)
    + [(0.02, 0.4), (0.3, 0.9), (1, 0)].map(noise)

  static let formulas =
    convolutions("3X3", 3, 3) + convolutions("5X5", 5, 5) + convolutions("7X7", 7, 7)
    + convolutions("9Horizontal", 9, 1) + convolutions("9Vertical", 1, 9) + shapes + blurs

  @Test("Each makes of the pixels around one what its formula says", arguments: formulas)
  func formula(_ formula: Formula) throws { try formula.check(seed: 91) }

  @Test(
    "Where parameters mean no change the result is the very same image",
    arguments: ["CIConvolution3X3", "CIConvolutionRGB7X7", "CIMorphologyMaximum", "CIMorphologyMinimum"])
  func defaults(_ name: String) throws {
    var random = SeededGenerator(seed: 92)
    let source = try SampleImages.noise(9, 9, isOpaque: false, random: &random)
    #expect(try Catalog.apply(name, to: source) === source)
    for (name, parameters) in [
      ("CIDiscBlur", ["inputRadius": 0.5]), ("CIMotionBlur", ["inputRadius": 0]), ("CIZoomBlur", ["inputAmount": 0]),
      ("CIMorphologyRectangleMaximum", ["inputWidth": 1, "inputHeight": 1]),
    ] {
      #expect(try Catalog.apply(name, parameters, to: source) === source)
    }
  }

  @Test("A mask tells how much is blurred, and a depth of field blurs away from its line")
  func variableBlurs() throws {
    var random = SeededGenerator(seed: 93)
    let source = try SampleImages.noise(40, 30, isOpaque: true, random: &random)
    let blurs = try (0...4).map { level in
      try Catalog.apply("CIGaussianBlur", ["inputRadius": 6 * Double(level) / 4], to: source).bytes.map(Double.init)
    }
    func mixed(_ share: Double, _ index: Int) -> Double {
      let level = min(Int(share * 4), 3)
      return blurs[level][index] + (blurs[level + 1][index] - blurs[level][index]) * (share * 4 - Double(level))
    }
    let grays = (0..<1200).flatMap { index -> [UInt8] in
      let gray = UInt8(index % 40 * 6 + index / 40 % 2)
      return [gray, gray, gray, 255]
    }
    let mask = try SampleImages.bitmap(40, 30, isOpaque: true, pixels: grays)
    let masked = try Catalog.apply("CIMaskedVariableBlur", ["inputMask": mask, "inputRadius": 6], to: source).bytes
    for index in masked.indices {
      #expect(abs(Double(masked[index]) - mixed(Double(grays[index / 4 * 4]) / 255, index)) <= 1.6)
    }
    // Without the sharpening it is the same with a mask of distances from a line, here the column 10.
    let field = try Catalog.apply(
      "CIDepthOfField",
      [
        "inputPoint0": [10, 3], "inputPoint1": [10, 30], "inputSaturation": 1, "inputUnsharpMaskIntensity": 0,
        "inputRadius": 6,
      ], to: source
    ).bytes
    for index in field.indices {
      let share = min(abs(Double(index / 4 % 40) + 0.5 - 10) / 15, 1)
      #expect(abs(Double(field[index]) - mixed(share * share * (3 - 2 * share), index)) <= 1.9)
    }
    let vivid = try Catalog.apply(
      "CIDepthOfField", ["inputPoint0": [9.5, 9.5], "inputPoint1": [9.5, 9.5]], to: source)
    let saturated = try Catalog.apply(
      "CIColorControls", ["inputSaturation": 1.5], to: Catalog.apply("CIUnsharpMask", to: source))
    let place = (20 * 40 + 9) * 4
    #expect(vivid.bytes[place..<place + 4] == saturated.bytes[place..<place + 4])
  }

  @Test("Every variant of the kernels gives the same pixels, in strips and with whatever reach")
  func variants() throws {
    var random = SeededGenerator(seed: 94)
    let scalar = try #require(PixelKernels(.scalar))
    for width in [7, 600] {
      let source = try SampleImages.noise(width, 12, isOpaque: false, random: &random)
      let shapes = [PixelNeighborhood(discOfRadius: 9.4), PixelNeighborhood(width: 5, height: 1)]
      let neighbors = (0..<20).map {
        WeighedNeighbor(x: $0 % 7 - 3, y: $0 / 7 - 1, weight: Double.random(in: -0.4...0.5, using: &random))
      }
      func results(_ kernels: PixelKernels) -> [[UInt8]?] {
        shapes.flatMap { shape in
          [source.mean(of: shape, kernels: kernels), source.extreme(true, of: shape, kernels: kernels)]
        }.map { $0?.bytes } + [
          source.weighed(neighbors, kernels: kernels)?.bytes, source.median(kernels: kernels)?.bytes,
        ]
      }
      let expected = results(scalar)
      #expect(!expected.contains(nil))
      for kernels in availableKernels { #expect(results(kernels) == expected) }
    }
    // A strip's edge is no edge of the image.
    let wide = try SampleImages.noise(1300, 3, isOpaque: true, random: &random)
    let whole = try #require(wide.extreme(true, of: PixelNeighborhood(width: 9, height: 3)))
    let part = try #require(wide.cropped(x: 480, y: 0, width: 60, height: 3))
    let alone = try #require(part.extreme(true, of: PixelNeighborhood(width: 9, height: 3)))
    #expect(whole.bytes(ofColumns: 490..<530) == alone.bytes(ofColumns: 10..<50))
  }
}
