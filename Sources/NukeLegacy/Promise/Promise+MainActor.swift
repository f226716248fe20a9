import Dispatch

/// On the main queue, as version 4 did where no queue was named.
extension Promise {
  /// Calls `closure` with the value, if it comes.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func then(_ closure: @escaping @MainActor @Sendable (T) -> Void) -> Promise<T> {
    then(on: .main) { value in MainActor.assumeIsolated { closure(value) } }
  }

  /// A promise of what `transform` makes of the value. An error goes on to it, also one that is thrown.
  public func then<U: Sendable>(_ transform: @escaping @MainActor @Sendable (T) throws -> U) -> Promise<U> {
    then(on: .main) { value -> U in try MainActor.assumeIsolated { try transform(value) } }
  }

  /// A promise that ends as the one does that `next` gives for the value. An error goes on to it, also one that is thrown.
  public func then<U: Sendable>(_ next: @escaping @MainActor @Sendable (T) throws -> Promise<U>) -> Promise<U> {
    then(on: .main) { value -> Promise<U> in try MainActor.assumeIsolated { try next(value) } }
  }

  /// Calls `closure` with the error, if one comes.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func `catch`(_ closure: @escaping @MainActor @Sendable (any Error) -> Void) -> Promise<T> {
    self.catch(on: .main) { error in MainActor.assumeIsolated { closure(error) } }
  }

  /// A promise of the same value that, where an error comes instead, ends as the one does that `other` gives for it.
  public func recover(_ other: @escaping @MainActor @Sendable (any Error) throws -> Promise<T>) -> Promise<T> {
    recover(on: .main) { error in try MainActor.assumeIsolated { try other(error) } }
  }

  /// Calls `closure` when there is a value or an error.
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
