import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged and hostile PNG")
struct PNGDamageTests: DamageSuite {
  typealias Reader = PNGReader

  @Test("Image data that ends early is reported, even within its last checksum, and IEND may be missing")
  func truncated() throws {
    let data = try PNGFixture.named("rgb8").data()
    for count in [60, data.count - 17, data.count - 13] {
      #expect(error(data.prefix(count)) == .truncated(.png, byteCount: count))
    }
    #expect(error(data.prefix(30)) == .truncated(.png, byteCount: 30))
    #expect(error(data.dropLast(12)) == nil)
    #expect(error(data.dropLast(5)) == nil)
  }

  @Test("The error for a wrong checksum in a critical chunk states the chunk and the offset")
  func criticalChecksum() throws {
    var data = try PNGFixture.named("indexed8").data()
    let palette = try #require(data.range(of: Data("PLTE".utf8))).upperBound
    data[palette + 10] ^= 1
    let refusal = try #require(error(data))
    guard case .malformed(.png, let reason, let offset?) = refusal else { throw refusal }
    #expect(reason.contains("PLTE") && reason.contains("CRC"))
    #expect((palette...palette + 800).contains(offset))

    var header = try PNGFixture.named("rgb8").data()
    header[19] ^= 1
    #expect(error(header) == .malformed(.png, reason: "IHDR: CRC error", offset: 8))
  }

