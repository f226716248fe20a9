package import Foundation

/// Decides which frame of an animation is due. Time is handed in, in seconds since some moment.
///
/// A frame that comes late is shown late, and those behind it follow as much later: none is left out.
package struct AnimationClock: Sendable {
  private let delays: [TimeInterval]
  private let loopCount: Int
  /// The frame that is shown, and since when.
  package private(set) var shown: Int?
  private var shownAt: TimeInterval = 0
  private var passes = 0

  package init(delays: [TimeInterval], loopCount: Int) {
    self.delays = delays
    self.loopCount = loopCount
  }

  /// The frame behind the one that is shown; `nil` behind the last of the last pass.
  ///
  /// - Parameter playable: frames from the first on that can be had.
  package func next(playable: Int) -> Int? {
    guard let shown else { return playable > 0 ? 0 : nil }
    if shown + 1 < playable { return shown + 1 }
    return playable > 1 && (loopCount == 0 || passes + 1 < loopCount) ? 0 : nil
  }

  /// The time at which the current frame ends; `nil` if no frame is shown.
  package var nextChange: TimeInterval? { shown.map { shownAt + delays[$0] } }

  /// Notes that a frame, the next one, is shown from `now` on.
  package mutating func show(_ index: Int, at now: TimeInterval) {
    // A little late is as good as in time; after a long wait it starts from now.
    if let due = nextChange, now >= due, now - due < delays[index] {
      shownAt = due
    } else {
      shownAt = now
    }
    if shown != nil, index == 0 { passes += 1 }
    shown = index
  }
}
