package import Foundation
package import FoundationNetworking
package import NukeBase

/// A transfer that is retried after temporary errors. An interrupted body is resumed, so that the observer receives one
/// head, one body and one end.
///
/// This class acts; ``State`` decides. Between two attempts, only a timer waits, and no thread. The closures of the
/// policy are called on a worker, because the thread of the transport serves all transfers. Events of the attempt that
/// arrive meanwhile are held back, and the worker delivers them.
package final class RetryingTransfer: Transfer {
  /// The dependencies of a retrying transfer.
  package struct Dependencies: Sendable {
    /// Starts an attempt.
    let start: @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer
    /// Calls a closure after a number of seconds, on any thread.
    let schedule: @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void
    /// Calls a closure that asks the policy, on a thread on which closures of the program may run.
    let ask: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Returns a monotonic time in nanoseconds.
    let now: @Sendable () -> UInt64
    /// Returns the seconds since 1970.
    let date: @Sendable () -> Int
    /// Returns a random number from 0 to 1.
    let random: @Sendable () -> Double

    /// Creates the dependencies. The defaults are the worker threads, and the system's clocks and random numbers.
    package init(
      start: @escaping @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer,
      schedule: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void,
      ask: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { RetryingTransfer.policyQueue.add($0) },
      now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now },
      date: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) },
      random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
      self.start = start
      self.schedule = schedule
      self.ask = ask
      self.now = now
      self.date = date
      self.random = random
    }
  }

  /// The queue that calls the closures of all policies.
  package static let policyQueue = TaskQueue(maxConcurrentOperationCount: .max)

  private struct LockedState {
    var state: State
    /// The observer; `nil` after the end was reported, so that everything it retains is released.
    var observer: (any StreamObserver)?
  }

  private let policy: (any TransferRetrying)?
  private let dependencies: Dependencies
  private let locked: Lock<LockedState>

  private init(
    _ state: State, policy: (any TransferRetrying)?, dependencies: Dependencies, observer: any StreamObserver
  ) {
    self.policy = policy
    self.dependencies = dependencies
    locked = Lock(LockedState(state: state, observer: observer))
  }

  /// - Parameters:
  ///   - limit: the maximum size of the body in bytes.
  ///   - deadline: the end of the resource timeout, on the clock of ``Dependencies/now``; `nil` for no timeout.
  package static func start(
    _ request: URLRequest, limit: Int?, policy: (any TransferRetrying)?, waitsForConnectivity: Bool, deadline: UInt64?,
    dependencies: Dependencies, observer: any StreamObserver
  ) -> RetryingTransfer {
    let state = State(request, limit: limit, waitsForConnectivity: waitsForConnectivity, deadline: deadline)
    let transfer = RetryingTransfer(state, policy: policy, dependencies: dependencies, observer: observer)
    transfer.change { $0.begin() }
    return transfer
  }

  /// Returns `true` for idempotent requests: sending them twice has the same effect as once (RFC 9110 §9.2.2).
  package static func allows(_ request: URLRequest) -> Bool {
    guard request.httpBodyStream == nil else { return false }
    return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
  }

  // MARK: Called from any thread

  package func cancel() {
    change { $0.cancel() }
    deliverHeldEventsLater()
  }

  // The following calls are passed to the attempt under the lock, so that they reach it in order. They only queue a
  // command for the thread that runs it.

  package func pause() { locked.withLock { $0.state.pause(true)?.pause() } }

  package func resume() {
    locked.withLock { $0.state.pause(false)?.resume() }
    deliverHeldEventsLater()
  }

  package func setPriority(_ priority: WorkPriority) {
    locked.withLock { $0.state.setPriority(priority)?.setPriority(priority) }
  }

  // MARK: Actions

  private func change(_ event: (inout State) -> State.Action) { perform(locked.withLock { event(&$0.state) }) }

  private func perform(_ action: State.Action) {
    switch action {
    case .nothing, .deliver: break
    case .start(let attempt): start(attempt)
    case .stop(let transfer): transfer.cancel()
    case .ask(let error, let retryCount, let serverDelay):
      // Without a retry left, the policy calls no closure.
      guard let policy, retryCount < policy.maxRetryCount else { return decide(nil) }
      dependencies.ask { [self] in
        decide(
          policy.delay(
            afterTransferError: error, retryCount: retryCount, serverDelay: serverDelay,
            random: dependencies.random()))
      }
    case .retry(let seconds): dependencies.schedule(seconds) { self.change { $0.begin() } }
    case .end(let head, let refused, let error, let transfer):
      end(head, refused: refused, error)
      transfer?.cancel()
    }
  }

  /// Continues with the decision of the policy, and with the events that arrived meanwhile.
  private func decide(_ delay: TimeInterval?) {
    change { $0.decide(delay, now: dependencies.now()) }
    if locked.withLock({ $0.state.beginHeldDelivery() }) { deliverHeldEvents() }
  }

  private func start(_ attempt: State.Attempt) {
    let transfer = dependencies.start(attempt.request, attempt.isPaused, self)
    let isCancelled = locked.withLock { locked in
      // If the attempt ended while it was starting, there was no transfer to cancel.
      guard let wanted = locked.state.hold(transfer, of: attempt) else { return true }
      // Changes made since the attempt began have not been applied yet.
      if wanted.isPaused != attempt.isPaused {
        if wanted.isPaused { transfer.pause() } else { transfer.resume() }
      }
      transfer.setPriority(wanted.priority)
      return wanted.isCancelled
    }
    if isCancelled { transfer.cancel() }
  }

  private func end(_ head: ResponseHead?, refused: ResponseHead?, _ error: (any Error)?) {
    guard let observer = locked.withLock({ $0.observer.take() }) else { return }
    if let head { observer.didReceive(head) }
    if let refused { observer.didRefuse(refused) }
    observer.didFinish(error)
  }
}

