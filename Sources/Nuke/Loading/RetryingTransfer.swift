package import Foundation
package import FoundationNetworking
import NukeImaging

/// A transfer that is tried again after errors that may pass. A body that broke off goes on where it was: what is told is
/// one head, one body and one end.
///
/// It acts; ``State`` decides. Between two tries a timer waits, and no thread.
package final class RetryingTransfer: Transfer {
  /// The dependencies of a retrying transfer.
  package struct Dependencies: Sendable {
    /// Starts one try.
    let start: @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer
    /// Calls after some seconds, on any thread.
    let schedule: @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void
    /// Nanoseconds.
    let now: @Sendable () -> UInt64
    /// Seconds since 1970.
    let date: @Sendable () -> Int
    /// Returns a random number from 0 to 1.
    let random: @Sendable () -> Double

    package init(
      start: @escaping @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer,
      schedule: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void,
      now: @escaping @Sendable () -> UInt64, date: @escaping @Sendable () -> Int,
      random: @escaping @Sendable () -> Double
    ) {
      self.start = start
      self.schedule = schedule
      self.now = now
      self.date = date
      self.random = random
    }

    /// With the system's clocks and randomness.
    init(
      start: @escaping @Sendable (URLRequest, _ isPaused: Bool, any StreamObserver) -> any Transfer,
      schedule: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void
    ) {
      self.init(
        start: start, schedule: schedule, now: { monotonicNanoseconds() },
        date: { Int(Date().timeIntervalSince1970) }, random: { .random(in: 0...1) })
    }
  }

  private struct Guarded {
    var state: State
    /// `nil` once the end has been told; whatever the observer keeps is free then.
    var observer: (any StreamObserver)?
  }

  private let dependencies: Dependencies
  private let guarded: Lock<Guarded>

  private init(_ state: State, dependencies: Dependencies, observer: any StreamObserver) {
    self.dependencies = dependencies
    guarded = Lock(Guarded(state: state, observer: observer))
  }

  /// - Parameters:
  ///   - limit: the largest body in bytes.
  ///   - deadline: nanoseconds of ``Means/now``; no try begins after it.
  package static func start(
    _ request: URLRequest, limit: Int?, policy: RetryPolicy?, waitsForConnectivity: Bool, deadline: UInt64?,
    dependencies: Dependencies, observer: any StreamObserver
  ) -> RetryingTransfer {
    let state = State(
      request, limit: limit, policy: policy, waitsForConnectivity: waitsForConnectivity, deadline: deadline)
    let transfer = RetryingTransfer(state, dependencies: dependencies, observer: observer)
    transfer.begin()
    return transfer
  }

  /// Returns `true` if a request is one that may be sent again.
  package static func allows(_ request: URLRequest) -> Bool { State.allows(request) }

  // MARK: From any thread

  package func cancel() {
    switch guarded.withLock({ $0.state.cancel() }) {
    case .nothing: break
    case .stop(let transfer): transfer.cancel()
    // Whoever cancels may hold a lock that the observer takes.
    case .end: dependencies.schedule(0) { self.end(nil, refused: nil, DataLoader.TransferError.cancelled) }
    }
  }

  // A try hears of these within the lock, so that it hears of them in their order: they only leave a note for whoever
  // runs it.

  package func pause() { guarded.withLock { $0.state.pause(true)?.pause() } }

  package func resume() { guarded.withLock { $0.state.pause(false)?.resume() } }

  package func setPriority(_ priority: ImageRequest.Priority) {
    guarded.withLock { $0.state.setPriority(priority)?.setPriority(priority) }
  }

  // MARK: Tries

  private func begin() {
    let (attempt, next) = guarded.withLock { ($0.state.attempt, $0.state.begin()) }
    guard let next else { return }
    let isRecording = guarded.withLock { $0.observer }?.isRecording ?? false
    let transfer = dependencies.start(
      next.request, next.isPaused, Attempt(number: attempt, transfer: self, isRecording: isRecording))
    let isCancelled = guarded.withLock { guarded in
      // Whoever may have ended it while it began had nothing to stop.
      guard let wanted = guarded.state.hold(transfer, of: attempt) else { return true }
      // What was asked for since the try was begun has found nobody to tell.
      if wanted.isPaused != next.isPaused {
        if wanted.isPaused { transfer.pause() } else { transfer.resume() }
      }
      transfer.setPriority(wanted.priority)
      return wanted.isCancelled
    }
    if isCancelled { transfer.cancel() }
  }

  private func receive(_ head: ResponseHead, from attempt: Int) {
    let (now, random) = (dependencies.now(), dependencies.random())
    let delay = RetryAfter.seconds(in: head, now: dependencies.date())
    let answer = guarded.withLock {
      $0.state.receive(head, serverDelay: delay, from: attempt, now: now, random: random)
    }
    if case .giveUp(let error, let transfer) = answer { giveUp(error, transfer) }
  }

  private func refuse(_ head: ResponseHead, from attempt: Int) {
    let delay = RetryAfter.seconds(in: head, now: dependencies.date())
    guarded.withLock { $0.state.refuse(head, delay: delay, from: attempt) }
  }

  private func receive(_ bytes: UnsafeRawBufferPointer, from attempt: Int) {
    let (part, observer) = guarded.withLock { ($0.state.receive(bytes.count, from: attempt), $0.observer) }
    switch part {
    case .nothing: break
    case .bytes(let head, let known):
      if let head { observer?.didReceive(head) }
      observer?.didReceive(UnsafeRawBufferPointer(rebasing: bytes[known...]))
    case .stop(let transfer): transfer?.cancel()
    case .giveUp(let error, let transfer): giveUp(error, transfer)
    }
  }

  private func giveUp(_ error: any Error, _ transfer: (any Transfer)?) {
    end(nil, refused: nil, error)
    transfer?.cancel()
  }

  private func finish(_ error: (any Error)?, of attempt: Int) {
    let (now, random) = (dependencies.now(), dependencies.random())
    switch guarded.withLock({ $0.state.finish(error, from: attempt, now: now, random: random) }) {
    case .nothing: break
    case .end(let head, let refused, let error): end(head, refused: refused, error)
    case .wait(let seconds): dependencies.schedule(seconds) { self.begin() }
    }
  }

  private func end(_ head: ResponseHead?, refused: ResponseHead?, _ error: (any Error)?) {
    let observer = guarded.withLock { guarded in
      defer { guarded.observer = nil }
      return guarded.observer
    }
    guard let observer else { return }
    if let head { observer.didReceive(head) }
    if let refused { observer.didRefuse(refused) }
    observer.didFinish(error)
  }

  /// Hears of one try.
  private final class Attempt: StreamObserver {
    private let number: Int
    private let transfer: RetryingTransfer
    let isRecording: Bool

    init(number: Int, transfer: RetryingTransfer, isRecording: Bool) {
      self.number = number
      self.transfer = transfer
      self.isRecording = isRecording
    }

    func didReceive(_ head: ResponseHead) { transfer.receive(head, from: number) }
    func didRefuse(_ head: ResponseHead) { transfer.refuse(head, from: number) }
    func didReceive(_ bytes: UnsafeRawBufferPointer) { transfer.receive(bytes, from: number) }
    func didFinish(_ error: (any Error)?) { transfer.finish(error, of: number) }
  }
}
