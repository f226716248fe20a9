import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged and hostile animated PNG")
struct PNGAnimationDamageTests {
  /// Rows of one gray for an image of 4x3 pixels, or of another size.
  private static func gray(_ value: UInt8, width: Int = 4, height: Int = 3) -> Data {
    ZlibStream.stored((0..<height).flatMap { _ in [0] + [UInt8](repeating: value, count: width) })
  }

  /// A file of 4x3 grays, whose default image of value 10 is a frame, with what `more` adds behind it.
  private static func file(
    frames: UInt32, loops: UInt32 = 0, first: UInt32 = 0, _ more: (inout PNGBuilder) -> Void
  ) -> Data {
    var builder = PNGBuilder()
    builder.addHeader(width: 4, height: 3, colorType: 0)
    builder.addAnimation(frames: frames, loops: loops)
    builder.addFrame(first, width: 4, height: 3)
    builder.add("IDAT", gray(10))
    more(&builder)
    builder.add("IEND")
    return builder.data
  }

  private func reader(_ data: Data, frames: Int = 10_000) throws -> PNGReader {
    try PNGReader(data: data, limits: CodecLimits(maximumFrameCount: frames))
  }

  /// Expects the default image, and no animation.
  private func expectStill(_ data: Data, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let reader = try reader(data)
    #expect(try reader.animation() == nil, "\(name)", sourceLocation: sourceLocation)
    #expect(reader.header.frameCount == 1 && reader.header.duration == 0, "\(name)", sourceLocation: sourceLocation)
    #expect(reader.header.loopCount == 1, "\(name)", sourceLocation: sourceLocation)
    let image = try reader.decode(DecodeOptions())
    #expect(image.pixelBytes[0] == 10, "\(name)", sourceLocation: sourceLocation)
    #expect(try ImageReaders.header(ofPrefix: data)?.frameCount == 1, "\(name)", sourceLocation: sourceLocation)
  }

