import NukeBase

/// A value that is set once, and that one task can await. Later values are ignored.
final class Deferred<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case awaited(CheckedContinuation<Value, Never>)
    case completed(Value)
  }

  private let state = Lock(State.pending)

  /// - Returns: `true` if `value` was stored; `false` if a value had been set before.
  @discardableResult
  func complete(_ value: Value) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
      switch state {
      case .completed: return (false, nil)
      case .pending:
        state = .completed(value)
        return (true, nil)
      case .awaited(let continuation):
        state = .completed(value)
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
          if case .completed(let value) = state { return value }
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
      complete(other)
    }
  }
}

/// Counts running operations, so that a caller can wait until all of them have ended.
final class WaitGroup: Sendable {
  private struct State {
    var count = 0
    var waiting: [Deferred<Bool>] = []
  }

  private let state = Lock(State())

  func enter() { state.withLock { $0.count += 1 } }

  func leave() {
    let waiting = state.withLock { state -> [Deferred<Bool>] in
      state.count -= 1
      return state.count == 0 ? exchange(&state.waiting, with: []) : []
    }
    for deferred in waiting { deferred.complete(true) }
  }

  /// Returns a value that is completed with `true` when no operation is running.
  func allDone() -> Deferred<Bool> {
    let deferred = Deferred<Bool>()
    let isOver = state.withLock { state in
      if state.count > 0 { state.waiting.append(deferred) }
      return state.count == 0
    }
    if isOver { deferred.complete(true) }
    return deferred
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
