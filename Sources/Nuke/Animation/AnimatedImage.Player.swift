public import Foundation
public import NukeImaging

extension AnimatedImage {
  /// Plays an animation in a view. On each display refresh, it returns the frame to show.
  ///
  /// Every frame is shown for at least its delay. If decoding is slower than that, the current frame stays; no frame is
  /// skipped. A value type that must be used by one thread at a time, such as the view's.
  public struct Player: Sendable {
    /// The animated image that is played.
    public let image: AnimatedImage
    private var clock: AnimationClock

    /// Creates a player, positioned before the first frame.
    public init(_ image: AnimatedImage) {
      self.image = image
      clock = AnimationClock(delays: image.animation.delays, loopCount: image.loopCount)
    }

    /// Returns the frame to show now. Returns `nil` if nothing changes, because the current frame is not over or the
    /// next one is not decoded yet. Never blocks.
    ///
    /// - Parameter now: the time in seconds on a fixed clock, such as the frame clock.
    public mutating func advance(to now: TimeInterval) -> Animation.Frame? {
      var latest: Animation.Frame?
      // If the view was not refreshed for some time, the player catches up with the decoded frames, by at most one
      // loop.
      for _ in 0..<image.frameCount {
        if let due = clock.nextChange, now < due { break }
        guard let next = clock.next(playable: image.playableFrameCount), let frame = image.frame(at: next) else {
          break
        }
        clock.show(next, at: now)
        latest = frame
      }
      return latest
    }

    /// The time at which the current frame ends and ``advance(to:)`` must be called again. `nil` if no frame is shown
    /// yet, or if ``isFinished``.
    public var nextChange: TimeInterval? { isFinished ? nil : clock.nextChange }

    /// A Boolean value that indicates whether the last frame of the last loop is shown, or no frame can be shown.
    public var isFinished: Bool { clock.next(playable: image.playableFrameCount) == nil }
  }
}
