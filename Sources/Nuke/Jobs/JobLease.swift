import Foundation
import NukeBase
import NukeHTTP
import NukeStore

/// The lease of a job: jobs that need the same entry of a shared cache, also in other processes, do the work once.
///
/// A job tries to acquire the lease on a worker thread, if the cache has no entry or a stale one. While it waits, it
/// occupies neither a thread nor a slot.
final class JobLease: Sendable {
  enum Acquisition {
    /// The job does the work. It holds the lease, unless none can be acquired.
    case acquired
    /// The cache has the result now.
    case stored
    /// Another job holds the lease. The closure will be called when it is time to look in the cache.
    case waiting
  }

  let cache: any DataCaching & DataLeasing
  let client: LeaseClient
  private let key: String

  /// - Parameter timeout: the maximum wait in seconds.
  init(key: String, in cache: any DataCaching & DataLeasing, timeout: TimeInterval) {
    self.key = key
    self.cache = cache
    client = LeaseClient(waitLimit: timeout)
  }

  /// Tries to acquire the lease.
  ///
  /// - Parameter lookAgain: called after the result `waiting`, unless the lease is ended before.
  func acquire(_ lookAgain: @escaping @Sendable () -> Void) -> Acquisition {
    switch client.acquisition {
    // A job may ask again after it has released the lease, for example if the stored entry cannot be decoded. For a
    // stopped job the result has no effect.
    case .acquired, .unavailable: return .acquired
    case .waiting: return .waiting
    case nil: break
    }
    switch client.take(cache.lease(for: key), lookAgain: lookAgain) {
    // Looked up again with the lease: the previous holder may have stored the result since.
    case .acquired: return cache.containsData(for: key) ? .stored : .acquired
    case .unavailable: return .acquired
    case .waiting: return .waiting
    }
  }
}

extension Job {
  /// Creates the lease for loading `request`, and keeps it; `nil` if none is needed.
  ///
  /// Closures have none: a closure may load the same image through another pipeline, and would wait for itself.
  func makeLease(
    of request: ImageRequest, in storing: @autoclosure () -> ImagePipeline.Storing<any DataCaching>, key: () -> String
  ) -> JobLease? {
    switch request.storage.resource {
    case .url, .urlRequest: break
    case .data, .bytes, .image: return nil
    }
    guard pipeline.configuration.isTaskCoalescingEnabled, request.options.allowDiskReads,
      !request.isCacheOnly,
      case .into(let caching) = storing(),
      let cache = caching as? any DataCaching & DataLeasing
    else { return nil }
    let own = cache as? DataCache
    // Only our own cache stores freshness records for other processes.
    if own?.isFailing ?? (pipeline.freshnessRequirement(of: request) != nil) { return nil }
    let timeout = cache.leaseTimeout
    guard timeout > 0 else { return nil }
    let lease = JobLease(key: key(), in: cache, timeout: timeout)
    hold(lease)
    return lease
  }
}
