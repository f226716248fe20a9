import Foundation
import NukeImaging
import Testing

@Suite("Blurring a bitmap")
struct GaussianBlurTests {
  /// Black and white fields with single dots: what a blur finds hardest.
  private func edges(_ width: Int, _ height: Int) throws -> Bitmap {
    let pixels = (0..<width * height).flatMap { index -> [UInt8] in
      let (x, y) = (index % width, index / width)
      let on = (x / 17 + y / 13) % 2 == 0 || (x * 7 + y * 3) % 41 == 0
      return on ? [255, 255, 255, 255] : [0, 40, 0, 255]
    }
    return try SampleImages.bitmap(width, height, isOpaque: true, pixels: pixels)
  }

  @Test(
    "Pixels differ by at most two from the formula in double precision, and by half of one on average",
    arguments: [0.4, 1, 2.5, 3, 3.1, 5, 8, 13.7, 40, 300])
  func reference(_ sigma: Double) throws {
    var random = SeededGenerator(seed: 20)
    let sources = [
      try edges(90, 61), try SampleImages.noise(37, 50, isOpaque: false, random: &random),
      try SampleImages.noise(1, 30, isOpaque: true, random: &random),
      try SampleImages.noise(23, 2, isOpaque: false, random: &random),
    ]
    for source in sources {
      let exact = ReferenceBlur.blur(source.bytes, source.pixelWidth, source.pixelHeight, sigma: sigma)
      let result = try #require(source.gaussianBlurred(sigma: sigma)).bytes
      let differences = zip(result, exact).map { abs(Double($0) - $1) }
      #expect(differences.max()! <= 2, "\(source)")
      #expect(differences.reduce(0, +) / Double(differences.count) <= 0.5, "\(source)")
    }
  }

  @Test("Every variant gives the same pixels")
  func variantsAgree() throws {
    let scalar = try #require(PixelKernels(.scalar))
    var random = SeededGenerator(seed: 21)
    for index in 0..<60 {
      let source = try SampleImages.noise(
        Int.random(in: 1...80, using: &random), Int.random(in: 1...80, using: &random), isOpaque: index % 2 == 0,
        random: &random)
      let sigma = Double.random(in: 0.1...30, using: &random)
      let expected = try #require(source.gaussianBlurred(sigma: sigma, kernels: scalar)).bytes
      for kernels in availableKernels {
        #expect(try #require(source.gaussianBlurred(sigma: sigma, kernels: kernels)).bytes == expected)
      }
    }
  }

  @Test("A uniform color does not change", arguments: [0.5, 3, 4, 20, 1000, 1e12, .infinity])
  func constants(_ sigma: Double) throws {
    for pixel: [UInt8] in [[255, 255, 255, 255], [0, 0, 0, 0], [1, 127, 200, 255], [3, 0, 17, 18]] {
      for (width, height) in [(1, 1), (61, 37), (2, 90)] {
        let source = try SampleImages.even(width, height, pixel)
        let result = try #require(source.gaussianBlurred(sigma: sigma))
        #expect(result.bytes == source.bytes)
        #expect(result.isOpaque == source.isOpaque)
      }
    }
  }

  @Test("Color never exceeds alpha, and size and scale are kept")
  func validPixels() throws {
    var random = SeededGenerator(seed: 22)
    for sigma in [0.7, 2, 6, 31] {
      let source = try SampleImages.noise(40, 33, isOpaque: false, random: &random).withScale(2)
      let result = try #require(source.gaussianBlurred(sigma: sigma))
      #expect((result.pixelWidth, result.pixelHeight, result.scale) == (40, 33, 2))
      #expect(result.isLawful)
    }
  }

  @Test(
    "A radius that is zero, or too small to reach a neighbor, leaves the image unchanged",
    arguments: [0, -3, .nan, -.infinity, 0.28, 1e-17, 1e-30, 1e-308, .leastNonzeroMagnitude] as [Double])
  func nothing(_ sigma: Double) throws {
    let source = try edges(5, 5)
    #expect(source.gaussianBlurred(sigma: sigma) === source)
  }

  @Test("The pixels at the edges are repeated beyond the image")
  func edgesRepeat() throws {
    // Very wide deviations see the two halves of what lies beyond the edges.
    let pixels: [UInt8] = [0, 0, 0, 255, 90, 90, 90, 255, 200, 200, 200, 255]
    let source = try SampleImages.bitmap(3, 1, isOpaque: true, pixels: pixels)
    let result = try #require(source.gaussianBlurred(sigma: 5000)).bytes
    #expect(result.allSatisfy { $0 == 255 || (99...101).contains($0) })
  }
}
