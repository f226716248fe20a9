import Foundation
import FoundationNetworking
import NukeBase
import NukeHTTPCaching
import NukeStore

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
    /// `true` if the transfer has waited too long, and does not use the lease.
    fileprivate var isAlone = false

    mutating func takeWaiting() -> (any Cancellable)? { waiting.take() }
  }

  var lease: (any DataLease)? {
    get { sharing { sharing, _ in sharing.lease } }
    set {
      let old = sharing { sharing, _ in Swift.exchange(&sharing.lease, with: newValue) }
      // Releasing a lease wakes waiters, so it happens outside the lock.
      withExtendedLifetime(old) {}
    }
  }

  var mayShare: Bool { sharing { sharing, _ in !sharing.isAlone } }

  var hasWaited: Bool { sharing { sharing, _ in sharing.waitedFor != nil } }

  /// Returns the status of a stored response if this transfer waited for it; otherwise `nil`.
  func statusAfterWaiting(_ reuse: Reuse) -> CacheStatus? {
    sharing { sharing, _ in sharing.waitedFor }.map { CacheStatus(reuse, collapsed: $0) }
  }

  /// Waits for the exchange of another transfer, and then looks for the response again.
  func wait(for held: any HeldDataLease, _ reason: Forward.Reason) {
    let timeout = cache.leaseTimeout
    let isCancelled = sharing { sharing, isCancelled in
      sharing.waitedFor = reason
      if !isCancelled { sharing.waiting = held.wait(seconds: timeout) { isFree, _ in self.wake(isFree) } }
      return isCancelled
    }
    if isCancelled { end(DataLoader.TransferError.cancelled) }
  }

  private func wake(_ isFree: Bool) {
    let isWanted = sharing { sharing, _ in
      if !isFree { sharing.isAlone = true }
      return sharing.takeWaiting() != nil
    }
    if isWanted { lookUp() }
  }

  /// Returns `true` if this transfer makes the background validation.
  func leadsBehind() -> Bool {
    switch cache.lease(for: key) {
    case .unavailable: return true
    case .taken(let lease):
      self.lease = lease
      return true
    case .held: return false
    }
  }

  /// Returns `true` if other requests can use the same response.
  func isSharable(_ forward: Forward) -> Bool {
    switch forward.reason {
    case .uriMiss, .varyMiss, .stale:
      cacheRequest.method == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    case .bypass, .method, .request, .partial: false
    }
  }
}

extension HTTPCache {
  /// Tries to acquire the lease of a URL.
  func lease(for key: String) -> DataLeaseAttempt {
    guard leaseTimeout > 0, let store else { return .unavailable }
    return store.lease(for: key)
  }
}
