/// Returns when a condition is met that nothing announces, such as a number of waiting loads.
///
/// ```swift
/// try await waitUntil { queue.status.waiting == 3 }
/// ```
///
/// Prefer a ``Gate``, a ``CallLog`` or a stream where one tells of the change. The condition is evaluated again after each
/// `Task.yield()`, on the caller's actor: other tasks run in between, and the test goes on as soon as the condition is met.
/// A sleep would need a duration, which is too long on a fast machine and proves nothing on a slow one.
///
/// - Throws: `CancellationError` if the task is canceled, such as by the time limit of its suite. Give the suite one, since
/// a condition that is never met keeps a processor busy until then.
package func waitUntil(
  isolation: isolated (any Actor)? = #isolation, _ isMet: () -> Bool
) async throws {
  while !isMet() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
