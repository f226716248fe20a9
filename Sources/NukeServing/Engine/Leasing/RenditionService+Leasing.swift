import Nuke

/// Elects the node that renders a file.
extension RenditionService {
  enum LeaseOutcome {
    /// This node renders the file. The lease is `nil` if the leasing service is unavailable or waiting took too long.
    case granted(HeldLease?)
    /// Another node has rendered the file, or a stored one may be sent in the meantime.
    case finished(FlightResult)
  }

  /// Acquires the lease, or waits until another node has stored the file or the failure of its source.
  func waitForLease(_ job: RenditionJob, _ known: RenditionRecord?) async throws(ServingError) -> LeaseOutcome {
    guard let leasing, !stores.isEmpty, !job.isUnshared else { return .granted(nil) }
    let start = clock.uptime()
    var hasWaited = false
    defer { if hasWaited { recorder.note(.lease, since: start) } }
    var machine = LeaseStateMachine(waitLimit: leasing.leaseTimeout)
    var (lease, held): (HeldLease?, (any HeldDataLease)?)
    var stored = Stored.nothing
    var action = machine.start
    while true {
      let event: LeaseStateMachine.Event
      switch action {
      case .acquire:
        switch await leaseQueue.run({ Attempt(leasing.lease(for: job.key.name)) }) {
        case .acquired(let acquired):
          lease = acquired
          event = .acquired
        case .held(let other):
          held = other
          event = .held(maySendStale: known?.freshness.allowsStaleIfError(at: clock.now()) ?? false)
        case .unavailable:
          recorder.count(\.leasesUnavailable)
          event = .unavailable
        }
      case .wait(let seconds):
        if !hasWaited { recorder.count(\.leaseWaits) }
        hasWaited = true
        guard let held, let (isFree, waited) = await wait(for: held, seconds: seconds) else { throw .cancelled }
        event = .waited(isFree: isFree, seconds: waited)
      case .lookUp:
        stored = await storedMeanwhile(job)
        event = .found(stored.entry)
      case .sendStale, .sendFile, .fail, .render, .renderUnshared:
        return try outcome(action, lease, known, stored)
      }
      action = machine.action(after: event)
    }
  }

  /// The result of an attempt to acquire the lease. The thread that made the attempt keeps no reference to the lease
  /// itself, so that ``HeldLease/release()`` releases it.
  private enum Attempt: Sendable {
    case acquired(HeldLease)
    case held(any HeldDataLease)
    case unavailable

    init(_ attempt: DataLeaseAttempt) {
      self =
        switch attempt {
        case .taken(let lease): .acquired(HeldLease(lease))
        case .held(let other): .held(other)
        case .unavailable: .unavailable
        }
    }
  }

  /// Returns the outcome for the last action. The lease is kept only by the node that renders for others.
  private func outcome(
    _ action: LeaseStateMachine.Action, _ lease: HeldLease?, _ known: RenditionRecord?, _ stored: Stored
  ) throws(ServingError) -> LeaseOutcome {
    if action == .render { return .granted(lease) }
    lease?.release()
    if action == .sendStale, let known {
      return .finished(FlightResult(record: known, origin: .store, isDegraded: true))
    }
    switch stored {
    case .file(let result): return .finished(result)
    case .failure(let error): throw error
    case .nothing, .unshared: return .granted(nil)
    }
  }

  /// Waits for a lease that another node holds. Returns `true` when the lease may be free, or `false` after `seconds`,
  /// with the number of seconds that passed. Returns `nil` if the task is canceled.
  private func wait(for held: any HeldDataLease, seconds: Double) async -> (isFree: Bool, seconds: Double)? {
    let deferred = Deferred<(isFree: Bool, seconds: Double)?>()
    let waiting = held.wait(seconds: seconds) { deferred.complete(($0, $1)) }
    let end = await deferred.value(whenCancelled: nil)
    if end == nil { waiting.cancel() }
    return end
  }

  private enum Stored {
    case nothing
    /// Another node has found out that the rendition must not be shared.
    case unshared
    case file(FlightResult)
    /// The source has failed on another node.
    case failure(ServingError)

    var entry: LeaseStateMachine.StoredEntry {
      switch self {
      case .nothing: .nothing
      case .unshared: .unshared
      case .file: .file
      case .failure: .failure
      }
    }
  }

  private func storedMeanwhile(_ job: RenditionJob) async -> Stored {
    guard let record = await stores.sharedRecord(for: job.key, after: job.purge) else { return .nothing }
    if let error = learnFailure(of: record, job) { return .failure(error) }
    guard record.freshness.state(at: clock.now()) == .fresh, !record.hasOnlyFailure else { return .nothing }
    guard record.isShared else { return .unshared }
    keepInMemory(record, job)
    return .file(FlightResult(record: record, origin: .store))
  }

  // MARK: Failures

  /// Remembers the failure of a record from a store, so that the source is not tried again on this node either.
  ///
  /// - Returns: the error; `nil` if there is none that still applies.
  @discardableResult
  func learnFailure(of record: RenditionRecord, _ job: RenditionJob) -> ServingError? {
    guard let failure = record.failure else { return nil }
    // This node may have stored the record itself. It knows the reason then, which the record does not contain.
    if let known = rememberedFailure(job) { return known }
    guard let error = failures.learn(failure, of: job.key.name, after: job.purge, now: clock.now()) else {
      return nil
    }
    recorder.count(\.sharedFailures)
    return error
  }

  /// Stores the failure of the source where the other nodes look, so that they do not try it in turn, and then releases
  /// the lease.
  func shareFailure(_ job: RenditionJob, _ known: RenditionRecord?, _ lease: HeldLease?) {
    let now = clock.now()
    let failure =
      failures.shared(of: job.source, after: job.purge, now: now)
      ?? failures.shared(of: job.key.name, after: job.purge, now: now)
    guard leasing != nil, !stores.isEmpty, !job.isUnshared, let failure else {
      lease?.release()
      return
    }
    // A stale file stays, if it may be sent while the source fails.
    var record = RenditionRecord.failed(failure)
    record.purge = job.purge
    if let known, failure.kind.isTemporary { record = known.failing(failure) }
    afterwards { [self, record] in
      await stores.storeShared(record, for: job.key)
      lease?.release()
    }
  }
}

/// A lease that is released explicitly. Releasing it in `deinit` would be too late, because a task that has ended and
/// the thread that took the lease may keep references for longer.
final class HeldLease: Sendable {
  private let lease: Lock<(any DataLease)?>

  init(_ lease: any DataLease) { self.lease = Lock(lease) }

  func release() {
    let released = lease.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}
