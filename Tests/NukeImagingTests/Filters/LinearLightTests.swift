import Foundation
import NukeImaging
import Testing

@Suite("Resizing in linear light")
struct LinearLightTests {
  private func resized(
    _ bitmap: Bitmap, _ width: Int, _ height: Int, filter: ResamplingFilter = .lanczos3, kernels: PixelKernels = .best
  ) throws -> Bitmap {
    let geometry = try #require(
      try ResizeGeometry(
        sourceWidth: bitmap.pixelWidth, sourceHeight: bitmap.pixelHeight,
        target: CGSize(width: width, height: height), contentMode: .fill, upscale: true))
    return try #require(bitmap.resized(geometry, filter: filter, light: .linear, kernels: kernels))
  }

  /// Sizes that reduce and enlarge, together and each alone, down to a pixel.
  private static let sizes = [(20, 12), (1, 1), (61, 5), (9, 37), (150, 90), (7, 60)]

  @Test("A field of black and white lines becomes the gray of half the light, not of half the value")
  func brightness() throws {
    let pixels = (0..<64 * 64).flatMap { index -> [UInt8] in
      let level: UInt8 = index / 64 % 2 == 0 ? 0 : 255
      return [level, level, level, 255]
    }
    let lines = try SampleImages.bitmap(64, 64, isOpaque: true, pixels: pixels)
    for filter in [ResamplingFilter.area, .triangle, .lanczos3] {
      let pixels = try resized(lines, 16, 16, filter: filter).bytes
      let middle = pixels[(8 * 16 + 8) * 4]
      #expect((187...189).contains(middle), "\(filter): \(middle)")
    }
    let geometry = try #require(
      try ResizeGeometry(sourceWidth: 64, sourceHeight: 64, target: CGSize(width: 16, height: 16)))
    #expect(lines.resized(geometry, filter: .area)?.bytes[0] == 128, "in sRGB as it is")
  }

  @Test("Pixels are close to the formulas in double precision, with or without alpha", arguments: [true, false])
  func reference(_ isOpaque: Bool) throws {
    var random = SeededGenerator(seed: 30)
    var worst = 0.0
    var squares = 0.0
    var samples = 0.0
    for (width, height) in Self.sizes where !(width > 61 && height < 37) {
      let source = try SampleImages.noise(61, 37, isOpaque: isOpaque, random: &random)
      for filter in [ResamplingFilter.lanczos3, .triangle, .area] {
        let geometry = try #require(
          try ResizeGeometry(
            sourceWidth: 61, sourceHeight: 37, target: CGSize(width: width, height: height), contentMode: .fill,
            upscale: true))
        let expected = ReferenceResampling.resizeInLinearLight(source.bytes, geometry, filter)
        let result = try resized(source, width, height, filter: filter).bytes
        for (pixel, exact) in zip(result, expected) {
          worst = max(worst, abs(Double(pixel) - exact))
          squares += (Double(pixel) - exact) * (Double(pixel) - exact)
          samples += 1
        }
      }
    }
    #expect(samples > 50_000)
    #expect(worst <= 2.5, "next to black a rounded word of 15 bits is a tenth of a step, and rings are cut there twice")
    #expect(squares / samples < 0.15, "the mean square error of rounding once is 1/12")
  }

  @Test("Every variant gives the same pixels")
  func variantsAgree() throws {
    let scalar = try #require(PixelKernels(.scalar))
    var random = SeededGenerator(seed: 31)
    for (index, (width, height)) in (Self.sizes + [(33, 17), (62, 38)]).enumerated() {
      let source = try SampleImages.noise(61, 37, isOpaque: index % 2 == 0, random: &random)
      let expected = try resized(source, width, height, kernels: scalar).bytes
      for kernels in availableKernels {
        #expect(try resized(source, width, height, kernels: kernels).bytes == expected, "\(kernels.variant)")
      }
    }
  }

  @Test("Uniform colors do not change, whatever their alpha")
  func constants() throws {
    var random = SeededGenerator(seed: 32)
    for alpha in 0...255 {
      for _ in 0..<12 {
        let color = (0..<3).map { _ in UInt8.random(in: 0...UInt8(alpha), using: &random) }
        let pixel = color + [UInt8(alpha)]
        let even = try SampleImages.even(7, 1, pixel)
        #expect(try resized(even, 3, 1).bytes == pixel + pixel + pixel)
      }
    }
  }

  @Test("Color never exceeds alpha, and opaque images stay opaque")
  func validPixels() throws {
    var random = SeededGenerator(seed: 33)
    for (index, (width, height)) in Self.sizes.enumerated() {
      let source = try SampleImages.noise(61, 37, isOpaque: index % 2 == 0, random: &random)
      let result = try resized(source, width, height)
      #expect(result.isOpaque == source.isOpaque)
      #expect(result.isLawful, "\(width)x\(height)")
    }
  }

  @Test("The color of transparent pixels does not affect adjacent pixels")
  func transparency() throws {
    let pixels = (0..<16 * 16).flatMap { index -> [UInt8] in index % 16 < 8 ? [200, 100, 50, 255] : [0, 0, 0, 0] }
    let source = try SampleImages.bitmap(16, 16, isOpaque: false, pixels: pixels)
    let bytes = try resized(source, 5, 5, filter: .triangle).bytes
    for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] > 0 {
      let alpha = Double(bytes[pixel + 3])
      for (channel, straight) in [200.0, 100, 50].enumerated() {
        #expect(abs(Double(bytes[pixel + channel]) - straight * alpha / 255) <= 1)
      }
    }
  }
}
