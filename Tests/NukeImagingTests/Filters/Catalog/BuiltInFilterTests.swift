import Foundation
import NukeImaging
import Testing

@Suite("Filters that look at more than one pixel")
struct BuiltInFilterTests {
  private func apply(_ name: String, _ parameters: [String: Any] = [:], to image: Bitmap) throws -> Bitmap {
    let filter = try ImageFilters.filter(named: name)
    return try filter.apply(ImageFilterValues(parameters, for: filter), to: image)
  }

  @Test("A box blur is the mean of a square, whatever the radius", arguments: [1, 3.2, 12, 50])
  func box(_ radius: Double) throws {
    var random = SeededGenerator(seed: 60)
    let source = try SampleImages.noise(19, 11, isOpaque: false, random: &random)
    let result = try apply("CIBoxBlur", ["inputRadius": radius], to: source).bytes
    let (bytes, reach) = (source.bytes, Int(radius.rounded()))
    for y in 0..<11 {
      for x in 0..<19 {
        for c in 0..<4 {
          var sum = 0
          for dy in -reach...reach {
            for dx in -reach...reach {
              sum += Int(bytes[(min(max(y + dy, 0), 10) * 19 + min(max(x + dx, 0), 18)) * 4 + c])
            }
          }
          let mean = Double(sum) / Double((2 * reach + 1) * (2 * reach + 1))
          #expect(abs(Double(result[(y * 19 + x) * 4 + c]) - mean) <= 1.01)
        }
      }
    }
    #expect(try apply("CIBoxBlur", ["inputRadius": 0], to: source) === source)
  }

  @Test("A median of 3 x 3 removes single dots and keeps edges")
  func median() throws {
    var pixels = (0..<12 * 8).flatMap { index -> [UInt8] in index % 12 < 6 ? [0, 0, 0, 255] : [200, 200, 200, 255] }
    let clean = try SampleImages.bitmap(12, 8, isOpaque: true, pixels: pixels)
    for dot in [13, 40, 69] { pixels.replaceSubrange(dot * 4..<dot * 4 + 3, with: [255, 90, 130]) }
    let dotted = try SampleImages.bitmap(12, 8, isOpaque: true, pixels: pixels)
    #expect(try apply("CIMedianFilter", to: dotted).bytes == clean.bytes)
  }

  @Test("Sharpening adds the difference from a blur, to each channel or by luminance")
  func sharpening() throws {
    var random = SeededGenerator(seed: 61)
    let source = try SampleImages.noise(30, 20, isOpaque: true, random: &random)
    let soft = try apply("CIGaussianBlur", ["inputRadius": 2], to: source).bytes
    let bytes = source.bytes
    let sharp = try apply("CIUnsharpMask", ["inputRadius": 2, "inputIntensity": 0.7], to: source).bytes
    let luminance = try apply("CISharpenLuminance", ["inputRadius": 2, "inputSharpness": 0.7], to: source).bytes
    for i in stride(from: 0, to: bytes.count, by: 4) {
      let difference = (0..<3).map { Double(bytes[i + $0]) - Double(soft[i + $0]) }
      let gray = 0.2126 * difference[0] + 0.7152 * difference[1] + 0.0722 * difference[2]
      for c in 0..<3 {
        let value = Double(bytes[i + c])
        #expect(abs(Double(sharp[i + c]) - min(max(value + 0.7 * difference[c], 0), 255)) <= 0.51)
        #expect(abs(Double(luminance[i + c]) - min(max(value + 0.7 * gray, 0), 255)) <= 0.51)
      }
    }
    #expect(try apply("CIUnsharpMask", ["inputIntensity": 0], to: source) === source)
  }

  @Test("A difference of nothing added ever so often is nothing", arguments: [1e30, 1e300, -1e300])
  func sharpeningWithoutEnd(_ amount: Double) throws {
    let pixels = (0..<6 * 4).flatMap { _ in [90, 140, 30, 255] as [UInt8] }
    let source = try SampleImages.bitmap(6, 4, isOpaque: true, pixels: pixels)
    #expect(try apply("CIUnsharpMask", ["inputIntensity": amount], to: source).bytes == pixels)
    #expect(try apply("CISharpenLuminance", ["inputSharpness": amount], to: source).bytes == pixels)
  }

