import NukeImaging

/// A lease that this node has, and keeps while the work goes on: it is renewed each time a third of its life is over.
///
/// A node that dies renews nothing, and work that hangs is renewed only so often: others take over then.
final class HeldLease: Sendable {
  private enum Phase {
    case held(renewals: Int)
    /// The work is done; whoever finds the lease lost by now has missed nothing.
    case releasing
    case ended
  }

  private struct State {
    var phase = Phase.held(renewals: 0)
    /// The alarm of the next renewal.
    var alarm: Int?
  }

  private let leasing: any RenditionLeasing
  private let key: String
  private let token: String
  private let seconds: Int
  private let alarm: Alarm
  private let recorder: StatisticsRecorder
  private let state = Lock(State())

  /// Ten lives of a lease are more than any request waits.
  private static let renewalLimit = 30

  /// - Parameters:
  ///   - seconds: how long it lives.
  ///   - alarm: rings after a third of that.
  init(
    _ leasing: any RenditionLeasing, key: String, token: String, seconds: Int, alarm: Alarm,
    recorder: StatisticsRecorder
  ) {
    self.leasing = leasing
    self.key = key
    self.token = token
    self.seconds = seconds
    self.alarm = alarm
    self.recorder = recorder
    renewLater()
  }

  /// Returns when it is given back.
  func release() async {
    state.withLock { $0.phase = .releasing }
    await leasing.release(key, token: token)
    let number = state.withLock { state in
      state.phase = .ended
      defer { state.alarm = nil }
      return state.alarm
    }
    if let number { alarm.stop(number) }
  }

  private func renewLater() {
    let number = alarm.start { [self] in Task.detached { await self.renew() } }
    let isOver = state.withLock { state in
      if case .ended = state.phase { return true }
      state.alarm = number
      return false
    }
    if isOver { alarm.stop(number) }
  }

  private func renew() async {
    let isWanted = state.withLock { state in
      switch state.phase {
      case .held(let renewals) where renewals < Self.renewalLimit:
        state.phase = .held(renewals: renewals + 1)
        return true
      case .held, .ended: return false
      // What was made may still be on its way to others.
      case .releasing: return true
      }
    }
    guard isWanted else { return }
    if await leasing.renew(key, token: token, seconds: seconds) { return renewLater() }
    let isLost = state.withLock { if case .held = $0.phase { true } else { false } }
    if isLost { recorder.count(\.leasesLost) }
  }
}
