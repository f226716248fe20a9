import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("The color chunks of a PNG")
struct PNGColorTests {
  /// `rgb16` with chunks of their names and contents.
  private func reader(_ chunks: (String, [UInt8])...) throws -> PNGReader {
    let plain = try PNGFixture.named("rgb16").data()
    let data = chunks.reduce(plain) { PNGBuilder.inserting($1.0, Data($1.1), into: $0) }
    return try PNGReader(data: data, limits: CodecLimits())
  }

  private func light(_ candelas: Double) -> [UInt8] {
    withUnsafeBytes(of: UInt32(candelas * 10_000).bigEndian) { Array($0) }
  }

  private func mastering(_ peak: Double) -> [UInt8] { [UInt8](repeating: 9, count: 16) + light(peak) + light(0) }

  @Test(
    "Code points that are damaged, not for RGB or unknown are ignored",
    arguments: [
      [12, 13, 0], [12, 13, 0, 1, 0], [12, 13, 0, 2], [12, 13, 1, 1], [3, 13, 0, 1], [1, 255, 0, 1], [2, 2, 0, 0],
    ]
  )
  func unusable(_ content: [UInt8]) throws {
    let linear: [UInt8] = [0, 1, 0x86, 0xA0]
    let reader = try reader(("cICP", content), ("gAMA", linear))
    #expect(reader.header.profileName == "gamma 1.0")
    let expected = try self.reader(("gAMA", linear)).decode(DecodeOptions())
    #expect(try reader.decode(DecodeOptions()).pixelBytes == expected.pixelBytes)
  }

  @Test("sRGB in code points has precedence over a gamma, and needs no memory")
  func srgb() throws {
    let reader = try reader(("cICP", [1, 13, 0, 1]), ("gAMA", [0, 1, 0x86, 0xA0]))
    #expect(reader.header.profileName == "sRGB")
    #expect(reader.workingByteCount == 0)
    #expect(try reader.decode(DecodeOptions()).pixelBytes == PNGFixture.named("rgb16").premultiplied())
  }

  @Test("The light level of the content has precedence over that of the display, and 0 means unknown")
  func peaks() throws {
    func pixels(_ chunks: (String, [UInt8])...) throws -> [UInt8] {
      let plain = try PNGFixture.named("rgb16").data()
      let data = ([("cICP", [9, 16, 0, 1])] + chunks).reduce(plain) {
        PNGBuilder.inserting($1.0, Data($1.1), into: $0)
      }
      return try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions()).pixelBytes
    }
    let usual = try pixels()
    #expect(try pixels(("cLLI", light(1000) + light(100))) == usual)
    #expect(try pixels(("cLLI", light(0) + light(0)), ("mDCV", mastering(0))) == usual)
    let level = try pixels(("cLLI", light(400) + light(100)))
    #expect(level != usual)
    #expect(try pixels(("cLLI", light(400) + light(100)), ("mDCV", mastering(4000))) == level)
    #expect(try pixels(("cLLI", light(0) + light(0)), ("mDCV", mastering(400))) == level)
    // Where everything is as dark as paper at most, nothing is rolled off, and brighter light is as bright as that.
    let dark = try pixels(("cLLI", light(0.5) + light(0.5)))
    #expect(try pixels(("cLLI", light(203) + light(100))) == dark)
    #expect(try pixels(("cLLI", light(10_000) + light(100))) == pixels(("cLLI", light(400_000) + light(100))))
  }

  @Test("Decoding 16 bits stops on cancellation, between batches of rows and between passes")
  func cancellation() throws {
    for name in ["prophoto-16.png", "prophoto-16-interlaced.png"] {
      let fixture = try #require(ColorFixture.all.first { $0.file == name })
      let reader = try PNGReader(data: fixture.data(), limits: CodecLimits())
      #expect(throws: CodecError.cancelled(.png)) { try reader.decode(DecodeOptions(isCancelled: { true })) }
    }
  }

  @Test("All batches of rows are converted")
  func batches() throws {
    // 1000 pixels of 8 bytes: eight rows a batch, and six in the last.
    let (width, height) = (1000, 22)
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        let gray = UInt16((x * 31 + y * 977) % 65_536)
        rows.append(contentsOf: [UInt8(gray >> 8), UInt8(gray & 255)])
      }
    }
    var builder = PNGBuilder()
    builder.addHeader(width: UInt32(width), height: UInt32(height), depth: 16, colorType: 0)
    builder.add("gAMA", Data([0, 1, 0x86, 0xA0]))
    builder.add("IDAT", ZlibStream.stored(rows))
    builder.add("IEND")
    let pixels = try PNGReader(data: builder.data, limits: CodecLimits()).decode(DecodeOptions()).pixelBytes
    for y in 0..<height {
      let isRight = (0..<width).allSatisfy { x in
        let linear = Double((x * 31 + y * 977) % 65_536) / 65_535
        let encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
        return abs(Double(pixels[(y * width + x) * 4]) - encoded * 255) < 0.65
      }
      #expect(isRight, "row \(y)")
    }
  }
}
