import Foundation
import NukeImaging

extension ImageTask {
  /// What happens to a load.
  public enum Event: Sendable {
    /// More bytes have come.
    case progress(Progress)
    /// The end; the last event.
    case finished(Result<ImageResponse, ImagePipeline.Error>)
  }

  /// All events from now on, in order, ending with ``Event/finished(_:)``. Each use gives a stream of its own; a late
  /// one begins with how far the load is, or has the end alone.
  public var events: AsyncStream<Event> {
    AsyncStream { listener in pipeline.state.withLock { _ in guarded.listen(listener) } }
  }

  /// How far the load is, from now on until it ends. Each use gives a stream of its own.
  public var progress: AsyncStream<Progress> {
    let events = events
    return AsyncStream { stream in
      let relay = Task {
        for await case .progress(let progress) in events { stream.yield(progress) }
        stream.finish()
      }
      stream.onTermination = { _ in relay.cancel() }
    }
  }

  // MARK: Waiting

  func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiter in
        if let outcome = pipeline.state.withLock({ _ in guarded.wait(waiter) }) {
          waiter.resume(returning: outcome)
        }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Adds an observer, before the task starts.
  func observe(_ observer: @escaping @Sendable (ImageTask, Event) -> Void) {
    // The task is kept until its last event has been delivered, and lets its observers go then.
    pipeline.state.withLock { _ in guarded.observe { event in observer(self, event) } }
  }

  // MARK: Ending

  /// Ends with what the job gave that the task was subscribed to.
  func complete(with job: Job) {
    switch job {
    case let job as ImageJob:
      end(job.result.map { $0.response(to: request) }, facts: job.facts)
    case let job as DataJob:
      end(
        job.result.map { loaded in
          let container = ImageContainer(image: PlatformImage(), data: loaded.data)
          return ImageResponse(
            container: container, request: request, urlResponse: loaded.response, cacheType: loaded.cacheType)
        }, facts: job.facts)
    default: preconditionFailure("no task is subscribed to \(type(of: job))")
    }
  }

  func finishFromMemory(_ response: ImageResponse) {
    var facts = Facts()
    facts.origin = .memory
    end(.success(response), facts: facts)
  }

  func fail(_ error: ImagePipeline.Error, asCancelled: Bool = false) {
    end(.failure(error), facts: nil, asCancelled: asCancelled)
  }

  private func end(_ outcome: Outcome, facts: Facts?, asCancelled: Bool = false) {
    let ended = pipeline.state.withLock { _ in guarded.end(outcome, facts: facts, asCancelled: asCancelled) }
    guard let ended else { return }
    for waiter in ended.waiters { waiter.resume(returning: outcome) }
    if ended.hasMail { deliverMail() }
  }

  /// Delivers what is in the mailbox, until it is empty. Called by the one thread that found nobody delivering.
  func deliverMail() {
    while let (events, observers) = pipeline.state.withLock({ _ in guarded.takeMail() }) {
      for event in events {
        for observer in observers { observer(event) }
      }
    }
  }
}
