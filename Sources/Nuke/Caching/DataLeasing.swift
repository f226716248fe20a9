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
  /// Another client holds the lease and does the work.
  case held(any HeldDataLease)
  /// No lease can be acquired. The caller does the work anyway, because doing it twice is better than not at all.
  case unavailable
}

/// The exclusive right to produce an entry.
///
/// The lease is released with the last reference to the object. This can happen on any thread, so it must not block.
/// The next holder finds what this one has stored. If the process dies, others can acquire it at once or after a short
/// time.
public protocol DataLease: AnyObject, Sendable {}

/// A lease that another client holds.
public protocol HeldDataLease: Sendable {
  /// Calls `body` once, when the lease may be free or after `seconds`.
  ///
  /// - Parameters:
  ///   - seconds: the maximum wait.
  ///   - body: receives `true` if the lease may be free, and the number of seconds waited. It is called on any thread
  ///     after this method has returned, and must not block. It is not called after the wait was canceled.
  func wait(
    seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
  ) -> any Cancellable
}
