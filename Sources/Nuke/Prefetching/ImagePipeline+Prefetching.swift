extension ImagePipeline {
  /// Loads `request` into `destination` if it is not there.
  ///
  /// - Parameter onEnd: called once when the task has ended, on any thread, possibly before this method returns.
  /// - Returns: the task. If there is nothing to do, returns `nil` and does not call `onEnd`.
  func prefetch(
    _ request: ImageRequest, destination: ImagePrefetcher.Destination,
    onEnd: @escaping @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask? {
    let kind: ImageTask.Kind
    var look: MemoryLook?
    switch destination {
    case .memoryCache:
      let request = withDefaultProcessors(request)
      let found = lookInMemory(for: request)
      if isWhole(found, for: request) { return nil }
      look = found
      kind = .image
    case .diskCache:
      guard canBeKeptAsData(request) else { return nil }
      kind = .data
    }
    return startTask(with: request, kind: kind, look: look, callsProgram: false) { _, event in
      if case .finished(let result) = event { onEnd(result) }
    }
  }

  /// Returns `true` if the image, and not only a preview of it, is in memory and can be returned at once.
  func isInMemory(_ request: ImageRequest) -> Bool {
    let request = withDefaultProcessors(request)
    return isWhole(lookInMemory(for: request), for: request)
  }

  private func isWhole(_ look: MemoryLook, for request: ImageRequest) -> Bool {
    memoryResponse(look, for: request).map { !$0.isPreview } ?? false
  }

  /// Images from closures have no data, and local data is never copied to a cache.
  private func canBeKeptAsData(_ request: ImageRequest) -> Bool {
    if case .image = request.storage.resource { return false }
    return !request.isOfLocalSource
  }
}
