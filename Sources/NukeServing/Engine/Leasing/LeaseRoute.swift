/// Decides whether a request renders a file, or waits for another node that is rendering it. A value type: each event
/// returns the action that follows.
struct LeaseRoute {
  enum Action: Equatable, Sendable {
    /// Try to acquire the lease.
    case acquire
    /// Wait until the lease may be free, for at most this number of seconds.
    case wait(seconds: Double)
    /// Look up the file in the store that the nodes share.
    case look
    /// Send the stale file that is known, while another node renders.
    case answerStale
    /// Send the file that was found.
    case answer
    /// Fail with the error that the previous holder of the lease stored.
    case fail
    /// Render, and hold the lease meanwhile if it was acquired.
    case render
    /// Render, and release the lease if it was acquired, because no other node can use the result.
    case renderUnshared
  }

  enum Event: Sendable {
    case taken
    /// Another node holds the lease. A stale file may be known that can be sent in the meantime.
    case held(mayAnswerStale: Bool)
    case unavailable
    /// The wait is over: the lease may be free, or this number of seconds have passed.
    case waited(isFree: Bool, seconds: Double)
    case found(Found)
  }

  /// The entry that the previous holder stored before it released the lease.
  enum Found: Equatable, Sendable {
    case nothing
    case file
    /// The information that the file must not be shared.
    case unshared
    /// The failure of its source.
    case failure
  }

  /// The number of seconds that the request may still wait.
  private var patience: Double
  private var isHolder = false
  private var mayBeFree = true

  /// - Parameter patience: the maximum time to wait for other nodes, in seconds.
  init(patience: Double) { self.patience = patience }

  /// The first action.
  var start: Action { .acquire }

  mutating func action(after event: Event) -> Action {
    switch event {
    case .taken:
      isHolder = true
      // Another node may have finished between the store look-up and the acquisition of the lease.
      return .look
    case .held(let mayAnswerStale): return mayAnswerStale ? .answerStale : .wait(seconds: patience)
    case .unavailable: return .render
    case .waited(let isFree, let seconds):
      patience -= seconds
      mayBeFree = isFree
      return .look
    case .found(.file): return .answer
    case .found(.unshared): return .renderUnshared
    case .found(.failure): return .fail
    case .found(.nothing):
      // Without a lease, the file may be rendered twice. That is better than not answering.
      return isHolder || !mayBeFree || patience <= 0 ? .render : .acquire
    }
  }
}
