import Foundation
import NukeHTTPCaching

/// Coalesces concurrent requests for a URL into one exchange with the origin (RFC 9111 §4). The holder of the URL's
/// lease makes the exchange, and the others are served the response that it stores.
extension CachingTransfer {
  /// The state of a transfer with regard to the lease of its URL.
  struct Sharing {
    fileprivate var lease: (any DataLease)?
    fileprivate var waiting: (any Cancellable)?
    /// The reason why this transfer needed the origin before it waited. A transfer waits only once. Otherwise, requests
    /// for a response that is not stored would wait for each other in turn.
    fileprivate var waitedFor: Forward.Reason?
    /// `true` if the transfer does not use the lease.
    fileprivate var isAlone = false

    mutating func takeWaiting() -> (any Cancellable)? { waiting.take() }
  }

  enum Share {
    /// This transfer makes the exchange.
    case go
    /// This transfer has just acquired the lease. The former holder may have stored a response.
    case lookAgain
    /// Another transfer makes the exchange. The look-up is repeated afterwards.
    case wait
  }

  var lease: (any DataLease)? { sharing { sharing, _ in sharing.lease } }

  /// Releases the lease, so that others can continue.
  func releaseLease() {
    let lease = sharing { sharing, _ in
      sharing.isAlone = true
      return sharing.lease.take()
    }
    withExtendedLifetime(lease) {}
  }

  /// Returns the status of a stored response if this transfer waited for it; otherwise `nil`.
  func statusAfterWaiting(_ reuse: Reuse) -> CacheStatus? {
    sharing { sharing, _ in sharing.waitedFor }.map { CacheStatus(reuse, collapsed: $0) }
  }

  /// Decides which transfer makes the exchange. Called on a worker.
  func share(_ forward: Forward) -> Share {
    let (isDecided, hasWaited) = sharing { sharing, _ in
      (sharing.lease != nil || sharing.isAlone, sharing.waitedFor != nil)
    }
    let timeout = cache.leaseTimeout
    guard !isDecided, isSharable(forward), timeout > 0, let store = cache.store else { return .go }
    switch store.lease(for: key) {
    case .unavailable: return .go
    case .taken(let lease):
      sharing { sharing, _ in sharing.lease = lease }
      return .lookAgain
    case .held(let held):
      guard !hasWaited else {
        sharing { sharing, _ in sharing.isAlone = true }
        return .go
      }
      let waits = sharing { sharing, isCancelled in
        sharing.waitedFor = forward.reason
        if !isCancelled { sharing.waiting = held.wait(seconds: timeout) { isFree, _ in self.wake(isFree) } }
        return !isCancelled
      }
      // A transfer that has just been canceled continues, and ends.
      return waits ? .wait : .go
    }
  }

  private func wake(_ isFree: Bool) {
    let isWanted = sharing { sharing, _ in
      if !isFree { sharing.isAlone = true }
      return sharing.takeWaiting() != nil
    }
    if isWanted { onWorker { self.lookUp() } }
  }

  /// Stops waiting in a canceled transfer. The look-up detects the cancellation.
  func stopWaiting(_ waiting: any Cancellable) {
    waiting.cancel()
    onWorker { self.lookUp() }
  }

  /// Returns `true` if this transfer makes the background validation.
  func leadsBehind() -> Bool {
    guard cache.leaseTimeout > 0, let store = cache.store else { return true }
    switch store.lease(for: key) {
    case .unavailable: return true
    case .taken(let lease):
      sharing { sharing, _ in sharing.lease = lease }
      return true
    case .held: return false
    }
  }

  /// Returns `true` if other requests can use the same response.
  private func isSharable(_ forward: Forward) -> Bool {
    switch forward.reason {
    case .uriMiss, .varyMiss, .stale:
      asked.method == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    case .bypass, .method, .request, .partial: false
    }
  }
}
