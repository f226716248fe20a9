import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Canceling the decoding of a WebP")
struct WebPCancellationTests {
  /// Noise, so that the file has many times the bytes that are decoded between two questions.
  private func file(_ writer: WebPWriter) throws -> Data {
    try writer.encode(randomImage(width: 700, height: 500, isOpaque: false))
  }

  private static let writers = [WebPWriter(quality: 1, effort: 0), WebPWriter(isLossless: true, effort: 0)]

  @Test("Decoding stops between two parts of the file", arguments: [0, 1])
  func stops(writer: Int) throws {
    let data = try file(Self.writers[writer])
    let counter = CallCounter()
    let reader = try WebPReader(data: data, limits: CodecLimits())
    #expect(throws: CodecError.cancelled(.webp)) {
      try reader.decode(DecodeOptions(isCancelled: { counter.next() == 4 }))
    }
    #expect(counter.count == 4)
  }

  @Test("An image decoded in parts equals one decoded at once", arguments: [0, 1])
  func same(writer: Int) throws {
    let reader = try WebPReader(data: try file(Self.writers[writer]), limits: CodecLimits())
    let counter = CallCounter()
    let parts = try reader.decode(DecodeOptions(isCancelled: { counter.next() < 0 }))
    #expect(counter.count > 4)
    #expect(parts.pixelBytes == (try reader.decode(DecodeOptions()).pixelBytes))
  }

  @Test("A truncated image is reported if it is decoded in parts, too", arguments: [0, 1])
  func truncated(writer: Int) throws {
    let data = try file(Self.writers[writer])
    for count in [data.count - 9, data.count / 2, data.count / 5] {
      #expect(throws: CodecError.truncated(.webp, byteCount: count)) {
        try WebPReader(data: data.prefix(count), limits: CodecLimits()).decode(DecodeOptions(isCancelled: { false }))
      }
    }
  }
}
