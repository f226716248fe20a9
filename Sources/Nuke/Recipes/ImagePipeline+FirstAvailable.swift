extension ImagePipeline {
  /// Returns the first of several images that can be loaded, for example a local copy before the image on the server.
  /// The requests are tried in order.
  ///
  /// ```swift
  /// let response = try await pipeline.response(forFirstAvailableOf: [local, remote])
  /// ```
  ///
  /// Canceling the calling task cancels the load, and ends the attempts.
  ///
  /// - Parameter requests: the requests, the preferred one first.
  /// - Returns: the image, with the request that succeeded in ``ImageResponse/request``.
  /// - Throws: the ``Error`` of the last request; ``Error/imageRequestMissing`` if there are none.
  public func response(forFirstAvailableOf requests: [ImageRequest]) async throws(Error) -> ImageResponse {
    var failure = Error.imageRequestMissing
    for request in requests {
      do {
        return try await imageTask(with: request).response
      } catch {
        failure = error
        if case .cancelled = error { break }
      }
    }
    throw failure
  }
}
