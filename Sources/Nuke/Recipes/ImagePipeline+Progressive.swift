extension ImagePipeline {
  /// One image in several qualities, such as a small file and a large one: each that comes, unless a better one came
  /// before it, and then the best.
  ///
  /// ```swift
  /// for try await response in pipeline.responses(inOrderOfQuality: [small, large]) {
  ///   show(response.image)
  /// }
  /// ```
  ///
  /// All loads start at once, other than those of less quality than what is in memory already; what a better one makes
  /// needless is canceled. Who is slow to take what has come gets the best of it alone.
  ///
  /// - Parameter requests: what is wanted, the best last.
  /// - Returns: a sequence for one reader. It ends with the best image; where that cannot be had, it throws its
  ///   ``Error`` after all others have come. Loads that are under way are canceled with the reader.
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
    // Held back, since a better one has all of its data by now. A cache may have given this one what the better one stored.
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
