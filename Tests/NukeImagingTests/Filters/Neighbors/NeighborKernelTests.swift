import Foundation
import NukeImaging
import Testing

@Suite("Kernels that read several pixels")
struct NeighborKernelTests {
  @Test("Every variant gives the same pixels, at any radius")
  func neighbors() throws {
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
  }

  @Test("The edge of a strip is not treated as an edge of the image")
  func strips() throws {
    var random = SeededGenerator(seed: 95)
    let wide = try SampleImages.noise(1300, 3, isOpaque: true, random: &random)
    let whole = try #require(wide.extreme(true, of: PixelNeighborhood(width: 9, height: 3)))
    let part = try #require(wide.cropped(x: 480, y: 0, width: 60, height: 3))
    let alone = try #require(part.extreme(true, of: PixelNeighborhood(width: 9, height: 3)))
    #expect(whole.bytes(ofColumns: 490..<530) == alone.bytes(ofColumns: 10..<50))
  }

  @Test("Every variant looks up the same pixels, also with several lookups per pixel")
  func warping() throws {
    var random = SeededGenerator(seed: 82)
    let source = try SampleImages.noise(50, 20, isOpaque: false, random: &random)
    let scalar = try #require(PixelKernels(.scalar))
    for edges in [EdgeMode.repeated, .transparent] {
      for samples in 1...3 {
        func warped(_ kernels: PixelKernels) -> [UInt8]? {
          source.warped(width: 33, edges: edges, samples: samples, kernels: kernels) { $0 * 1.37 - 3.1 }?.bytes
        }
        let expected = try #require(warped(scalar))
        for kernels in availableKernels { #expect(warped(kernels) == expected) }
      }
    }
  }
}
