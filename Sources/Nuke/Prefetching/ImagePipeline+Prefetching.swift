extension ImagePipeline {
  /// Loads what `request` asks for into `destination`, where that is of use.
  ///
  /// - Parameter onEnd: is called once with its end, on any thread, when the task has ended, perhaps before this returns.
  /// - Returns: the task; `nil`, and `onEnd` is not called, where there is nothing to do.
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

  /// Returns `true` if the image, and not only a preview of it, is in memory and can be given at once.
  func isInMemory(_ request: ImageRequest) -> Bool {
    let request = withDefaultProcessors(request)
    return isWhole(lookInMemory(for: request), for: request)
  }

  private func isWhole(_ look: MemoryLook, for request: ImageRequest) -> Bool {
    memoryResponse(look, for: request).map { !$0.isPreview } ?? false
  }

  /// An image that a closure gives decoded has no data, and local data is never copied to a cache.
  private func canBeKeptAsData(_ request: ImageRequest) -> Bool {
    if case .image = request.storage.resource { return false }
    return !request.isOfLocalSource
  }
}
