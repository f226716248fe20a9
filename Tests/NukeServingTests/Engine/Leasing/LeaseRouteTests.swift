import Testing

@testable import NukeServing

@Suite("The route of a request to a lease")
struct LeaseRouteTests {
  private func actions(_ events: [LeaseRoute.Event], patience: Double = 30) -> [LeaseRoute.Action] {
    var route = LeaseRoute(patience: patience)
    return [route.start] + events.map { route.action(after: $0) }
  }

  @Test("The holder looks for what was stored meanwhile before it renders")
  func holder() {
    #expect(actions([.taken, .found(.nothing)]) == [.acquire, .look, .render])
    #expect(actions([.taken, .found(.file)]) == [.acquire, .look, .answer])
    #expect(actions([.taken, .found(.failure)]) == [.acquire, .look, .fail])
    #expect(actions([.taken, .found(.unshared)]) == [.acquire, .look, .renderUnshared])
  }

  @Test("A waiter looks in the store, and tries again for as long as its time lasts")
  func waiter() {
    #expect(
      actions([
        .held(mayAnswerStale: false), .waited(isFree: true, seconds: 10), .found(.nothing),
        .held(mayAnswerStale: false),
        .waited(isFree: true, seconds: 20), .found(.nothing),
      ]) == [.acquire, .wait(seconds: 30), .look, .acquire, .wait(seconds: 20), .look, .render])
    #expect(
      actions([.held(mayAnswerStale: false), .waited(isFree: false, seconds: 30), .found(.nothing)])
        == [.acquire, .wait(seconds: 30), .look, .render])
    #expect(
      actions([.held(mayAnswerStale: false), .waited(isFree: true, seconds: 1), .found(.failure)])
        == [.acquire, .wait(seconds: 30), .look, .fail])
  }

  @Test("Nobody waits if a stale file may be sent, or if there are no leases")
  func impatient() {
    #expect(actions([.held(mayAnswerStale: true)]) == [.acquire, .answerStale])
    #expect(actions([.unavailable]) == [.acquire, .render])
  }
}
