import Foundation
import NukeBase
import NukeHTTP
import NukeStore

/// The lease of a job. Of all jobs that need the same entry of a shared cache, also in other processes, one holds the
/// lease and does the work. The others find the result in the cache.
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

  private enum Phase {
    case idle
    case acquiring
    /// The job is registering with the holder, which may wake it before the call returns.
    case registering
    case waiting(any Cancellable)
    case holding(any DataLease)
    /// No lease can be acquired. The job does the work anyway, because doing it twice is better than not at all.
    case alone
    case ended
  }

  private struct State {
    var phase = Phase.idle
    /// The total number of seconds that the job may still wait for other holders.
    var patience: TimeInterval
    var waited: TimeInterval = 0
  }

  let cache: any DataCaching & DataLeasing
  private let key: String
  private let state: Lock<State>

  /// - Parameter timeout: the maximum wait in seconds, at most a day.
  init(key: String, in cache: any DataCaching & DataLeasing, timeout: TimeInterval) {
    self.key = key
    self.cache = cache
    state = Lock(State(patience: min(timeout, 86_400)))
  }

  /// Tries to acquire the lease.
  ///
  /// - Parameter lookAgain: called after the result `waiting`, unless the lease is ended before.
  func acquire(_ lookAgain: @escaping @Sendable () -> Void) -> Acquisition {
    let known: Acquisition? = state.withLock { state in
      switch state.phase {
      // A job may ask again after it has released the lease, for example if the stored entry cannot be decoded. For a
      // stopped job the result has no effect.
      case .holding, .alone, .ended: return .acquired
      case .acquiring, .registering, .waiting: return .waiting
      case .idle:
        state.phase = .acquiring
        return nil
      }
    }
    if let known { return known }
    let attempt = cache.lease(for: key)
    // Checked again with the lease: the previous holder may have stored the result since.
    let isStored = if case .taken = attempt { cache.containsData(for: key) } else { false }
    let (acquisition, patience) = state.withLock { state -> (Acquisition, TimeInterval?) in
      guard case .acquiring = state.phase else { return (.waiting, nil) }
      switch attempt {
      case .taken(let lease):
        state.phase = .holding(lease)
        return (isStored ? .stored : .acquired, nil)
      case .held where state.patience > 0:
        state.phase = .registering
        return (.waiting, state.patience)
      case .held, .unavailable:
        state.phase = .alone
        return (.acquired, nil)
      }
    }
    if let patience, case .held(let held) = attempt { wait(for: held, seconds: patience, lookAgain) }
    return acquisition
  }

  /// Waits for the holder. The cache may be user code, so it is called without the lock.
  private func wait(
    for held: any HeldDataLease, seconds: TimeInterval, _ lookAgain: @escaping @Sendable () -> Void
  ) {
    let waiting = held.wait(seconds: seconds) { self.wake($0, waited: $1, lookAgain) }
    let isUnwanted = state.withLock { state in
      switch state.phase {
      case .registering:
        state.phase = .waiting(waiting)
        return false
      case .ended: return true
      // It was woken before the call returned.
      default: return false
      }
    }
    if isUnwanted { waiting.cancel() }
  }

  private func wake(_ isFree: Bool, waited: TimeInterval, _ lookAgain: () -> Void) {
    // The registration is destroyed outside the lock.
    let waiting = state.withLock { state -> (any Cancellable)?? in
      let waiting: (any Cancellable)?
      switch state.phase {
      case .registering: waiting = nil
      case .waiting(let known): waiting = known
      default: return nil
      }
      // A custom cache may report any number of seconds.
      let seconds = waited.isNaN ? 0 : min(max(0, waited), state.patience)
      state.waited += seconds
      state.patience -= seconds
      state.phase = isFree ? .idle : .alone
      return .some(waiting)
    }
    if waiting != nil { lookAgain() }
  }

  /// Returns the number of seconds waited since the last call.
  func takeWaited() -> TimeInterval { state.withLock { exchange(&$0.waited, with: 0) } }

  /// Releases the lease, or stops waiting for it.
  func end() { _ = handOver() }

  /// Transfers the lease to the store of the result; `nil` if the job has none.
  func handOver() -> (any DataLease)? {
    let phase = state.withLock { exchange(&$0.phase, with: .ended) }
    switch phase {
    case .holding(let lease): return lease
    case .waiting(let waiting): waiting.cancel()
    case .idle, .acquiring, .registering, .alone, .ended: break
    }
    return nil
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
      !request.options.contains(.returnCacheDataDontLoad),
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
