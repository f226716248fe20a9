import Foundation
import NukeImaging

/// A job's part in who of all that share a cache does a piece of work: one does it, the others find the result in the
/// cache.
///
/// A job asks, on a worker, when its turn has come and the cache has nothing, or something that the server is to be
/// asked about. One that has to wait takes up neither a thread nor a slot meanwhile.
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
    /// The cache is being told to wake the job, which it may do before it has returned.
    case registering
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

  /// - Parameter timeout: seconds; a day at most.
  init(key: String, in cache: any DataCaching & DataLeasing, timeout: TimeInterval) {
    self.key = key
    self.cache = cache
    state = Lock(State(patience: min(timeout, 86_400)))
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
      case .asking, .registering, .waiting: return .wait
      case .idle:
        state.phase = .asking
        return nil
      }
    }
    if let known { return known }
    let attempt = cache.lease(for: key)
    // Looked at again with the lease: who had it before may have been done since the first look.
    let isStored = if case .taken = attempt { cache.containsData(for: key) } else { false }
    let (answer, patience) = state.withLock { state -> (Answer, TimeInterval?) in
      guard case .asking = state.phase else { return (.wait, nil) }
      switch attempt {
      case .taken(let lease):
        state.phase = .leading(lease)
        return (isStored ? .look : .lead, nil)
      case .held where state.patience > 0:
        state.phase = .registering
        return (.wait, state.patience)
      case .held, .unavailable:
        state.phase = .alone
        return (.lead, nil)
      }
    }
    if let patience, case .held(let held) = attempt { wait(for: held, seconds: patience, lookAgain) }
    return answer
  }

  /// Waits for the lease that somebody else has. The cache may be the program's, so that it is called without the lock.
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
      // It was woken at once.
      default: return false
      }
    }
    if isUnwanted { waiting.cancel() }
  }

  private func wake(_ isFree: Bool, waited: TimeInterval, _ lookAgain: () -> Void) {
    // What is waited with is destroyed outside the lock.
    let waiting = state.withLock { state -> (any Cancellable)?? in
      let waiting: (any Cancellable)?
      switch state.phase {
      case .registering: waiting = nil
      case .waiting(let known): waiting = known
      default: return nil
      }
      // The job's times are worked out with it, and a cache of the program's may say anything.
      let seconds = waited.isNaN ? 0 : min(max(0, waited), state.patience)
      state.waited += seconds
      state.patience -= seconds
      state.phase = isFree ? .idle : .alone
      return .some(waiting)
    }
    if waiting != nil { lookAgain() }
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

  /// The lease, for whoever stores the result; `nil` if there is none.
  func handOver() -> (any DataLease)? {
    let phase = state.withLock { state in
      defer { state.phase = .ended }
      return state.phase
    }
    switch phase {
    case .leading(let lease): return lease
    case .waiting(let waiting): waiting.cancel()
    case .idle, .asking, .registering, .alone, .ended: break
    }
    return nil
  }
}

extension Job {
  /// A part in who loads `request`, held by the job; `nil` if nobody is to be asked.
  ///
  /// Closures are left out: one may load the same in its own way, through another pipeline, and would wait for itself.
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
    // What others are told of freshness is kept in our own cache alone.
    if own?.isFailing ?? (pipeline.freshnessRequirement(of: request) != nil) { return nil }
    let timeout = cache.leaseTimeout
    guard timeout > 0 else { return nil }
    let lease = JobLease(key: key(), in: cache, timeout: timeout)
    hold(lease)
    return lease
  }
}
