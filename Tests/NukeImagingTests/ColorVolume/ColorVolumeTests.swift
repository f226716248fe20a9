import Foundation
import NukeImaging
import Testing

@Suite("Colors beyond sRGB")
struct ColorVolumeTests {
  /// One pixel of `bits` a channel, from components between 0 and 1.
  private func converted(_ profile: ColorProfile, bits: Int, _ rgb: [Double], alpha: Double = 1) throws -> [UInt8] {
    let largest = Double((1 << bits) - 1)
    let source = (rgb + [alpha]).map { UInt16(($0 * largest).rounded()) }
    var result = [UInt8](repeating: 7, count: 8)
    profile.convertDeepToSRGB(source, bits: bits, to: &result, pixelCount: 1)
    #expect(result[4...] == [7, 7, 7, 7])
    return Array(result[..<4])
  }

  private func profile(_ primaries: Int, _ transfer: Int) throws -> ColorProfile {
    try #require(ColorProfile.codePoints(CodePoints(primaries: primaries, transfer: transfer)))
  }

  private func near(_ left: [UInt8], _ right: [UInt8], _ tolerance: Int = 1) -> Bool {
    zip(left, right).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
  }

  /// Components by ITU-R BT.2100, table 4, the inverse way.
  private func pq(_ light: Double) -> Double {
    let y = pow(light / 10_000, 2610 / 16_384)
    return pow((3424 / 4096 + 2413 / 128 * y) / (1 + 2392 / 128 * y), 2523 / 32)
  }

