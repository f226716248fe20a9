/// Waits until a condition is met, such as a number of waiting loads, by evaluating it repeatedly.
///
/// ```swift
/// try await waitUntil { queue.status.waiting == 3 }
/// ```
///
/// Use it only for changes that no ``Gate``, ``CallLog`` or stream reports. The condition is evaluated on the caller's
/// actor after each `Task.yield()`, so that other tasks can run in between. A sleep would need a duration, which would
/// be too long on a fast machine and too short on a slow one.
///
/// - Throws: `CancellationError` if the task is canceled, such as by the time limit of its suite. Without a time limit, a
///   condition that is never met keeps a processor busy forever.
package func waitUntil(
  isolation: isolated (any Actor)? = #isolation, _ isMet: () -> Bool
) async throws {
  while !isMet() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
