import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Stopping in the middle of a WebP")
struct WebPCancellationTests {
  private final class Counter: Sendable {
    private let calls = Lock(0)
    var count: Int { calls.withLock { $0 } }
    func call() -> Int {
      calls.withLock {
        $0 += 1; return $0
      }
    }
  }

  /// Noise, so that the file has many times the bytes that are decoded between two questions.
  private func file(_ writer: WebPWriter) throws -> Data {
    var random = SplitMix64(state: 3)
    let image = try #require(
      Bitmap(pixelWidth: 700, pixelHeight: 500) { bytes in
        for pixel in 0..<700 * 500 {
          let value = random.next()
          let alpha = UInt8(truncatingIfNeeded: value >> 32)
          for channel in 0..<3 {
            bytes[pixel * 4 + channel] = min(UInt8(truncatingIfNeeded: value >> (channel * 8)), alpha)
          }
          bytes[pixel * 4 + 3] = alpha
        }
      })
    return try writer.encode(image)
  }

  private static let writers = [WebPWriter(quality: 1, effort: 0), WebPWriter(isLossless: true, effort: 0)]

  @Test("Decoding stops between two parts of the file", arguments: [0, 1])
  func stops(writer: Int) throws {
    let data = try file(Self.writers[writer])
    let counter = Counter()
    let reader = try WebPReader(data: data, limits: CodecLimits())
    #expect(throws: CodecError.cancelled(.webp)) {
      try reader.decode(DecodeOptions(isCancelled: { counter.call() == 4 }))
    }
    #expect(counter.count == 4)
  }

  @Test("An image decoded in parts is the same as one decoded at once", arguments: [0, 1])
  func same(writer: Int) throws {
    let reader = try WebPReader(data: try file(Self.writers[writer]), limits: CodecLimits())
    let counter = Counter()
    let parts = try reader.decode(DecodeOptions(isCancelled: { counter.call() < 0 }))
    #expect(counter.count > 4)
    #expect(parts.pixelBytes == (try reader.decode(DecodeOptions()).pixelBytes))
  }

  @Test("A cut image is truncated in parts too", arguments: [0, 1])
  func truncated(writer: Int) throws {
    let data = try file(Self.writers[writer])
    for count in [data.count - 9, data.count / 2, data.count / 5] {
      #expect(throws: CodecError.truncated(.webp, byteCount: count)) {
        try WebPReader(data: data.prefix(count), limits: CodecLimits()).decode(DecodeOptions(isCancelled: { false }))
      }
    }
  }
}
