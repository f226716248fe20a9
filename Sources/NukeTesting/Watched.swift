import Nuke

/// A value behind a lock, with waiting for its changes.
final class Watched<Value: Sendable>: Sendable {
  private struct Waiter {
    let isMet: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
    /// Waits that were canceled before they started.
    var abandoned: Set<Int> = []
  }

  private let state: Lock<State>

  init(_ value: Value) { state = Lock(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  @discardableResult
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    // The value is copied only for waiters that receive it, since a copy makes the next change copy its storage.
    let (result, met, value) = state.withLock { state -> (Result, [Waiter], Value?) in
      let result = body(&state.value)
      var met: [Waiter] = []
      for (number, waiter) in state.waiters where waiter.isMet(state.value) {
        met.append(waiter)
        state.waiters[number] = nil
      }
      return (result, met, met.isEmpty ? nil : state.value)
    }
    guard let value else { return result }
    for waiter in met { waiter.continuation.resume(returning: value) }
    return result
  }

  /// Returns the value when it meets a condition, or when the waiting task is canceled, such as by a test's time limit.
  func wait(until isMet: @escaping @Sendable (Value) -> Bool) async -> Value {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          if isMet(state.value) || state.abandoned.remove(number) != nil { return state.value }
          state.waiters[number] = Waiter(isMet: isMet, continuation: continuation)
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      let (waiter, value) = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil { state.abandoned.insert(number) }
        return (waiter, state.value)
      }
      waiter?.continuation.resume(returning: value)
    }
  }
}
