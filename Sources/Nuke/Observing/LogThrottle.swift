package import Foundation
import NukeImaging

/// Lets one of each kind of message through in a while, and counts the others.
package final class LogThrottle: Sendable {
  private struct Kind {
    var passedAt: TimeInterval
    var suppressed = 0
  }

  private let kinds = Lock<[Int: Kind]>([:])
  private let interval: TimeInterval
  private let now: @Sendable () -> TimeInterval

  /// - Parameters:
  ///   - interval: seconds from one message of a kind to the next.
  ///   - now: seconds since some moment.
  package init(
    interval: TimeInterval = 60, now: @escaping @Sendable () -> TimeInterval = { TimeInterval(Clock.now) / 1e9 }
  ) {
    self.interval = interval
    self.now = now
  }

  /// Returns `true` if a message may pass, as the number of those of its kind that did not since the last one; else
  /// `nil`.
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
