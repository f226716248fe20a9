/// Leaves a server alone for a while after it has failed several times in a row, as a value: all moments are handed in,
/// in nanoseconds.
struct CircuitBreaker {
  /// Failures in a row after which it rests.
  let threshold: Int
  /// How long it rests.
  let rest: UInt64

  private var failures = 0
  private var end: UInt64?
  /// One request tries, after a rest, whether the server is there again.
  private var isTrying = false

  init(threshold: Int, rest: UInt64) {
    self.threshold = max(1, threshold)
    self.rest = rest
  }

  func isResting(now: UInt64) -> Bool { end.map { now < $0 } ?? false }

  /// Returns `true` if a request may be sent now. Whoever may tells how it went.
  mutating func allows(now: UInt64) -> Bool {
    guard let end else { return true }
    guard now >= end, !isTrying else { return false }
    isTrying = true
    return true
  }

  /// The server is there, but has not done what it was asked: failures in a row go on being counted.
  mutating func answer() { if isTrying { succeed() } }

  mutating func succeed() { self = CircuitBreaker(threshold: threshold, rest: rest) }

  mutating func fail(now: UInt64) {
    failures += 1
    guard isTrying || failures >= threshold else { return }
    isTrying = false
    end = now &+ rest
  }
}
