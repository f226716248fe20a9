public import Foundation

/// Elects one of the clients sharing a cache to produce an entry. The others wait and find the result in the cache.
///
/// A pipeline whose ``ImagePipeline/Configuration-swift.struct/dataCache`` is one too downloads an original, and makes
/// an image, once for all of them; see <doc:Caching>. ``DataCache`` does so for processes that share a folder.
///
/// Called from the pipeline's threads, where an answer may take as long as reading from the cache; never under a lock.
public protocol DataLeasing: Sendable {
  /// Seconds that a load waits at most for others; 0 for loads that ask nobody.
  var leaseTimeout: TimeInterval { get }

  /// Asks for the right to do the work whose result is stored for `key`. Does not wait for others.
  func lease(for key: String) -> DataLeaseAttempt
}

/// The result of an attempt to acquire a lease.
public enum DataLeaseAttempt: Sendable {
  /// The work is the caller's.
  case taken(any DataLease)
  /// Somebody else is at it.
  case held(any HeldDataLease)
  /// There are no leases, or not now. Work is done twice sooner than not at all.
  case unavailable
}

/// The right to do a piece of work.
///
/// It is let go of with its last reference, from any thread, without holding that up. Whoever has it next finds what was
/// stored before. Where the process dies others have it at once, or after a short time.
public protocol DataLease: AnyObject, Sendable {}

/// A lease that somebody else has.
public protocol HeldDataLease: Sendable {
  /// Calls `body` once when the lease may be free, or after a time if that comes first.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait.
  ///   - body: is told whether the lease may be free, and how many seconds passed. It is called on any thread, which it
  ///     must not hold up, not before this returns, and not after the waiting was canceled.
  func wait(
    seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
  ) -> any Cancellable
}
