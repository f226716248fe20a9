import Foundation
import NukeBase

/// Limits the rate at which downloads start, but allows short bursts: a token bucket.
///
/// The state of the bucket is the time at which it will be full again. Taking a token moves that time by the interval
/// between two tokens (the "virtual scheduling" form of the generic cell rate algorithm, ITU-T I.371). Nothing has to
/// refill the bucket.
package final class RateLimiter: Sendable {
  /// An object that waits for a token.
  package protocol Waiter: AnyObject, Sendable {
    /// `true` if a token is still wanted. Called while the limiter is locked.
    var wantsToken: Bool { get }
    /// Called once when the waiter has a token, on the thread of the timer.
    func hasToken()
  }

  /// Calls a closure after a number of nanoseconds.
  package typealias Timer = @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

  private struct State {
    /// The time at which the bucket will be full, in nanoseconds.
    var fullAt: UInt64 = 0
    /// The waiters in order of arrival.
    var waiting: [any Waiter] = []
    var isTimerSet = false
  }

  private let state = Lock(State())
  private let interval: UInt64
  private let capacity: UInt64
  private let clock: @Sendable () -> UInt64
  private let timer: Timer

  /// - Parameters:
  ///   - rate: the number of tokens per second.
  ///   - burst: the number of tokens that can be taken at once after a pause.
  ///   - clock: returns a monotonic time in nanoseconds.
  ///   - timer: calls back when the next token is available.
  package init(
    rate: Int = 80, burst: Int = 25, clock: @escaping @Sendable () -> UInt64 = { MonotonicClock.now },
    timer: @escaping Timer = { nanoseconds, body in
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
    }
  ) {
    interval = 1_000_000_000 / UInt64(max(1, rate))
    capacity = interval * UInt64(max(1, burst))
    self.clock = clock
    self.timer = timer
  }

  /// Takes a token if one is available and no one waits. Otherwise, adds the waiter to the queue.
  ///
  /// - Returns: `true` if the waiter has a token; `false` if ``Waiter/hasToken()`` will be called, unless the token is
  ///   no longer wanted then.
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

  /// The number of available tokens, and the number of waiters. Takes no token.
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
        // Waiters that no longer want a token do not consume one.
        if waiter.wantsToken {
          guard takeToken(&state, now) else { break }
          admitted.append(waiter)
        }
        past += 1
      }
      // Released outside the lock, because these may be the last references.
      let gone = Array(state.waiting.prefix(past))
      state.waiting.removeFirst(past)
      return (gone, admitted, timerDelay(&state, now))
    }
    if let delay { setTimer(delay) }
    for waiter in admitted { waiter.hasToken() }
    withExtendedLifetime(past) {}
  }
}
