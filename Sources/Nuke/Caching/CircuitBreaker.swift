package import Foundation

/// Decides whether a server that fails is asked at all. It is a value; times are passed in, in seconds.
///
/// After some failures in a row it opens: nobody asks for a while, so that nobody waits for time-outs. Then one trial is
/// made. If it fails, the breaker opens for twice as long, within limits.
package struct CircuitBreaker {
  package enum Verdict { case ask, refuse, tryOnce }

  private enum State {
    case closed(failures: Int)
    case open(until: TimeInterval, pause: TimeInterval)
    case trying(pause: TimeInterval)
  }

  /// The number of failures in a row after which it opens.
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

  /// Returns `true` while nobody asks and the time for a trial has not come.
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

  /// Nobody asks until the first trial has succeeded, which is the caller's to make.
  package mutating func beginTrying() { state = .trying(pause: pauses.lowerBound / 2) }

  package mutating func succeeded() { state = .closed(failures: 0) }

  /// A request failed that was not the trial.
  package mutating func failed(at now: TimeInterval) {
    // While it is not closed, the request was sent before it opened.
    guard case .closed(let failures) = state else { return }
    state = .closed(failures: failures + 1)
    if failures + 1 >= threshold { open(for: pauses.lowerBound, at: now) }
  }

  package mutating func trialFailed(at now: TimeInterval) {
    guard case .trying(let pause) = state else { return }
    open(for: min(pause * 2, pauses.upperBound), at: now)
  }

  private mutating func open(for pause: TimeInterval, at now: TimeInterval) {
    state = .open(until: now + pause, pause: pause)
  }
}
