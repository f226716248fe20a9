import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing animated GIF")
struct GIFAnimationWriterTests {
  /// A frame of 24x18 pixels: what `color` gives, `nil` for nothing.
  private func frame(_ color: (_ x: Int, _ y: Int) -> [UInt8]?) throws -> Bitmap {
    try .drawn(24, 18) { x, y in color(x, y).map { SIMD4($0[0], $0[1], $0[2], 255) } ?? SIMD4() }
  }

  /// A square that moves over nothing, or over a ground, and stays once.
  private func square(over ground: [UInt8]?) throws -> [Bitmap] {
    try [0, 3, 3, 9, 14, 1].map { left in
      try frame { x, y in (left..<left + 6).contains(x) && (4..<9).contains(y) ? [200, UInt8(y * 9), 10] : ground }
    }
  }

  private func read(_ data: Data) throws -> Animation {
    try #require(try GIFReader(data: data, limits: CodecLimits()).animation())
  }

  @Test("Frames are read back unchanged: opaque, transparent, and with parts that disappear")
  func frames() throws {
    let sequences = [
      try square(over: [0, 0, 90]), try square(over: nil),
      // What is there vanishes at once, and comes again somewhere else.
      try [0, 1, 2, 3].map { step in try frame { x, y in (x + y + step) % 4 < step ? [9, UInt8(x), UInt8(y)] : nil } },
      // Each frame with colors of its own.
      try (0..<4).map { step in try frame { x, y in [UInt8(x * 10), UInt8(step * 60), UInt8(x % 4)] } },
    ]
    for (number, sequence) in sequences.enumerated() {
      let result = try NukeCodecsTests.frames(of: read(GIFWriter().encode(animation(sequence))))
      #expect(result.count == sequence.count)
      for (index, (one, other)) in zip(result, sequence).enumerated() {
        #expect(one.image.pixelBytes == other.pixelBytes, "frame \(index) of sequence \(number)")
      }
    }
  }

  @Test("In frames with many colors, unchanged areas stay the same, and changed ones are close")
  func manyColors() throws {
    var random = SplitMix64(state: 8)
    let noise = (0..<24 * 18 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    let sequence = try (0..<3).map { step in
      try frame { x, y in
        let place = (y * 24 + x) * 3
        return x < 12 ? Array(noise[place..<place + 3]) : [UInt8(x * 10), UInt8(y * 14), UInt8(step * 100)]
      }
    }
    let result = try NukeCodecsTests.frames(of: read(GIFWriter().encode(animation(sequence))))
    for (one, other) in zip(result, sequence) {
      let squares = zip(one.image.pixelBytes, other.pixelBytes).reduce(0) {
        $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
      }
      #expect(squares / one.image.byteCount < 100)
    }
    let left = stride(from: 0, to: 24 * 18 * 4, by: 96).flatMap { $0..<$0 + 48 }
    #expect(left.allSatisfy { result[0].image.pixelBytes[$0] == result[2].image.pixelBytes[$0] })
  }

  @Test("Unchanged areas are not written again")
  func differences() throws {
    var random = SplitMix64(state: 8)
    let noise = (0..<24 * 18).map { _ in UInt8.random(in: 0...250, using: &random) }
    let ground = try frame { x, y in [noise[y * 24 + x], 0, 0] }
    let touched = try frame { x, y in x == 20 && y == 3 ? [255, 0, 0] : [noise[y * 24 + x], 0, 0] }
    let one = try GIFWriter().encode(animation([ground])).count
    // A block of ten bytes and one of eight, and a handful of codes.
    #expect(try GIFWriter().encode(animation([ground, touched])).count < one + 40)
    #expect(try GIFWriter().encode(animation([ground, ground, ground])).count < one + 60)
  }

  @Test("Delays are multiples of 10 ms, at least 20 ms, and their sum equals that of the requested delays")
  func delays() throws {
    let sequence = try (0..<7).map { step in try frame { x, _ in [UInt8(step), UInt8(x), 0] } }
    let delays = [1.0 / 30, 1.0 / 30, 1.0 / 30, 0.5, 0, 0.001, 10_000]
    let read = try read(GIFWriter().encode(animation(sequence, delays)))
    #expect(read.delays == [0.03, 0.04, 0.03, 0.5, 0.02, 0.02, 655.35])
    let thirtieths = try (0..<30).map { step in try frame { x, _ in [UInt8(step), UInt8(x), 0] } }
    let second = try animation(thirtieths, [Double](repeating: 1.0 / 30, count: 30))
    #expect(abs(try self.read(GIFWriter().encode(second)).duration - 1) < 1e-9)
  }

  @Test("An animation that was read is written again with the same frames", arguments: FrameFixture.gif)
  func again(_ fixture: FrameFixture) throws {
    guard let original = try GIFReader(data: fixture.data(), limits: CodecLimits()).animation() else { return }
    let copy = try read(GIFWriter().encode(original))
    #expect(copy.frameCount == original.frameCount)
    #expect(copy.loopCount == original.loopCount)
    for (one, other) in zip(try NukeCodecsTests.frames(of: copy), try NukeCodecsTests.frames(of: original)) {
      let bytes = one.image.pixelBytes
      // Canvases of many frames may have more colors than one palette.
      let colors = Set(stride(from: 0, to: bytes.count, by: 4).map { Array(other.image.pixelBytes[$0..<$0 + 4]) })
      if colors.count <= 255 { #expect(bytes == other.image.pixelBytes, "frame \(one.index)") }
    }
  }
}
