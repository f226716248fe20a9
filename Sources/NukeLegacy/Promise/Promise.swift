import NukeImaging

/// A value that comes later, or the error that comes instead.
///
/// ```swift
/// Loader.shared.loadImage(with: url)
///   .then { image in show(image) }
///   .catch { error in print("no image: \(error)") }
/// ```
///
/// There is one outcome: the first that is given counts. Closures that are added before it comes wait for it, and those
/// added later are called soon. All are called in the order in which they were added, on the main queue, or on the queue
/// that is named. A program without a main run loop names one. A promise may be used from any thread.
public final class Promise<T: Sendable>: Sendable {
  typealias Outcome = Result<T, any Error>
  typealias Observer = @Sendable (Outcome) -> Void

  private struct State {
    var outcome: Outcome?
    var observers: [Observer] = []
    /// `true` if a thread is calling observers. Those added meanwhile are left to it, or they would overtake.
    var isDelivering = false
  }

  private let state = Lock(State())

  /// A promise that `work` keeps: it is called at once, and gets two closures, one for the value and one for the error.
  /// They may be called on any thread; the first call counts.
  public convenience init(
    _ work: (
      _ fulfill: @escaping @Sendable (T) -> Void, _ reject: @escaping @Sendable (any Error) -> Void
    ) -> Void
  ) {
    self.init()
    work({ self.settle(.success($0)) }, { self.settle(.failure($0)) })
  }

  /// A promise whose value is there.
  public convenience init(value: T) {
    self.init()
    settle(.success(value))
  }

  /// A promise that has failed.
  public convenience init(error: any Error) {
    self.init()
    settle(.failure(error))
  }

  init() {}

  /// The value, once it is there. Canceling the Swift task that waits does not shorten the wait.
  ///
  /// - Throws: the error of the promise.
  public var value: T {
    get async throws {
      try await withCheckedThrowingContinuation { waiter in observe { waiter.resume(with: $0) } }
    }
  }

  // MARK: The outcome

  /// Gives the outcome, unless there is one.
  func settle(_ outcome: Outcome) {
    let isFirst = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.outcome = outcome
      state.isDelivering = true
      return true
    }
    if isFirst { deliver(outcome) }
  }

  /// Has `observer` called with the outcome: on the thread that gives it, or on this one where it is there.
  func observe(_ observer: @escaping Observer) {
    let outcome: Outcome? = state.withLock { state in
      state.observers.append(observer)
      guard let outcome = state.outcome, !state.isDelivering else { return nil }
      state.isDelivering = true
      return outcome
    }
    if let outcome { deliver(outcome) }
  }

  private func deliver(_ outcome: Outcome) {
    while let observers = takeObservers() {
      for observer in observers { observer(outcome) }
    }
  }

  private func takeObservers() -> [Observer]? {
    state.withLock { state in
      guard !state.observers.isEmpty else {
        state.isDelivering = false
        return nil
      }
      defer { state.observers = [] }
      return state.observers
    }
  }
}
