package import Foundation
package import Nuke

/// The progress bars of a run: collects reports from many threads, and draws them at a limited rate.
package final class ProgressDisplay: Sendable {
  private struct Shown {
    var state: ProgressState
    var lastDrawing: TimeInterval?
    var isEnded = false
  }

  private let shown: Lock<Shown>
  private let interval: TimeInterval
  private let draw: @Sendable ([String]) -> Void
  private let width: @Sendable () -> Int
  private let now: @Sendable () -> TimeInterval

  /// - Parameters:
  ///   - interval: the minimum time between two drawings, in seconds.
  ///   - width: returns the number of cells of a line. Called at each drawing, since windows can be resized.
  ///   - now: returns seconds on a monotonic clock.
  ///   - draw: replaces the lines of the previous call.
  package init(
    count: Int, interval: TimeInterval = 0.1, width: @escaping @Sendable () -> Int,
    now: @escaping @Sendable () -> TimeInterval, draw: @escaping @Sendable ([String]) -> Void
  ) {
    shown = Lock(Shown(state: ProgressState(count: count, startedAt: now())))
    self.interval = interval
    self.draw = draw
    self.width = width
    self.now = now
  }

  /// Draws bars below the lines of `console` until ``finish()``. Returns `nil` if standard error is not a terminal that
  /// can erase lines.
  convenience init?(count: Int, interval: TimeInterval = 0.1, on console: Console) {
    guard Terminal.isInteractive(STDERR_FILENO) else { return nil }
    self.init(
      count: count, interval: interval, width: { Terminal.width(STDERR_FILENO) },
      now: { ProcessInfo.processInfo.systemUptime }, draw: { console.draw(bars: $0) })
    Task {
      while tick() { try? await Task.sleep(for: .milliseconds(250)) }
    }
  }

  package func begin(_ id: Int, name: String) { change { $0.begin(id, name: name, at: $1) } }

  package func update(_ id: Int, _ progress: ImageTask.Progress) {
    change { $0.update(id, completed: progress.completed, total: progress.total, at: $1) }
  }

  /// - Parameter bytes: the size of the data, also if no progress was reported.
  package func end(_ id: Int, failed: Bool, bytes: Int = 0) {
    change { $0.end(id, failed: failed, bytes: Int64(bytes), at: $1) }
  }

  package func count(bytes: Int64, failed: Bool) { change { $0.count(bytes: bytes, failed: failed, at: $1) } }

  /// Draws what changes with time, such as the rate of a stalled download. Returns `false` if the run has ended.
  @discardableResult package func tick() -> Bool { change { _, _ in } }

  /// Erases the bars, and draws nothing from now on.
  package func finish() {
    shown.withLock { shown in
      shown.isEnded = true
      draw([])
    }
  }

  @discardableResult
  private func change(_ change: (inout ProgressState, TimeInterval) -> Void) -> Bool {
    shown.withLock { shown in
      let now = now()
      change(&shown.state, now)
      if shown.isEnded { return false }
      if let last = shown.lastDrawing, now - last < interval { return true }
      shown.lastDrawing = now
      // Drawn under the lock, so that an older state is never drawn over a newer one.
      draw(ProgressRenderer(width: max(1, width() - 1)).lines(shown.state, at: now))
      return true
    }
  }
}
