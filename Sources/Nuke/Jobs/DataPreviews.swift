import Foundation
import NukeBase
import Synchronization

/// Decodes previews of data that is still arriving, for all subscribers of the data job. One preview is decoded at a
/// time, with the interval of the configuration between two. If all data arrives at once, the first preview comes before
/// the image nevertheless.
final class DataPreviews: @unchecked Sendable {
  private let request: ImageRequest
  private unowned let job: DataJob
  private let pipeline: ImagePipeline
  private let interval: UInt64
  private let state = Lock(State())

  private struct State {
    var decoder: (any ImageDecoding)?
    var lastAttempt: UInt64?
    /// The number of bytes that the last attempt was given.
    var attemptedByteCount = 0
    var isBusy = false
    /// `true` if data has arrived, at all and since the last attempt began.
    var hasReceived = false
    var hasGrown = false
    var hasDelivered = false
    /// The end of the data, which is reported after the first preview.
    var completion: Completion?
    var isOver = false
  }

  private struct Completion {
    let data: Data
    let response: LazyURLResponse?
    let report: () -> Void
  }

  init?(for job: DataJob, request: ImageRequest, pipeline: ImagePipeline) {
    guard pipeline.configuration.isProgressiveDecodingEnabled else { return nil }
    self.job = job
    self.request = request
    self.pipeline = pipeline
    interval = UInt64(max(0, min(pipeline.configuration.progressiveDecodingInterval, 3600)) * 1e9)
  }

  /// Called after each chunk has arrived.
  func dataDidGrow() {
    state.withLock { state in
      state.hasReceived = true
      state.hasGrown = true
    }
    attemptIfDue()
  }

  /// Discards the data so far, since it arrives again.
  func startOver() {
    let decoder = state.withLock { state in
      state.hasReceived = false
      state.hasGrown = false
      state.attemptedByteCount = 0
      return state.decoder.take()
    }
    withExtendedLifetime(decoder) {}
  }

  /// Starts an attempt if data has arrived, no attempt is running, and the interval since the last one has passed.
  private func attemptIfDue() {
    let now = MonotonicClock.now
    let isDue = state.withLock { state in
      guard state.hasGrown, !state.isBusy, !state.isOver else { return false }
      if let last = state.lastAttempt, now &- last < interval { return false }
      state.isBusy = true
      state.hasGrown = false
      state.lastAttempt = now
      return true
    }
    if isDue { startAttempt() }
  }

  private func startAttempt() {
    // The work keeps the job alive while it waits.
    let work = WorkItem { [self, job] in
      withExtendedLifetime(job) { attempt() }
      return .done
    }
    work.want(job.currentPriority)
    pipeline.configuration.imageDecodingQueue.add(work)
  }

  /// Ends the previews. If there was none although data has arrived, the first one is made before.
  ///
  /// - Returns: `false` if there is nothing to wait for, and `report` will not be called.
  func complete(_ data: Data, _ response: LazyURLResponse?, _ report: @escaping () -> Void) -> Bool {
    let (waits, starts) = state.withLock { state in
      guard state.hasReceived, !state.hasDelivered, !state.isOver,
        state.isBusy || state.attemptedByteCount < data.count
      else { return (false, false) }
      state.completion = Completion(data: data, response: response, report: report)
      return (true, !exchange(&state.isBusy, with: true))
    }
    if starts { startAttempt() }
    if !waits { end() }
    return waits
  }

  /// Ends the previews, because the data is complete or the job has been stopped. Releases the decoder, whose state may
  /// be larger than the image.
  func end() {
    let decoder = state.withLock { state in
      state.isOver = true
      return state.decoder.take()
    }
    withExtendedLifetime(decoder) {}
  }

  private func attempt() {
    let (known, completion, isOver) = state.withLock { ($0.decoder, $0.completion, $0.isOver) }
    if !isOver, !job.isStopped {
      // The bytes are shared with the download until the attempt is over.
      let (data, response) = completion.map { ($0.data, $0.response) } ?? job.receivedSoFar
      state.withLock { $0.attemptedByteCount = data.count }
      if let decoder = known ?? makeDecoder(data, response) {
        if var container = decoder.decodePartiallyDownloadedData(data) {
          container.isPreview = true
          let isWanted = state.withLock { state in
            state.hasDelivered = true
            return !state.isOver
          }
          if isWanted {
            pipeline.deliver(ImageJob.Image(container: container, response: response), asPreviewOf: job)
          }
        }
      } else {
        // Nothing was decoded: the policy is evaluated again for the next data, without waiting for the interval.
        state.withLock { $0.lastAttempt = nil }
      }
    }
    finishAttempt()
  }

