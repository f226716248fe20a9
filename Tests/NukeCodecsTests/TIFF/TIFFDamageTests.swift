#if TIFF
  import Foundation
  import NukeCodecs
  import Testing

  @Suite("Damaged and hostile TIFF")
  struct TIFFDamageTests: DamageSuite {
    typealias Reader = TIFFReader

    /// A file with the value of one field replaced: little-endian, with its first directory where it says.
    private func changed(_ name: String, _ tag: Int, to value: UInt32, count: UInt32? = nil) throws -> Data {
      var data = try TIFFReaderTests.data(name)
      func number(_ offset: Int, _ size: Int) -> Int {
        data[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      let start = number(4, 4)
      let index = try #require((0..<number(start, 2)).first { number(start + 2 + $0 * 12, 2) == tag })
      let entry = start + 2 + index * 12
      func put(_ value: UInt32, _ offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { data.replaceSubrange(offset..<offset + 4, with: $0) }
      }
      put(value, entry + 8)
      if let count { put(count, entry + 4) }
      return data
    }

    @Test("A size above the limits is rejected before memory is allocated")
    func sizes() throws {
      #expect(
        error(try changed("rgb-32", 256, to: 60_000))
          == .tooLarge(.tiff, width: 60_000, height: 11, limit: .side(16_384)))
      #expect(
        error(try TIFFReaderTests.data("rgb-8"), limits: CodecLimits(maximumPixelCount: 100))
          == .tooLarge(.tiff, width: 19, height: 11, limit: .pixelCount(100)))
      #expect(error(try changed("rgb-8", 257, to: 0)) != nil)
      // Sides whose product is no number any more; their fields become those of four bytes.
      var beyond = try TIFFReaderTests.data("rgb-8")
      for tag in [UInt8(0), 1] {
        let entry = try #require(beyond.range(of: Data([tag, 1, 3, 0, 1, 0, 0, 0]))).lowerBound
        beyond.replaceSubrange(entry..<entry + 12, with: [tag, 1, 4, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
      }
      #expect(error(beyond) != nil)
      #expect(error(beyond, limits: CodecLimits(maximumPixelCount: .max, maximumSide: .max)) != nil)
      #expect(throws: CodecError.self) { try TIFFReader.header(ofPrefix: beyond) }
    }

    @Test("Tiles that are too large are rejected before memory is allocated")
    func tiles() throws {
      // Both sides are two bytes.
      var data = try changed("rgb-8-tiles", 322, to: 0xFFF0)
      #expect(error(data) != nil)
      data = try changed("rgb-8-tiles", 323, to: 0xFFF0)
      #expect(error(data) != nil)
      #expect(error(try changed("rgb-8-tiles", 322, to: 0)) != nil)
    }

    @Test("False counts are errors")
    func counts() throws {
      #expect(error(try changed("rgb-8", 273, to: 0xFFFF_FF00)) != nil)
      #expect(error(try changed("rgb-8", 279, to: 8, count: 0x7FFF_FFFF)) != nil)
      #expect(error(try changed("rgb-8", 278, to: 0)) != nil)
      #expect(error(try changed("rgb-8", 277, to: 0xFFFF)) != nil)
      let many = try Data(contentsOf: Fixtures.file("TIFF/unsupported-samples.tif"))
      #expect(error(many) == .unsupported(.tiff, feature: "17 samples per pixel"))
      #expect(error(try changed("gray-8", 258, to: 12)) == .unsupported(.tiff, feature: "samples of 12 bits"))
      #expect(error(try changed("gray-8", 262, to: 32_844)) == .unsupported(.tiff, feature: "color model 32844"))
    }

    @Test("Strips beyond the end of the file are reported as truncated")
    func strips() throws {
      let data = try changed("rgb-one-strip", 273, to: 0x00FF_FF00)
      #expect(error(data) == .truncated(.tiff, byteCount: data.count))
    }

    @Test("A directory of thousands of known or unknown entries is rejected immediately")
    func entries() {
      var data = Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0xFF, 0xFF])
      for tag in 0..<0xFFFF {
        data.append(contentsOf: [UInt8(tag & 255), UInt8(tag >> 8), 3, 0, 1, 0, 0, 0, 1, 0, 0, 0])
      }
      data.append(contentsOf: [0, 0, 0, 0])
      #expect(error(data) == .unsupported(.tiff, feature: "a directory of 65535 entries"))
    }

    @Test("Compressions with unbounded memory are not decoded")
    func compressions() throws {
      let lzma = Fixtures.file("TIFF/unsupported-lzma.tif")
      #expect(error(try Data(contentsOf: lzma)) == .unsupported(.tiff, feature: "compression 34925"))
      #expect(error(try changed("rgb-8", 259, to: 6)) == .unsupported(.tiff, feature: "compression 6"))
    }

    @Test("Data that is too short is reported as truncated")
    func short() {
      for count in 0..<16 {
        let data = Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0].prefix(count))
        #expect(error(data) == .truncated(.tiff, byteCount: count))
      }
      #expect(error(Data(repeating: 7, count: 99)) == .malformed(.tiff, reason: "the signature is missing", offset: 0))
    }
  }
#endif
