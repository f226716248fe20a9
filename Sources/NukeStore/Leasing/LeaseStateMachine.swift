/// Decides for one client of a lease whether it does the work, or waits for another client that is doing it. A value
/// type: each event returns the action that follows.
package struct LeaseStateMachine {
  package enum Action: Equatable, Sendable {
    /// Try to acquire the lease.
    case acquire
    /// Wait until the lease may be free, for at most this number of seconds.
    case wait(seconds: Double)
    /// Look up the result in the store that the clients share.
    case lookUp
    /// Do the work, and hold the lease meanwhile if it was acquired.
    case work
  }

  package enum Event: Equatable, Sendable {
    case acquired
    /// Another client holds the lease.
    case held
    case unavailable
    /// The wait is over: the lease may be free, or the time has passed. This many seconds were spent.
    case waited(isFree: Bool, seconds: Double)
    /// The store does not have the result.
    case foundNothing
  }

  /// The number of seconds that the client may still wait.
  private var remainingSeconds: Double
  /// The number of seconds that it has waited so far.
  package private(set) var waitedSeconds = 0.0
  private var isHolder = false
  private var mayBeFree = true

  /// - Parameter waitLimit: the maximum time to wait for other clients, in seconds; at most a day.
  package init(waitLimit: Double) { remainingSeconds = min(waitLimit, 86_400) }

  /// The first action.
  package var start: Action { .acquire }

  package mutating func action(after event: Event) -> Action {
    switch event {
    case .acquired:
      isHolder = true
      // Another client may have finished between the look-up and the acquisition of the lease.
      return .lookUp
    // Without a lease, the work may be done twice. That is better than not at all.
    case .held where remainingSeconds <= 0, .unavailable:
      mayBeFree = false
      return .work
    case .held: return .wait(seconds: remainingSeconds)
    case .waited(let isFree, let seconds):
      // A custom cache may report any number.
      let counted = seconds.isNaN ? 0 : min(max(0, seconds), remainingSeconds)
      waitedSeconds += counted
      remainingSeconds -= counted
      mayBeFree = isFree
      return .lookUp
    case .foundNothing: return isHolder || !mayBeFree ? .work : .acquire
    }
  }
}
