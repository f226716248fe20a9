import Foundation
import NukeImaging
import Testing

@Suite("Chains of per-pixel operations")
struct ColorStageTests {
  private static let stages: [ColorStage] = [
    .matrix(.saturation(0.3)), .curves(ColorCurves { $0 * $0 }), .clamp(low: [0, 0.2, 0, 0], high: [0.9, 1, 1, 1]),
    .component(largest: true), .posterize(levels: 5), .threshold(0.4),
    .polynomial([0, 1, 0, 0, 0.1, 0.5, 0.2, 0.1, 0, 1, 0, 0, 0, 1, 0, 0]), .vibrance(0.7),
    .vignette(.init(x: 9, y: 4, inner: 2, outer: 30, intensity: 0.7, isSquared: false)),
    .crossPolynomial((0..<30).map { Double($0 % 7) / 10 }), .map(ColorTable([0, 0, 1, 1, 1, 0, 0, 1])),
    .matrix(.contrast(1.4)), .matrix(PixelMatrix(colors: [[0, 1, 0], [0, 0, 1], [1, 0, 0]])),
  ]

  @Test("Every variant gives the same pixels")
  func variantsAgree() throws {
    let scalar = try #require(PixelKernels(.scalar))
    var random = SeededGenerator(seed: 50)
    for index in 0..<80 {
      let source = try SampleImages.noise(
        Int.random(in: 1...300, using: &random), Int.random(in: 1...5, using: &random), isOpaque: index % 2 == 0,
        random: &random)
      let chain = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.stages.randomElement(using: &random)! }
      let expected = try #require(source.applying(chain, kernels: scalar)).bytes
      for kernels in availableKernels {
        #expect(try #require(source.applying(chain, kernels: kernels)).bytes == expected, "\(kernels.variant)")
      }
      // Color never exceeds alpha, and what is opaque stays so.
      for i in stride(from: 0, to: expected.count, by: 4) {
        #expect(expected[i..<i + 3].allSatisfy { $0 <= expected[i + 3] })
        #expect(index % 2 == 1 || expected[i + 3] == 255)
      }
    }
  }

  @Test("The fixed-point result of one matrix differs by at most one from that of several steps in floating point")
  func fixedPoint() throws {
    var random = SeededGenerator(seed: 51)
    for _ in 0..<40 {
      func weight() -> Double { Double.random(in: -2...2, using: &random) }
      let matrix = PixelMatrix(
        colors: (0..<3).map { _ in [weight(), weight(), weight()] }, adding: [weight() / 4, weight() / 4, weight() / 4])
      for isOpaque in [true, false] {
        let source = try SampleImages.noise(40, 9, isOpaque: isOpaque, random: &random)
        let fixed = try #require(source.applying([.matrix(matrix)])).bytes
        // A clamp to what holds anyway at the end makes it take the way of floats.
        let whole = ColorStage.clamp(low: [0, 0, 0, 0], high: [1, 1, 1, 1])
        let floats = try #require(source.applying([.matrix(matrix), whole])).bytes
        #expect(zip(fixed, floats).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      }
    }
  }

  @Test("Adjacent matrices are combined, and values outside of 0...1 between steps are preserved")
  func fusion() throws {
    var random = SeededGenerator(seed: 52)
    let source = try SampleImages.noise(64, 16, isOpaque: true, random: &random)
    let there = ColorStage.matrix(.contrast(4, brightness: 0.7))
    let back = ColorStage.matrix(.contrast(0.25, brightness: -0.175))
    let result = try #require(source.applying([there, back])).bytes
    #expect(zip(result, source.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    let apart = try #require(source.applying([there])?.applying([back])).bytes
    #expect(apart != result)
  }

  @Test("Without an operation the result is the same bitmap; an empty bitmap has no result")
  func nothing() throws {
    var random = SeededGenerator(seed: 53)
    let source = try SampleImages.noise(4, 4, isOpaque: false, random: &random).withScale(2)
    #expect(source.applying([]) === source)
    #expect(source.applying([.matrix(.identity)]) === source)
    #expect(source.applying([.matrix(.contrast(2))])?.scale == 2)
    #expect(Bitmap().applying([.matrix(.contrast(2))]) == nil)
  }

  @Test("Extreme weights are clamped and do not trap")
  func extremes() throws {
    var random = SeededGenerator(seed: 54)
    let source = try SampleImages.noise(30, 3, isOpaque: false, random: &random)
    for value in [1e300, -1e300, 1e30, .infinity, -.infinity, .nan] as [Double] {
      let matrix = PixelMatrix(colors: [[value, -value, 0], [0, value, 0], [0, 0, 1]], adding: [value, 0, -value])
      for chain: [ColorStage] in [
        [.matrix(matrix)], [.matrix(matrix), .matrix(matrix)], [.matrix(matrix), .curves(ColorCurves { _ in value })],
        [.matrix(matrix), .posterize(levels: 7), .vibrance(value)],
        [.polynomial([Double](repeating: value, count: 16))],
        [.crossPolynomial([Double](repeating: value, count: 30)), .map(ColorTable([0, 0, 0, 1, 1, 1, 1, 1]))],
        [.vignette(.init(x: value, y: 0, inner: value, outer: value, intensity: value, isSquared: true))],
      ] {
        #expect(try #require(source.applying(chain)).isLawful)
      }
    }
  }
}
