extension ImagePipeline {
  /// Loads what `request` asks for into `destination`, where that is of use.
  ///
  /// - Parameter onEnd: is called once with its end, on any thread, when the task has ended, perhaps before this returns.
  /// - Returns: the task; nil, and `onEnd` is not called, where there is nothing to do.
  func prefetch(
    _ request: ImageRequest, destination: ImagePrefetcher.Destination,
    onEnd: @escaping @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask? {
    let kind: ImageTask.Kind
    switch destination {
    case .memoryCache:
      if isInMemory(request) { return nil }
      kind = .image
    case .diskCache:
      guard canBeKeptAsData(request) else { return nil }
      kind = .data
    }
    return startTask(with: request, kind: kind) { _, event in
      if case .finished(let result) = event { onEnd(result) }
    }
  }

  /// Whether the picture itself, and not a preview or a stale one, is there at once.
  func isInMemory(_ request: ImageRequest) -> Bool {
    guard request.options.allowMemoryReads, let container = cache[request] else { return false }
    return !container.isPreview && isUsable(container, for: request)
  }

  /// A picture that a closure gives decoded has no data, and local data is never copied to a cache.
  private func canBeKeptAsData(_ request: ImageRequest) -> Bool {
    if case .image = request.storage.resource { return false }
    return !(request.url.map(readsLocally) ?? false)
  }
}
