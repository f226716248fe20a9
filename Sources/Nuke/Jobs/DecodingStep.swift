import Foundation
import NukeBase
import Synchronization

/// A job that waits for the decode budget, and then for the decoding queue.
class DecodingStep: Job, DecodeBudget.Waiter, @unchecked Sendable {
  let decoder: any ImageDecoding
  let context: ImageDecodingContext
  /// The memory that the work takes, in bytes; 0 if it is not known.
  let wantedBytes: Int
  private let queuedAt = MonotonicClock.now
  private let holdsRoom = Atomic<Bool>(false)
  private let hasBegun = Atomic<Bool>(false)

  init(id: ID, decoder: any ImageDecoding, context: ImageDecodingContext, byteCount: Int, pipeline: ImagePipeline) {
    self.decoder = decoder
    self.context = context
    wantedBytes = byteCount
    super.init(id: id, request: context.request, pipeline: pipeline)
  }

  /// Does the work, and sets the result.
  func perform() {}

  final override var queue: TaskQueue? {
    decoder.isAsynchronous ? pipeline.configuration.imageDecodingQueue : pipeline.unlimitedQueue
  }

  final override func start(_ transaction: inout GraphTransaction) {
    if wantedBytes > 0 {
      guard pipeline.decodeBudget.enter(self) else { return }
      holdsRoom.store(true, ordering: .releasing)
    }
    // A quick decoder is not worth a switch of threads, but must not delay the thread of a loader. If processors follow,
    // a worker is needed anyway.
    if !decoder.isAsynchronous, WorkerPool.isWorker || WorkerPool.isCallingThread && context.request.processors.isEmpty
    {
      _ = run()
    } else {
      enqueue()
    }
  }

  final func hasRoom() {
    holdsRoom.store(true, ordering: .releasing)
    // The job may have been stopped since the budget decided.
    if isStopped { leaveBudget() } else { enqueue() }
  }

  final override func reprioritize() {
    super.reprioritize()
    if wantedBytes > 0 { pipeline.decodeBudget.reprioritize(self) }
  }

  final override func stop() {
    super.stop()
    if wantedBytes > 0, pipeline.decodeBudget.withdraw(self) { return }
    // The running work releases its share of the budget. If it will never run, it is released here.
    if begin() { leaveBudget() }
  }

  /// Returns `true` once.
  private func begin() -> Bool { !hasBegun.exchange(true, ordering: .acquiringAndReleasing) }

  final override func leftQueue() { leaveBudget() }

  private func leaveBudget() {
    if holdsRoom.exchange(false, ordering: .acquiringAndReleasing) { pipeline.decodeBudget.leave(wantedBytes) }
  }

  final override func run() -> Outcome {
    guard begin() else {
      // Stopped before it began, perhaps before its share of the budget was noted.
      leaveBudget()
      return .done
    }
    facts.queued = MonotonicClock.seconds(from: queuedAt, to: MonotonicClock.now)
    perform()
    leaveBudget()
    GraphTransaction.run(on: pipeline, isTail: true) { $0.finish(self) }
    return .done
  }

  /// Measures a part of the work: its time, which is returned, and its span.
  final func measure<Value, Failure: Error>(
    _ stage: Stage, _ body: () -> Result<Value, Failure>
  ) -> (result: Result<Value, Failure>, seconds: TimeInterval) {
    let startedAt = MonotonicClock.now
    let interval = pipeline.instruments?.begin(
      stage, of: context.request, trace: trace, name: String(reflecting: type(of: decoder)))
    let result = body()
    let seconds = MonotonicClock.seconds(from: startedAt, to: MonotonicClock.now)
    interval?.end(with: result)
    return (result, seconds)
  }
}

/// Opens an image for all sizes that are decoded from it.
final class OpenJob: DecodingStep, @unchecked Sendable {
  private(set) var result: Result<(any OpenedImage)?, any Error>!

  override func perform() {
    let limits = pipeline.configuration.codecLimits
    (result, facts.opening) = measure(.open) {
      Result { isStopped ? nil : try decoder.opened(context.data, limits: limits) }
    }
  }
}

/// Decodes an original at one reduction.
final class DecodeJob: DecodingStep, @unchecked Sendable {
  private let plan: DecodePlan
  private(set) var result: Result<ImageContainer, ImagePipeline.Error>!

  init(id: ID, plan: DecodePlan, context: ImageDecodingContext, pipeline: ImagePipeline) {
    self.plan = plan
    super.init(id: id, decoder: plan.decoder, context: context, byteCount: plan.byteCount, pipeline: pipeline)
  }

  var response: LazyURLResponse? { context.response }
  /// The size of the original at full scale; see ``DecodePlan/source``.
  var source: StoredSizes.Source? { plan.source }

  override func perform() {
    facts.scaleDenominator = plan.scaleDenominator
    pipeline.counters.countDecode()
    (result, facts.decoding) = measure(.decode) {
      do {
        return .success(try plan.decode { [weak self] in self?.isStopped ?? true })
      } catch {
        return .failure(.decodingFailed(decoder: decoder, context: context, error: error))
      }
    }
  }
}
