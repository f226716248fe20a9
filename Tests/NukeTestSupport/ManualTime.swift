import Nuke
package import NukeTesting

/// Time that passes when a test says so.
package final class ManualTime: Sendable {
  private let state = Lock((now: UInt64(1_000_000_000), timers: [(at: UInt64, body: @Sendable () -> Void)]()))
  /// Gets the milliseconds of each timer that is set.
  package let log = CallLog()

  package init() {}

  /// Nanoseconds.
  package var clock: @Sendable () -> UInt64 { { self.state.withLock { $0.now } } }

  package var timer: @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void {
    { nanoseconds, body in
      self.state.withLock { $0.timers.append((at: $0.now + nanoseconds, body: body)) }
      self.log.append("\(Double(nanoseconds) / 1e6)")
    }
  }

  package func pass(milliseconds: Double) {
    let end = state.withLock { $0.now } + UInt64(milliseconds * 1e6)
    while true {
      let due = state.withLock { state -> (@Sendable () -> Void)? in
        guard let next = state.timers.indices.min(by: { state.timers[$0].at < state.timers[$1].at }),
          state.timers[next].at <= end
        else {
          state.now = end
          return nil
        }
        state.now = max(state.now, state.timers[next].at)
        return state.timers.remove(at: next).body
      }
      guard let due else { return }
      due()
    }
  }
}
