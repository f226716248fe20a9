public import Foundation

extension Animation {
  /// An animated image of frames that are in memory, to be written or shown.
  ///
  /// - Parameters:
  ///   - frames: whole images of one size.
  ///   - delays: seconds each of them is shown. Those that are not positive and finite count as 0.
  ///   - loopCount: how often the sequence is played; 0, the default, means for ever.
  /// - Returns: `nil` if there is no frame, an empty one, one of another size, or not one delay a frame.
  public init?(frames: [Bitmap], delays: [TimeInterval], loopCount: Int = 0) {
    guard let first = frames.first, first.byteCount > 0, frames.count == delays.count,
      frames.allSatisfy({ $0.pixelWidth == first.pixelWidth && $0.pixelHeight == first.pixelHeight })
    else { return nil }
    self.init(
      pixelWidth: first.pixelWidth, pixelHeight: first.pixelHeight, loopCount: max(loopCount, 0),
      delays: delays.map { $0.isFinite && $0 > 0 ? $0 : 0 }
    ) { FramesInMemory(frames) }
  }
}

private final class FramesInMemory: AnimationFrameSource {
  private let frames: [Bitmap]
  private var index = 0

  init(_ frames: [Bitmap]) { self.frames = frames }

  func nextFrame() -> Bitmap? {
    guard index < frames.count else { return nil }
    defer { index += 1 }
    return frames[index]
  }

  func rewind() { index = 0 }
}
