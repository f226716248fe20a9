public import Foundation

extension Animation {
  /// Creates an animated image from frames in memory.
  ///
  /// - Parameters:
  ///   - frames: complete images of equal size.
  ///   - delays: the delay of each frame in seconds. Values that are not positive and finite count as 0.
  ///   - loopCount: the number of times the animation plays; 0, the default, means forever.
  /// - Returns: `nil` if there are no frames, a frame is empty or has another size, or the number of delays differs.
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

/// Returns the given frames, whatever their sizes.
package final class FramesInMemory: AnimationFrameSource {
  private let frames: [Bitmap]
  private var index = 0

  package init(_ frames: [Bitmap]) { self.frames = frames }

  package func nextFrame() -> Bitmap? {
    guard index < frames.count else { return nil }
    defer { index += 1 }
    return frames[index]
  }

  package func rewind() { index = 0 }
}
