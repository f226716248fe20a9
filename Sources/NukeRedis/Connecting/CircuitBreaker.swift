#if Redis
  package import Foundation

  /// `true` if a server that fails is asked at all: a plain value. Moments are in seconds.
  ///
  /// After some failures in a row nobody asks for a while, so that nobody waits for time-outs. Then one probe is made,
  /// at which no caller waits either; each that fails doubles the while.
  package struct CircuitBreaker {
    package enum Verdict { case ask, refuse, refuseAndProbe }

    private enum State {
      case closed(failures: Int)
      case open(until: TimeInterval, pause: TimeInterval)
      case probing(pause: TimeInterval)
    }

    package static let threshold = 3
    package static let pauses: ClosedRange<TimeInterval> = 1...30

    private var state = State.closed(failures: 0)

    package init() {}

    package var isOpen: Bool {
      if case .closed = state { false } else { true }
    }

    package mutating func verdict(at now: TimeInterval) -> Verdict {
      switch state {
      case .closed: return .ask
      case .probing: return .refuse
      case .open(let until, let pause):
        guard now >= until else { return .refuse }
        state = .probing(pause: pause)
        return .refuseAndProbe
      }
    }

    /// Nobody asks until the first probe has succeeded, which is the caller's to make.
    package mutating func beginProbing() { state = .probing(pause: Self.pauses.lowerBound / 2) }

    package mutating func succeeded() { state = .closed(failures: 0) }

    package mutating func failed(at now: TimeInterval) {
      switch state {
      case .closed(let failures):
        state =
          failures + 1 < Self.threshold
          ? .closed(failures: failures + 1) : .open(until: now + Self.pauses.lowerBound, pause: Self.pauses.lowerBound)
      // Asked before it was opened.
      case .open, .probing: break
      }
    }

    package mutating func probeFailed(at now: TimeInterval) {
      guard case .probing(let pause) = state else { return }
      let next = min(pause * 2, Self.pauses.upperBound)
      state = .open(until: now + next, pause: next)
    }
  }
#endif
