public import Foundation
public import NukeImaging

extension AnimatedImage {
  /// Plays an animation in one view: says at each beat of the display which frame is to be shown.
  ///
  /// Every frame is shown for its delay at least. Where decoding is slower than that, the frame before it stays; none is
  /// left out. It is a value, for one thread at a time, as that of the view.
  public struct Player: Sendable {
    /// The animated image that is played.
    public let image: AnimatedImage
    private var clock: AnimationClock

    /// A player that stands before the first frame.
    public init(_ image: AnimatedImage) {
      self.image = image
      clock = AnimationClock(delays: image.animation.delays, loopCount: image.loopCount)
    }

    /// The frame to be shown from now on; `nil` if nothing changes, since the time has not come or the frame is not
    /// decoded yet. Never waits.
    ///
    /// - Parameter now: seconds since any moment that stays the same, such as the time of a frame clock.
    public mutating func advance(to now: TimeInterval) -> Animation.Frame? {
      var latest: Animation.Frame?
      // A view that was not asked for some time goes past what is ready, one pass at most.
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

    /// The time at which ``advance(to:)`` is due next: the end of the current frame. `nil` if no frame is shown yet, or
    /// if ``isFinished``.
    public var nextChange: TimeInterval? { isFinished ? nil : clock.nextChange }

    /// A Boolean value that indicates whether the last frame of the last pass is shown, or no frame can be.
    public var isFinished: Bool { clock.next(playable: image.playableFrameCount) == nil }
  }
}
