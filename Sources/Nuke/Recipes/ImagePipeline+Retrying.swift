package import Foundation

extension ImagePipeline {
  /// Returns the image of `request`, and retries after transient errors.
  ///
  /// ```swift
  /// let image = try await pipeline.response(for: request, retrying: RetryPolicy()).image
  /// ```
  ///
  /// Canceling the calling task ends the load or the wait at once.
  ///
  /// - Throws: the ``Error`` of the last attempt; ``Error/cancelled`` if the calling task was canceled.
  public func response(
    for request: ImageRequest, retrying policy: RetryPolicy
  ) async throws(Error) -> ImageResponse {
    try await response(
      for: request, retrying: policy, sleep: { try await Task.sleep(for: .seconds($0)) },
      random: { .random(in: 0...1) })
  }

  /// Returns the image with an injected clock and random number generator.
  ///
  /// - Parameters:
  ///   - sleep: waits for some seconds, and throws if the calling task is canceled.
  ///   - random: returns numbers from 0 to 1.
  package func response(
    for request: ImageRequest, retrying policy: RetryPolicy,
    sleep: @Sendable (TimeInterval) async throws -> Void, random: @Sendable () -> Double
  ) async throws(Error) -> ImageResponse {
    var retryCount = 0
    while true {
      let failure: Error
      let task = imageTask(with: request)
      do {
        return try await task.response
      } catch {
        failure = error
      }
      let wanted = task.facts.retryAfter
      guard
        let delay = policy.delay(after: failure, retryCount: retryCount, serverDelay: wanted, random: random())
      else { throw failure }
      do {
        try await sleep(delay)
      } catch {
        throw .cancelled
      }
      retryCount += 1
    }
  }
}