  private func finishAttempt() {
    let (isRepeated, completion) = state.withLock { state -> (Bool, Completion?) in
      if let completion = state.completion, !state.hasDelivered, !state.isOver,
        state.attemptedByteCount < completion.data.count
      {
        return (true, nil)
      }
      state.isBusy = false
      return (false, state.completion.take())
    }
    if isRepeated { return attempt() }
    guard let completion else {
      // Data that arrived during the attempt must not wait for the next chunk.
      return attemptIfDue()
    }
    end()
    completion.report()
  }

  private func makeDecoder(_ data: Data, _ response: LazyURLResponse?) -> (any ImageDecoding)? {
    var context = ImageDecodingContext(request: request, data: data, isCompleted: false, response: response)
    context.previewPolicy = pipeline.previewPolicy(for: context)
    guard context.previewPolicy != .disabled, let decoder = pipeline.imageDecoder(for: context) else { return nil }
    (decoder as? ImageDecoders.Default)?.limitPreviews(to: pipeline.configuration.codecLimits)
    state.withLock { state in if !state.isOver { state.decoder = decoder } }
    return decoder
  }
}

/// Applies a processor to previews, one at a time. A preview that arrives meanwhile replaces the waiting one.
final class StepPreviews: Sendable {
  private let step: any ImageProcessing
  /// The job that owns this object. Queued work retains the job.
  private unowned let job: ImageJob
  private let state = Lock(State())

  private struct State {
    var isBusy = false
    var waiting: ImageJob.Image?
    var isOver = false
    /// The processed stale image. It is complete, and the final one if its validation succeeds.
    var whole: Whole?
  }

  struct Whole {
    let representation: UInt64
    let container: ImageContainer
    let seconds: TimeInterval
  }

  /// Returns the result of the step for an image that was shown as a stale one.
  func result(of image: ImageJob.Image) -> Whole? {
    guard case .validated? = image.freshness?.freshness, let stamp = image.freshness?.stamp else { return nil }
    return state.withLock { $0.whole }.flatMap { $0.representation == stamp.representation ? $0 : nil }
  }

  init(step: any ImageProcessing, job: ImageJob) {
    self.step = step
    self.job = job
  }

  func receive(_ newest: ImageJob.Image) {
    var image: ImageJob.Image? = newest
    let isFirst = state.withLock { state in
      guard !state.isOver else { return false }
      // The replaced preview is destroyed outside the lock.
      swap(&state.waiting, &image)
      return !exchange(&state.isBusy, with: true)
    }
    if isFirst { enqueue() }
  }

  private func enqueue() {
    let work = WorkItem { [self, job] in
      withExtendedLifetime(job) { processNext() }
      return .done
    }
    work.want(job.currentPriority)
    job.pipeline.configuration.imageProcessingQueue.add(work)
  }

  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      return state.waiting.take()
    }
    withExtendedLifetime(waiting) {}
  }

  private func processNext() {
    let next = state.withLock { $0.waiting.take() }
    if var image = next, !job.isStopped, let container = process(image) {
      image.container = container
      image.container.isPreview = true
      if !state.withLock({ $0.isOver }) { job.deliverPreview(image) }
    }
    let isMore = state.withLock { state in
      state.isBusy = state.waiting != nil
      return state.isBusy
    }
    if isMore { enqueue() }
  }

  private func process(_ image: ImageJob.Image) -> ImageContainer? {
    var image = image
    let stamp = image.freshness?.freshness == .stale(.whileRevalidating) ? image.freshness?.stamp : nil
    if stamp != nil { image.container.isPreview = false }
    let context = ImageProcessingContext(
      request: job.request, response: image.response(to: job.request), isCompleted: stamp != nil)
    guard let stamp else { return try? step.process(image.container, context: context) }
    let startedAt = MonotonicClock.now
    guard let container = try? image.container.processed(by: step, context: context) else { return nil }
    let whole = Whole(
      representation: stamp.representation, container: container,
      seconds: MonotonicClock.seconds(from: startedAt, to: MonotonicClock.now))
    state.withLock { $0.whole = whole }
    return container
  }
}

extension ImagePipeline {
  /// Delivers a preview to the subscribers of `job`: to tasks as an event, to jobs as a preview of their input.
  func deliver(_ image: ImageJob.Image, asPreviewOf job: Job) {
    let (tasks, jobs) = job.shard.state.withLock { $0.graph.subscribers(of: job.id) }
    for task in tasks where task.kind == .image {
      let response = image.response(to: task.request)
      if task.guarded.withLock({ $0.note(response) }) { deliverPendingEvents(of: task) }
    }
    for job in jobs {
      switch job {
      case let job as ImageJob: job.receivePreview(image)
      // A validation passes it on to its own subscribers.
      case let job as DataJob: deliver(image, asPreviewOf: job)
      default: break
      }
    }
  }
}
