import Foundation
import NukeImaging

/// A job's part in who of all that share a cache does a piece of work: one does it, the others find the result in the
/// cache.
///
/// A job asks, on a worker, when its turn has come and the cache has nothing, or something that the server is to be asked
/// about. One that has to wait takes up neither a thread nor a slot meanwhile.
final class JobLease: Sendable {
  enum Answer {
    /// The work is the job's to do.
    case lead
    /// The cache has the result by now.
    case look
    /// Somebody else does it. The job will be told when to look.
    case wait
  }

  private enum Phase {
    case idle
    case asking
    case waiting(any Cancellable)
    case leading(any DataLease)
    /// There was no lease to be had. Work is done twice sooner than not at all.
    case alone
    case ended
  }

  private struct State {
    var phase = Phase.idle
    /// Seconds that the job goes on waiting for others at most, however many they are.
    var patience: TimeInterval
    var waited: TimeInterval = 0
  }

  let cache: any DataCaching & DataLeasing
  private let key: String
  private let state: Lock<State>

  /// - Parameter timeout: seconds.
  init(key: String, in cache: any DataCaching & DataLeasing, timeout: TimeInterval) {
    self.key = key
    self.cache = cache
    state = Lock(State(patience: timeout))
  }

  /// Finds out whether the work is the job's to do.
  ///
  /// - Parameter lookAgain: is called where the answer was to wait, unless this is ended before.
  func ask(_ lookAgain: @escaping @Sendable () -> Void) -> Answer {
    let known: Answer? = state.withLock { state in
      switch state.phase {
      // A job that has let others go on may come here once more, as when what it found cannot be decoded. One that was
      // stopped goes nowhere by this.
      case .leading, .alone, .ended: return .lead
      case .asking, .waiting: return .wait
      case .idle:
        state.phase = .asking
        return nil
      }
    }
    if let known { return known }
    let attempt = cache.lease(for: key)
    // Looked at again with the lease: who had it before may have been done since the first look.
    let isStored = if case .taken = attempt { cache.containsData(for: key) } else { false }
    return state.withLock { state in
      guard case .asking = state.phase else { return .wait }
      switch attempt {
      case .taken(let lease):
        state.phase = .leading(lease)
        return isStored ? .look : .lead
      case .unavailable: state.phase = .alone
      case .held(let held):
        if state.patience > 0 {
          state.phase = .waiting(held.wait(seconds: state.patience) { self.wake($0, waited: $1, lookAgain) })
          return .wait
        }
        state.phase = .alone
      }
      return .lead
    }
  }

  private func wake(_ isFree: Bool, waited: TimeInterval, _ lookAgain: () -> Void) {
    let isWanted = state.withLock { state in
      guard case .waiting = state.phase else { return false }
      state.waited += waited
      state.patience -= waited
      state.phase = isFree ? .idle : .alone
      return true
    }
    if isWanted { lookAgain() }
  }

  /// Seconds that were waited since this was asked last.
  func takeWaited() -> TimeInterval {
    state.withLock { state in
      defer { state.waited = 0 }
      return state.waited
    }
  }

  /// Lets others go on, or ends the waiting.
  func end() { _ = handOver() }

  /// The lease, for whoever stores the result; nil where there is none.
  func handOver() -> (any DataLease)? {
    let phase = state.withLock { state in
      defer { state.phase = .ended }
      return state.phase
    }
    switch phase {
    case .leading(let lease): return lease
    case .waiting(let waiting): waiting.cancel()
    case .idle, .asking, .alone, .ended: break
    }
    return nil
  }
}

extension Job {
  /// A part in who loads `request`, held by the job; nil where nobody is to be asked.
  ///
  /// Closures are left out: one may load the same in its own way, through another pipeline, and would wait for itself.
  func makeLease(of request: ImageRequest, isLocal: Bool, key: () -> String) -> JobLease? {
    switch request.storage.resource {
    case .url, .urlRequest: break
    case .data, .bytes, .image: return nil
    }
    guard pipeline.configuration.isTaskCoalescingEnabled, request.options.allowDiskReads,
      !request.options.contains(.returnCacheDataDontLoad),
      case .into(let caching) = pipeline.diskCacheForWriting(request, isLocal: isLocal),
      let cache = caching as? any DataCaching & DataLeasing
    else { return nil }
    let own = cache as? DataCache
    // What others are told of freshness is kept in our own cache alone.
    if own?.isFailing ?? (pipeline.freshnessWish(of: request) != nil) { return nil }
    let timeout = cache.leaseTimeout
    guard timeout > 0 else { return nil }
    let lease = JobLease(key: key(), in: cache, timeout: timeout)
    hold(lease)
    return lease
  }
}
