import NukeStore
import Testing

@Suite("The states of a client that needs a lease")
struct LeaseStateMachineTests {
  @Test(
    "Holders look before they work, waiters try again while time is left, and without leases nobody waits",
    arguments: [
      ([.acquired, .foundNothing], [.lookUp, .work]),
      (
        [
          .held, .waited(isFree: true, seconds: 10), .foundNothing, .held, .waited(isFree: true, seconds: 20),
          .foundNothing, .acquired, .foundNothing,
        ],
        [.wait(seconds: 30), .lookUp, .acquire, .wait(seconds: 20), .lookUp, .acquire, .lookUp, .work]
      ),
      // The lease may be free, but another client was faster.
      (
        [.held, .waited(isFree: true, seconds: 30), .foundNothing, .held],
        [.wait(seconds: 30), .lookUp, .acquire, .work]
      ),
      ([.held, .waited(isFree: false, seconds: 30), .foundNothing], [.wait(seconds: 30), .lookUp, .work]),
      ([.unavailable, .foundNothing], [.work, .work]),
      // What a custom cache reports need not be true.
      (
        [.held, .waited(isFree: true, seconds: .nan), .foundNothing, .held, .waited(isFree: true, seconds: -5)],
        [.wait(seconds: 30), .lookUp, .acquire, .wait(seconds: 30), .lookUp]
      ),
      (
        [.held, .waited(isFree: true, seconds: 1e300), .foundNothing, .held],
        [.wait(seconds: 30), .lookUp, .acquire, .work]
      ),
    ] as [([LeaseStateMachine.Event], [LeaseStateMachine.Action])])
  func order(events: [LeaseStateMachine.Event], actions: [LeaseStateMachine.Action]) {
    var machine = LeaseStateMachine(waitLimit: 30)
    #expect(machine.start == .acquire)
    #expect(events.map { machine.action(after: $0) } == actions)
  }

  @Test("Nobody waits for more than a day, and with a limit of 0 nobody waits")
  func limit() {
    var machine = LeaseStateMachine(waitLimit: .infinity)
    #expect(machine.action(after: .held) == .wait(seconds: 86_400))
    machine = LeaseStateMachine(waitLimit: 0)
    #expect(machine.action(after: .held) == .work)
  }
}
