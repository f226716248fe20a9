import NukeBase

/// A value that is set once, and that one task can await. Later values are ignored.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
  }

  private let state = Lock(State.open)

  /// - Returns: `true` if `value` was stored; `false` if a value had been set before.
  @discardableResult
  func give(_ value: Value) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
      switch state {
      case .given: return (false, nil)
      case .open:
        state = .given(value)
        return (true, nil)
      case .awaited(let continuation):
        state = .given(value)
        return (true, continuation)
      }
    }
    continuation?.resume(returning: value)
    return isFirst
  }

  /// The value. Suspends until it is set.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          if case .given(let value) = state { return value }
          state = .awaited(continuation)
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }

  /// Returns the value, or `other` if the task is canceled before the value is set.
  func value(whenCancelled other: Value) async -> Value {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      give(other)
    }
  }
}

/// Counts running operations, so that a caller can wait until all have ended.
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
      return state.count == 0 ? exchange(&state.waiting, with: []) : []
    }
    for promise in waiting { promise.give(true) }
  }

  /// Returns a promise that is fulfilled when no operation is running.
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

extension Result {
  /// Creates the outcome of asynchronous work.
  package init(of work: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
