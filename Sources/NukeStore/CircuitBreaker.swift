package import Foundation

/// A circuit breaker: decides whether requests are sent to a failing server. A value type; times are parameters, in
/// seconds.
///
/// After several consecutive failures it opens, and no requests are sent for a while, so that callers do not wait for
/// timeouts. Then one trial request is sent. If it fails, the breaker opens for twice as long, up to a limit.
package struct CircuitBreaker {
  package enum Verdict { case ask, refuse, tryOnce }

  private enum State {
    case closed(failures: Int)
    case open(until: TimeInterval, pause: TimeInterval)
    case trying(pause: TimeInterval)
  }

  /// The number of consecutive failures after which the breaker opens.
  private let threshold: Int
  /// The shortest and the longest time for which it opens.
  private let pauses: ClosedRange<TimeInterval>
  private var state = State.closed(failures: 0)

  package init(threshold: Int, pauses: ClosedRange<TimeInterval>) {
    self.threshold = max(1, threshold)
    self.pauses = pauses
  }

  package var isOpen: Bool { if case .closed = state { false } else { true } }
  package var isTrying: Bool { if case .trying = state { true } else { false } }

  /// Returns `true` while the breaker is open and it is too early for a trial.
  package func isResting(at now: TimeInterval) -> Bool {
    if case .open(let until, _) = state { now < until } else { false }
  }

  package mutating func verdict(at now: TimeInterval) -> Verdict {
    switch state {
    case .closed: return .ask
    case .trying: return .refuse
    case .open(let until, let pause):
      guard now >= until else { return .refuse }
      state = .trying(pause: pause)
      return .tryOnce
    }
  }

  /// Opens the breaker until a trial has succeeded. The caller makes the first trial.
  package mutating func beginTrying() { state = .trying(pause: pauses.lowerBound / 2) }

  package mutating func succeeded() { state = .closed(failures: 0) }

  /// Records the failure of a request other than the trial.
  package mutating func failed(at now: TimeInterval) {
    // If the breaker is not closed, the request was sent before it opened, and its failure says nothing new.
    guard case .closed(let failures) = state else { return }
    state = .closed(failures: failures + 1)
    if failures + 1 >= threshold { open(for: pauses.lowerBound, at: now) }
  }

  /// Opens the breaker after a failure that does not pass by itself.
  package mutating func failedForGood(at now: TimeInterval) {
    if case .trying = state { trialFailed(at: now) } else { open(for: pauses.lowerBound, at: now) }
  }

  package mutating func trialFailed(at now: TimeInterval) {
    guard case .trying(let pause) = state else { return }
    open(for: min(pause * 2, pauses.upperBound), at: now)
  }

  private mutating func open(for pause: TimeInterval, at now: TimeInterval) {
    state = .open(until: now + pause, pause: pause)
  }
}
