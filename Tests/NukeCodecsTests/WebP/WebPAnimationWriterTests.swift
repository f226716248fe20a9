import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing animated WebP")
struct WebPAnimationWriterTests {
  /// Waves that move, opaque or with every alpha.
  private func frames(_ count: Int, opaque: Bool) throws -> [Bitmap] {
    try (0..<count).map { step in
      try .drawn(40, 30, isOpaque: opaque) { x, y in
        Bitmap.premultiplied(x * 6, y * 8, step * 30, alpha: opaque ? 255 : (x * 6 + y * 3 + step * 20) % 256)
      }
    }
  }

  private func read(_ data: Data) throws -> Animation {
    try #require(try WebPReader(data: data, limits: CodecLimits()).animation())
  }

  @Test("Lossless frames are read back with the same pixels", arguments: [true, false])
  func lossless(opaque: Bool) throws {
    let sequence = try frames(5, opaque: opaque)
    let data = try WebPWriter(isLossless: true).encode(animation(sequence, [0.04, 0.1, 0.5, 0.0334, 2], loops: 3))
    let read = try read(data)
    #expect(read.loopCount == 3)
    #expect(read.frameCount == 5)
    for (delay, wanted) in zip(read.delays, [0.04, 0.1, 0.5, 0.033, 2.001]) { #expect(abs(delay - wanted) < 0.0011) }
    #expect(abs(read.duration - 2.6734) < 0.001)
    for (one, other) in zip(try NukeCodecsTests.frames(of: read), sequence) {
      #expect(largestDifference(one.image.pixelBytes, other.pixelBytes) <= (opaque ? 0 : 1), "frame \(one.index)")
    }
  }

  @Test("Lossy frames are close, and the file is smaller")
  func lossy() throws {
    let sequence = try frames(4, opaque: true)
    let data = try WebPWriter(quality: 0.9).encode(animation(sequence))
    for (one, other) in zip(try NukeCodecsTests.frames(of: read(data)), sequence) {
      let sum = zip(one.image.pixelBytes, other.pixelBytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(sum / one.image.byteCount <= 6, "frame \(one.index)")
    }
    #expect(try WebPWriter(quality: 0.1).encode(animation(sequence)).count < data.count)
  }

  @Test("Equal frames keep their total duration")
  func alike() throws {
    let two = try frames(2, opaque: true)
    let sequence = [two[0], two[0], two[1], two[1]]
    let read = try read(WebPWriter(isLossless: true).encode(animation(sequence, [0.1, 0.2, 0.3, 0.4])))
    #expect(abs(read.duration - 1) < 1e-9)
    let frames = try NukeCodecsTests.frames(of: read)
    #expect(frames.first?.image.pixelBytes == two[0].pixelBytes)
    #expect(frames.last?.image.pixelBytes == two[1].pixelBytes)
  }

  @Test("Loop counts are read back", arguments: [0, 1, 7, 65_535])
  func loops(count: Int) throws {
    let sequence = try frames(2, opaque: true)
    #expect(try read(WebPWriter(isLossless: true).encode(animation(sequence, loops: count))).loopCount == count)
    let most = try WebPWriter(isLossless: true).encode(animation(sequence, loops: 1 << 20))
    #expect(try read(most).loopCount == 65_535)
  }

  @Test("Frames with a delay of 0 remain separate")
  func noDelays() throws {
    let read = try read(WebPWriter(isLossless: true).encode(animation(frames(3, opaque: true), [0, 0, 0])))
    #expect(read.frameCount == 3)
  }

  @Test("A single frame is written as an image that can be read")
  func one() throws {
    let sequence = try frames(1, opaque: false)
    let data = try WebPWriter(isLossless: true).encode(animation(sequence))
    let image = try WebPReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
    #expect(largestDifference(image.pixelBytes, sequence[0].pixelBytes) == 0)
  }

  @Test(
    "Pillow reads the same frames, delays and loop count", .enabled(if: PillowReader.isInstalled),
    arguments: [true, false])
  func interchange(opaque: Bool) throws {
    let data = try WebPWriter(isLossless: true).encode(animation(try frames(4, opaque: opaque), loops: 6))
    let reading = try PillowReader.read(data)
    let ours = try NukeCodecsTests.frames(of: read(data)).map(\.image.pixelBytes)
    #expect(reading.frames.count == 4)
    for (one, other) in zip(reading.frames, ours) {
      #expect(largestDifference(premultipliedByDefinition(one), other) <= (opaque ? 0 : 1))
    }
    #expect(reading.delays == [100, 100, 100, 100])
    #expect(reading.loops == 6)
  }

  @Test("Values that the format does not allow are rejected")
  func refused() throws {
    let wide = try #require(Bitmap(pixelWidth: 16_384, pixelHeight: 1) { _ in })
    #expect(throws: CodecError.encodingFailed(.webp, reason: "16384x1 pixels: a side can have at most 16383 pixels")) {
      try WebPWriter().encode(animation([wide]))
    }
    let long = try animation(frames(2, opaque: true), [1e9, 1])
    #expect(throws: CodecError.encodingFailed(.webp, reason: "it is longer than the format allows")) {
      try WebPWriter().encode(long)
    }
  }
}
