import NukeBase

/// Cancels the work that uses its ``token``.
///
/// ```swift
/// let source = CancellationTokenSource()
/// Loader.shared.loadImage(with: url, token: source.token)
/// source.cancel()
/// ```
///
/// It may be used from any thread.
public final class CancellationTokenSource: Sendable {
  /// The token for the work.
  public let token = CancellationToken()

  /// A source that has not been canceled.
  public init() {}

  /// A Boolean value that indicates whether ``cancel()`` has been called.
  public var isCancelling: Bool { token.isCancelling }

  /// Calls the closures registered with the token, in order, on this thread, before returning. Further calls have no
  /// effect.
  public func cancel() { token.cancel() }
}

/// Notifies work that it has been canceled. All copies belong to one ``CancellationTokenSource``.
///
/// It may be used from any thread.
public struct CancellationToken: Sendable {
  private let storage = Storage()

  init() {}

  /// A Boolean value that indicates whether the work has been canceled. It never becomes `false` again.
  public var isCancelling: Bool { storage.state.withLock { $0.isCancelling } }

  /// Registers a closure that is called at most once, on the thread that cancels the work. If the work has been canceled
  /// already, calls the closure before returning.
  public func register(_ closure: @escaping @Sendable () -> Void) { _ = registration(closure) }

  /// Registers a closure like ``register(_:)``. The result can remove it, since a token may outlive the work.
  func registration(_ closure: @escaping @Sendable () -> Void) -> Registration {
    let number: Int? = storage.state.withLock { state in
      if state.isCancelling { return nil }
      state.lastNumber += 1
      state.closures[state.lastNumber] = closure
      return state.lastNumber
    }
    if number == nil { closure() }
    return Registration(storage: storage, number: number)
  }

  func cancel() {
    let closures = storage.state.withLock { state in
      state.isCancelling = true
      defer { state.closures = [:] }
      return state.closures
    }
    for (_, closure) in closures.sorted(by: { $0.key < $1.key }) { closure() }
  }

  /// The number of registered closures.
  var registrationCount: Int { storage.state.withLock { $0.closures.count } }

  fileprivate struct State {
    var isCancelling = false
    var lastNumber = 0
    var closures: [Int: @Sendable () -> Void] = [:]
  }

  fileprivate final class Storage: Sendable {
    let state = Lock(State())
  }

  /// The registration of a closure.
  struct Registration: Sendable {
    fileprivate let storage: Storage
    fileprivate let number: Int?

    /// Releases the closure, which may be running.
    func remove() {
      guard let number else { return }
      let closure = storage.state.withLock { $0.closures.removeValue(forKey: number) }
      withExtendedLifetime(closure) {}
    }
  }
}
