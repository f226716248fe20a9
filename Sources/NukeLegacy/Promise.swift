public import Dispatch
import NukeBase

/// A value or an error that arrives later.
///
/// ```swift
/// Loader.shared.loadImage(with: url)
///   .then { image in show(image) }
///   .catch { error in print("No image: \(error)") }
/// ```
///
/// The first outcome counts. Closures may be added before or after it. They are called in the order in which they were
/// added, on the main queue or a given queue. A program without a main run loop has to pass a queue. A promise may be used
/// from any thread.
public final class Promise<T: Sendable>: Sendable {
  typealias Outcome = Result<T, any Error>
  typealias Observer = @Sendable (Outcome) -> Void

  private struct State {
    var outcome: Outcome?
    var observers: [Observer] = []
    /// `true` if a thread is calling observers. It also calls those added in the meantime, which keeps the order.
    var isDelivering = false
  }

  private let state = Lock(State())

  /// Creates a promise and calls `work` with two closures, for the value and for the error. They may be called on any
  /// thread. The first call counts.
  public convenience init(
    _ work: (
      _ fulfill: @escaping @Sendable (T) -> Void, _ reject: @escaping @Sendable (any Error) -> Void
    ) -> Void
  ) {
    self.init()
    work({ self.settle(.success($0)) }, { self.settle(.failure($0)) })
  }

  /// Creates a promise with a value.
  public convenience init(value: T) {
    self.init()
    settle(.success(value))
  }

  /// Creates a promise that has failed.
  public convenience init(error: any Error) {
    self.init()
    settle(.failure(error))
  }

  init() {}

  /// The value. Canceling the waiting Swift task does not end the wait.
  ///
  /// - Throws: the error of the promise.
  public var value: T {
    get async throws {
      try await withCheckedThrowingContinuation { waiter in observe { waiter.resume(with: $0) } }
    }
  }

  // MARK: The outcome

  /// Sets the outcome, unless there is one already.
  func settle(_ outcome: Outcome) {
    let isFirst = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.outcome = outcome
      state.isDelivering = true
      return true
    }
    if isFirst { deliver(outcome) }
  }

  /// Calls `observer` with the outcome: on the thread that sets it, or on this thread if it is set already.
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

/// Closures on the main queue.
extension Promise {
  /// Calls `closure` with the value on success.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func then(_ closure: @escaping @MainActor @Sendable (T) -> Void) -> Promise<T> {
    then(on: .main) { value in MainActor.assumeIsolated { closure(value) } }
  }

  /// Returns a promise of the transformed value. Errors of this promise and of `transform` are passed on.
  public func then<U: Sendable>(_ transform: @escaping @MainActor @Sendable (T) throws -> U) -> Promise<U> {
    then(on: .main) { value -> U in try MainActor.assumeIsolated { try transform(value) } }
  }

  /// Returns a promise with the outcome of the promise that `next` returns for the value. Errors are passed on.
  public func then<U: Sendable>(_ next: @escaping @MainActor @Sendable (T) throws -> Promise<U>) -> Promise<U> {
    then(on: .main) { value -> Promise<U> in try MainActor.assumeIsolated { try next(value) } }
  }

  /// Calls `closure` with the error on failure.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func `catch`(_ closure: @escaping @MainActor @Sendable (any Error) -> Void) -> Promise<T> {
    self.catch(on: .main) { error in MainActor.assumeIsolated { closure(error) } }
  }

  /// Returns a promise of the same value. On failure, it has the outcome of the promise that `other` returns.
  public func recover(_ other: @escaping @MainActor @Sendable (any Error) throws -> Promise<T>) -> Promise<T> {
    recover(on: .main) { error in try MainActor.assumeIsolated { try other(error) } }
  }

  /// Calls `closure` on success or failure.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func finally(_ closure: @escaping @MainActor @Sendable () -> Void) -> Promise<T> {
    finally(on: .main) { MainActor.assumeIsolated { closure() } }
  }

  /// Calls `closure` with the value or the error.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func completion(_ closure: @escaping @MainActor @Sendable (Result<T, any Error>) -> Void) -> Promise<T> {
    completion(on: .main) { outcome in MainActor.assumeIsolated { closure(outcome) } }
  }
}

/// Closures on a given queue.
extension Promise {
  /// Calls `closure` on `queue` with the value on success.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func then(on queue: DispatchQueue, _ closure: @escaping @Sendable (T) -> Void) -> Promise<T> {
    completion(on: queue) { outcome in
      if case .success(let value) = outcome { closure(value) }
    }
  }

  /// Returns a promise of the value transformed on `queue`. Errors of this promise and of `transform` are passed on.
  public func then<U: Sendable>(
    on queue: DispatchQueue, _ transform: @escaping @Sendable (T) throws -> U
  ) -> Promise<U> {
    continued(on: queue) { outcome, next in next.settle(outcome.flatMap { value in Result { try transform(value) } }) }
  }

  /// Returns a promise with the outcome of the promise that `next` returns for the value on `queue`. Errors are passed on.
  public func then<U: Sendable>(
    on queue: DispatchQueue, _ next: @escaping @Sendable (T) throws -> Promise<U>
  ) -> Promise<U> {
    continued(on: queue) { outcome, promise in
      do { try next(outcome.get()).observe(promise.settle) } catch { promise.settle(.failure(error)) }
    }
  }

  /// Calls `closure` on `queue` with the error on failure.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func `catch`(on queue: DispatchQueue, _ closure: @escaping @Sendable (any Error) -> Void) -> Promise<T> {
    completion(on: queue) { outcome in
      if case .failure(let error) = outcome { closure(error) }
    }
  }

  /// Returns a promise of the same value. On failure, it has the outcome of the promise that `other` returns on `queue`.
  public func recover(
    on queue: DispatchQueue, _ other: @escaping @Sendable (any Error) throws -> Promise<T>
  ) -> Promise<T> {
    continued(on: queue) { outcome, promise in
      guard case .failure(let error) = outcome else { return promise.settle(outcome) }
      do { try other(error).observe(promise.settle) } catch { promise.settle(.failure(error)) }
    }
  }

  /// Calls `closure` on `queue` on success or failure.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func finally(on queue: DispatchQueue, _ closure: @escaping @Sendable () -> Void) -> Promise<T> {
    completion(on: queue) { _ in closure() }
  }

  /// Calls `closure` on `queue` with the value or the error.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func completion(
    on queue: DispatchQueue, _ closure: @escaping @Sendable (Result<T, any Error>) -> Void
  ) -> Promise<T> {
    observe { outcome in queue.async { closure(outcome) } }
    return self
  }

  private func continued<U>(
    on queue: DispatchQueue, _ body: @escaping @Sendable (Outcome, Promise<U>) -> Void
  ) -> Promise<U> {
    let next = Promise<U>()
    observe { outcome in queue.async { body(outcome, next) } }
    return next
  }
}
