import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing animated PNG")
struct PNGAnimationWriterTests {
  /// A frame of 24x18 pixels: straight RGBA by what `color` gives.
  private func frame(_ color: (_ x: Int, _ y: Int) -> [UInt8]) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: 24, pixelHeight: 18) { bytes in
        let straight = (0..<24 * 18).flatMap { color($0 % 24, $0 / 24) }
        bytes.copyBytes(from: premultipliedByDefinition(straight))
      })
  }

  private func read(_ data: Data) throws -> Animation {
    try #require(try PNGReader(data: data, limits: CodecLimits()).animation())
  }

  /// Noise with a square that moves, which has the transparency that `alpha` gives.
  private func square(alpha: (Int, Int) -> UInt8, color: ([UInt8]) -> [UInt8] = { $0 }) throws -> [Bitmap] {
    var random = SplitMix64(state: 8)
    let noise = (0..<24 * 18).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } }
    return try [0, 3, 3, 9, 18, 1].map { left in
      try frame { x, y in
        let isInside = (left..<left + 6).contains(x) && (4..<9).contains(y)
        return color(isInside ? [200, UInt8(y * 9), 10] : noise[y * 24 + x]) + [alpha(x, y)]
      }
    }
  }

  /// Frames of which every pixel changes.
  private func noise() throws -> [Bitmap] {
    var random = SplitMix64(state: 5)
    return try (0..<3).map { _ in
      try frame { _, _ in (0..<3).map { _ in .random(in: 0...255, using: &random) } + [255] }
    }
  }

  /// Noise, with the red of some pixels inverted.
  private func ground(touchedAt places: Int...) throws -> Bitmap {
    var bytes = try square(alpha: { _, _ in 255 })[0].pixelBytes
    for place in places { bytes[place * 4] ^= 255 }
    return try #require(Bitmap(pixelWidth: 24, pixelHeight: 18) { $0.copyBytes(from: bytes) })
  }

  /// Sequences that need every color type, with the number of it.
  private func sequences() throws -> [(UInt8, [Bitmap])] {
    let gray = { (color: [UInt8]) in [color[0], color[0], color[0]] }
    return [
      (2, try square(alpha: { _, _ in 255 })), (2, try noise()),
      // What stays as it was is left out, which needs alpha.
      (6, [try ground(), try ground(touchedAt: 0, 24 * 18 - 1), try ground()]),
      (6, try square(alpha: { x, y in UInt8((x * y) % 256) })),
      (0, try square(alpha: { _, _ in 255 }, color: gray)),
      (4, try square(alpha: { x, y in UInt8((x * y) % 256) }, color: gray)),
      (3, try square(alpha: { x, _ in x < 4 ? 0 : 255 }, color: { [$0[0] & 0x80, $0[1] & 0x80, 60] })),
      // The palette of the first frame would not do for the others.
      (3, try (0..<5).map { step in try frame { x, _ in [UInt8(step * 50), UInt8(x), 0, step == 4 ? 128 : 255] } }),
      // Nor would its color type.
      (6, [try frame { _, _ in [0, 0, 0, 255] }] + (try square(alpha: { x, y in UInt8((x * y) % 256) }))),
    ]
  }

  @Test("Frames are read back exactly, in the smallest form that can store all of them")
  func frames() throws {
    for (number, (colorType, sequence)) in try sequences().enumerated() {
      let data = try PNGWriter().encode(animation(sequence))
      #expect(data[25] == colorType, "sequence \(number)")
      let result = try NukeCodecsTests.frames(of: read(data))
      #expect(result.count == sequence.count)
      for (index, (one, other)) in zip(result, sequence).enumerated() {
        #expect(one.image.pixelBytes == other.pixelBytes, "frame \(index) of sequence \(number)")
      }
    }
  }

  @Test("Pillow reads the same frames, delays and loop count", .enabled(if: PillowReader.isInstalled))
  func interchange() throws {
    for (number, (_, sequence)) in try sequences().enumerated() {
      let reading = try PillowReader.read(PNGWriter().encode(animation(sequence, loops: 3)))
      #expect(reading.delays == sequence.map { _ in 100 } && reading.loops == 3)
      for (index, (one, other)) in zip(reading.frames, sequence).enumerated() {
        #expect(premultipliedByDefinition(one) == other.pixelBytes, "frame \(index) of sequence \(number)")
      }
    }
  }

  @Test("Unchanged areas are not written again")
  func differences() throws {
    let ground = try ground()
    let one = try PNGWriter().encode(animation([ground]))
    // The chunk that announces an animation has 20 bytes, that of a frame 38, and a pixel's data 16 and its own.
    let touched = try PNGWriter().encode(animation([ground, self.ground(touchedAt: 188)]))
    #expect(touched.count < one.count + 20 + 2 * 38 + 40)
    #expect(try PNGWriter().encode(animation([ground, ground])).count < one.count + 20 + 2 * 38 + 40)
    // The rectangle is the whole canvas.
    let corners = try PNGWriter().encode(animation([ground, self.ground(touchedAt: 0, 24 * 18 - 1), ground]))
    #expect(corners.count < one.count + one.count / 4 + 3 * 38)
    #expect(one.range(of: Data("acTL".utf8)) == nil, "one frame is a still image")
  }

  @Test("Delays are fractions of two 16-bit numbers, of at least 11 ms")
  func delays() throws {
    let delays = [1.0 / 30, 0.1, 0, 0.02, 1001.0 / 24000, 70_000, 12.345, .pi]
    let sequence = try delays.indices.map { step in try frame { x, _ in [UInt8(step), UInt8(x), 0, 255] } }
    let result = try read(PNGWriter().encode(animation(sequence, delays))).delays
    for (found, wanted) in zip(result, [1.0 / 30, 0.1, 0.011, 0.02, 1001.0 / 24000, 65_535, 12.345, .pi]) {
      #expect(abs(found - wanted) < 1e-6)
    }
  }

  @Test("An animation that was read is written again with the same frames", arguments: APNGFixture.all)
  func again(_ fixture: APNGFixture) throws {
    guard let original = try PNGReader(data: fixture.data(), limits: CodecLimits()).animation() else { return }
    let copy = try read(PNGWriter().encode(original))
    #expect(copy.loopCount == original.loopCount && copy.frameCount == original.frameCount)
    for (one, other) in zip(copy.delays, original.delays) { #expect(abs(one - other) < 1e-7) }
    for (one, other) in zip(try NukeCodecsTests.frames(of: copy), try NukeCodecsTests.frames(of: original)) {
      #expect(one.image.pixelBytes == other.image.pixelBytes, "frame \(one.index)")
    }
  }
}
