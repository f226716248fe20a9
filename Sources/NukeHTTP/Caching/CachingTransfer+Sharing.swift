import Foundation
import FoundationNetworking
import NukeBase
import NukeHTTPCaching
import NukeStore

/// Coalesces concurrent requests for a URL into one exchange with the origin (RFC 9111 §4). The holder of the URL's
/// lease makes the exchange, and the others are served the response that it stores.
extension CachingTransfer {
  /// Returns the status of a stored response if this transfer waited for it; otherwise `nil`.
  func statusAfterWaiting(_ reuse: Reuse) -> CacheStatus? { waitedFor.map { CacheStatus(reuse, collapsed: $0) } }

  /// Waits for the exchange of another transfer, and then looks for the response again. A transfer waits only once.
  /// Otherwise, requests for a response that is not stored would wait for each other in turn.
  func wait(for held: any HeldDataLease, _ reason: Forward.Reason) {
    waitedFor = reason
    guard leaseClient.take(.held(held), lookAgain: { self.lookUp() }) == .waiting else { return lookUp() }
    // It may have been canceled before it waited.
    if isCancelled, leaseClient.stopWaiting() { end(DataLoader.TransferError.cancelled) }
  }

  /// Returns `true` if this transfer makes the background validation.
  func leadsBehind() -> Bool {
    let attempt = cache.lease(for: key)
    if case .held = attempt { return false }
    _ = leaseClient.take(attempt, lookAgain: {})
    return true
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
