import NukeBase

extension ImagePipeline {
  /// Loads `request` into `destination` if it is not there.
  ///
  /// - Parameter onEnd: called once when the task has ended, on a worker, possibly before this method returns. It may
  ///   call user code, such as the memory cache for the next request.
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
    return startTask(with: request, kind: kind, look: look, callsProgram: false) { [unlimitedQueue] _, event in
      guard case .finished(let result) = event else { return }
      // If the task ends while a loader's thread delivers its progress, that thread delivers the end too.
      if WorkerPool.isWorker { onEnd(result) } else { unlimitedQueue.add { onEnd(result) } }
    }
  }

  /// Returns `true` if the image, and not only a preview of it, is in memory and can be returned at once.
  func isInMemory(_ request: ImageRequest) -> Bool {
    let request = withDefaultProcessors(request)
    return isWhole(lookInMemory(for: request), for: request)
  }

  private func isWhole(_ look: MemoryLook, for request: ImageRequest) -> Bool {
    look.container.map { !$0.isPreview && isUsable($0, for: request) } ?? false
  }

  /// Images from closures have no data, and local data is never copied to a cache.
  private func canBeKeptAsData(_ request: ImageRequest) -> Bool {
    if case .image = request.storage.resource { return false }
    return !request.isOfLocalSource
  }
}