/// The events of the running attempt. Attempts do not overlap: each one begins after the previous one has ended.
extension RetryingTransfer: StreamObserver {
  package var isRecording: Bool { locked.withLock { $0.observer }?.isRecording ?? false }

  package func didReceive(_ head: ResponseHead) {
    let delay = RetryAfter.seconds(in: head, now: dependencies.date())
    change { $0.receive(head, serverDelay: delay) }
  }

  package func didRefuse(_ head: ResponseHead) {
    let delay = RetryAfter.seconds(in: head, now: dependencies.date())
    locked.withLock { $0.state.refuse(head, serverDelay: delay) }
  }

  package func didReceive(_ bytes: UnsafeRawBufferPointer) {
    let isHeld = locked.withLock { locked in
      let (isHeld, pausing) = locked.state.holdBack(bytes)
      pausing?.pause()
      return isHeld
    }
    if !isHeld { deliver(bytes) }
  }

  package func didFinish(_ error: (any Error)?) {
    if !locked.withLock({ $0.state.holdBack(error) }) { finish(error) }
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer) {
    let (action, observer) = locked.withLock { ($0.state.receive(bytes.count), $0.observer) }
    guard case .deliver(let head, let known) = action else { return perform(action) }
    if let head { observer?.didReceive(head) }
    observer?.didReceive(UnsafeRawBufferPointer(rebasing: bytes[known...]))
  }

  private func finish(_ error: (any Error)?) {
    let (now, random) = (dependencies.now(), dependencies.random())
    change { $0.finish(error, now: now, random: random) }
  }

  // MARK: Held events

  /// Delivers the events that were held back while the program had paused the transfer. Uses another thread, because
  /// the caller may hold a lock that the observer needs.
  private func deliverHeldEventsLater() {
    if locked.withLock({ $0.state.beginHeldDelivery() }) { dependencies.ask { [self] in deliverHeldEvents() } }
  }

  /// Delivers the events that were held back. One thread at a time calls this, and new events are held back until it
  /// has delivered the last one.
  private func deliverHeldEvents() {
    while let event = takeHeldEvent() {
      switch event {
      case .bytes(let data): data.withUnsafeBytes { deliver($0) }
      case .end(let error): finish(error)
      }
    }
  }

  private func takeHeldEvent() -> State.Event? {
    locked.withLock { locked in
      let (event, resuming) = locked.state.takeHeldEvent()
      resuming?.resume()
      return event
    }
  }
}
