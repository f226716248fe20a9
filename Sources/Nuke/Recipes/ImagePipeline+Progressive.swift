extension ImagePipeline {
  /// Loads one image in several qualities, such as a small file and a large one. Returns each that is loaded, unless a
  /// better one was loaded before it.
  ///
  /// ```swift
  /// for try await response in pipeline.responses(inOrderOfQuality: [small, large]) {
  ///   show(response.image)
  /// }
  /// ```
  ///
  /// All loads start at once, except those of a lower quality than an image that is already in memory. When a better
  /// image is loaded, loads of lower quality are canceled. A slow consumer receives only the best image so far.
  ///
  /// - Parameter requests: the requests, the best quality last.
  /// - Returns: a sequence for one consumer, which ends with the best image. If that cannot be loaded, the sequence
  ///   throws its ``Error`` after all other images. Canceling the consumer cancels the loads.
  public func responses(
    inOrderOfQuality requests: [ImageRequest]
  ) -> AsyncThrowingStream<ImageResponse, any Swift.Error> {
    let least = requests.lastIndex(where: isInMemory) ?? 0
    let tasks = requests.dropFirst(least).map { imageTask(with: $0) }
    return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { stream in
      stream.onTermination = { _ in for task in tasks { task.cancel() } }
      Task { await Self.deliver(tasks, to: stream) }
    }
  }

  private static func deliver(
    _ tasks: [ImageTask], to stream: AsyncThrowingStream<ImageResponse, any Swift.Error>.Continuation
  ) async {
    var best = -1
    var failure: Error?
    // Held back, because a better load has all of its data by now. A cache may have returned for this request what the
    // better load has stored.
    var spare: ImageResponse?
    await withTaskGroup(of: (quality: Int, outcome: ImageTask.Outcome).self) { group in
      for (quality, task) in tasks.enumerated() { group.addTask { (quality, await task.outcome()) } }
      for await (quality, outcome) in group {
        switch outcome {
        case .success(let response) where quality > best:
          best = quality
          spare = nil
          if tasks[(quality + 1)...].contains(where: \.hasAllData) {
            spare = response
            continue
          }
          stream.yield(response)
          for worse in tasks[..<quality] { worse.cancel() }
        case .failure(let error) where quality == tasks.count - 1: failure = error
        default: break
        }
      }
    }
    if let spare { stream.yield(spare) }
    stream.finish(throwing: failure)
  }
}

extension ImageTask {
  fileprivate var hasAllData: Bool {
    let progress = currentProgress
    return progress.total > 0 && progress.completed >= progress.total
  }
}
