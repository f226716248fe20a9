import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A client of a lease")
struct LeaseClientTests {
  private final class Lease: DataLease {
    let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void = {}) { self.released = released }
    deinit { released() }
  }

  /// A lease that another client holds, whose waiters are woken by the test.
  private final class Held: HeldDataLease {
    private struct State {
      var body: (@Sendable (Bool, TimeInterval) -> Void)?
      var seconds: [TimeInterval] = []
      var isCancelled = false
    }
    private struct Waiting: Cancellable {
      let held: Held
      func cancel() { held.state.withLock { $0.isCancelled = true } }
    }

    private let state = Lock(State())
    let wakesAtOnce: Bool
    var seconds: [TimeInterval] { state.withLock { $0.seconds } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    init(wakesAtOnce: Bool = false) { self.wakesAtOnce = wakesAtOnce }

    func wait(
      seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
    ) -> any Cancellable {
      state.withLock { state in
        state.seconds.append(seconds)
        state.body = body
      }
      if wakesAtOnce { body(true, 0) }
      return Waiting(held: self)
    }

    func wake(_ isFree: Bool, waited: TimeInterval) { state.withLock { $0.body }?(isFree, waited) }
  }

  private let log = CallLog()
  private let client = LeaseClient(waitLimit: 30)

  private func take(_ attempt: DataLeaseAttempt) -> LeaseClient.Acquisition {
    client.take(attempt) { [log] in log.append("look") }
  }

  @Test("It holds the lease until it ends or hands it over, once")
  func holder() {
    #expect(client.acquisition == nil)
    let acquisition = take(.taken(Lease { [log] in log.append("released") }))
    #expect(acquisition == .acquired && client.acquisition == .acquired && client.lease != nil)
    #expect(log.entries.isEmpty)
    client.end()
    #expect(log.entries == ["released"])
    #expect(client.lease == nil && client.handOver() == nil)
    // It needs no lease any more.
    #expect(client.acquisition == .unavailable)
  }

  @Test("A waiter looks in the store when it is woken, and tries again with the time that is left")
  func waiter() {
    let held = Held()
    #expect(take(.held(held)) == .waiting && client.acquisition == .waiting)
    held.wake(true, waited: 12)
    #expect(log.entries == ["look"])
    #expect(client.acquisition == nil)
    #expect(take(.held(held)) == .waiting)
    held.wake(false, waited: 18)
    #expect(held.seconds == [30, 18])
    #expect(log.entries == ["look", "look"])
    #expect(client.acquisition == .unavailable, "its time is over")
    #expect(client.takeWaitedSeconds() == 30 && client.takeWaitedSeconds() == 0)
    // It is woken once.
    held.wake(true, waited: 1)
    #expect(log.entries.count == 2)
  }

  @Test("It may be woken before the registration returns")
  func wokenAtOnce() {
    let held = Held(wakesAtOnce: true)
    #expect(take(.held(held)) == .waiting)
    #expect(log.entries == ["look"])
    #expect(client.acquisition == nil && !held.isCancelled)
  }

  @Test("After the end of the wait it is not woken, and an attempt made meanwhile has no effect")
  func ended() {
    let held = Held()
    _ = take(.held(held))
    #expect(client.stopWaiting() && !client.stopWaiting())
    #expect(held.isCancelled)
    held.wake(true, waited: 1)
    #expect(log.entries.isEmpty)
    let acquisition = take(.taken(Lease { [log] in log.append("released") }))
    #expect(acquisition == .waiting && client.lease == nil)
    #expect(log.entries == ["released"])
  }

  @Test("It does not wait if no lease can be acquired")
  func unavailable() {
    #expect(take(.unavailable) == .unavailable)
    #expect(client.acquisition == .unavailable && !client.stopWaiting())
    #expect(log.entries.isEmpty)
  }
}