  @Test("The base file, from which the others differ in one respect, is animated")
  func sound() throws {
    let data = Self.file(frames: 2) {
      $0.addFrame(1, width: 2, height: 1, x: 2, y: 2)
      $0.addFrameData(2, Self.gray(90, width: 2, height: 1))
    }
    let all = try NukeCodecsTests.frames(of: try #require(try reader(data).animation()))
    #expect(all.map { $0.image.pixelBytes[0] } == [10, 10])
    #expect(all.map { $0.image.pixelBytes[11 * 4] } == [10, 90])
    #expect(all.map { $0.image.pixelBytes[9 * 4] } == [10, 10])
  }

  @Test("One frame that is not the default image is an animation")
  func single() throws {
    var builder = PNGBuilder()
    builder.addHeader(width: 4, height: 3, colorType: 0)
    builder.addAnimation(frames: 1)
    builder.add("IDAT", Self.gray(10))
    builder.addFrame(0, width: 4, height: 3)
    // A chunk of image data may be empty.
    builder.addFrameData(1, Data())
    builder.addFrameData(2, Self.gray(90))
    builder.add("IEND")
    let reader = try reader(builder.data)
    #expect(try reader.decode(DecodeOptions()).pixelBytes[0] == 10)
    let frames = try NukeCodecsTests.frames(of: try #require(try reader.animation()))
    #expect(frames.map { $0.image.pixelBytes[0] } == [90])
  }

  @Test("A frame outside of the canvas, without pixels, or with an unknown operation makes the file a still image")
  func geometry() throws {
    typealias Geometry = (width: UInt32, height: UInt32, x: UInt32, y: UInt32)
    let outside: [Geometry] = [
      (5, 3, 0, 0), (4, 4, 0, 0), (4, 3, 1, 0), (4, 3, 0, 1), (1, 1, 4, 0), (1, 1, 0, 3), (0, 1, 0, 0), (1, 0, 0, 0),
      (1, 1, .max, 0), (.max, 1, 1, 0), (1, .max, 0, .max), (1 << 31, 1 << 31, 1 << 31, 1 << 31),
    ]
    for frame in outside {
      let data = Self.file(frames: 2) {
        $0.addFrame(1, width: frame.width, height: frame.height, x: frame.x, y: frame.y)
        $0.addFrameData(2, Self.gray(90))
      }
      try expectStill(data, "\(frame)")
    }
    for (disposal, blend) in [(3, 0), (0, 2), (255, 255)] as [(UInt8, UInt8)] {
      let data = Self.file(frames: 2) {
        $0.addFrame(1, width: 4, height: 3, disposal: disposal, blend: blend)
        $0.addFrameData(2, Self.gray(90))
      }
      try expectStill(data, "\(disposal), \(blend)")
    }
    var small = PNGBuilder()
    small.addHeader(width: 4, height: 3, colorType: 0)
    small.addAnimation(frames: 2)
    small.addFrame(0, width: 3, height: 3)
    small.add("IDAT", Self.gray(10))
    small.addFrame(1, width: 4, height: 3)
    small.addFrameData(2, Self.gray(90))
    small.add("IEND")
    try expectStill(small.data, "a default image that does not fill the canvas")
  }

  @Test("Wrong sequence numbers make the file a still image")
  func sequence() throws {
    for numbers in [[1, 1], [2, 1], [2, 3], [1, 3], [0, 1], [1, .max]] as [[UInt32]] {
      let data = Self.file(frames: 2) {
        $0.addFrame(numbers[0], width: 4, height: 3)
        $0.addFrameData(numbers[1], Self.gray(90))
      }
      try expectStill(data, "\(numbers)")
    }
    let late = Self.file(frames: 2, first: 1) {
      $0.addFrame(2, width: 4, height: 3)
      $0.addFrameData(3, Self.gray(90))
    }
    try expectStill(late, "the first is 1")
  }

  @Test("A wrong number of frames, or a frame without data, makes the file a still image")
  func counts() throws {
    for count in [0, 1, 3, 1_000_000, 1 << 31, .max] as [UInt32] {
      let data = Self.file(frames: count) {
        $0.addFrame(1, width: 4, height: 3)
        $0.addFrameData(2, Self.gray(90))
      }
      try expectStill(data, "\(count) frames")
    }
    try expectStill(Self.file(frames: 2, loops: 1 << 31) { $0.addFrame(1, width: 4, height: 3) }, "loops")
    try expectStill(Self.file(frames: 2) { $0.addFrame(1, width: 4, height: 3) }, "the last frame")
    let middle = Self.file(frames: 3) {
      $0.addFrame(1, width: 4, height: 3)
      $0.addFrame(2, width: 4, height: 3)
      $0.addFrameData(3, Self.gray(90))
    }
    try expectStill(middle, "a frame in the middle")
    try expectStill(Self.file(frames: 2) { $0.addFrameData(1, Self.gray(90)) }, "data without a frame")
    try expectStill(
      Self.file(frames: 2) {
        $0.addFrame(1, width: 4, height: 3)
        $0.add("fdAT", Data([0, 0, 2]))
      }, "data without a number")
  }

  @Test("Animation chunks with a wrong checksum or length make the file a still image")
  func checksums() throws {
    let data = Self.file(frames: 2) {
      $0.addFrame(1, width: 4, height: 3)
      $0.addFrameData(2, Self.gray(90))
    }
    for name in ["acTL", "fcTL"] {
      var damaged = data
      damaged[try #require(data.range(of: Data(name.utf8))).upperBound + 5] ^= 1
      try expectStill(damaged, name)
    }
    var builder = PNGBuilder()
    builder.addHeader(width: 4, height: 3, colorType: 0)
    builder.add("acTL", Data([0, 0, 0, 2]))
    builder.add("IDAT", Self.gray(10))
    builder.add("IEND")
    try expectStill(builder.data, "a short acTL")
    var repeated = data
    repeated.insert(contentsOf: data[33..<53], at: 33)
    try expectStill(repeated, "two of acTL")
  }

  @Test("More frames than the limit are rejected as soon as they are counted")
  func limit() throws {
    let data = Self.file(frames: 1_000_000) { builder in
      for index in 0..<12_000 as Range<UInt32> {
        builder.addFrame(index * 2 + 1, width: 4, height: 3)
        builder.addFrameData(index * 2 + 2, Data())
      }
    }
    #expect(throws: CodecError.tooManyFrames(.png, count: 10_001, limit: 10_000)) { try reader(data) }
    #expect(throws: CodecError.tooManyFrames(.png, count: 6, limit: 5)) { try reader(data, frames: 5) }
    try #expect(ImageReaders.header(ofPrefix: data)?.frameCount == 1, "fewer than it says")
  }

  @Test("A damaged frame throws each time it is requested, after the frames before it")
  func frameData() throws {
    func error(_ content: Data, damage: Bool = false) throws -> CodecError? {
      var data = Self.file(frames: 3) {
        $0.addFrame(1, width: 4, height: 3)
        $0.addFrameData(2, content)
        $0.addFrame(3, width: 4, height: 3)
        $0.addFrameData(4, Self.gray(200))
      }
      if damage { data[try #require(data.range(of: Data("fdAT".utf8))).upperBound + 8] ^= 1 }
      let frames = try #require(try reader(data).animation()).frames()
      #expect(try frames.next()?.image.pixelBytes[0] == 10)
      var errors: [CodecError] = []
      for _ in 0..<2 {
        do { _ = try frames.next() } catch { errors.append(try #require(error as? CodecError)) }
      }
      #expect(errors.count == 2 && errors.first == errors.last)
      return errors.first
    }
    expectMalformed(try error(Self.gray(90), damage: true), .png, "frame 1", "CRC")
    expectMalformed(try error(Self.gray(90, height: 2)), .png, "frame 1")
    expectMalformed(try error(Data([1, 2, 3])), .png, "frame 1")
    expectMalformed(try error(Data()), .png, "frame 1")
  }

  @Test("Frames before a truncated one are delivered, and the truncated one throws each time")
  func cut() throws {
    for name in ["rgba8", "indexed8", "hidden", "split", "gray16-interlaced"] {
      let fixture = try APNGFixture.named(name)
      let (data, expected) = (try fixture.data(), try fixture.premultiplied())
      var seen: Set<Int> = []
      for count in stride(from: 60, to: data.count, by: 3) {
        guard let reader = try? reader(Data(data.prefix(count))), let frames = try reader.animation()?.frames() else {
          continue
        }
        var delivered = 0
        do {
          while let frame = try frames.next() {
            #expect(largestDifference(frame.image.pixelBytes, expected[delivered]) <= fixture.tolerance)
            delivered += 1
          }
        } catch {
          #expect(error as? CodecError == .truncated(.png, byteCount: count))
          #expect(throws: CodecError.self) { try frames.next() }
        }
        seen.insert(delivered)
      }
      #expect(seen.isSuperset(of: 1...(fixture.frames - 1)), "\(name)")
    }
  }

  @Test("Damaged files have frames or fail with an error")
  func damage() throws {
    let harness = DamageHarness(
      fixtures: try APNGFixture.all.map { DamageHarness.Fixture(name: $0.name, data: try $0.data()) })
    for report in [harness.truncated(every: 11), harness.corrupted(3000, seed: 22)] {
      #expect(report.failures.isEmpty)
      #expect(report.images > 0 && report.errors["truncated", default: 0] + report.errors["malformed", default: 0] > 0)
    }
  }
}
