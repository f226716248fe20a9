import Testing

@testable import NukeSandbox

@Suite("The delay before a worker is restarted")
struct RestartPolicyTests {
  @Test("There is no delay after one failure, then growing ones up to five seconds, and none again after a reply")
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
