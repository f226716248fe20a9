package import Foundation

/// Limits how often messages of each kind are logged, and counts the suppressed ones.
package final class LogThrottle: Sendable {
  private struct Kind {
    var passedAt: TimeInterval
    var suppressed = 0
  }

  private let kinds = Lock<[Int: Kind]>([:])
  private let interval: TimeInterval
  private let now: @Sendable () -> TimeInterval

  /// - Parameters:
  ///   - interval: the minimum time between two messages of a kind, in seconds.
  ///   - now: returns a monotonic time in seconds.
  package init(
    interval: TimeInterval = 60,
    now: @escaping @Sendable () -> TimeInterval = { TimeInterval(MonotonicClock.now) / 1e9 }
  ) {
    self.interval = interval
    self.now = now
  }

  /// Returns the number of messages of the same kind that were suppressed since the last one, if the message may be
  /// logged. Otherwise, returns `nil`.
  package func pass(_ kind: Int) -> Int? {
    let now = now()
    return kinds.withLock { kinds in
      if let last = kinds[kind], now - last.passedAt < interval {
        kinds[kind]?.suppressed += 1
        return nil
      }
      let suppressed = kinds[kind]?.suppressed ?? 0
      kinds[kind] = Kind(passedAt: now)
      return suppressed
    }
  }
}
