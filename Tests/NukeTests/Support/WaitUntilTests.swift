import NukeTesting
import Testing

@Suite("Waiting for a condition", .timeLimit(.minutes(1)))
struct WaitUntilTests {
  @Test("A wait for a condition that is never met ends when its task is canceled")
  func canceled() async {
    let started = Gate()
    let wait = Task {
      try await waitUntil {
        started.open()
        return false
      }
    }
    await started.wait()
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }
}
