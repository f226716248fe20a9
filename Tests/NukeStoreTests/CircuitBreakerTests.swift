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

  @Test("Requests pass until the server has failed several times in a row")
  func threshold() {
    var breaker = closed
    for _ in 0..<2 { breaker.failed(at: 0) }
    breaker.succeeded()
    for _ in 0..<2 { breaker.failed(at: 0) }
    #expect(!breaker.isOpen && !breaker.isResting(at: 0) && breaker.verdict(at: 0) == .ask)
    breaker.failed(at: 0)
    #expect(breaker.isOpen && breaker.isResting(at: 0) && breaker.verdict(at: 0) == .refuse)
  }

  @Test("After a pause one trial is allowed, and all other requests are blocked")
  func trial() {
    var breaker = opened
    #expect(breaker.verdict(at: 100.9) == .refuse)
    #expect(!breaker.isResting(at: 101) && breaker.verdict(at: 101) == .tryOnce && breaker.isTrying)
    #expect(breaker.verdict(at: 200) == .refuse)
    breaker.succeeded()
    #expect(!breaker.isOpen && breaker.verdict(at: 200) == .ask && breaker.verdict(at: 200) == .ask)
  }

  @Test("The pause doubles after each failed trial, within its limits", arguments: [30.0, 1])
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

  @Test("Failures of requests that began before it opened are ignored")
  func late() {
    var breaker = opened
    breaker.failed(at: 100.9)
    #expect(breaker.verdict(at: 101) == .tryOnce)
    breaker.failed(at: 101)
    breaker.succeeded()
    #expect(!breaker.isOpen)
  }

  @Test("It can start with a trial, which is followed by the shortest pause if it fails")
  func beginning() {
    var breaker = closed
    breaker.beginTrying()
    #expect(breaker.isOpen && breaker.verdict(at: 0) == .refuse)
    breaker.trialFailed(at: 0)
    #expect(breaker.verdict(at: 0.9) == .refuse && breaker.verdict(at: 1) == .tryOnce)
  }
}
