import Foundation
import NukeImaging
import Testing

@Suite("Resizing a bitmap")
struct ResizeTests {
  static let filters: [ResamplingFilter] = [.lanczos3, .triangle, .area, .nearest]

  private func fill(
    _ bitmap: Bitmap, _ width: Int, _ height: Int, filter: ResamplingFilter = .lanczos3,
    kernels: PixelKernels = .best
  ) throws -> Bitmap {
    let geometry = try #require(
      try ResizeGeometry(
        sourceWidth: bitmap.pixelWidth, sourceHeight: bitmap.pixelHeight,
        target: CGSize(width: width, height: height), contentMode: .fill, upscale: true))
    return try #require(bitmap.resized(geometry, filter: filter, kernels: kernels))
  }

  /// Random images and geometries: enlarged, reduced, cropped between pixels, tiny and lopsided ones among them.
  private func forRandomResizes(
    seed: UInt64, count: Int, largest: Int, _ body: (Bitmap, ResizeGeometry, ResamplingFilter) throws -> Void
  ) throws {
    var random = SeededGenerator(seed: seed)
    for index in 0..<count {
      let width = Int.random(in: 1...largest, using: &random)
      let height = Int.random(in: 1...largest, using: &random)
      let source = try SampleImages.noise(width, height, isOpaque: index % 2 == 0, random: &random)
      let target = CGSize(
        width: Int.random(in: 1...largest, using: &random), height: Int.random(in: 1...largest, using: &random))
      let mode: ResizeGeometry.ContentMode = [.aspectFill, .aspectFit, .fill].randomElement(using: &random)!
      guard
        let geometry = try ResizeGeometry(
          sourceWidth: width, sourceHeight: height, target: target, contentMode: mode,
          crop: Bool.random(using: &random), upscale: true),
        geometry.outputWidth * geometry.outputHeight < 8 * largest * largest
      else { continue }
      try body(source, geometry, Self.filters.randomElement(using: &random)!)
    }
  }

  @Test("Every variant gives the same pixels")
  func variantsAgree() throws {
    let scalar = try #require(PixelKernels(.scalar))
    try forRandomResizes(seed: 10, count: 200, largest: 90) { source, geometry, filter in
      let expected = try #require(source.resized(geometry, filter: filter, kernels: scalar)).bytes
      for kernels in availableKernels {
        let result = try #require(source.resized(geometry, filter: filter, kernels: kernels)).bytes
        #expect(result == expected, "\(kernels.variant) \(geometry)")
      }
    }
  }

  @Test("Pixels differ by at most one and a half from the formulas in double precision")
  func reference() throws {
    var worst = 0.0
    var squares = 0.0
    var samples = 0.0
    try forRandomResizes(seed: 11, count: 60, largest: 48) { source, geometry, filter in
      // Where rows grow and columns shrink the columns come first, so the clamp between the passes falls elsewhere.
      let width = Double(geometry.outputWidth) > geometry.region.width
      guard !(width && Double(geometry.outputHeight) < geometry.region.height) else { return }
      let expected = ReferenceResampling.resize(source.bytes, geometry, filter)
      let result = try #require(source.resized(geometry, filter: filter)).bytes
      for (pixel, exact) in zip(result, expected) {
        worst = max(worst, abs(Double(pixel) - exact))
        squares += (Double(pixel) - exact) * (Double(pixel) - exact)
        samples += 1
      }
    }
    #expect(samples > 50_000)
    #expect(worst <= 1.5)
    #expect(squares / samples < 0.15, "the mean square error of rounding once is 1/12")
  }

  @Test("Color never exceeds alpha, and opaque images stay opaque")
  func validPixels() throws {
    try forRandomResizes(seed: 12, count: 120, largest: 60) { source, geometry, filter in
      let result = try #require(source.resized(geometry, filter: filter))
      #expect(result.isOpaque == source.isOpaque)
      #expect(result.isLawful, "\(geometry)")
    }
  }

  @Test("A uniform color does not change", arguments: filters)
  func constants(_ filter: ResamplingFilter) throws {
    for pixel: [UInt8] in [[255, 255, 255, 255], [0, 0, 0, 0], [1, 127, 200, 255], [3, 0, 17, 18]] {
      let source = try SampleImages.even(61, 37, pixel)
      for (width, height) in [(20, 12), (1, 1), (61, 5), (200, 90), (7, 100), (100, 7)] {
        let result = try fill(source, width, height, filter: filter).bytes
        #expect(result == (0..<width * height).flatMap { _ in pixel }, "\(pixel) \(width)x\(height)")
      }
    }
  }

  @Test(
    "Lanczos and bilinear match Pillow, within 1 of 255, or 2 where color is clamped to alpha",
    arguments: ["soft", "edges", "glass"], [(40, 27), (13, 9), (120, 80)])
  func pillow(_ name: String, _ size: (Int, Int)) throws {
    for (filter, suffix) in [(ResamplingFilter.lanczos3, ""), (.triangle, "-bilinear")] {
      let source = try SampleImages.fixture(name, 96, 64)
      let expected = try SampleImages.fixture(name, size.0, size.1, suffix).bytes
      let result = try fill(source, size.0, size.1, filter: filter).bytes
      let differences = zip(result, expected).map { abs(Double($0) - Double($1)) }
      #expect(differences.max()! <= (source.isOpaque ? 1 : 2), "\(filter)")
      let psnr = 10 * log10(255 * 255 / (differences.reduce(0) { $0 + $1 * $1 } / Double(result.count)))
      #expect(psnr >= 60, "\(psnr) dB with \(filter)")
    }
  }

  @Test(
    "Nearest neighbor takes the same pixels as Pillow",
    arguments: ["soft", "edges", "glass"], [(40, 27), (13, 9), (120, 80)])
  func pillowNearest(_ name: String, _ size: (Int, Int)) throws {
    let source = try SampleImages.fixture(name, 96, 64)
    let expected = try SampleImages.fixture(name, size.0, size.1, "-nearest").bytes
    let result = try fill(source, size.0, size.1, filter: .nearest).bytes
    // Where an output's middle lies between two pixels Pillow takes either, as its sums round.
    func isBetween(_ place: Int, _ output: Int, _ input: Int) -> Bool { (2 * place + 1) * input % (2 * output) == 0 }
    var compared = 0
    for y in 0..<size.1 where !isBetween(y, size.1, 64) {
      for x in 0..<size.0 where !isBetween(x, size.0, 96) {
        let pixel = (y * size.0 + x) * 4
        #expect(result[pixel..<pixel + 4] == expected[pixel..<pixel + 4], "\(x), \(y)")
        compared += 1
      }
    }
    #expect(compared * 3 > size.0 * size.1)
  }

  @Test("Strips that are processed concurrently give the same pixels as one")
  func bands() throws {
    try forRandomResizes(seed: 19, count: 100, largest: 70) { source, geometry, filter in
      for light in [ResamplingLight.encoded, .linear] {
        let whole = try #require(source.resized(geometry, filter: filter, light: light, bands: 1)).bytes
        for bands in [2, 3, 1000] {
          let parts = try #require(source.resized(geometry, filter: filter, light: light, bands: bands)).bytes
          #expect(parts == whole, "\(bands) bands, \(filter), \(geometry)")
        }
      }
    }
  }

  @Test("Area averages the pixels that it covers")
  func area() throws {
    let source = try SampleImages.bitmap(
      4, 2, isOpaque: true,
      pixels: [0, 100, 200, 40].flatMap { [$0, $0, $0, 255] } + [20, 120, 0, 40].flatMap { [$0, $0, $0, 255] })
    #expect(try fill(source, 2, 1, filter: .area).bytes == [60, 60, 60, 255, 70, 70, 70, 255])
  }

  @Test("A crop at full size copies the pixels of the center")
  func cropCopies() throws {
    var random = SeededGenerator(seed: 13)
    let source = try SampleImages.noise(50, 30, isOpaque: false, random: &random)
    let geometry = try #require(
      try ResizeGeometry(sourceWidth: 50, sourceHeight: 30, target: CGSize(width: 20, height: 30), crop: true))
    for kernels in availableKernels {
      let result = try #require(source.resized(geometry, kernels: kernels))
      #expect(result.bytes == source.bytes(ofColumns: 15..<35), "\(kernels.variant)")
    }
  }

  @Test("A crop is the center of the larger result")
  func cropMatchesCenter() throws {
    var random = SeededGenerator(seed: 14)
    let source = try SampleImages.noise(120, 60, isOpaque: true, random: &random)
    let whole = try fill(source, 40, 20)
    let geometry = try #require(
      try ResizeGeometry(sourceWidth: 120, sourceHeight: 60, target: CGSize(width: 20, height: 20), crop: true))
    let cropped = try #require(source.resized(geometry))
    #expect(cropped.bytes == whole.bytes(ofColumns: 10..<30))
  }

  @Test("A geometry that changes nothing returns the same bitmap")
  func identity() throws {
    var random = SeededGenerator(seed: 15)
    let large = try SampleImages.noise(16, 8, isOpaque: true, random: &random)
    let geometry = try #require(
      try ResizeGeometry(sourceWidth: 16, sourceHeight: 8, target: CGSize(width: 4, height: 2)))
    // Decoded at a quarter, the image has the size asked for.
    let decoded = try fill(large, 4, 2)
    #expect(decoded.resized(geometry.reduced(by: 4)) === decoded)
  }

  @Test("The scale is kept")
  func keepsScale() throws {
    var random = SeededGenerator(seed: 16)
    let source = try SampleImages.noise(16, 8, isOpaque: true, random: &random).withScale(2)
    let result = try fill(source, 8, 4)
    #expect(result.scale == 2)
    #expect(result.size == CGSize(width: 4, height: 2))
  }

  @Test("A very long image is reduced to one pixel, the mean of all")
  func hugeFactor() throws {
    let count = 100_000
    let pixels = (0..<count).flatMap { [$0 % 2 == 0 ? 100 : 200, 50, UInt8($0 * 255 / count), 255] as [UInt8] }
    let wide = try SampleImages.bitmap(count, 1, isOpaque: true, pixels: pixels)
    let high = try SampleImages.bitmap(1, count, isOpaque: true, pixels: pixels)
    for source in [wide, high] {
      let result = try fill(source, 1, 1, filter: .area).bytes
      #expect((148...152).contains(result[0]))
      #expect(result[1] == 50)
      #expect((125...129).contains(result[2]))
      #expect(result[3] == 255)
    }
  }

  @Test("Rows that become longer while columns become shorter need memory for the smaller intermediate image only")
  func lopsided() throws {
    var random = SeededGenerator(seed: 17)
    let source = try SampleImages.noise(3, 2000, isOpaque: true, random: &random)
    let result = try fill(source, 2000, 3)
    #expect((result.pixelWidth, result.pixelHeight) == (2000, 3))
    let turned = try fill(fill(source, 3, 3), 2000, 3)
    #expect(result.bytes == turned.bytes)
  }

  @Test("An empty bitmap and a region outside of the image have no result")
  func nothingToSample() throws {
    let geometry = try #require(
      try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, target: CGSize(width: 20, height: 30), crop: true))
    #expect(Bitmap().resized(geometry) == nil)
    var random = SeededGenerator(seed: 18)
    #expect(try SampleImages.noise(4, 4, isOpaque: true, random: &random).resized(geometry) == nil)
  }
}
