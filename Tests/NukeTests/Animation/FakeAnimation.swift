import Foundation
import Nuke
import NukeTesting

/// An animation of 2x2 pixels, each frame as gray as its number, that tells what is read of it.
///
/// It checks that one thread at a time reads, and that this is a worker.
final class FakeAnimation: Sendable {
  struct Damage: Error, Equatable {
    let frame: Int
  }

  /// Bytes of one frame.
  static let frameByteCount = 16

  let log = CallLog()
  private let frameCount: Int
  private let delay: TimeInterval
  private let loopCount: Int
  private let damaged: Int?
  private let gate: Gate?
  private let readers = Lock(0)

  init(
    frames: Int, delay: TimeInterval = 0.1, loopCount: Int = 0, damaged: Int? = nil, gate: Gate? = nil
  ) {
    frameCount = frames
    self.delay = delay
    self.loopCount = loopCount
    self.damaged = damaged
    self.gate = gate
  }

  /// Readers that are alive.
  var readerCount: Int { readers.withLock { $0 } }

  /// Bytes it books in a budget where it keeps all frames.
  var wholeByteCount: Int { (frameCount + 2) * Self.frameByteCount }
  /// Bytes it books in a budget where it keeps a window.
  static let windowByteCount = 4 * frameByteCount

  var animation: Animation {
    Animation(
      pixelWidth: 2, pixelHeight: 2, loopCount: loopCount, delays: Array(repeating: delay, count: frameCount)
    ) { [self] in
      log.append("open")
      return Source(self)
    }
  }

  private final class Source: AnimationFrameSource {
    private let fake: FakeAnimation
    private var index = 0
    private let isBusy = Lock(false)

    init(_ fake: FakeAnimation) {
      self.fake = fake
      fake.readers.withLock { $0 += 1 }
    }

    deinit { fake.readers.withLock { $0 -= 1 } }

    private func read(_ verb: String) throws -> Int? {
      guard index < fake.frameCount else { return nil }
      fake.log.append("\(verb) \(index)")
      if !WorkerPool.isWorker { fake.log.append("on a wrong thread") }
      let isOther = isBusy.withLock { isBusy in
        defer { isBusy = true }
        return isBusy
      }
      if isOther { fake.log.append("by two at once") }
      defer { isBusy.withLock { $0 = false } }
      fake.gate?.waitBlocking()
      if index == fake.damaged { throw Damage(frame: index) }
      defer { index += 1 }
      return index
    }

    func nextFrame() throws -> Bitmap? {
      guard let index = try read("read") else { return nil }
      let gray = UInt8(index)
      return Bitmap(pixelWidth: 2, pixelHeight: 2, isOpaque: true) { (bytes: UnsafeMutableRawBufferPointer) in
        for place in 0..<bytes.count { bytes[place] = place % 4 == 3 ? 255 : gray }
      }
    }

    func skipFrame() throws -> Bool { try read("skip") != nil }

    func rewind() {
      fake.log.append("rewind")
      index = 0
    }
  }
}

extension Animation.Frame {
  /// The number that ``FakeAnimation`` painted it with.
  var gray: Int { Int(image.pixels[0]) }
}
