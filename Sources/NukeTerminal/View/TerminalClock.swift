package import Foundation

/// The time by which frames are shown, in seconds since some moment.
package struct TerminalClock: Sendable {
  package let now: @Sendable () -> TimeInterval
  /// Returns at that time, or when the task is canceled.
  package let sleep: @Sendable (_ deadline: TimeInterval) async -> Void

  package init(
    now: @escaping @Sendable () -> TimeInterval, sleep: @escaping @Sendable (_ deadline: TimeInterval) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's, which goes forward only.
  package static let system = TerminalClock(
    now: { ProcessInfo.processInfo.systemUptime },
    sleep: { try? await Task.sleep(for: .seconds(max(0, $0 - ProcessInfo.processInfo.systemUptime))) })
}
