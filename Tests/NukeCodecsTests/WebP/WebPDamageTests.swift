import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged and hostile WebP")
struct WebPDamageTests: DamageSuite {
  typealias Reader = WebPReader

  private func isMalformed(_ data: Data) -> Bool {
    if case .malformed(.webp, _, _) = error(data) { true } else { false }
  }

  private func chunk(_ name: String, _ payload: [UInt8]) -> Data {
    Data(name.utf8) + bytes(payload.count, 4) + payload + (payload.count % 2 == 0 ? [] : [0])
  }

  private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func file(_ chunks: Data...) -> Data {
    let body = Data("WEBP".utf8) + chunks.joined()
    return Data("RIFF".utf8) + bytes(body.count, 4) + body
  }

  private func extended(_ flags: UInt8, _ width: Int, _ height: Int) -> Data {
    chunk("VP8X", [flags, 0, 0, 0] + bytes(width - 1, 3) + bytes(height - 1, 3))
  }

  private func lossless(_ width: Int, _ height: Int) -> Data {
    chunk("VP8L", [0x2F] + bytes((width - 1) | (height - 1) << 14, 4) + [0, 0, 0, 0, 0])
  }

  @Test("A truncated still image is reported")
  func truncated() throws {
    for name in ["lossy", "lossless-alpha", "lossy-alpha"] {
      let data = try FrameFixture.webp(name).data()
      for count in stride(from: 0, to: data.count - 8, by: 5) {
        #expect(error(data.prefix(count)) == .truncated(.webp, byteCount: count), "\(name) at \(count)")
      }
    }
  }

  @Test("A size above the limits is rejected before memory is allocated")
  func sizes() {
    #expect(
      error(file(extended(0, 1 << 24, 1 << 24), lossless(5, 5)))
        == .tooLarge(.webp, width: 1 << 24, height: 1 << 24, limit: .side(16_384)))
    #expect(
      error(file(lossless(16_384, 16_384)))
        == .tooLarge(.webp, width: 16_384, height: 16_384, limit: .pixelCount(100_000_000)))
    #expect(
      error(file(lossless(40, 40)), limits: CodecLimits(maximumPixelCount: 1000))
        == .tooLarge(.webp, width: 40, height: 40, limit: .pixelCount(1000)))
    // Within the limits, but without the pixels.
    #expect(isMalformed(file(lossless(9000, 9000))))
    let nothing: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0, 0, 5, 0]
    #expect(
      error(file(chunk("VP8 ", nothing))) == .malformed(.webp, reason: "the header states a size of 0x5", offset: nil))
  }

  @Test("An image whose size differs from its canvas is rejected")
  func canvas() {
    #expect(
      error(file(extended(0, 6, 5), lossless(5, 5)))
        == .malformed(.webp, reason: "an image of 5x5 on a canvas of 6x5", offset: 30))
  }

  @Test("Frames outside of the canvas are rejected, even by one pixel")
  func frames() throws {
    func moving(x: Int, y: Int, width: Int, height: Int) -> Data {
      let frame = bytes(x / 2, 3) + bytes(y / 2, 3) + bytes(width - 1, 3) + bytes(height - 1, 3) + bytes(50, 3) + [0]
      return file(
        extended(2, 10, 10), chunk("ANIM", [0, 0, 0, 0, 0, 0]), chunk("ANMF", frame + lossless(width, height)))
    }
    for (x, y, width, height) in [(6, 0, 5, 5), (0, 6, 5, 5), (12, 0, 1, 1), (0, 0, 11, 1), (0, 0, 1, 11)] {
      expectMalformed(error(moving(x: x, y: y, width: width, height: height)), .webp, "canvas of 10x10")
    }
  }

  @Test("A frame whose bitstream has another size than its header is an error")
  func lyingFrame() throws {
    let fixture = try FrameFixture.webp("animated-lossy")
    var data = try fixture.data()
    // The second frame, one pixel narrower.
    let first = try #require(data.range(of: Data("ANMF".utf8)))
    let second = try #require(data.range(of: Data("ANMF".utf8), in: first.upperBound..<data.count))
    data[second.upperBound + 4 + 6] -= 1
    let frames = try #require(try WebPReader(data: data, limits: CodecLimits()).animation()).frames()
    let image = try #require(try frames.next()).image
    #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) == 0)
    expectMalformed(#expect(throws: CodecError.self) { try frames.next() }, .webp, "27x19 pixels instead of 26x19")
  }

  @Test("Chunks that contradict the format are errors")
  func chunks() throws {
    #expect(isMalformed(file(chunk("ODD ", [1, 2, 3, 4]))))
    #expect(isMalformed(file(extended(0, 5, 5))))
    #expect(isMalformed(file(chunk("VP8X", [0, 0]))))
    #expect(isMalformed(file(chunk("VP8L", [0x30, 0, 0, 0, 0, 0]))))
    #expect(isMalformed(file(chunk("VP8 ", [0, 0, 0, 1, 2, 3, 4, 5, 6, 7]))))
    #expect(isMalformed(file(chunk("VP8L", [0x2F, 0]))))
    #expect(isMalformed(file(extended(2, 5, 5), chunk("ANMF", [0, 0, 0]))))
    #expect(isMalformed(file(extended(2, 5, 5), chunk("ANMF", bytes(0, 6) + bytes(4, 3) + bytes(4, 3) + bytes(0, 4)))))
    #expect(isMalformed(Data("RIFF".utf8) + bytes(3, 4) + Data("WEBPVP8 ".utf8)))
    // No image in a complete file: more bytes would not help.
    for flags in [0, 2] as [UInt8] {
      #expect(throws: CodecError.malformed(.webp, reason: "there is no image", offset: nil)) {
        try WebPReader.header(ofPrefix: file(extended(flags, 5, 5)))
      }
    }
    // A chunk that is longer than the file says it is.
    var data = try FrameFixture.webp("lossy").data()
    data[16] &+= 100
    #expect(isMalformed(data))
    #expect(isMalformed(Data("RIFF is not an image".utf8)))
    // An alpha channel that is damaged.
    let alpha = try FrameFixture.webp("alpha-all-opaque").data()
    var short = alpha
    let range = try #require(alpha.range(of: Data("ALPH".utf8)))
    short.replaceSubrange(range.upperBound..<range.upperBound + 5, with: [5, 0, 0, 0, 1])
    #expect(error(short) != nil)
  }
}
