import NukeImaging

/// Counts what is under way, so that its end can be waited for.
final class Pending: Sendable {
  private struct State {
    var count = 0
    var waiting: [Promise<Bool>] = []
  }

  private let state = Lock(State())

  func enter() { state.withLock { $0.count += 1 } }

  func leave() {
    let waiting = state.withLock { state -> [Promise<Bool>] in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for promise in waiting { promise.give(true) }
  }

  /// A promise of the moment when nothing is under way.
  func end() -> Promise<Bool> {
    let promise = Promise<Bool>()
    let isOver = state.withLock { state in
      if state.count > 0 { state.waiting.append(promise) }
      return state.count == 0
    }
    if isOver { promise.give(true) }
    return promise
  }
}
