import Nuke
import Testing

@Suite("A circuit breaker")
struct CircuitBreakerTests {
  private let closed = CircuitBreaker(threshold: 3, pauses: 1...30)

  private var opened: CircuitBreaker {
    var breaker = closed
    for _ in 0..<3 { breaker.failed(at: 100) }
    return breaker
  }

  @Test("lets all pass until the server has failed several times in a row")
  func threshold() {
    var breaker = closed
    for _ in 0..<2 { breaker.failed(at: 0) }
    breaker.succeeded()
    for _ in 0..<2 { breaker.failed(at: 0) }
    #expect(!breaker.isOpen && !breaker.isResting(at: 0) && breaker.verdict(at: 0) == .ask)
    breaker.failed(at: 0)
    #expect(breaker.isOpen && breaker.isResting(at: 0) && breaker.verdict(at: 0) == .refuse)
  }

  @Test("allows one trial after a while, and blocks all others meanwhile")
  func trial() {
    var breaker = opened
    #expect(breaker.verdict(at: 100.9) == .refuse)
    #expect(!breaker.isResting(at: 101) && breaker.verdict(at: 101) == .tryOnce && breaker.isTrying)
    #expect(breaker.verdict(at: 200) == .refuse)
    breaker.succeeded()
    #expect(!breaker.isOpen && breaker.verdict(at: 200) == .ask && breaker.verdict(at: 200) == .ask)
  }

  @Test("waits twice as long after each trial that failed, within its limits", arguments: [30.0, 1])
  func pauses(longest: Double) {
    var breaker = CircuitBreaker(threshold: 1, pauses: 1...longest)
    var now = 100.0
    breaker.failed(at: now)
    for pause in [1.0, 2, 4, 8, 16, 30, 30].map({ min($0, longest) }) {
      #expect(breaker.verdict(at: now + pause - 0.001) == .refuse)
      now += pause
      #expect(breaker.verdict(at: now) == .tryOnce)
      breaker.trialFailed(at: now)
    }
    _ = breaker.verdict(at: now + 30)
    breaker.succeeded()
    breaker.failed(at: now)
    #expect(breaker.verdict(at: now + 1) == .tryOnce)
  }

  @Test("ignores failures of requests that began before it opened")
  func late() {
    var breaker = opened
    breaker.failed(at: 100.9)
    #expect(breaker.verdict(at: 101) == .tryOnce)
    breaker.failed(at: 101)
    breaker.succeeded()
    #expect(!breaker.isOpen)
  }

  @Test("can begin with a trial, which is followed by the shortest pause if it fails")
  func beginning() {
    var breaker = closed
    breaker.beginTrying()
    #expect(breaker.isOpen && breaker.verdict(at: 0) == .refuse)
    breaker.trialFailed(at: 0)
    #expect(breaker.verdict(at: 0.9) == .refuse && breaker.verdict(at: 1) == .tryOnce)
  }
}
