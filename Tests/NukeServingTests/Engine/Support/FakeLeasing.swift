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

  func release(_ key: String, token: String) async {
    state.withLock { if $0.holders[key] == token { $0.holders[key] = nil } }
  }
}
