package import Foundation
import Nuke

/// Keeps the bars of a run on the screen: many threads report, one line for each download is drawn, not too often.
package final class ProgressDisplay: Sendable {
  private struct Shown {
    var state: ProgressState
    var throttle: Throttle
    var isEnded = false
  }

  private let shown: Lock<Shown>
  private let draw: @Sendable ([String]) -> Void
  private let width: @Sendable () -> Int
  private let now: @Sendable () -> TimeInterval

  /// - Parameters:
  ///   - interval: seconds between two drawings, at least.
  ///   - width: cells of a line, asked for at each drawing, since a window can be resized.
  ///   - now: seconds on a clock that only goes forward.
  ///   - draw: puts lines in place of those it was given before.
  package init(
    count: Int, interval: TimeInterval = 0.1, width: @escaping @Sendable () -> Int,
    now: @escaping @Sendable () -> TimeInterval, draw: @escaping @Sendable ([String]) -> Void
  ) {
    shown = Lock(Shown(state: ProgressState(count: count, startedAt: now()), throttle: Throttle(interval: interval)))
    self.draw = draw
    self.width = width
    self.now = now
  }

  /// Changes how many loads the run has.
  package func setCount(_ count: Int) {
    change { state, _ in state.count = count }
  }

  package func begin(_ id: Int, name: String) {
    change { $0.begin(id, name: name, at: $1) }
  }

  package func update(_ id: Int, completed: Int64, total: Int64) {
    change { $0.update(id, completed: completed, total: total, at: $1) }
  }

  package func end(_ id: Int, failed: Bool) {
    change { $0.end(id, failed: failed, at: $1) }
  }

  package func count(bytes: Int64, failed: Bool) {
    change { $0.count(bytes: bytes, failed: failed, at: $1) }
  }

  /// Draws what time alone has changed, such as the rate of a stalled download.
  package func tick() {
    change { _, _ in }
  }

  /// Takes the bars away for good.
  package func finish() {
    shown.withLock { shown in
      shown.isEnded = true
      draw([])
    }
  }

  private func change(_ change: (inout ProgressState, TimeInterval) -> Void) {
    shown.withLock { shown in
      let now = now()
      change(&shown.state, now)
      // Drawn under the lock: an older image must not be drawn over a newer one.
      guard !shown.isEnded, shown.throttle.passes(at: now) else { return }
      draw(ProgressRenderer(width: max(1, width() - 1)).lines(shown.state, at: now))
    }
  }
}
