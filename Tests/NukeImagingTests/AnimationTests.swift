import Foundation
import NukeBase
import NukeImaging
import Testing

@Suite("Animation")
struct AnimationTests {
  private struct Damage: Error, Equatable {
    let frame: Int
  }

  /// Frames of 1x1 pixels that are as gray as their number.
  private final class Source: AnimationFrameSource {
    private let count: Int
    private let damaged: Int?
    private let log: Log
    private var index = 0

    init(count: Int, damaged: Int?, log: Log) {
      self.count = count
      self.damaged = damaged
      self.log = log
    }

    func nextFrame() throws -> Bitmap? {
      guard index < count else { return nil }
      if index == damaged { throw Damage(frame: index) }
      log.add("draw \(index)")
      let gray = UInt8(index)
      index += 1
      return Bitmap(pixelWidth: 1, pixelHeight: 1, isOpaque: true) { bytes in
        bytes.copyBytes(from: [gray, gray, gray, 255])
      }
    }

    func rewind() {
      log.add("rewind")
      index = 0
    }
  }

  private final class Log: Sendable {
    private let lines = Lock<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private let log = Log()

  private func animation(_ delays: [TimeInterval], frames: Int? = nil, damaged: Int? = nil) -> Animation {
    Animation(pixelWidth: 1, pixelHeight: 1, loopCount: 0, delays: delays) { [log] in
      log.add("open")
      return Source(count: frames ?? delays.count, damaged: damaged, log: log)
    }
  }

  private func gray(_ frame: Animation.Frame?) -> UInt8? { frame?.image.withUnsafeBytes { $0[0] } }

  @Test("Frames are decoded one at a time, when they are requested")
  func pull() throws {
    let animation = animation([0.1, 0.2, 0.3])
    #expect(log.all == [])
    let frames = try animation.frames()
    #expect(log.all == ["open"])
    for index in 0..<3 {
      let frame = try #require(try frames.next())
      #expect(frame.index == index)
      #expect(frame.delay == [0.1, 0.2, 0.3][index])
      #expect(gray(frame) == UInt8(index))
      #expect(log.all.last == "draw \(index)")
      #expect(log.all.count == index + 2)
    }
    #expect(gray(try frames.next()) == nil)
    #expect(gray(try frames.next()) == nil)
  }

  @Test("One pass takes the sum of its delays")
  func duration() {
    #expect(abs(animation([0.1, 0.2, 0.3]).duration - 0.6) < 1e-9)
    #expect(animation([0.1, 0.2, 0.3]).frameCount == 3)
  }

  @Test("Rewinding starts from the first frame, during and after a pass")
  func rewind() throws {
    let frames = try animation([1, 1, 1]).frames()
    for pulls in [2, 4] {
      for _ in 0..<pulls { _ = try frames.next() }
      try frames.rewind()
      #expect(log.all.last == "rewind")
      let frame = try frames.next()
      #expect(frame?.index == 0 && gray(frame) == 0)
    }
  }

  @Test("Two readers of one animation are independent")
  func independent() throws {
    let animation = animation([1, 1, 1])
    let (first, second) = (try animation.frames(), try animation.frames())
    _ = try first.next()
    _ = try first.next()
    #expect(gray(try second.next()) == 0)
    #expect(gray(try first.next()) == 2)
    #expect(log.all.filter { $0 == "open" }.count == 2)
  }

  @Test("Frames before a damaged one are delivered, and the damaged one throws each time")
  func damage() throws {
    let frames = try animation([1, 1, 1], damaged: 2).frames()
    #expect(gray(try frames.next()) == 0)
    #expect(gray(try frames.next()) == 1)
    #expect(throws: Damage(frame: 2)) { try frames.next() }
    #expect(throws: Damage(frame: 2)) { try frames.next() }
    try frames.rewind()
    #expect(gray(try frames.next()) == 0)
  }

  @Test("A transformation is applied to a frame when it is requested, and not to skipped ones")
  func transformed() throws {
    let whole = animation([1, 2, 3]).map(pixelWidth: 2, pixelHeight: 3) { [log] image in
      log.add("transform")
      return image.withScale(2)
    }
    #expect(whole.pixelWidth == 2 && whole.pixelHeight == 3)
    #expect(whole.canvasByteCount == 4)
    #expect(whole.delays == [1, 2, 3])
    let frames = try whole.frames()
    #expect(log.all == ["open"])
    #expect(try frames.skip())
    let frame = try #require(try frames.next())
    #expect(frame.index == 1 && frame.delay == 2 && frame.image.scale == 2)
    #expect(log.all == ["open", "draw 0", "draw 1", "transform"])
    #expect(try frames.skip())
    #expect(try !frames.skip())
    #expect(try frames.next() == nil)
  }

  @Test("A failed transformation fails until the reader is rewound, and no other frame is delivered instead")
  func failingTransformation() throws {
    let frames = try animation([1, 1, 1]).map(pixelWidth: 1, pixelHeight: 1) { image in
      if image.withUnsafeBytes({ $0[0] }) == 1 { throw Damage(frame: 1) }
      return image
    }.frames()
    for _ in 0..<2 {
      #expect(gray(try frames.next()) == 0)
      #expect(throws: Damage(frame: 1)) { try frames.next() }
      #expect(throws: Damage(frame: 1)) { try frames.next() }
      #expect(throws: Damage(frame: 1)) { try frames.skip() }
      try frames.rewind()
    }
  }

  @Test("Every frame keeps its own delay")
  func counts() throws {
    let more = try animation([1, 1], frames: 3).frames()
    for _ in 0..<2 { #expect(gray(try more.next()) != nil) }
    #expect(gray(try more.next()) == nil)
    let fewer = try animation([1, 1, 1], frames: 1).frames()
    #expect(gray(try fewer.next()) != nil)
    #expect(gray(try fewer.next()) == nil)
  }
}
