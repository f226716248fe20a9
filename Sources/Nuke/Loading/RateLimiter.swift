import Foundation
import NukeImaging

/// Lets downloads begin at a limited rate, and quick bursts of them at once: a token bucket.
///
/// The bucket is one moment: when it will be full again. A token that is taken moves that by the time it takes one to
/// come (the "virtual scheduling" form of ITU-T I.371's generic cell rate algorithm), so nothing has to fill it.
package final class RateLimiter: Sendable {
  /// Waits for a token.
  package protocol Waiter: AnyObject, Sendable {
    /// `true` if it still wants one; asked while the limiter is locked.
    var wantsToken: Bool { get }
    /// Is told, once, that it has one, on the thread of the timer.
    func hasToken()
  }

  /// Calls a closure after some nanoseconds.
  package typealias Timer = @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

  private struct State {
    /// Nanoseconds of the clock.
    var fullAt: UInt64 = 0
    /// In the order in which they came.
    var waiting: [any Waiter] = []
    var isTimerSet = false
  }

  private let state = Lock(State())
  private let interval: UInt64
  private let capacity: UInt64
  private let clock: @Sendable () -> UInt64
  private let timer: Timer

  /// - Parameters:
  ///   - rate: tokens a second.
  ///   - burst: how many can be taken at once after a pause.
  ///   - clock: nanoseconds that never go back.
  ///   - timer: calls back when the next token has come.
  package init(
    rate: Int = 80, burst: Int = 25, clock: @escaping @Sendable () -> UInt64 = { Clock.now },
    timer: @escaping Timer = { nanoseconds, body in
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
    }
  ) {
    interval = 1_000_000_000 / UInt64(max(1, rate))
    capacity = interval * UInt64(max(1, burst))
    self.clock = clock
    self.timer = timer
  }

  /// Takes a token where there is one and nobody came before; else the waiter waits for its turn.
  ///
  /// - Returns: `true` if it has a token; `false` if ``Waiter/hasToken()`` will be called, if it is still wanted
  ///   then.
  package func take(_ waiter: any Waiter) -> Bool {
    let now = clock()
    let (isTaken, delay) = state.withLock { state -> (Bool, UInt64?) in
      if state.waiting.allSatisfy({ !$0.wantsToken }), takeToken(&state, now) { return (true, nil) }
      state.waiting.append(waiter)
      return (false, timerDelay(&state, now))
    }
    if let delay { setTimer(delay) }
    return isTaken
  }

  /// Tokens that could be taken now, and how many wait for one. Takes none.
  package var status: (tokens: Int, waiting: Int) {
    let now = clock()
    return state.withLock { state in
      let taken = state.fullAt > now ? state.fullAt - now : 0
      let tokens = taken < capacity ? Int((capacity - taken) / interval) : 0
      return (tokens, state.waiting.count { $0.wantsToken })
    }
  }

  private func takeToken(_ state: inout State, _ now: UInt64) -> Bool {
    let fullAt = max(state.fullAt, now) + interval
    guard fullAt - now <= capacity else { return false }
    state.fullAt = fullAt
    return true
  }

  /// Returns the delay until the next token, if a request waits for it and no timer is set.
  private func timerDelay(_ state: inout State, _ now: UInt64) -> UInt64? {
    guard !state.waiting.isEmpty, !state.isTimerSet else { return nil }
    state.isTimerSet = true
    let next = state.fullAt + interval
    return next > now + capacity ? next - now - capacity : 0
  }

  private func setTimer(_ nanoseconds: UInt64) { timer(nanoseconds) { self.admit() } }

  private func admit() {
    let now = clock()
    let (past, admitted, delay) = state.withLock { state in
      state.isTimerSet = false
      var past = 0
      var admitted: [any Waiter] = []
      for waiter in state.waiting {
        // Those who have gone take no token.
        if waiter.wantsToken {
          guard takeToken(&state, now) else { break }
          admitted.append(waiter)
        }
        past += 1
      }
      // Handed out of the lock, since the last reference to one may be among them.
      let gone = Array(state.waiting.prefix(past))
      state.waiting.removeFirst(past)
      return (gone, admitted, timerDelay(&state, now))
    }
    if let delay { setTimer(delay) }
    for waiter in admitted { waiter.hasToken() }
    withExtendedLifetime(past) {}
  }
}
