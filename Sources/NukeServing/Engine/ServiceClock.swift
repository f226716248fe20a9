import Foundation
import NukeHTTP
package import NukeHTTPCaching

/// The clock of a service, which tests can replace.
package struct ServiceClock: Sendable {
  /// The current time, for freshness.
  package var now: @Sendable () -> Timestamp
  /// A monotonic time in nanoseconds, for measuring durations.
  package var uptime: @Sendable () -> Int
  /// Suspends until a moment of ``uptime``. Throws as soon as the task is canceled.
  package var sleep: @Sendable (_ moment: Int) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Int,
    sleep: @escaping @Sendable (_ moment: Int) async throws -> Void
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
  }

  /// The system's clock.
  package static let system = ServiceClock(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    },
    uptime: { monotonic },
    sleep: { try await Task.sleep(nanoseconds: UInt64(max(0, $0 - monotonic))) })

  private static var monotonic: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

extension ServiceClock {
  /// Runs `body` after a number of seconds, unless the returned task is canceled.
  func after(_ seconds: Double, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    let moment = uptime() + Self.nanoseconds(seconds)
    return Task {
      guard (try? await sleep(moment)) != nil else { return }
      body()
    }
  }

  static func nanoseconds(_ seconds: Double) -> Int {
    Int(max(0, min(seconds.isNaN ? 0 : seconds, 1e9)) * 1e9)
  }
}
