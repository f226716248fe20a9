#if Redis
  import NukeRedis
  import Testing

  @Suite("A circuit breaker")
  struct CircuitBreakerTests {
    private func opened() -> CircuitBreaker {
      var breaker = CircuitBreaker()
      for _ in 0..<CircuitBreaker.threshold { breaker.failed(at: 100) }
      return breaker
    }

    @Test("lets all pass until the server has failed three times in a row")
    func threshold() {
      var breaker = CircuitBreaker()
      breaker.failed(at: 0)
      breaker.failed(at: 0)
      breaker.succeeded()
      breaker.failed(at: 0)
      breaker.failed(at: 0)
      #expect(!breaker.isOpen && breaker.verdict(at: 0) == .ask)
      breaker.failed(at: 0)
      #expect(breaker.isOpen && breaker.verdict(at: 0) == .refuse)
    }

    @Test("has one probe made after a second, and lets nobody else pass meanwhile")
    func probe() {
      var breaker = opened()
      #expect(breaker.verdict(at: 100.9) == .refuse)
      #expect(breaker.verdict(at: 101) == .refuseAndProbe)
      #expect(breaker.verdict(at: 200) == .refuse)
      breaker.succeeded()
      #expect(!breaker.isOpen && breaker.verdict(at: 200) == .ask)
    }

    @Test("waits twice as long after each probe that failed, half a minute at most")
    func pauses() {
      var breaker = opened()
      var now = 100.0
      for pause in [1.0, 2, 4, 8, 16, 30, 30] {
        #expect(breaker.verdict(at: now + pause - 0.001) == .refuse)
        now += pause
        #expect(breaker.verdict(at: now) == .refuseAndProbe)
        breaker.probeFailed(at: now)
      }
      _ = breaker.verdict(at: now + 30)
      breaker.succeeded()
      for _ in 0..<CircuitBreaker.threshold { breaker.failed(at: now) }
      #expect(breaker.verdict(at: now + 1) == .refuseAndProbe)
    }

    @Test("is not kept open by those who asked before it was opened")
    func late() {
      var breaker = opened()
      breaker.failed(at: 100.9)
      #expect(breaker.verdict(at: 101) == .refuseAndProbe)
      breaker.failed(at: 101)
      breaker.succeeded()
      #expect(!breaker.isOpen)
    }
  }
#endif
