import Foundation
import NukeBase
import Synchronization

/// Calls the closure of a request that returns an image.
final class FetchJob: Job, @unchecked Sendable {
  private let closure: @Sendable () async throws -> ImageContainer
  private(set) var result: Result<ImageContainer, ImagePipeline.Error>!
  private let task = AtomicLazyReference<ClosureTask>()
  private let hasEnded = Atomic<Bool>(false)
  private let queuedAt = MonotonicClock.now

  private let request: ImageRequest
  private var skipsQueue: Bool { request.options.contains(.skipDataLoadingQueue) }

  init(
    id: ID, request: ImageRequest, pipeline: ImagePipeline,
    closure: @escaping @Sendable () async throws -> ImageContainer
  ) {
    self.closure = closure
    self.request = request
    super.init(id: id, request: request, pipeline: pipeline)
  }

  override var queue: TaskQueue? {
    skipsQueue ? pipeline.unlimitedQueue : pipeline.configuration.dataLoadingQueue
  }

  override func start(_ transaction: inout GraphTransaction) { enqueue() }

  override func run() -> Outcome {
    guard !isStopped else { return .done }
    let startedAt = MonotonicClock.now
    facts.queued = MonotonicClock.seconds(from: queuedAt, to: startedAt)
    facts.origin = .closure
    let interval = pipeline.instruments?.begin(.load, of: request, trace: trace)
    let running = Task {
      let result: Result<ImageContainer, ImagePipeline.Error>
      do {
        result = .success(try await interval.around(closure))
      } catch {
        result = .failure(.dataLoadingFailed(error: error))
      }
      pipeline.unlimitedQueue.add { [self] in
        interval?.end(with: result, origin: .closure)
        finish(result, startedAt)
      }
    }
    let held = task.storeIfNil(ClosureTask(running))
    if isStopped {
      held.cancel()
      _ = end()
    }
    return .goesOn
  }

  private func finish(_ result: Result<ImageContainer, ImagePipeline.Error>, _ startedAt: UInt64) {
    guard end() else { return }
    self.result = result
    facts.loading = MonotonicClock.seconds(from: startedAt, to: MonotonicClock.now)
    GraphTransaction.run(on: pipeline, isTail: true) { $0.finish(self) }
  }

  override func stop() {
    super.stop()
    // A job that has not run has no slot.
    guard let task = task.load() else { return }
    task.cancel()
    _ = end()
  }

  /// Releases the slot. Returns `false` if it has been released before.
  private func end() -> Bool {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    queue?.releaseSlot(of: self)
    return true
  }
}
