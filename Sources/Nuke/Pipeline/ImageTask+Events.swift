import Foundation
import NukeBase
import NukeImaging

extension ImageTask {
  /// An event of a load.
  public enum Event: Sendable {
    /// More bytes have arrived.
    case progress(Progress)
    /// An early, incomplete version of the image.
    case preview(ImageResponse)
    /// The result. It is the last event.
    case finished(Result<ImageResponse, ImagePipeline.Error>)
  }

  /// The events of the load, in order, ending with ``Event/finished(_:)``. Each access creates a new stream.
  ///
  /// A stream that is created right after the task gets every event, however early the loader answers, except for more
  /// than four previews. A stream that is created after others have received events begins with the current progress.
  /// After the result has been awaited, or delivered to a closure on the main actor, a new stream gets the result alone.
  public var events: AsyncStream<Event> {
    AsyncStream { listener in guarded.withLock { $0.listen(listener) } }
  }

  /// The previews, each better than the one before, until the image has been loaded. Each use creates a stream of its
  /// own. There are previews if ``ImagePipeline/Configuration-swift.struct/isProgressiveDecodingEnabled`` is set.
  public var previews: AsyncStream<ImageResponse> {
    select { if case .preview(let response) = $0 { response } else { nil } }
  }

  /// The progress of the load until it ends. Each access creates a new stream.
  public var progress: AsyncStream<Progress> {
    select { if case .progress(let progress) = $0 { progress } else { nil } }
  }

  private func select<Value: Sendable>(_ transform: @escaping @Sendable (Event) -> Value?) -> AsyncStream<Value> {
    let events = events
    return AsyncStream { stream in
      let relay = Task {
        for await event in events { if let value = transform(event) { stream.yield(value) } }
        stream.finish()
      }
      stream.onTermination = { _ in relay.cancel() }
    }
  }

  // MARK: Waiting

  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiter in
        if !guarded.withLock({ $0.wait(waiter) }) { waiter.resume() }
      }
    } onCancel: {
      cancel()
    }
    // Read under the lock and not passed through the continuation: Thread Sanitizer does not see that a continuation
    // which is resumed before it waits synchronizes.
    return guarded.withLock { $0.takeOutcome() }.0
  }

  /// Adds an observer before the task starts.
  ///
  /// - Parameter isForeign: `true` if the observer calls user code, which must not run on a loader's thread.
  func observe(isForeign: Bool, _ observer: @escaping @Sendable (ImageTask, Event) -> Void) {
    // The task is kept until its last event has been delivered, and releases its observers then.
    guarded.withLock { $0.observe(isForeign: isForeign) { event in observer(self, event) } }
  }

  /// Releases the events that are kept for new streams.
  package func releaseHistory() { _ = guarded.withLock { $0.takeHistory() } }

  // MARK: Ending

  /// Ends the task with the result of its job.
  func complete(with job: Job) {
    switch job {
    case let job as ImageJob:
      end(job.result.map { $0.response(to: request) }, facts: job.facts)
    case let job as DataJob:
      end(
        job.result.map { loaded in
          let container = ImageContainer(image: PlatformImage(), data: loaded.data)
          return ImageResponse(
            container: container, request: request, response: loaded.response, cacheType: loaded.cacheType,
            freshness: loaded.freshness?.freshness)
        }, facts: job.factsOfData)
    default: preconditionFailure("no task is subscribed to \(type(of: job))")
    }
  }

  func finishFromMemory(_ response: ImageResponse) {
    var facts = Facts()
    facts.origin = .memory
    facts.notCachedInMemory = .cameFromCache
    facts.notCachedOnDisk = .cameFromCache
    facts.freshness = response.freshness
    facts.isMadeFromLargerImage = response.container.isFromLargerImage
    end(.success(response), facts: facts)
  }

  func fail(_ error: ImagePipeline.Error, asCancelled: Bool = false) {
    end(.failure(error), facts: nil, asCancelled: asCancelled)
  }

  private func end(_ outcome: Outcome, facts: Facts?, asCancelled: Bool = false) {
    let instruments = pipeline.instruments
    let (ended, waiters) = guarded.withLock { guarded in
      let ended = guarded.end(outcome, facts: facts, asCancelled: asCancelled)
      return (ended, ended != nil && instruments == nil ? guarded.takeWaiters() : nil)
    }
    guard let ended else { return }
    if let instruments {
      instruments.didEnd(self, outcome, self.facts, ended.trace)
      instruments.metrics?.sample(pipeline)
    }
    (waiters ?? guarded.withLock { $0.takeWaiters() }).resume()
    guard ended.hasEvents else { return }
    // Observers of other tasks must not block a caller that starts its own load.
    if WorkerPool.isCallingThread { pipeline.deliverPendingEvents(of: self) } else { deliverPendingEvents() }
  }

  /// Delivers events until there are none. One thread at a time calls this.
  func deliverPendingEvents() {
    while let pendingEvents = guarded.withLock({ $0.takeDelivery() }) { pendingEvents.deliver() }
  }
}