  @Test("Pixels of a square become their mean, in squares counted from the center")
  func pixellate() throws {
    var random = SeededGenerator(seed: 62)
    let source = try SampleImages.noise(20, 13, isOpaque: false, random: &random)
    // Counted from below, 3 is the tenth row from above: boundaries are at 2, 6 and 10, and at 1, 5, 9 and so on.
    let result = try apply("CIPixellate", ["inputCenter": [5, 3], "inputScale": 4], to: source).bytes
    let (rows, columns) = ([0, 2, 6, 10, 13], [0, 1, 5, 9, 13, 17, 20])
    for (top, bottom) in zip(rows, rows.dropFirst()) {
      for (left, right) in zip(columns, columns.dropFirst()) {
        for c in 0..<4 {
          let all = (top..<bottom).flatMap { y in (left..<right).map { Int(source.bytes[(y * 20 + $0) * 4 + c]) } }
          let mean = Double(all.reduce(0, +)) / Double(all.count)
          for y in top..<bottom {
            for x in left..<right { #expect(abs(Double(result[(y * 20 + x) * 4 + c]) - mean) <= 0.51) }
          }
        }
      }
    }
    #expect(try apply("CIPixellate", ["inputScale": 1], to: source) === source)
    #expect(try apply("CIPixellate", ["inputScale": 1e9], to: source).bytes.count == source.bytes.count)
  }

  @Test("A crop counts from the lower left and meets the image")
  func crop() throws {
    var random = SeededGenerator(seed: 63)
    let source = try SampleImages.noise(10, 8, isOpaque: true, random: &random)
    let result = try apply("CICrop", ["inputRectangle": CGRect(x: 2, y: 5, width: 4, height: 30)], to: source)
    #expect((result.pixelWidth, result.pixelHeight) == (4, 3))
    #expect(Array(result.bytes.prefix(16)) == Array(source.bytes[8..<24]))
    #expect(try apply("CICrop", to: source) === source)
    #expect(throws: ImageFilterError.self) {
      try apply("CICrop", ["inputRectangle": [20, 0, 5, 5]], to: source)
    }
  }

  @Test("A Lanczos scale makes an image of scale times the size, within limits")
  func scale() throws {
    var random = SeededGenerator(seed: 64)
    let source = try SampleImages.noise(10, 8, isOpaque: true, random: &random)
    let result = try apply("CILanczosScaleTransform", ["inputScale": 0.5, "inputAspectRatio": 2], to: source)
    #expect((result.pixelWidth, result.pixelHeight) == (10, 4))
    #expect(try apply("CILanczosScaleTransform", to: source) === source)
    for scale in [0, 1e6] {
      #expect(throws: ImageFilterError.self) { try apply("CILanczosScaleTransform", ["inputScale": scale], to: source) }
    }
  }

  /// W3C's Compositing and Blending, written down again: the color where both images cover.
  private static let mixes: [(String, @Sendable (Double, Double) -> Double)] = [
    ("CISourceOverCompositing", { $1 }), ("CIMultiplyBlendMode", { $0 * $1 }), ("CIMultiplyCompositing", { $0 * $1 }),
    ("CIScreenBlendMode", { 1 - (1 - $0) * (1 - $1) }), ("CIDarkenBlendMode", { min($0, $1) }),
    ("CILightenBlendMode", { max($0, $1) }), ("CIDifferenceBlendMode", { abs($0 - $1) }),
    ("CIExclusionBlendMode", { $0 + $1 - 2 * $0 * $1 }),
    ("CIHardLightBlendMode", { $1 <= 0.5 ? $0 * 2 * $1 : 1 - (1 - $0) * (2 - 2 * $1) }),
    ("CIOverlayBlendMode", { $0 <= 0.5 ? $1 * 2 * $0 : 1 - (1 - $1) * (2 - 2 * $0) }),
    ("CIColorDodgeBlendMode", { $0 == 0 ? 0 : $1 >= 1 ? 1 : min(1, $0 / (1 - $1)) }),
    ("CIColorBurnBlendMode", { $0 >= 1 ? 1 : $1 <= 0 ? 0 : 1 - min(1, (1 - $0) / $1) }),
    ("CILinearBurnBlendMode", { max($0 + $1 - 1, 0) }), ("CILinearDodgeBlendMode", { min($0 + $1, 1) }),
    ("CILinearLightBlendMode", { min(max($0 + 2 * $1 - 1, 0), 1) }), ("CISubtractBlendMode", { max($1 - $0, 0) }),
    ("CIPinLightBlendMode", { $1 <= 0.5 ? min($0, 2 * $1) : max($0, 2 * $1 - 1) }),
    ("CIDivideBlendMode", { $0 >= $1 ? 1 : $0 / $1 }), ("CIHardMixBlendMode", { $0 + $1 >= 1 - 1.0 / 4096 ? 1 : 0 }),
    (
      "CIVividLightBlendMode",
      { b, s in
        if s <= 0.5 { return b >= 1 ? 1 : s <= 0 ? 0 : max(1 - (1 - b) / (2 * s), 0) }
        return b <= 0 ? 0 : s >= 1 ? 1 : min(b / (2 - 2 * s), 1)
      }
    ),
    (
      "CISoftLightBlendMode",
      { b, s in
        if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
        let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return b + (2 * s - 1) * (d - b)
      }
    ),
  ]

