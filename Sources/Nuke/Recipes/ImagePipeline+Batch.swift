extension ImagePipeline {
  /// Returns several images once all of them have been loaded.
  ///
  /// ```swift
  /// let pages = try await pipeline.responses(forAllOf: requests).map(\.image)
  /// ```
  ///
  /// All loads start at once. The first that fails cancels the others, and so does canceling the calling task.
  ///
  /// - Returns: the images in the order of the requests.
  /// - Throws: the ``Error`` of the first load that failed.
  public func responses(forAllOf requests: [ImageRequest]) async throws(Error) -> [ImageResponse] {
    let tasks = requests.map { imageTask(with: $0) }
    let failure = await withTaskGroup(of: Error?.self) { group -> Error? in
      for task in tasks {
        group.addTask { if case .failure(let error) = await task.outcome() { error } else { nil } }
      }
      for await case let error? in group {
        for task in tasks { task.cancel() }
        return error
      }
      return nil
    }
    if let failure { throw failure }
    var responses: [ImageResponse] = []
    for task in tasks { responses.append(try await task.response) }
    return responses
  }

  /// Returns the results of several requests once all loads have ended.
  ///
  /// All loads start at once. A failure does not affect the others. Canceling the calling task cancels all.
  ///
  /// - Returns: an image or an error for each request, in order.
  public func results(forAllOf requests: [ImageRequest]) async -> [Result<ImageResponse, Error>] {
    let tasks = requests.map { imageTask(with: $0) }
    var results: [Result<ImageResponse, Error>] = []
    for task in tasks { results.append(await task.outcome()) }
    return results
  }
}
