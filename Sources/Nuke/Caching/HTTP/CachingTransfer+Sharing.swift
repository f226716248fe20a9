import Foundation
import NukeHTTPCaching

/// One exchange with the origin for all who want the same at the same time (RFC 9111 §4): whoever has the lease of the
/// URL makes it, and the others answer from what it leaves.
extension CachingTransfer {
  /// Whose the exchange is.
  struct Sharing {
    fileprivate var lease: DiskLease?
    fileprivate var waiting: DiskLeases.Waiting?
    /// Why this transfer would have gone on that has waited. Nobody waits twice: a response that is not kept must not make
    /// those who want it stand in a line.
    fileprivate var waitedFor: Forward.Reason?
    /// Nobody is asked any more.
    fileprivate var isAlone = false

    mutating func takeWaiting() -> DiskLeases.Waiting? {
      defer { waiting = nil }
      return waiting
    }
  }

  enum Share {
    /// The exchange is this transfer's to make.
    case go
    /// It has just become so; who had it before may have left a response.
    case lookAgain
    /// Somebody else makes it. The look-up is made again.
    case wait
  }

  var lease: DiskLease? { sharing { sharing, _ in sharing.lease } }

  /// Lets others go on.
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

  /// Finds out whose the exchange is, on a worker.
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
    case .held(let place):
      guard !hasWaited else {
        sharing { sharing, _ in sharing.isAlone = true }
        return .go
      }
      let deadline = store.leases.clock() + UInt64(min(timeout, 1e9) * 1e9)
      let waits = sharing { sharing, isCancelled in
        sharing.waitedFor = forward.reason
        if !isCancelled { sharing.waiting = store.leases.wait(for: place, until: deadline) { self.wake($0) } }
        return !isCancelled
      }
      // One that was canceled just now comes to its end by going on.
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

  /// The look-up sees that the transfer was canceled.
  func stopWaiting(_ waiting: DiskLeases.Waiting) {
    cache.store?.leases.cancel(waiting)
    onWorker { self.lookUp() }
  }

  /// Returns `true` if a validation behind an answer is this transfer's to make.
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

  /// Returns `true` if the answer may be one that others want as it is.
  private func isSharable(_ forward: Forward) -> Bool {
    switch forward.reason {
    case .uriMiss, .varyMiss, .stale:
      asked.method == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    case .bypass, .method, .request, .partial: false
    }
  }
}