  @Test("Blend modes are those of W3C's recommendation, with alpha", arguments: mixes.indices)
  func blendModes(_ index: Int) throws {
    let (name, mix) = Self.mixes[index]
    var random = SeededGenerator(seed: 65)
    for (first, second) in [(true, true), (false, true), (false, false)] {
      let above = try SampleImages.noise(31, 17, isOpaque: first, random: &random)
      let below = try SampleImages.noise(31, 17, isOpaque: second, random: &random)
      let result = try apply(name, ["inputBackgroundImage": below], to: above)
      #expect(result.isOpaque == second)
      let (s, b, bytes) = (above.bytes.map { Double($0) / 255 }, below.bytes.map { Double($0) / 255 }, result.bytes)
      for i in stride(from: 0, to: bytes.count, by: 4) {
        let (sa, ba) = (s[i + 3], b[i + 3])
        for c in 0..<3 {
          let (cs, cb) = (s[i + c] / max(sa, 1e-9), b[i + c] / max(ba, 1e-9))
          let alone = s[i + c] * (1 - ba) + b[i + c] * (1 - sa)
          let expected = alone + sa * ba * mix(min(cb, 1), min(cs, 1))
          #expect(abs(Double(bytes[i + c]) - expected * 255) <= 1, "\(name) \(cs) over \(cb)")
        }
        #expect(abs(Double(bytes[i + 3]) - (sa + ba - sa * ba) * 255) <= 0.51)
      }
    }
  }

  @Test("Hue, saturation, color and luminosity are taken from one image and put on the other")
  func nonSeparable() throws {
    var random = SeededGenerator(seed: 66)
    let above = try SampleImages.noise(31, 17, isOpaque: true, random: &random)
    let below = try SampleImages.noise(31, 17, isOpaque: true, random: &random)
    func luminosity(_ bytes: [UInt8], _ i: Int) -> Double {
      0.3 * Double(bytes[i]) + 0.59 * Double(bytes[i + 1]) + 0.11 * Double(bytes[i + 2])
    }
    for (name, source) in [
      ("CIHueBlendMode", below), ("CISaturationBlendMode", below), ("CIColorBlendMode", below),
      ("CILuminosityBlendMode", above),
    ] {
      let result = try apply(name, ["inputBackgroundImage": below], to: above).bytes
      let expected = source.bytes
      for i in stride(from: 0, to: result.count, by: 4) {
        #expect(abs(luminosity(result, i) - luminosity(expected, i)) <= 1)
      }
    }
    let same = try apply("CILuminosityBlendMode", ["inputBackgroundImage": above], to: above).bytes
    #expect(zip(same, above.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test("Porter and Duff's ways combine coverage")
  func porterDuff() throws {
    var random = SeededGenerator(seed: 67)
    let above = try SampleImages.noise(9, 9, isOpaque: false, random: &random)
    let below = try SampleImages.noise(9, 9, isOpaque: false, random: &random)
    let (s, b) = (above.bytes.map { Double($0) / 255 }, below.bytes.map { Double($0) / 255 })
    typealias Way = @Sendable (_ sa: Double, _ ba: Double) -> (Double, Double)
    let ways: [(String, Way)] = [
      ("CISourceInCompositing", { _, ba in (ba, 0) }), ("CISourceOutCompositing", { _, ba in (1 - ba, 0) }),
      ("CISourceAtopCompositing", { sa, ba in (ba, 1 - sa) }), ("CIAdditionCompositing", { _, _ in (1, 1) }),
    ]
    for (name, way) in ways {
      let result = try apply(name, ["inputBackgroundImage": below], to: above).bytes
      for i in result.indices {
        let (first, second) = way(s[i / 4 * 4 + 3], b[i / 4 * 4 + 3])
        let expected = min(s[i] * first + b[i] * second, 1) * 255
        #expect(abs(Double(result[i]) - expected) <= 1, "\(name)")
      }
    }
    let larger = try apply("CIMaximumCompositing", ["inputBackgroundImage": below], to: above).bytes
    let smaller = try apply("CIMinimumCompositing", ["inputBackgroundImage": below], to: above).bytes
    #expect(larger == zip(above.bytes, below.bytes).map { max($0, $1) })
    #expect(smaller == zip(above.bytes, below.bytes).map { min($0, $1) })
  }

  @Test("A mask chooses between image and background, and a smaller background lies at the lower left")
  func masks() throws {
    let red = try SampleImages.bitmap(
      4, 2, isOpaque: true, pixels: (0..<8).flatMap { _ in [200, 0, 0, 255] as [UInt8] })
    let blue = try SampleImages.bitmap(2, 1, isOpaque: true, pixels: [0, 0, 250, 255, 0, 0, 250, 255])
    let grays = (0..<8).flatMap { index -> [UInt8] in
      let gray: UInt8 = index % 2 == 0 ? 0 : 255
      return [gray, gray, gray, 255]
    }
    let mask = try SampleImages.bitmap(4, 2, isOpaque: true, pixels: grays)
    let result = try apply("CIBlendWithMask", ["inputBackgroundImage": blue, "inputMaskImage": mask], to: red).bytes
    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(result[(y * 4 + x) * 4..<(y * 4 + x) * 4 + 4]) }
    #expect(pixel(1, 0) == [200, 0, 0, 255])
    #expect(pixel(0, 1) == [0, 0, 250, 255])
    #expect(pixel(0, 0) == [0, 0, 0, 0])
    #expect(pixel(2, 1) == [0, 0, 0, 0])
  }

