import Foundation
import Nuke

@testable import NukeServing

/// Leases that many nodes of one test share.
final class FakeLeasing: DataLeasing {
  typealias Waiter = @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void

  private struct State {
    var holders: [String: Int] = [:]
    var waiters: [String: [Int: Waiter]] = [:]
    var lastNumber = 0
    var refusals = 0
    var watchers: [(count: Int, deferred: Deferred<Void>)] = []
    var isAvailable = true

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Lock(State())
  let leaseTimeout: TimeInterval = 60

  /// Leases that somebody has.
  var held: Int { state.withLock { $0.holders.count } }

  /// The number of nodes that wait.
  var waiting: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  /// Returns once it was refused so often.
  func refusals(count: Int) async {
    let deferred = Deferred<Void>()
    let isMet = state.withLock { state in
      if state.refusals < count { state.watchers.append((count, deferred)) }
      return state.refusals >= count
    }
    if !isMet { await deferred.value }
  }

  func setAvailable(_ isAvailable: Bool) { state.withLock { $0.isAvailable = isAvailable } }

  /// Ends a lease as its time does.
  func expire(_ key: String) { end(key, nil) }

  /// Tells all who wait that they have waited for long enough.
  func giveUpWaiting() {
    let waiters = state.withLock { state in
      defer { state.waiters = [:] }
      return state.waiters.values.flatMap(\.values)
    }
    for waiter in waiters { waiter(false, leaseTimeout) }
  }

  func lease(for key: String) -> DataLeaseAttempt {
    let (attempt, met) = state.withLock { state -> (DataLeaseAttempt, [Deferred<Void>]) in
      guard state.isAvailable else { return (.unavailable, []) }
      guard state.holders[key] == nil else {
        state.refusals += 1
        let met = state.watchers.filter { $0.count <= state.refusals }.map(\.deferred)
        state.watchers.removeAll { $0.count <= state.refusals }
        return (.held(Held(key: key, leasing: self)), met)
      }
      let number = state.nextNumber()
      state.holders[key] = number
      return (.taken(FakeLease(key: key, number: number, leasing: self)), [])
    }
    for deferred in met { deferred.complete(()) }
    return attempt
  }

  /// - Parameter number: of the holder; `nil` for any.
  fileprivate func end(_ key: String, _ number: Int?) {
    let waiters = state.withLock { state -> [Waiter] in
      guard number == nil || state.holders[key] == number else { return [] }
      state.holders[key] = nil
      return state.waiters.removeValue(forKey: key).map { Array($0.values) } ?? []
    }
    for waiter in waiters { waiter(true, 0) }
  }

  private final class FakeLease: DataLease {
    private let key: String
    private let number: Int
    private let leasing: FakeLeasing

    init(key: String, number: Int, leasing: FakeLeasing) {
      self.key = key
      self.number = number
      self.leasing = leasing
    }

    deinit { leasing.end(key, number) }
  }

  private struct Held: HeldDataLease {
    let key: String
    let leasing: FakeLeasing

    func wait(seconds: TimeInterval, _ body: @escaping Waiter) -> any Cancellable {
      let number = leasing.state.withLock { state -> Int? in
        // It may have been released since.
        guard state.holders[key] != nil else { return nil }
        let number = state.nextNumber()
        state.waiters[key, default: [:]][number] = body
        return number
      }
      if number == nil { DispatchQueue.global().async { body(true, 0) } }
      return Wait { [leasing, key] in leasing.state.withLock { $0.waiters[key]?[number ?? 0] = nil } }
    }
  }

  private final class Wait: Cancellable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    func cancel() { body() }
  }
}
