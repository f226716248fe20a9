import NukeBase

/// The loads of one iteration of an ``ImagePipeline/ImageSequence``.
///
/// Only `next` starts loads, on the thread that calls it. Results are recorded under the lock, and loads are started,
/// canceled and released outside it.
final class BoundedLoads: Sendable {
  typealias Element = ImagePipeline.ImageSequence.Element
  private typealias Progress = ImagePipeline.ImageSequence.Progress

  private let requests: [ImageRequest]
  private let pipeline: ImagePipeline
  private let state: Lock<State>

  init(_ sequence: ImagePipeline.ImageSequence) {
    requests = sequence.requests
    pipeline = sequence.pipeline
    state = Lock(State(limit: sequence.limit, progress: Progress(completed: 0, total: sequence.requests.count)))
  }

  deinit { cancel() }

  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      startLoads()
      await withUnsafeContinuation { waiter in
        if !state.withLock({ $0.wait(waiter) }) { waiter.resume() }
      }
    } onCancel: {
      cancel()
    }
    guard let (ended, progress) = state.withLock({ $0.takeResult() }) else { return nil }
    // The caller's work on this image and the next loads run concurrently.
    startLoads()
    return Element(
      index: ended.index, request: requests[ended.index], result: ended.result, progress: progress)
  }

  private func startLoads() {
    while let index = state.withLock({ $0.takeIndex() }) {
      // Weak, so that releasing the iterator cancels loads that run.
      let task = pipeline.startTask(with: requests[index], kind: .image, callsProgram: false) {
        [weak self] task, event in
        guard case .finished(let result) = event else { return }
        self?.end(State.Ended(index: index, result: result, bytes: task.currentProgress.completed))
      }
      // Another thread may have canceled the iteration since the index was taken, and did not find this task.
      if !state.withLock({ $0.started(task, index: index) }) { task.cancel() }
    }
  }

  private func end(_ ended: State.Ended) {
    let (waiter, task) = state.withLock { $0.end(ended) }
    waiter?.resume()
    withExtendedLifetime(task) {}
  }

  private func cancel() {
    let (waiter, tasks, results) = state.withLock { $0.cancel() }
    for task in tasks { task.cancel() }
    waiter?.resume()
    withExtendedLifetime(results) {}
  }

  private struct State {
    typealias Waiter = UnsafeContinuation<Void, Never>

    struct Ended {
      let index: Int
      let result: Result<ImageResponse, ImagePipeline.Error>
      let bytes: Int64
    }

    let limit: Int
    private var progress: Progress
    private var nextIndex = 0
    /// The number of loads that have started and not ended. Their tasks are added after they have started.
    private var runningCount = 0
    private var tasks: [Int: ImageTask] = [:]
    /// The load that is being started, unless it has ended meanwhile.
    private var startingIndex: Int?
    /// The results that were not delivered yet, by the number of results before them.
    private var results: [Int: Ended] = [:]
    private var waiter: Waiter?
    private var isCancelled = false

    init(limit: Int, progress: Progress) {
      self.limit = limit
      self.progress = progress
    }

    /// Returns the index of a request to start; `nil` if there is none, or if the limit is reached.
    mutating func takeIndex() -> Int? {
      guard !isCancelled, nextIndex < progress.total, runningCount + results.count < limit else { return nil }
      defer { nextIndex += 1 }
      runningCount += 1
      startingIndex = nextIndex
      return nextIndex
    }

    /// Adds the task of a load. Returns `false` if the iteration has been canceled.
    mutating func started(_ task: ImageTask, index: Int) -> Bool {
      if isCancelled { return false }
      if startingIndex.take() != nil { tasks[index] = task }
      return true
    }

    /// Records a result. Returns the waiter to resume, and the task to release.
    mutating func end(_ ended: Ended) -> (Waiter?, ImageTask?) {
      runningCount -= 1
      if startingIndex == ended.index { startingIndex = nil }
      let task = tasks.removeValue(forKey: ended.index)
      if isCancelled { return (nil, task) }
      results[progress.completed + results.count] = ended
      return (waiter.take(), task)
    }

    /// Returns `false` if the caller need not wait.
    mutating func wait(_ waiter: Waiter) -> Bool {
      guard !isCancelled, results.isEmpty, runningCount > 0 else { return false }
      self.waiter = waiter
      return true
    }

    mutating func takeResult() -> (Ended, Progress)? {
      guard let ended = results.removeValue(forKey: progress.completed) else { return nil }
      progress.completed += 1
      if case .failure = ended.result { progress.failed += 1 }
      progress.bytes += ended.bytes
      return (ended, progress)
    }

    mutating func cancel() -> (Waiter?, [ImageTask], [Int: Ended]) {
      isCancelled = true
      defer { (tasks, results) = ([:], [:]) }
      return (waiter.take(), Array(tasks.values), results)
    }
  }
}
