extension ImagePipeline {
  /// The first of several images that can be had, tried one after the other: a copy on disk before the server's, say.
  ///
  /// ```swift
  /// let response = try await pipeline.response(forFirstAvailableOf: [local, remote])
  /// ```
  ///
  /// Canceling the calling task cancels the load, and no other is tried.
  ///
  /// - Parameter requests: what is wanted, the dearest first.
  /// - Returns: the image; its ``ImageResponse/request`` says which.
  /// - Throws: the ``Error`` of the last one; ``Error/imageRequestMissing`` where there is none.
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
