package import Foundation
package import FoundationNetworking
import NukeImaging

/// A transfer that is attempted again after errors that may pass. A body that broke off is resumed: its observer receives
/// one head, one body and one end.
///
/// It acts; ``State`` decides. Between two attempts a timer waits, and no thread.
package final class RetryingTransfer: Transfer {
  /// The dependencies of a retrying transfer.
  package struct Dependencies: Sendable {
    /// Starts one attempt.
    let start: @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer
    /// Calls after some seconds, on any thread.
    let schedule: @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void
    /// Nanoseconds.
    let now: @Sendable () -> UInt64
    /// Seconds since 1970.
    let date: @Sendable () -> Int
    /// Returns a random number from 0 to 1.
    let random: @Sendable () -> Double

    /// By default with the system's clocks and randomness.
    package init(
      start: @escaping @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer,
      schedule: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void,
      now: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() },
      date: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
      random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
      self.start = start
      self.schedule = schedule
      self.now = now
      self.date = date
      self.random = random
    }
  }

  private struct Guarded {
    var state: State
    /// `nil` once the end has been told; whatever the observer keeps is free then.
    var observer: (any StreamObserver)?
  }

  private let policy: RetryPolicy?
  private let dependencies: Dependencies
  private let guarded: Lock<Guarded>

  private init(_ state: State, policy: RetryPolicy?, dependencies: Dependencies, observer: any StreamObserver) {
    self.policy = policy
    self.dependencies = dependencies
    guarded = Lock(Guarded(state: state, observer: observer))
  }

  /// - Parameters:
  ///   - limit: the largest body in bytes.
  ///   - deadline: nanoseconds of ``Dependencies/now``; no attempt begins after it.
  package static func start(
    _ request: URLRequest, limit: Int?, policy: RetryPolicy?, waitsForConnectivity: Bool, deadline: UInt64?,
    dependencies: Dependencies, observer: any StreamObserver
  ) -> RetryingTransfer {
    let state = State(request, limit: limit, waitsForConnectivity: waitsForConnectivity, deadline: deadline)
    let transfer = RetryingTransfer(state, policy: policy, dependencies: dependencies, observer: observer)
    transfer.change { $0.begin() }
    return transfer
  }

  /// Returns `true` if sending a request twice does no more than sending it once (RFC 9110 §9.2.2).
  package static func allows(_ request: URLRequest) -> Bool {
    guard request.httpBodyStream == nil else { return false }
    return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
  }

  // MARK: From any thread

  package func cancel() { change { $0.cancel() } }

  // An attempt is told of these within the lock, so that they reach it in their order: they only leave a note for the
  // thread that runs it.

  package func pause() { guarded.withLock { $0.state.pause(true)?.pause() } }

  package func resume() { guarded.withLock { $0.state.pause(false)?.resume() } }

  package func setPriority(_ priority: ImageRequest.Priority) {
    guarded.withLock { $0.state.setPriority(priority)?.setPriority(priority) }
  }

  // MARK: Acting

  private func change(_ event: (inout State) -> State.Action) { perform(guarded.withLock { event(&$0.state) }) }

  private func perform(_ action: State.Action) {
    switch action {
    case .nothing, .deliver: break
    case .start(let attempt): start(attempt)
    case .stop(let transfer): transfer.cancel()
    case .ask(let error, let retryCount, let serverDelay):
      // Without the lock: the policy has closures of the program's.
      let delay = policy?.delay(
        after: .dataLoadingFailed(error: error), retryCount: retryCount, serverDelay: serverDelay,
        random: dependencies.random())
      change { $0.decide(delay, now: dependencies.now()) }
    case .retry(let seconds): dependencies.schedule(seconds) { self.change { $0.begin() } }
    case .end(let head, let refused, let error, let transfer):
      end(head, refused: refused, error)
      transfer?.cancel()
    }
  }

  private func start(_ attempt: State.Attempt) {
    let transfer = dependencies.start(attempt.request, attempt.isPaused, self)
    let isCancelled = guarded.withLock { guarded in
      // An event that ended the attempt while it began had nothing to stop.
      guard let wanted = guarded.state.hold(transfer, of: attempt) else { return true }
      // What was asked for since the attempt began has reached nobody.
      if wanted.isPaused != attempt.isPaused {
        if wanted.isPaused { transfer.pause() } else { transfer.resume() }
      }
      transfer.setPriority(wanted.priority)
      return wanted.isCancelled
    }
    if isCancelled { transfer.cancel() }
  }

  private func end(_ head: ResponseHead?, refused: ResponseHead?, _ error: (any Error)?) {
    guard let observer = guarded.withLock({ $0.observer.take() }) else { return }
    if let head { observer.didReceive(head) }
    if let refused { observer.didRefuse(refused) }
    observer.didFinish(error)
  }
}

/// The events of the attempt that runs. No two attempts run at a time, since one begins after the end of the one before.
extension RetryingTransfer: StreamObserver {
  package var isRecording: Bool { guarded.withLock { $0.observer }?.isRecording ?? false }

  package func didReceive(_ head: ResponseHead) {
    let delay = RetryAfter.seconds(in: head, now: dependencies.date())
    change { $0.receive(head, serverDelay: delay) }
  }

  package func didRefuse(_ head: ResponseHead) {
    let delay = RetryAfter.seconds(in: head, now: dependencies.date())
    guarded.withLock { $0.state.refuse(head, serverDelay: delay) }
  }

  package func didReceive(_ bytes: UnsafeRawBufferPointer) {
    let (action, observer) = guarded.withLock { ($0.state.receive(bytes.count), $0.observer) }
    guard case .deliver(let head, let known) = action else { return perform(action) }
    if let head { observer?.didReceive(head) }
    observer?.didReceive(UnsafeRawBufferPointer(rebasing: bytes[known...]))
  }

  package func didFinish(_ error: (any Error)?) {
    let (now, random) = (dependencies.now(), dependencies.random())
    change { $0.finish(error, now: now, random: random) }
  }
}
