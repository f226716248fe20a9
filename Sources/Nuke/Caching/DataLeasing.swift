public import Foundation

/// Elects one of the clients sharing a cache to produce an entry. The others wait and find the result in the cache.
///
/// A pipeline whose ``ImagePipeline/Configuration-swift.struct/dataCache`` is one too downloads an original, and makes
/// an image, once for all of them; see <doc:Caching>. ``DataCache`` does so for processes that share a folder.
///
/// It is called on the pipeline's threads, where an answer may take as long as reading from the cache, never under a lock.
public protocol DataLeasing: Sendable {
  /// The maximum number of seconds that a load waits for others; with 0, loads do not wait.
  var leaseTimeout: TimeInterval { get }

  /// Tries to acquire the lease of the work whose result is stored for `key`. Does not wait for others.
  func lease(for key: String) -> DataLeaseAttempt
}

/// The result of an attempt to acquire a lease.
public enum DataLeaseAttempt: Sendable {
  /// The caller does the work.
  case taken(any DataLease)
  /// Somebody else does the work.
  case held(any HeldDataLease)
  /// There are no leases, or not now. Doing work twice is better than not doing it.
  case unavailable
}

/// The right to do a piece of work.
///
/// It is released with its last reference, on any thread, without blocking it. The next holder finds what was stored
/// before. If the process dies, others can acquire it at once or after a short time.
public protocol DataLease: AnyObject, Sendable {}

/// A lease that somebody else holds.
public protocol HeldDataLease: Sendable {
  /// Calls `body` once when the lease may be free, or when the time is over.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait.
  ///   - body: receives whether the lease may be free, and how many seconds passed. It is called on any thread, which it
  ///     must not block, not before this returns, and not after the waiting was canceled.
  func wait(
    seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
  ) -> any Cancellable
}
