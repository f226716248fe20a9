public import Foundation
public import NukeBase

/// Elects one of the clients sharing a cache to produce an entry. The others wait and find the result in the cache.
///
/// If the ``ImagePipeline/Configuration-swift.struct/dataCache`` of a pipeline conforms to this protocol, an original
/// is downloaded, and an image is rendered, once for all clients of the cache; see <doc:Caching>. ``DataCache``
/// supports this for processes that share a folder.
///
/// The pipeline calls the methods on its own threads and never under a lock. They may take as long as reading from the
/// cache.
public protocol DataLeasing: Sendable {
  /// The maximum number of seconds that a load waits for others; with 0, loads do not wait.
  var leaseTimeout: TimeInterval { get }

  /// Tries to acquire the lease of the work whose result is stored for `key`, without waiting for other clients.
  func lease(for key: String) -> DataLeaseAttempt
}

/// The result of an attempt to acquire a lease.
public enum DataLeaseAttempt: Sendable {
  /// The caller holds the lease now. It does the work, stores the result, and then releases the lease.
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
