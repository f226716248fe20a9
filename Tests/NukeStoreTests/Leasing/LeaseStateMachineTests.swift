import Testing

@testable import NukeServing

@Suite("The states of a request that needs a lease")
struct LeaseStateMachineTests {
  private func actions(_ events: [LeaseStateMachine.Event], waitLimit: Double = 30) -> [LeaseStateMachine.Action] {
    var machine = LeaseStateMachine(waitLimit: waitLimit)
    return [machine.start] + events.map { machine.action(after: $0) }
  }

  @Test("The holder looks for what was stored meanwhile before it renders")
  func holder() {
    #expect(actions([.acquired, .found(.nothing)]) == [.acquire, .lookUp, .render])
    #expect(actions([.acquired, .found(.file)]) == [.acquire, .lookUp, .sendFile])
    #expect(actions([.acquired, .found(.failure)]) == [.acquire, .lookUp, .fail])
    #expect(actions([.acquired, .found(.unshared)]) == [.acquire, .lookUp, .renderUnshared])
  }

  @Test("A waiter looks in the store, and tries again for as long as its time lasts")
  func waiter() {
    #expect(
      actions([
        .held(maySendStale: false), .waited(isFree: true, seconds: 10), .found(.nothing),
        .held(maySendStale: false),
        .waited(isFree: true, seconds: 20), .found(.nothing),
      ]) == [.acquire, .wait(seconds: 30), .lookUp, .acquire, .wait(seconds: 20), .lookUp, .render])
    #expect(
      actions([.held(maySendStale: false), .waited(isFree: false, seconds: 30), .found(.nothing)])
        == [.acquire, .wait(seconds: 30), .lookUp, .render])
    #expect(
      actions([.held(maySendStale: false), .waited(isFree: true, seconds: 1), .found(.failure)])
        == [.acquire, .wait(seconds: 30), .lookUp, .fail])
  }

  @Test("Nobody waits if a stale file may be sent, or if there are no leases")
  func impatient() {
    #expect(actions([.held(maySendStale: true)]) == [.acquire, .sendStale])
    #expect(actions([.unavailable]) == [.acquire, .render])
  }
}
