#if TIFF
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Writing TIFF")
  struct TIFFWriterTests {
    @Test("Compression makes a smooth image smaller, and the profile can be omitted")
    func sizes() throws {
      let smooth = try #require(
        Bitmap(pixelWidth: 200, pixelHeight: 100, isOpaque: true) { bytes in
          for offset in bytes.indices {
            bytes[offset] = offset % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: offset / 4 % 200 + offset / 800)
          }
        })
      let plain = try TIFFWriter(compression: .none).encode(smooth)
      let lzw = try TIFFWriter(compression: .lzw).encode(smooth)
      let deflate = try TIFFWriter(compression: .deflate).encode(smooth)
      #expect(plain.count > 60_000)
      #expect(lzw.count < 20_000)
      #expect(deflate.count < 20_000)
      let bare = try TIFFWriter(embedsProfile: false).encode(smooth)
      #expect((400...700).contains(deflate.count - bare.count))
      #expect(try TIFFReader(data: bare, limits: CodecLimits()).header.profileName == nil)
    }

    @Test("The resolution is written, and an invalid one is omitted")
    func resolution() throws {
      let image = try randomImage(width: 4, height: 4, isOpaque: true)
      // 300/1 as a fraction of two numbers.
      let fraction = Data([0x2C, 1, 0, 0, 1, 0, 0, 0])
      #expect(try TIFFWriter(resolution: 300).encode(image).range(of: fraction) != nil)
      #expect(try TIFFWriter(resolution: .nan).encode(image).range(of: fraction) == nil)
    }
  }
#endif
