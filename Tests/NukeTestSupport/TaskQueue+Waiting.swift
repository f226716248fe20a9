import Nuke

extension TaskQueue {
  /// Adds work that is done when `body` returns.
  package func run(_ body: @escaping @Sendable () -> Void) {
    add(
      WorkItem {
        body()
        return .done
      })
  }

  /// Returns once the queue has begun everything that it was given before. It runs one at a time.
  package func reached() async {
    await withCheckedContinuation { continuation in run { continuation.resume() } }
  }
}
