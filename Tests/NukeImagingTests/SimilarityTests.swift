import Foundation
import NukeImaging
import Testing

@Suite("Structural similarity")
struct SimilarityTests {
  /// A pattern that a program in another language can repeat.
  private static func pattern(_ width: Int, _ height: Int, _ noise: Int) -> Bitmap {
    Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { pixels in
      for index in pixels.indices {
        let (x, y, channel) = (index / 4 % width, index / 4 / width, index % 4)
        let base = (x * 3 + y * 5 + channel * 40) % 256
        let change = noise == 0 ? 0 : (x * 7 + y * 13 + channel * 11) % noise - noise / 2
        pixels[index] = channel == 3 ? 255 : UInt8(min(max(base + change, 0), 255))
      }
    }!
  }

  @Test("Equal images have a similarity of 1, whatever their size", arguments: [(64, 48), (3, 2), (1, 1), (600, 400)])
  func equal(width: Int, height: Int) throws {
    let image = Self.pattern(width, height, 0)
    #expect(abs(try #require(image.structuralSimilarity(to: image)) - 1) < 1e-6)
  }

  // By scikit-image, with 0.299 R + 0.587 G + 0.114 B as input: structural_similarity(a, b, gaussian_weights=True,
  // sigma=1.5, use_sample_covariance=False, data_range=255)
  @Test(
    "It is that of scikit-image",
    arguments: [(64, 48, 20, 0.975893808), (64, 48, 120, 0.374277618), (300, 200, 60, 0.691459240)])
  func reference(width: Int, height: Int, noise: Int, expected: Double) throws {
    let similarity = Self.pattern(width, height, 0).structuralSimilarity(to: Self.pattern(width, height, noise))
    #expect(abs(try #require(similarity) - expected) < 1e-4)
  }

  @Test("Images of different sizes cannot be compared")
  func sizes() {
    #expect(Self.pattern(8, 8, 0).structuralSimilarity(to: Self.pattern(8, 9, 0)) == nil)
  }
}
