import NukeBase

/// Counts calls, to answer one of them otherwise than the rest.
package final class CallCounter: Sendable {
  private let calls = Lock(0)

  package init() {}

  package var count: Int { calls.withLock { $0 } }

  /// Returns the number of this call, from 1 on.
  package func next() -> Int {
    calls.withLock { calls in
      calls += 1
      return calls
    }
  }
}
