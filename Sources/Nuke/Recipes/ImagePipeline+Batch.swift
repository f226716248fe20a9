extension ImagePipeline {
  /// Several images that are to be shown at once, when all of them are there.
  ///
  /// ```swift
  /// let pages = try await pipeline.responses(forAllOf: requests).map(\.image)
  /// ```
  ///
  /// All loads start at once. The first that fails cancels the others, and so does canceling the calling task.
  ///
  /// - Returns: the images in the order of the requests.
  /// - Throws: the ``Error`` of the first that failed.
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

  /// Returns the results of several requests when all have ended.
  ///
  /// All loads start at once; one that fails leaves the others alone. Canceling the calling task cancels all.
  ///
  /// - Returns: an image or an error each, in the order of the requests.
  public func results(forAllOf requests: [ImageRequest]) async -> [Result<ImageResponse, Error>] {
    let tasks = requests.map { imageTask(with: $0) }
    var results: [Result<ImageResponse, Error>] = []
    for task in tasks { results.append(await task.outcome()) }
    return results
  }
}
