import Dispatch
import NukeLegacy
import NukeTesting
import Testing

/// Time that stands still until a test lets the next timer fire.
private final class ManualTime: Sendable {
  private let state = Lock((now: UInt64(1_000_000_000), timers: [(at: UInt64, body: @Sendable () -> Void)]()))

  func limiter(rate: Int, burst: Int, queue: DispatchQueue) -> NukeLegacy.RateLimiter {
    NukeLegacy.RateLimiter(
      Nuke.RateLimiter(
        rate: rate, burst: burst, clock: { self.state.withLock { $0.now } },
        timer: { delay, body in self.state.withLock { $0.timers.append((at: $0.now + delay, body: body)) } }),
      queue: queue)
  }

  /// Goes on to the next timer; `false` if there is none.
  func goOn() -> Bool {
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.timers.isEmpty else { return nil }
      let next = state.timers.removeFirst()
      state.now = max(state.now, next.at)
      return next.body
    }
    body?()
    return body != nil
  }
}

@Suite("A rate limiter of version 4", .timeLimit(.minutes(1)))
struct RateLimiterTests {
  private let time = ManualTime()
  private let log = CallLog()
  private let queue = DispatchQueue(label: "limited")

  private func entries() -> [String] {
    queue.sync {}
    return log.entries
  }

  @Test("It starts a burst immediately, and the rest in order at the given rate")
  func burst() {
    let limiter = time.limiter(rate: 10, burst: 2, queue: queue)
    for number in 0..<4 { limiter.execute { log.append("\(number)") } }
    #expect(entries() == ["0", "1"])
    #expect(time.goOn())
    #expect(entries() == ["0", "1", "2"])
    #expect(time.goOn())
    #expect(entries() == ["0", "1", "2", "3"])
    #expect(!time.goOn())
  }

  @Test("Canceled work does not start and does not count")
  func cancelled() {
    let limiter = time.limiter(rate: 10, burst: 1, queue: queue)
    let source = CancellationTokenSource()
    limiter.execute { log.append("first") }
    limiter.execute(token: source.token) { log.append("cancelled") }
    limiter.execute { log.append("last") }
    source.cancel()
    #expect(time.goOn())
    #expect(entries() == ["first", "last"])
  }
}
