import Foundation
import NukeCodecs
import NukeImaging
import Synchronization

/// An original decoded at one reduction. It waits for room in the budget, then for the decoding queue.
final class DecodeJob: Job, DecodeBudget.Waiter, @unchecked Sendable {
  private let plan: DecodePlan
  private let context: ImageDecodingContext
  private(set) var result: Result<ImageContainer, ImagePipeline.Error>!
  private let queuedAt = Clock.now
  private let holdsRoom = Atomic<Bool>(false)

  init(id: ID, plan: DecodePlan, context: ImageDecodingContext, pipeline: ImagePipeline) {
    self.plan = plan
    self.context = context
    super.init(id: id, pipeline: pipeline)
  }

  var response: LazyURLResponse? { context.response }
  var wantedBytes: Int { plan.byteCount }

  override var queue: TaskQueue? {
    plan.decoder.isAsynchronous ? pipeline.configuration.imageDecodingQueue : pipeline.unlimitedQueue
  }

  override func start(_ transaction: inout GraphTransaction) {
    if wantedBytes == 0 || enterBudget() { decodeOrQueue() }
  }

  private func enterBudget() -> Bool {
    guard pipeline.decodeBudget.enter(self) else { return false }
    holdsRoom.store(true, ordering: .releasing)
    return true
  }

  func hasRoom() {
    holdsRoom.store(true, ordering: .releasing)
    // It may have been stopped between the budget's decision and now.
    if isStopped { leaveBudget() } else { enqueue() }
  }

  private func decodeOrQueue() {
    // A decoder that says it is quick is not worth a change of threads. Loaders' threads are not delayed by it.
    if !plan.decoder.isAsynchronous, WorkerPool.isWorker || WorkerPool.isLent {
      _ = run()
    } else {
      enqueue()
    }
  }

  override func reprioritize() {
    super.reprioritize()
    if wantedBytes > 0 { pipeline.decodeBudget.reprioritize(self) }
  }

  override func stop() {
    super.stop()
    if wantedBytes > 0, pipeline.decodeBudget.withdraw(self) { return }
    // Room that is held is given back by the running decode, or here where it will never run.
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
      // Stopped before it began, perhaps before the room it had been given was noted.
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
