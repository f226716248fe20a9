import Foundation
import NukeCodecs
import NukeImaging
import Synchronization

/// Decodes an original at one reduction. Waits for the decode budget, then for the decoding queue.
final class DecodeJob: Job, DecodeBudget.Waiter, @unchecked Sendable {
  private let plan: DecodePlan
  private let context: ImageDecodingContext
  private(set) var result: Result<ImageContainer, ImagePipeline.Error>!
  private let queuedAt = Clock.now
  private let holdsRoom = Atomic<Bool>(false)

  init(id: ID, plan: DecodePlan, context: ImageDecodingContext, pipeline: ImagePipeline) {
    self.plan = plan
    self.context = context
    super.init(id: id, request: context.request, pipeline: pipeline)
  }

  var response: LazyURLResponse? { context.response }
  var wantedBytes: Int { plan.byteCount }

  override var queue: TaskQueue? {
    plan.decoder.isAsynchronous ? pipeline.configuration.imageDecodingQueue : pipeline.unlimitedQueue
  }

  override func start(_ transaction: inout GraphTransaction) {
    if wantedBytes > 0 {
      guard pipeline.decodeBudget.enter(self) else { return }
      holdsRoom.store(true, ordering: .releasing)
    }
    // A quick decoder is not worth a switch of threads, but must not delay the thread of a loader. If processors follow,
    // a worker is needed anyway.
    if !plan.decoder.isAsynchronous, WorkerPool.isWorker || WorkerPool.isLent && context.request.processors.isEmpty {
      _ = run()
    } else {
      enqueue()
    }
  }

  func hasRoom() {
    holdsRoom.store(true, ordering: .releasing)
    // The job may have been stopped since the budget decided.
    if isStopped { leaveBudget() } else { enqueue() }
  }

  override func reprioritize() {
    super.reprioritize()
    if wantedBytes > 0 { pipeline.decodeBudget.reprioritize(self) }
  }

  override func stop() {
    super.stop()
    if wantedBytes > 0, pipeline.decodeBudget.withdraw(self) { return }
    // The running decode releases its share of the budget. If it will never run, it is released here.
    if queueWasLeft { leaveBudget() }
  }

  private let hasBegun = Atomic<Bool>(false)
  private var queueWasLeft: Bool { !hasBegun.exchange(true, ordering: .acquiringAndReleasing) }

  override func leftQueue() { leaveBudget() }

  private func leaveBudget() {
    if holdsRoom.exchange(false, ordering: .acquiringAndReleasing) { pipeline.decodeBudget.leave(wantedBytes) }
  }

  override func run() -> Outcome {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else {
      // Stopped before it began, perhaps before its share of the budget was noted.
      leaveBudget()
      return .done
    }
    let startedAt = Clock.now
    facts.queued = Clock.seconds(from: queuedAt, to: startedAt)
    facts.scaleDenominator = plan.scaleDenominator
    pipeline.counters.countDecode()
    let interval = pipeline.instruments?.begin(
      .decode, of: context.request, trace: trace, name: String(reflecting: type(of: plan.decoder)))
    do {
      result = .success(try plan.decode { [weak self] in self?.isStopped ?? true })
    } catch {
      result = .failure(.decodingFailed(decoder: plan.decoder, context: context, error: error))
    }
    facts.decoding = Clock.seconds(from: startedAt, to: Clock.now)
    leaveBudget()
    interval?.end(with: result)
    GraphTransaction.run(on: pipeline, isTail: true) { $0.finish(self) }
    return .done
  }
}