  @Test("A size of 0 or above the limits is rejected before memory is allocated")
  func sizes() {
    func file(_ width: UInt32, _ height: UInt32) -> Data {
      var builder = PNGBuilder()
      builder.addHeader(width: width, height: height)
      builder.add("IDAT", Data([0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]))
      return builder.data
    }
    #expect(error(file(200_000, 200_000)) == .tooLarge(.png, width: 200_000, height: 200_000, limit: .side(16_384)))
    #expect(
      error(file(16_000, 16_000)) == .tooLarge(.png, width: 16_000, height: 16_000, limit: .pixelCount(100_000_000)))
    #expect(
      error(file(.max >> 1, .max >> 1))
        == .tooLarge(.png, width: Int(Int32.max), height: Int(Int32.max), limit: .side(16_384)))
    for (width, height) in [(0, 5), (5, 0), (0, 0), (.max, .max)] as [(UInt32, UInt32)] {
      expectMalformed(error(file(width, height)), .png)
    }
    // Within the limits, but without the pixels.
    expectMalformed(error(file(5000, 5000)), .png)
  }

  @Test("A width above the program's limits is rejected, even at libpng's own limit")
  func wideWithinLimits() {
    var builder = PNGBuilder()
    builder.addHeader(width: 1 << 31, height: 1)
    builder.add("IDAT", Data([0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]))
    let limits = CodecLimits(maximumPixelCount: 1 << 32, maximumSide: 1 << 32)
    expectMalformed(error(builder.data, limits: limits), .png)
  }

  @Test("Invalid color types and depths are rejected, and valid ones are not")
  func colorTypes() {
    let valid: [UInt8: Set<UInt8>] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
    for colorType in UInt8(0)...8 {
      for depth in UInt8(0)...33 {
        var builder = PNGBuilder()
        builder.addHeader(width: 2, height: 2, depth: depth, colorType: colorType)
        builder.add("IDAT")
        let isRead = (try? PNGReader(data: builder.data, limits: CodecLimits())) != nil
        #expect(isRead == (valid[colorType]?.contains(depth) == true), "color type \(colorType), \(depth) bits")
      }
    }
  }

  @Test("Unknown compression, filter and interlace methods are rejected")
  func methods() {
    for (compression, filter, interlace) in [(1, 0, 0), (0, 1, 0), (0, 64, 0), (0, 0, 2)] as [(UInt8, UInt8, UInt8)] {
      var builder = PNGBuilder()
      builder.addHeader(width: 2, height: 2, compression: compression, filter: filter, interlace: interlace)
      builder.add("IDAT")
      expectMalformed(error(builder.data), .png)
    }
  }

  @Test("Chunks in the wrong order, and a missing palette, are errors with a reason")
  func structure() throws {
    var withoutHeader = PNGBuilder()
    withoutHeader.add("IDAT")
    #expect(error(withoutHeader.data) == .malformed(.png, reason: "image data before the header", offset: 8))

    var empty = PNGBuilder()
    empty.addHeader(width: 1, height: 1)
    empty.add("IEND")
    #expect(error(empty.data) == .malformed(.png, reason: "no image data", offset: 33))

    var noPalette = PNGBuilder()
    noPalette.addHeader(width: 1, height: 1, colorType: 3)
    noPalette.add("IDAT", Data([0x78, 0x9C]))
    expectMalformed(error(noPalette.data), .png, "PLTE")

    var xcode = PNGBuilder()
    xcode.add("CgBI", Data([0x50, 0, 0x20, 6]))
    let refusal = try #require(error(xcode.data))
    guard case .unsupported(.png, _) = refusal else { throw refusal }

    let good = try PNGFixture.named("rgb8").data()
    #expect(error(PNGBuilder.inserting("IHDR", good[16..<29], into: good)) != nil)
    var garbage = good
    garbage.replaceSubrange(33..<good.count, with: Data(repeating: 0xFE, count: 4000))
    #expect(error(garbage) == .malformed(.png, reason: "the chunk type is invalid", offset: 33))
  }

  @Test("A palette index out of range does not cause a crash")
  func indexPastPalette() throws {
    var data = try PNGFixture.named("indexed8").data()
    let palette = try #require(data.range(of: Data("PLTE".utf8)))
    let after = palette.upperBound + 768 + 4
    var short = PNGBuilder()
    short.add("PLTE", data[palette.upperBound..<palette.upperBound + 9])
    data.replaceSubrange(palette.lowerBound - 4..<after, with: short.data.dropFirst(8))
    #expect(error(data) == nil)
  }

  @Test(
    "A profile or a text that inflates to a gigabyte is rejected immediately", arguments: ["iCCP", "zTXt"])
  func bombs(_ type: String) throws {
    let head = try Data(contentsOf: PNGFixture.folder.appendingPathComponent("bomb.zlib-head"))
    let last = try #require(head.last)
    let bomb = head + Data(repeating: last, count: 1 << 20)
    let fixture = PNGFixture.named("rgb8")
    let data = PNGBuilder.inserting(type, Data("bomb\0\0".utf8) + bomb, into: try fixture.data())
    let before = try Self.peakMemory()
    let reader = try PNGReader(data: data, limits: CodecLimits())
    let image = try reader.decode(DecodeOptions())
    #expect(reader.header.profileName == nil)
    #expect(image.pixelBytes == (try fixture.premultiplied()))
    #expect(try Self.peakMemory() - before < 512 << 20)
  }

  @Test("Image data after the last row is not inflated", arguments: [false, true])
  func bombBehindPixels(isInterlaced: Bool) throws {
    // 2x3 grays; interlaced they come in passes 1, 5, 6 and 7, of which the last ends before the last row.
    let plain: [UInt8] = [0, 10, 20, 0, 30, 40, 0, 50, 60]
    let interlaced: [UInt8] = [0, 10, 0, 50, 0, 20, 0, 60, 0, 30, 40]
    let rows = isInterlaced ? interlaced : plain
    // One stored block that is not the last, then zeros without end: each byte stands for 1032 of them.
    let stored = Data([0x78, 0x01, 0, UInt8(rows.count), 0, ~UInt8(rows.count), 0xFF] + rows)
    let head = try Data(contentsOf: PNGFixture.folder.appendingPathComponent("bomb.zlib-head"))
    let last = try #require(head.last)

    func file(trailing count: Int) -> Data {
      var builder = PNGBuilder()
      builder.addHeader(width: 2, height: 3, colorType: 0, interlace: isInterlaced ? 1 : 0)
      builder.add("IDAT", stored + head.dropFirst(2) + Data(repeating: last, count: count))
      // A wrong checksum, which whoever reads to the end will notice.
      return builder.data.dropLast() + [~(builder.data.last ?? 0)]
    }
    let image = try PNGReader(data: file(trailing: 4 << 20), limits: CodecLimits()).decode(DecodeOptions())
    #expect(stride(from: 0, to: 24, by: 4).map { image.pixelBytes[$0] } == [10, 20, 30, 40, 50, 60])
    #expect(image.isOpaque)
    expectMalformed(error(file(trailing: 1000)), .png)
  }

  /// The most memory this process ever had, in bytes.
  private static func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024
  }

  @Test("Many empty chunks take one step each")
  func manyChunks() throws {
    let fixture = PNGFixture.named("rgb8")
    var chunk = PNGBuilder()
    chunk.add("prVt")
    let many = Data(repeatElement(chunk.data.dropFirst(8), count: 50_000).joined())
    var data = try fixture.data()
    data.insert(contentsOf: many, at: 33)
    let image = try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
    #expect(image.pixelBytes == (try fixture.premultiplied()))
  }
}
