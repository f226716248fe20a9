public import Dispatch

/// On a queue of the program's choice.
extension Promise {
  /// Calls `closure` on `queue` with the value, if it comes.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func then(on queue: DispatchQueue, _ closure: @escaping @Sendable (T) -> Void) -> Promise<T> {
    completion(on: queue) { outcome in
      if case .success(let value) = outcome { closure(value) }
    }
  }

  /// A promise of what `transform` makes of the value on `queue`. An error goes on to it, also one that is thrown.
  public func then<U: Sendable>(
    on queue: DispatchQueue, _ transform: @escaping @Sendable (T) throws -> U
  ) -> Promise<U> {
    continued(on: queue) { outcome, next in next.settle(outcome.flatMap { value in Result { try transform(value) } }) }
  }

  /// A promise that ends as the one does that `next` gives on `queue` for the value. An error goes on to it, also one
  /// that is thrown.
  public func then<U: Sendable>(
    on queue: DispatchQueue, _ next: @escaping @Sendable (T) throws -> Promise<U>
  ) -> Promise<U> {
    continued(on: queue) { outcome, promise in
      do { try next(outcome.get()).observe(promise.settle) } catch { promise.settle(.failure(error)) }
    }
  }

  /// Calls `closure` on `queue` with the error, if one comes.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func `catch`(on queue: DispatchQueue, _ closure: @escaping @Sendable (any Error) -> Void) -> Promise<T> {
    completion(on: queue) { outcome in
      if case .failure(let error) = outcome { closure(error) }
    }
  }

  /// A promise of the same value that, where an error comes instead, ends as the one does that `other` gives for it on
  /// `queue`.
  public func recover(
    on queue: DispatchQueue, _ other: @escaping @Sendable (any Error) throws -> Promise<T>
  ) -> Promise<T> {
    continued(on: queue) { outcome, promise in
      guard case .failure(let error) = outcome else { return promise.settle(outcome) }
      do { try other(error).observe(promise.settle) } catch { promise.settle(.failure(error)) }
    }
  }

  /// Calls `closure` on `queue` when there is a value or an error.
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
