package import Foundation

/// Decides which frame of an animation is due. The time is a parameter, in seconds.
///
/// A frame that is decoded late is shown late, and later frames are delayed by the same time. No frame is skipped.
package struct AnimationClock: Sendable {
  private let delays: [TimeInterval]
  private let loopCount: Int
  /// The current frame, and the time at which it was first shown.
  package private(set) var shown: Int?
  private var shownAt: TimeInterval = 0
  private var passes = 0

  package init(delays: [TimeInterval], loopCount: Int) {
    self.delays = delays
    self.loopCount = loopCount
  }

  /// Returns the frame after the current one; `nil` after the last frame of the last loop.
  ///
  /// - Parameter playable: the number of frames that can be shown.
  package func next(playable: Int) -> Int? {
    guard let shown else { return playable > 0 ? 0 : nil }
    if shown + 1 < playable { return shown + 1 }
    return playable > 1 && (loopCount == 0 || passes + 1 < loopCount) ? 0 : nil
  }

  /// The time at which the current frame ends; `nil` if no frame is shown.
  package var nextChange: TimeInterval? { shown.map { shownAt + delays[$0] } }

  /// Records that the next frame is shown from `now` on.
  package mutating func show(_ index: Int, at now: TimeInterval) {
    // A small delay is ignored. After a long delay, the schedule restarts now.
    if let due = nextChange, now >= due, now - due < delays[index] {
      shownAt = due
    } else {
      shownAt = now
    }
    if shown != nil, index == 0 { passes += 1 }
    shown = index
  }
}
