/// Decides whether a request renders a file, or waits for another node that is rendering it. A value type: each event
/// returns the action that follows.
struct LeaseStateMachine {
  enum Action: Equatable, Sendable {
    /// Try to acquire the lease.
    case acquire
    /// Wait until the lease may be free, for at most this number of seconds.
    case wait(seconds: Double)
    /// Look up the file in the store that the nodes share.
    case lookUp
    /// Send the stale file that is known, while another node renders.
    case sendStale
    /// Send the file that was found.
    case sendFile
    /// Fail with the error that the previous holder of the lease stored.
    case fail
    /// Render, and hold the lease meanwhile if it was acquired.
    case render
    /// Render, and release the lease if it was acquired, because no other node can use the result.
    case renderUnshared
  }

  enum Event: Sendable {
    case acquired
    /// Another node holds the lease. A stale file may be known that can be sent in the meantime.
    case held(maySendStale: Bool)
    case unavailable
    /// The wait is over: the lease may be free, or this number of seconds have passed.
    case waited(isFree: Bool, seconds: Double)
    case found(StoredEntry)
  }

  /// The entry that the previous holder stored before it released the lease.
  enum StoredEntry: Equatable, Sendable {
    case nothing
    case file
    /// The information that the file must not be shared.
    case unshared
    /// The failure of its source.
    case failure
  }

  /// The number of seconds that the request may still wait.
  private var remainingSeconds: Double
  private var isHolder = false
  private var mayBeFree = true

  /// - Parameter waitLimit: the maximum time to wait for other nodes, in seconds.
  init(waitLimit: Double) { remainingSeconds = waitLimit }

  /// The first action.
  var start: Action { .acquire }

  mutating func action(after event: Event) -> Action {
    switch event {
    case .acquired:
      isHolder = true
      // Another node may have finished between the store look-up and the acquisition of the lease.
      return .lookUp
    case .held(let maySendStale): return maySendStale ? .sendStale : .wait(seconds: remainingSeconds)
    case .unavailable: return .render
    case .waited(let isFree, let seconds):
      remainingSeconds -= seconds
      mayBeFree = isFree
      return .lookUp
    case .found(.file): return .sendFile
    case .found(.unshared): return .renderUnshared
    case .found(.failure): return .fail
    case .found(.nothing):
      // Without a lease, the file may be rendered twice. That is better than sending no response.
      return isHolder || !mayBeFree || remainingSeconds <= 0 ? .render : .acquire
    }
  }
}
