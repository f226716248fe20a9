import Foundation
import NukeCodecs
import Testing

@Suite("Damaged and hostile BMP")
struct BMPDamageTests: DamageSuite {
  private func data(_ name: String) throws -> Data {
    try #require(BMPReaderTests.fixtures.first { $0.file == name }).data()
  }

  typealias Reader = BMPReader

  /// A file with one number of its headers replaced.
  private func changed(_ name: String, at offset: Int, to value: UInt32) throws -> Data {
    var data = try data(name)
    withUnsafeBytes(of: value.littleEndian) { data.replaceSubrange(offset..<offset + 4, with: $0) }
    return data
  }

  @Test(
    "Missing pixels are reported as truncated", arguments: ["header-40-24.bmp", "runs-8.bmp", "header-40-1.bmp"])
  func truncated(_ name: String) throws {
    let data = try data(name)
    // The bytes that fill up the last row may be missing, and so may what ends the runs.
    for count in stride(from: 0, to: data.count - 12, by: 3) {
      #expect(error(data.prefix(count)) == .truncated(.bmp, byteCount: count), "\(count) bytes")
    }
  }

  @Test("A size above the limits, or larger than the file, is rejected before memory is allocated")
  func sizes() throws {
    #expect(
      error(try changed("header-40-24.bmp", at: 18, to: 0x7FFF_FFFF))
        == .tooLarge(.bmp, width: 0x7FFF_FFFF, height: 9, limit: .side(16_384)))
    #expect(
      error(try changed("header-40-24.bmp", at: 22, to: 0x8000_0000))
        == .tooLarge(.bmp, width: 13, height: 0x8000_0000, limit: .side(16_384)))
    #expect(
      error(try data("header-40-24.bmp"), limits: CodecLimits(maximumPixelCount: 100))
        == .tooLarge(.bmp, width: 13, height: 9, limit: .pixelCount(100)))
    let long = try changed("header-40-24.bmp", at: 22, to: 16_000)
    #expect(error(long) == .truncated(.bmp, byteCount: long.count))
    for value in [0, 0xFFFF_FFF0] as [UInt32] {
      let data = try changed("header-40-24.bmp", at: 18, to: value)
      expectMalformed(error(data), .bmp)
      #expect(throws: CodecError.self) { try BMPReader.header(ofPrefix: data) }
    }
  }

  @Test("Errors name unsupported features")
  func unsupported() throws {
    #expect(
      error(try changed("header-40-24.bmp", at: 30, to: 4)) == .unsupported(.bmp, feature: "an embedded JPEG"))
    #expect(error(try changed("header-40-24.bmp", at: 30, to: 5)) == .unsupported(.bmp, feature: "an embedded PNG"))
    #expect(
      error(try changed("header-40-24.bmp", at: 30, to: 1))
        == .unsupported(.bmp, feature: "compression 1 with 24 bits per pixel"))
    #expect(
      error(try changed("header-40-24.bmp", at: 26, to: 2 << 16 | 1))
        == .unsupported(.bmp, feature: "2 bits per pixel"))
  }

  @Test("Headers that contradict the format are errors")
  func headers() throws {
    #expect(
      error(try changed("header-40-24.bmp", at: 14, to: 99))
        == .malformed(.bmp, reason: "a header of 99 bytes", offset: 14))
    #expect(
      error(try changed("header-40-24.bmp", at: 10, to: 20))
        == .malformed(.bmp, reason: "the pixels overlap the header", offset: 10))
    #expect(
      error(try changed("masks-565.bmp", at: 54, to: 0xF00F))
        == .malformed(.bmp, reason: "a color mask whose bits are not contiguous", offset: 14))
    #expect(
      error(try changed("profile-wide.bmp", at: 14 + 112, to: 0xFFFF_FFFF)) == nil, "a profile elsewhere is none")
  }
}