  private func encoded(_ linear: Double) -> UInt8 {
    UInt8((255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055)).rounded())
  }

  @Test("Code points have their common names, and sRGB under each of its numbers needs no conversion")
  func names() throws {
    #expect(try profile(9, 16).name == "BT.2100 PQ")
    #expect(try profile(9, 18).name == "BT.2100 HLG")
    #expect(try profile(2, 16).name == "BT.2100 PQ")
    #expect(try profile(12, 13).name == "Display P3")
    #expect(try profile(9, 14).name == "BT.2020")
    for (primaries, transfer) in [(1, 13), (1, 1), (1, 6), (2, 13), (1, 2)] {
      let profile = try profile(primaries, transfer)
      #expect(profile.isSRGB && profile.name == "sRGB")
      #expect(!profile.convertsDeepPixels)
    }
    #expect(try profile(9, 16).isHighRange)
    #expect(try !profile(12, 13).isHighRange)
  }

  @Test(
    "Unspecified and reserved values are not a color profile",
    arguments: [(2, 2), (0, 13), (3, 13), (99, 1), (1, 3), (1, 255)])
  func none(_ primaries: Int, _ transfer: Int) {
    #expect(ColorProfile.codePoints(CodePoints(primaries: primaries, transfer: transfer)) == nil)
  }

  @Test("Gray of PQ below the knee keeps its light, with 203 candelas as the largest value", arguments: [10, 12, 16])
  func dark(bits: Int) throws {
    for light in [0, 0.5, 2, 10, 40, 80] as [Double] {
      let value = pq(light)
      let expected = encoded(light / 203)
      let tolerance = bits == 10 ? 2 : 1
      #expect(
        near(
          try converted(profile(9, 16), bits: bits, [value, value, value]), [expected, expected, expected, 255],
          tolerance))
    }
  }

  @Test("Bright gray is rolled off: 203 candelas as BT.2390 says, 1000 and all above as white")
  func bright() throws {
    // By hand after BT.2390, 5.4.1, with 203 of 1000: the value of PQ 0.5807 becomes 0.5555, which is 160 candelas.
    let paper = try converted(profile(9, 16), bits: 16, [pq(203), pq(203), pq(203)])
    #expect(near(paper, [229, 229, 229, 255], 2))
    for light in [1000, 4000, 10_000] as [Double] {
      let white = try converted(profile(9, 16), bits: 12, [pq(light), pq(light), pq(light)])
      #expect(white == [255, 255, 255, 255])
    }
  }

  @Test("Gray increases with its value in every bit depth", arguments: [(9, 16), (9, 18), (12, 13)], [8, 10, 16])
  func monotone(_ points: (Int, Int), bits: Int) throws {
    let profile = try profile(points.0, points.1)
    var last: UInt8 = 0
    for step in 0...1000 {
      let value = Double(step) / 1000
      let pixel = try converted(profile, bits: bits, [value, value, value])
      #expect(near(pixel, [pixel[1], pixel[1], pixel[1], 255]))
      #expect(pixel[1] >= last)
      last = pixel[1]
    }
    #expect(last == 255)
  }

  @Test("The reference white of HLG, 75% of the signal, is as bright as that of PQ")
  func hlg() throws {
    let hlg = try converted(profile(9, 18), bits: 16, [0.75, 0.75, 0.75])
    let pq = try converted(profile(9, 16), bits: 16, [pq(203), pq(203), pq(203)])
    #expect(near(hlg, pq, 2))
  }

  @Test("Colors that are too bright keep their hue as far as sRGB allows; those too saturated are clipped")
  func gamut() throws {
    let red = try converted(profile(9, 16), bits: 16, [pq(1000), 0, 0])
    #expect(red[0] == 255 && red[1] < 140 && red[2] < 140)
    let brighter = try converted(profile(9, 16), bits: 16, [1, 0, 0])
    #expect(near(brighter, red))
    let skin = try converted(profile(9, 16), bits: 16, [pq(60), pq(40), pq(30)])
    #expect(skin[0] > skin[1] && skin[1] > skin[2])
    // Display P3's green lies outside of sRGB; its white and grays do not.
    #expect(near(try converted(profile(12, 13), bits: 10, [0, 1, 0]), [0, 255, 0, 255]))
    #expect(near(try converted(profile(12, 13), bits: 10, [1, 1, 1]), [255, 255, 255, 255]))
    // Computed with the primaries of SMPTE RP 431-2 and IEC 61966-2-1.
    #expect(near(try converted(profile(12, 13), bits: 16, [0.8, 0.4, 0.2]), [219, 94, 31, 255]))
  }

  @Test("Alpha is rounded and colors stay straight", arguments: [8, 10, 12, 16])
  func alpha(bits: Int) throws {
    for alpha in [0, 0.25, 0.5, 1] as [Double] {
      let pixel = try converted(profile(12, 13), bits: bits, [0.5, 0.5, 0.5], alpha: alpha)
      #expect(near(pixel, [128, 128, 128, UInt8((alpha * 255).rounded())]))
    }
  }

  @Test("Pixels of 8 bits are converted like deep ones of equal values", arguments: [(9, 16), (9, 18)])
  func bytes(_ points: (Int, Int)) throws {
    let profile = try profile(points.0, points.1)
    let pixels = (0..<4 * 700).map { UInt8(truncatingIfNeeded: $0 * 37) }
    var deep = [UInt8](repeating: 0, count: pixels.count)
    profile.convertDeepToSRGB(pixels.map(UInt16.init), bits: 8, to: &deep, pixelCount: 700)
    var shallow = pixels
    profile.convertToSRGB(&shallow, pixelCount: 700, isOpaque: false)
    #expect(shallow == deep)
  }

  @Test("Components above their bit depth count as the maximum")
  func overflow() throws {
    var result = [UInt8](repeating: 0, count: 4)
    let source: [UInt16] = [65_535, 65_535, 65_535, 65_535]
    try profile(12, 13).convertDeepToSRGB(source, bits: 10, to: &result, pixelCount: 1)
    #expect(result == [255, 255, 255, 255])
  }

  @Test("The conversions of deep pixels and of bytes agree")
  func matrix() throws {
    let profile = try profile(12, 13)
    let pixels = (0..<4 * 256).map { UInt8(truncatingIfNeeded: $0 * 73) }
    var deep = [UInt8](repeating: 0, count: pixels.count)
    profile.convertDeepToSRGB(pixels.map { UInt16($0) * 257 }, bits: 16, to: &deep, pixelCount: 256)
    var shallow = pixels
    profile.convertToSRGB(&shallow, pixelCount: 256, isOpaque: true)
    #expect(near(shallow, deep))
  }
}
