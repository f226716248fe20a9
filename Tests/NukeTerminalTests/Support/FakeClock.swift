import Foundation
import NukeBase

@testable import NukeTerminal

/// A clock on which waiting takes no time, and is noted.
final class FakeClock: Sendable {
  private struct State {
    var now: TimeInterval = 1000
    /// Seconds of each wait.
    var waits: [TimeInterval] = []
  }

  private let state = Lock(State())

  var waits: [TimeInterval] { state.withLock { $0.waits.map { ($0 * 1000).rounded() / 1000 } } }
  var now: TimeInterval { state.withLock { $0.now } }

  /// Lets time pass.
  func pass(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }

  /// - Parameter onWait: is called before each wait ends.
  func clock(onWait: @escaping @Sendable () async -> Void = {}) -> TerminalClock {
    TerminalClock(now: { self.now }) { deadline in
      self.state.withLock { state in
        state.waits.append(deadline - state.now)
        state.now = max(state.now, deadline)
      }
      await onWait()
    }
  }
}
