import NukeImaging

@testable import NukeServing

/// Leases that many nodes of one test share.
final class FakeLeasing: RenditionLeasing {
  private struct State {
    var holders: [String: String] = [:]
    var lastToken = 0
    var refusals = 0
    var watchers: [(count: Int, promise: Promise<Void>)] = []
    var isAvailable = true
    /// Renewals by key, also those that came too late.
    var renewals: [String: Int] = [:]
    var renewalWatchers: [(key: String, count: Int, promise: Promise<Void>)] = []
  }

  private let state = Lock(State())

  /// Leases that somebody has.
  var held: Int { state.withLock { $0.holders.count } }

  /// Returns once it was refused so often.
  func refusals(count: Int) async {
    let promise = Promise<Void>()
    let isMet = state.withLock { state in
      if state.refusals < count { state.watchers.append((count, promise)) }
      return state.refusals >= count
    }
    if !isMet { await promise.value }
  }

  /// How often a lease was renewed, or was to be.
  func renewals(of key: String) -> Int { state.withLock { $0.renewals[key] ?? 0 } }

  /// Returns once it was renewed so often.
  func renewals(of key: String, count: Int) async {
    let promise = Promise<Void>()
    let isMet = state.withLock { state in
      let isMet = state.renewals[key, default: 0] >= count
      if !isMet { state.renewalWatchers.append((key, count, promise)) }
      return isMet
    }
    if !isMet { await promise.value }
  }

  func setAvailable(_ isAvailable: Bool) { state.withLock { $0.isAvailable = isAvailable } }

  /// Ends a lease as its time does.
  func expire(_ key: String) { state.withLock { $0.holders[key] = nil } }

  func acquire(_ key: String, seconds: Int) async -> LeaseAnswer {
    let (answer, met) = state.withLock { state -> (LeaseAnswer, [Promise<Void>]) in
      guard state.isAvailable else { return (.unavailable, []) }
      if state.holders[key] != nil {
        state.refusals += 1
        let met = state.watchers.filter { $0.count <= state.refusals }.map(\.promise)
        state.watchers.removeAll { $0.count <= state.refusals }
        return (.held, met)
      }
      state.lastToken += 1
      state.holders[key] = "\(state.lastToken)"
      return (.granted(token: "\(state.lastToken)"), [])
    }
    for promise in met { promise.give(()) }
    return answer
  }

  func renew(_ key: String, token: String, seconds: Int) async -> Bool {
    let (isHeld, met) = state.withLock { state -> (Bool, [Promise<Void>]) in
      let count = state.renewals[key, default: 0] + 1
      state.renewals[key] = count
      let met = state.renewalWatchers.filter { $0.key == key && $0.count <= count }.map(\.promise)
      state.renewalWatchers.removeAll { $0.key == key && $0.count <= count }
      return (state.holders[key] == token, met)
    }
    for promise in met { promise.give(()) }
    return isHeld
  }

  func release(_ key: String, token: String) async {
    state.withLock { if $0.holders[key] == token { $0.holders[key] = nil } }
  }
}
