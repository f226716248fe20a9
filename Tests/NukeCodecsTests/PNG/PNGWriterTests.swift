import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing PNG")
struct PNGWriterTests {
  private func read(_ data: Data) throws -> Bitmap {
    try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
  }

  @Test("Every premultiplied pair of color and alpha is preserved")
  func everyPair() throws {
    let image = try Bitmap.drawn(256, 256) { color, alpha in
      SIMD4(UInt8(min(color, alpha)), UInt8(max(alpha - color, 0)), 0, UInt8(alpha))
    }
    #expect(try read(PNGWriter().encode(image)).pixelBytes == image.pixelBytes)
  }

  @Test("Unpremultiplied colors are rounded to nearest")
  func straightColors() throws {
    let image = try #require(
      Bitmap(pixelWidth: 3, pixelHeight: 1) { $0.copyBytes(from: [64, 128, 1, 128, 3, 2, 1, 3, 0, 0, 0, 0]) })
    let data = try PNGWriter(compressionLevel: 0).encode(image)
    // Stored blocks: the row stands in the file as it is, behind the byte of its filter.
    #expect(data.range(of: Data([0, 128, 255, 2, 128, 255, 170, 85, 3, 0, 0, 0, 0])) != nil)
  }

  @Test("A higher level produces a smaller file, and a level out of range is clamped")
  func levels() throws {
    let smooth = try #require(
      Bitmap(pixelWidth: 256, pixelHeight: 128, isOpaque: true) { bytes in
        for offset in bytes.indices {
          let (x, y) = (offset / 4 % 256, offset / 1024)
          bytes[offset] = offset % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: (x * x / 97 + y * (offset % 4 + 1)) % 251)
        }
      })
    let sizes = try (0...9).map { try PNGWriter(compressionLevel: $0).encode(smooth).count }
    #expect(sizes[9] < sizes[1] && sizes[1] < sizes[0])
    #expect(PNGWriter(compressionLevel: 99).compressionLevel == 9)
    #expect(PNGWriter(compressionLevel: -1).compressionLevel == 0)
    for level in 0...9 {
      #expect(try read(PNGWriter(compressionLevel: level).encode(smooth)).pixelBytes == smooth.pixelBytes)
    }
  }
}
