import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged and hostile GIF")
struct GIFDamageTests: DamageSuite {
  typealias Reader = GIFReader

  /// A GIF of one frame whose data is `codes`, without a color table where `colors` is 0.
  private func file(
    screen: (UInt16, UInt16), frame: (UInt16, UInt16), at origin: (UInt16, UInt16) = (0, 0), bits: UInt8 = 2,
    codes: [UInt8] = [], colors: UInt8 = 0x80, flags: UInt8 = 0
  ) -> Data {
    func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    var data = Data("GIF89a".utf8)
    data += bytes(screen.0) + bytes(screen.1) + [colors, 0, 0]
    if colors != 0 { data += [255, 0, 0, 0, 255, 0] }
    data += [0x2C] + bytes(origin.0) + bytes(origin.1) + bytes(frame.0) + bytes(frame.1) + [flags, bits]
    for start in stride(from: 0, to: codes.count, by: 255) {
      let block = codes[start..<min(start + 255, codes.count)]
      data += [UInt8(block.count)] + block
    }
    return data + [0, 0x3B]
  }

  @Test("A file truncated anywhere in its first frame is reported")
  func truncated() throws {
    for name in ["noise", "stripes", "transparent-interlaced"] {
      let data = try FrameFixture.gif(name).data()
      // The codes end with the last byte but two; the code that ends them may stand alone in it.
      for count in Array(0..<min(data.count, 900)) + [data.count - 4] where count < data.count - 3 {
        #expect(error(data.prefix(count)) == .truncated(.gif, byteCount: count), "\(name) at \(count)")
      }
    }
  }

  @Test("A size of 0 or above the limits is rejected before memory is allocated")
  func sizes() {
    let limits = CodecLimits(maximumPixelCount: 1000, maximumSide: 100)
    #expect(
      error(file(screen: (65535, 65535), frame: (1, 1)))
        == .tooLarge(.gif, width: 65535, height: 65535, limit: .side(16_384)))
    #expect(
      error(file(screen: (0, 0), frame: (16_000, 16_000)))
        == .tooLarge(.gif, width: 16_000, height: 16_000, limit: .pixelCount(100_000_000)))
    #expect(
      error(file(screen: (40, 40), frame: (1, 1)), limits: limits)
        == .tooLarge(.gif, width: 40, height: 40, limit: .pixelCount(1000)))
    #expect(
      error(file(screen: (0, 0), frame: (0, 0)))
        == .malformed(.gif, reason: "the header states a size of 0x0", offset: nil))
  }

  @Test("A later frame far larger than the canvas is rejected before memory is allocated")
  func largeLaterFrame() throws {
    let small = file(screen: (2, 1), frame: (2, 1), codes: [0x04, 0x05])
    #expect(error(small) == nil)
    let large = file(screen: (2, 1), frame: (65535, 65535), codes: [0x04, 0x05], flags: 0x40)
    let both = small.dropLast() + large.dropFirst(6 + 7 + 6)
    let animation = try #require(try GIFReader(data: both, limits: CodecLimits()).animation())
    let frames = try animation.frames()
    _ = try frames.next()
    #expect(throws: CodecError.tooLarge(.gif, width: 65535, height: 65535, limit: .side(16_384))) {
      try frames.next()
    }
  }

  @Test("Few codes for many pixels are an error, and excess codes for few pixels are not decoded")
  func bombs() {
    expectMalformed(error(file(screen: (5000, 5000), frame: (5000, 5000), codes: [4, 0])), .gif, "25000000")
    // Clear codes alone.
    let clears = [UInt8](repeatElement([0x24, 0x49, 0x92], count: 1 << 18).joined())
    #expect(error(file(screen: (2, 1), frame: (2, 1), codes: clears)) != nil)
    // The image is whole after the first byte and a half.
    #expect(error(file(screen: (2, 1), frame: (2, 1), codes: [0x04, 0x05] + clears)) == nil)
  }

  @Test("Undefined codes, invalid code sizes, and missing color tables are errors")
  func codes() {
    for bits in [0, 9, 12, 255] as [UInt8] {
      #expect(
        error(file(screen: (2, 1), frame: (2, 1), bits: bits, codes: [4, 5]))
          == .malformed(.gif, reason: "an invalid LZW code size of \(bits) bits", offset: 29))
    }
    // Clear, then 7, which is the second entry of an empty dictionary.
    expectMalformed(error(file(screen: (2, 1), frame: (2, 1), codes: [0b0011_1100, 0])), .gif, "undefined LZW code")
    #expect(
      error(file(screen: (2, 1), frame: (2, 1), codes: [4, 5], colors: 0))
        == .malformed(.gif, reason: "a frame has no color table", offset: 23))
  }

  @Test("An unknown block before the first frame is an error with its offset")
  func noBlock() throws {
    #expect(
      error(Data("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0] + Data("<html>".utf8))
        == .malformed(.gif, reason: "unknown block type 60", offset: 13))
    expectMalformed(error(Data("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]), .gif)
    #expect(
      error(Data("no GIF at all".utf8)) == .malformed(.gif, reason: "the signature is missing", offset: 0))
  }
}
