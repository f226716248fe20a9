import Testing

@testable import NukeSandbox

@Suite("When the next worker starts")
struct RestartPolicyTests {
  @Test("at once after one failure, then later and later, up to five seconds; at once again after an answer")
  func delays() {
    var policy = RestartPolicy()
    var delays = [policy.delay]
    for _ in 0..<10 {
      policy.workerFailed()
      delays.append(policy.delay)
    }
    #expect(delays == [0, 0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5])
    for _ in 0..<100 { policy.workerFailed() }
    #expect(policy.delay == 5)
    policy.workerAnswered()
    #expect(policy.delay == 0)
  }
}
