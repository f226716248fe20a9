import Foundation
import NukeImaging
import Testing

/// What stored references cannot show: errors, and results that depend on those of other filters. `FilterReferenceTests`
/// compares every filter with its formula.
@Suite("Filters of the catalog")
struct BuiltInFilterTests {
  private let white = try? SampleImages.bitmap(4, 3, isOpaque: true, pixels: [UInt8](repeating: 255, count: 48))

  private func noise(_ width: Int, _ height: Int, seed: UInt64) throws -> Bitmap {
    var random = SeededGenerator(seed: seed)
    return try SampleImages.noise(width, height, isOpaque: true, random: &random)
  }

  // MARK: Errors

  @Test("A crop that misses the image and a scale without pixels, or with too many, are errors")
  func emptyResults() throws {
    let source = try noise(10, 8, seed: 63)
    #expect(throws: ImageFilterError.self) { try source.filtered("CICrop", ["inputRectangle": [20, 0, 5, 5]]) }
    for scale in [0, 1e6] {
      #expect(throws: ImageFilterError.self) { try source.filtered("CILanczosScaleTransform", ["inputScale": scale]) }
    }
  }

  @Test("A tone curve rejects points that are not in order, and a color cube rejects data of another size")
  func colorErrors() throws {
    let image = try #require(white)
    #expect(
      throws: ImageFilterError.invalidParameter(
        key: "inputPoint2", filter: "CIToneCurve", expected: "to the right of the previous point")
    ) { try image.filtered("CIToneCurve", ["inputPoint2": [0.1, 0.3]]) }
    #expect(
      throws: ImageFilterError.invalidParameter(key: "inputCubeData", filter: "CIColorCube", expected: "1024 bytes")
    ) { try image.filtered("CIColorCube", ["inputCubeDimension": 4, "inputCubeData": Data(count: 27 * 16)]) }
  }

  /// From the lower left corner counterclockwise.
  private func keys(_ corners: [[Double]]) -> [String: Any] {
    let names = ["inputBottomLeft", "inputBottomRight", "inputTopRight", "inputTopLeft"]
    return Dictionary(uniqueKeysWithValues: zip(names, corners))
  }

  @Test("Corners that are not a convex quadrilateral, a singular transform, and results that are too large are errors")
  func degenerate() throws {
    let image = try #require(white)
    for corners in [
      [[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0], [4, 0], [1, 1], [0, 4]], [[0, 0], [4, 4], [4, 0], [0, 4]],
      [[0, 0], [0, 0], [0, 0], [0, 0]], [[0, 0], [1e300, 0], [1e300, 1e300], [0, 1e300]],
    ] as [[[Double]]] {
      for name in ["CIPerspectiveTransform", "CIPerspectiveCorrection", "CIPerspectiveTile"] {
        #expect {
          try image.filtered(name, keys(corners))
        } throws: {
          "\($0)" == "inputTopLeft of \(name) must be a corner of a convex quadrilateral, together with the other three"
        }
      }
    }
    for m in [[0, 0, 0, 0, 0, 0], [1, 2, 2, 4, 0, 0], [1e300, 0, 0, 1e300, 0, 0], [1e-300, 0, 0, 1, 0, 0]] as [[Double]]
    {
      for name in ["CIAffineTransform", "CIAffineClamp", "CIAffineTile"] {
        #expect {
          try image.filtered(name, ["inputTransform": m])
        } throws: { "\($0)" == "inputTransform of \(name) must be an invertible transform" }
      }
    }
    let far = keys([[0, 0], [1e5, 0], [1e5, 9e4], [0, 9e4]])
    for (name, parameters) in [
      ("CIAffineTransform", ["inputTransform": [9000.0, 0, 0, 9000, 0, 0]]), ("CIPerspectiveTransform", far),
      ("CIPerspectiveCorrection", far),
    ] {
      #expect(throws: ImageFilterError.resultTooLarge(filter: name, limit: 100_000_000)) {
        try image.filtered(name, parameters)
      }
    }
  }

  // MARK: Results

  @Test("A transform of Foundation has the same result; whole steps and quarter turns only move pixels")
  func transforms() throws {
    let source = try noise(20, 10, seed: 84)
    var transform = AffineTransform(translationByX: 7, byY: -3)
    #expect(try source.filtered("CIAffineTransform", ["inputTransform": transform]).bytes == source.bytes)
    transform = AffineTransform(rotationByDegrees: 90)
    let turned = try source.filtered("CIAffineTransform", ["inputTransform": transform])
    #expect((turned.pixelWidth, turned.pixelHeight) == (10, 20))
    #expect(turned.bytes == source.turned(.left)?.bytes)
    let boxed = NSAffineTransform(transform: transform)
    #expect(try source.filtered("CIAffineTransform", ["inputTransform": boxed]).bytes == turned.bytes)
  }

  @Test("Sharpening adds the difference from a blur, to each channel or by luminance")
  func sharpening() throws {
    let source = try noise(30, 20, seed: 61)
    let soft = try source.filtered("CIGaussianBlur", ["inputRadius": 2]).bytes
    let bytes = source.bytes
    let sharp = try source.filtered("CIUnsharpMask", ["inputRadius": 2, "inputIntensity": 0.7]).bytes
    let luminance = try source.filtered("CISharpenLuminance", ["inputRadius": 2, "inputSharpness": 0.7]).bytes
    for i in stride(from: 0, to: bytes.count, by: 4) {
      let difference = (0..<3).map { Double(bytes[i + $0]) - Double(soft[i + $0]) }
      let gray = 0.2126 * difference[0] + 0.7152 * difference[1] + 0.0722 * difference[2]
      for c in 0..<3 {
        let value = Double(bytes[i + c])
        #expect(abs(Double(sharp[i + c]) - min(max(value + 0.7 * difference[c], 0), 255)) <= 0.51)
        #expect(abs(Double(luminance[i + c]) - min(max(value + 0.7 * gray, 0), 255)) <= 0.51)
      }
    }
  }

  @Test("Adding a zero difference repeatedly changes nothing", arguments: [1e30, 1e300, -1e300])
  func sharpeningWithoutEnd(_ amount: Double) throws {
    let pixels = (0..<6 * 4).flatMap { _ in [90, 140, 30, 255] as [UInt8] }
    let source = try SampleImages.bitmap(6, 4, isOpaque: true, pixels: pixels)
    #expect(try source.filtered("CIUnsharpMask", ["inputIntensity": amount]).bytes == pixels)
    #expect(try source.filtered("CISharpenLuminance", ["inputSharpness": amount]).bytes == pixels)
  }

  @Test(
    "A halftone screen keeps the mean brightness of gray",
    arguments: ["CILineScreen", "CIDotScreen", "CIHatchedScreen"])
  func brightness(_ name: String) throws {
    for gray: UInt8 in [40, 100, 200] {
      let even = try SampleImages.bitmap(
        180, 180, isOpaque: true, pixels: (0..<180 * 180).flatMap { _ in [gray, gray, gray, 255] })
      let bytes = try even.filtered(name, ["inputWidth": 15, "inputSharpness": 1, "inputAngle": 0.3]).bytes
      let mean = stride(from: 0, to: bytes.count, by: 4).reduce(0.0) { $0 + Double(bytes[$1]) } / (180 * 180)
      #expect(abs(mean - Double(gray)) <= 4)
    }
  }

  /// The luminance of opaque pixels from 0 to 1 by column and row; beyond the edges pixels repeat.
  private func luminances(_ image: Bitmap) -> (Int, Int) -> Double {
    let (width, height, bytes) = (image.pixelWidth, image.pixelHeight, image.bytes.map(Double.init))
    return { x, y in
      let place = (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * 4
      return (0.2126 * bytes[place] + 0.7152 * bytes[place + 1] + 0.0722 * bytes[place + 2]) / 255
    }
  }

  /// The most that a channel of an image of 40 x 30 pixels differs from what a closure makes of column and row.
  private func worst(_ image: Bitmap, channel: Int, _ expected: (Int, Int) -> Double) -> Double {
    (0..<40 * 30).map { index in
      let value = min(max(expected(index % 40, index / 40), 0), 1) * 255
      return abs(Double(image.bytes[index * 4 + channel]) - value)
    }.max() ?? .infinity
  }

  // The references allow for what the blur before them is off by, which counts many times; here it is that very blur.
  @Test("Edge work and line overlay draw lines at edges")
  func lines() throws {
    let source = try noise(40, 30, seed: 98).filtered("CIGaussianBlur", ["inputRadius": 1.5])
    let own = luminances(source)
    for radius in [1.0, 3, 8] {
      let around = luminances(try source.filtered("CIGaussianBlur", ["inputRadius": radius]))
      let result = try source.filtered("CIEdgeWork", ["inputRadius": radius])
      #expect(worst(result, channel: 0) { 1 - 16 * (around($0, $1) - own($0, $1)) } <= 0.6)
    }
    let tone = luminances(
      try source.filtered("CINoiseReduction", ["inputNoiseLevel": 0.05, "inputSharpness": 0.5]))
    for (intensity, threshold, contrast) in [(1, 0.1, 50), (3, 0.2, 2), (0.5, 0, 10)] as [(Double, Double, Double)] {
      let result = try source.filtered(
        "CILineOverlay",
        [
          "inputNRNoiseLevel": 0.05, "inputNRSharpness": 0.5, "inputEdgeIntensity": intensity,
          "inputThreshold": threshold, "inputContrast": contrast,
        ])
      let deviation = worst(result, channel: 3) { x, y in
        // Sobel's operator over 4.
        let weights = [(-1, 1.0), (0, 2), (1, 1)]
        let across = weights.reduce(0) { $0 + $1.1 * (tone(x + 1, y + $1.0) - tone(x - 1, y + $1.0)) }
        let down = weights.reduce(0) { $0 + $1.1 * (tone(x + $1.0, y + 1) - tone(x + $1.0, y - 1)) }
        return (hypot(across, down) / 4 * intensity - threshold) * contrast
      }
      #expect(deviation <= 0.6)
    }
  }

  @Test("A height field of a white mask has the maximum height everywhere")
  func heights() throws {
    let image = try #require(white)
    #expect(try image.filtered("CIHeightFieldFromMask").bytes == image.bytes)
  }
}
