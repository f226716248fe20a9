import NukeImaging

/// Notifies work that it is no longer wanted. Copies share one ``CancellationTokenSource``.
///
/// It may be used from any thread.
public struct CancellationToken: Sendable {
  private let storage = Storage()

  init() {}

  /// A Boolean value that indicates whether the work is no longer wanted. Once true, it stays so.
  public var isCancelling: Bool { storage.state.withLock { $0.isCancelling } }

  /// Has `closure` called when the work is canceled, on the thread that does so: once, or never. Where that has
  /// happened already it is called before this returns.
  public func register(_ closure: @escaping @Sendable () -> Void) { _ = registration(closure) }

  /// Registers a closure like ``register(_:)``, and can be undone, since a token may live much longer than the work.
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

  /// How many closures are kept.
  var registrationCount: Int { storage.state.withLock { $0.closures.count } }

  fileprivate struct State {
    var isCancelling = false
    var lastNumber = 0
    var closures: [Int: @Sendable () -> Void] = [:]
  }

  fileprivate final class Storage: Sendable {
    let state = Lock(State())
  }

  /// A closure's place in a token.
  struct Registration: Sendable {
    fileprivate let storage: Storage
    fileprivate let number: Int?

    /// Lets the closure go. It may be running at this moment.
    func remove() {
      guard let number else { return }
      let closure = storage.state.withLock { $0.closures.removeValue(forKey: number) }
      withExtendedLifetime(closure) {}
    }
  }
}