  @Test("A mask's alpha, red or blue weighs image against background, and a mix or a time all of them alike")
  func weights() throws {
    var random = SeededGenerator(seed: 69)
    let first = try SampleImages.noise(20, 10, isOpaque: false, random: &random)
    let second = try SampleImages.noise(20, 10, isOpaque: true, random: &random)
    let mask = try SampleImages.noise(20, 10, isOpaque: false, random: &random)
    let (a, b, weights) = (first.bytes.map(Double.init), second.bytes.map(Double.init), mask.bytes.map(Double.init))
    for (name, channel) in [("CIBlendWithAlphaMask", 3), ("CIBlendWithRedMask", 0), ("CIBlendWithBlueMask", 2)] {
      let result = try apply(name, ["inputBackgroundImage": second, "inputMaskImage": mask], to: first).bytes
      for index in result.indices {
        let share = weights[index / 4 * 4 + channel] / 255
        #expect(abs(Double(result[index]) - (a[index] * share + b[index] * (1 - share))) <= 0.51, "\(name)")
      }
    }
    for share in [0, 0.3, 1] {
      let mix = try apply("CIMix", ["inputBackgroundImage": second, "inputAmount": share], to: first).bytes
      let dissolved = try apply("CIDissolveTransition", ["inputTargetImage": second, "inputTime": share], to: first)
        .bytes
      for index in mix.indices {
        let over = a[index] * share + b[index] * (1 - share * a[index / 4 * 4 + 3] / 255)
        #expect(abs(Double(mix[index]) - over) <= 0.6)
        #expect(abs(Double(dissolved[index]) - (a[index] * (1 - share) + b[index] * share)) <= 1)
      }
    }
    let difference = try apply("CIColorAbsoluteDifference", ["inputImage2": second], to: first).bytes
    for index in difference.indices where index % 4 != 3 {
      #expect(Double(difference[index]) == min(abs(a[index] - b[index]), a[index / 4 * 4 + 3]))
    }
  }

  @Test("Bloom brightens and gloom darkens")
  func glow() throws {
    var random = SeededGenerator(seed: 68)
    let source = try SampleImages.noise(40, 40, isOpaque: true, random: &random)
    func sum(_ image: Bitmap) -> Int { image.bytes.reduce(0) { $0 + Int($1) } }
    #expect(try sum(apply("CIBloom", to: source)) > sum(source))
    #expect(try sum(apply("CIGloom", to: source)) < sum(source))
    for name in ["CIBloom", "CIGloom"] {
      #expect(try apply(name, ["inputIntensity": 0], to: source).bytes == source.bytes)
    }
  }
}
