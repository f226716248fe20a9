/// Divides the processors among decoders that can use several threads. A single image is decoded by all processors, and
/// each of many images by one.
///
/// A decoder never waits for a processor. Other work of the process is not counted.
package final class IdleProcessors: Sendable {
  package static let shared = IdleProcessors(count: ProcessorCount.available)

  private struct State {
    var count: Int
    var used = 0
  }

  private let state: Lock<State>

  package init(count: Int) { state = Lock(State(count: max(count, 1))) }

  /// Sets the number of processors to divide. A process that shares the machine with similar ones sets 1.
  package func limit(to count: Int) { state.withLock { $0.count = max(count, 1) } }

  /// Calls `body` with the number of threads that it may use: one for each idle processor, at least 1 and at most
  /// `most`.
  package func use<Result, Failure: Error>(
    atMost most: Int, _ body: (_ threadCount: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let threadCount = state.withLock { state in
      let threadCount = max(min(most, state.count - state.used), 1)
      state.used += threadCount
      return threadCount
    }
    defer { state.withLock { $0.used -= threadCount } }
    return try body(threadCount)
  }
}
