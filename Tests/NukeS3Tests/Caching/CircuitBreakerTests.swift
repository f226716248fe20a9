import Testing

@testable import NukeS3

@Suite("A circuit breaker")
struct CircuitBreakerTests {
  private let breaker = CircuitBreaker(threshold: 3, rest: 100)

  @Test("rests after several failures in a row, and no earlier")
  func threshold() {
    var breaker = breaker
    for _ in 0..<2 {
      #expect(breaker.allows(now: 0) == true)
      breaker.fail(now: 0)
    }
    #expect(breaker.allows(now: 0) == true)
    breaker.succeed()
    for _ in 0..<2 { breaker.fail(now: 10) }
    #expect(!breaker.isResting(now: 10))
    breaker.fail(now: 10)
    #expect(breaker.isResting(now: 10))
    #expect(breaker.allows(now: 10) == false)
    #expect(breaker.allows(now: 109) == false)
  }

  @Test("lets one try after the rest, and all once that went well")
  func success() {
    var breaker = breaker
    for _ in 0..<3 { breaker.fail(now: 0) }
    #expect(breaker.allows(now: 100) == true)
    #expect(breaker.allows(now: 100) == false)
    #expect(breaker.allows(now: 1_000) == false)
    breaker.succeed()
    #expect(breaker.allows(now: 101) == true)
    #expect(breaker.allows(now: 101) == true)
  }

  @Test("rests again where the one fails")
  func failure() {
    var breaker = breaker
    for _ in 0..<3 { breaker.fail(now: 0) }
    #expect(breaker.allows(now: 100) == true)
    breaker.fail(now: 150)
    #expect(breaker.allows(now: 249) == false)
    #expect(breaker.allows(now: 250) == true)
  }
}
