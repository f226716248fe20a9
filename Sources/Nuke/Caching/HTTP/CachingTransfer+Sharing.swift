import Foundation
import NukeHTTPCaching

/// One exchange with the origin for all requests of a URL at the same time (RFC 9111 §4): the holder of the URL's lease
/// makes it, and the others answer from the response that it stores.
extension CachingTransfer {
  /// The part of a transfer in the lease of its URL.
  struct Sharing {
    fileprivate var lease: (any DataLease)?
    fileprivate var waiting: (any Cancellable)?
    /// Why this transfer needed the origin before it waited. No transfer waits twice: requests for a response that is not
    /// stored must not wait one behind the other.
    fileprivate var waitedFor: Forward.Reason?
    /// `true` if no lease is asked for any more.
    fileprivate var isAlone = false

    mutating func takeWaiting() -> (any Cancellable)? {
      defer { waiting = nil }
      return waiting
    }
  }

  enum Share {
    /// This transfer makes the exchange.
    case go
    /// This transfer has just acquired the lease. The former holder may have stored a response.
    case lookAgain
    /// Somebody else makes the exchange. The look-up is repeated when it is over.
    case wait
  }

  var lease: (any DataLease)? { sharing { sharing, _ in sharing.lease } }

  /// Lets others continue.
  func releaseLease() {
    let lease = sharing { sharing, _ in
      defer { sharing.lease = nil }
      sharing.isAlone = true
      return sharing.lease
    }
    withExtendedLifetime(lease) {}
  }

  /// Returns the status of a stored response if this transfer waited for the one that stored it; else `nil`.
  func statusAfterWaiting(_ reuse: Reuse) -> CacheStatus? {
    sharing { sharing, _ in sharing.waitedFor }.map { CacheStatus(reuse, collapsed: $0) }
  }

  /// Decides who makes the exchange, on a worker.
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
      // A transfer that was canceled just now ends by continuing.
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

  /// Ends the waiting of a canceled transfer, which the look-up notices.
  func stopWaiting(_ waiting: any Cancellable) {
    waiting.cancel()
    onWorker { self.lookUp() }
  }

  /// Returns `true` if this transfer makes the validation behind an answer.
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

  /// Returns `true` if others may want the same answer.
  private func isSharable(_ forward: Forward) -> Bool {
    switch forward.reason {
    case .uriMiss, .varyMiss, .stale:
      asked.method == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    case .bypass, .method, .request, .partial: false
    }
  }
}
