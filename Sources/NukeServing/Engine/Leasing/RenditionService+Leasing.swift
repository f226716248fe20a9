import Nuke

/// Elects the node that renders a file.
extension RenditionService {
  enum LeaseOutcome {
    /// This node renders the file, and holds the lease if there is one.
    case granted(LeaseClient?)
    /// Another node has rendered the file, or a stored one may be sent in the meantime.
    case finished(FlightResult)
  }

  /// Acquires the lease, or waits until another node has stored the file or the failure of its source.
  func waitForLease(_ job: RenditionJob, _ known: RenditionRecord?) async throws(ServingError) -> LeaseOutcome {
    guard let leasing, !stores.isEmpty, !job.isUnshared else { return .granted(nil) }
    let start = clock.uptime()
    var hasWaited = false
    defer { if hasWaited { recorder.note(.lease, since: start) } }
    let client = LeaseClient(waitLimit: leasing.leaseTimeout)
    while client.acquisition == nil {
      let maySendStale = known.map { maySend($0, stale: job) } ?? false
      let woken = Deferred<Void?>()
      let attempt = await leaseQueue.run { [recorder] () -> LeaseClient.Acquisition? in
        let attempt = leasing.lease(for: job.key.name)
        switch attempt {
        case .held where maySendStale: return nil
        case .unavailable: recorder.count(\.leasesUnavailable)
        case .held, .taken: break
        }
        return client.take(attempt) { woken.complete(()) }
      }
      switch attempt {
      case .acquired: break
      case .unavailable: return .granted(nil)
      case .waiting:
        if !hasWaited { recorder.count(\.leaseWaits) }
        hasWaited = true
        if await woken.value(whenCancelled: nil) == nil {
          client.end()
          throw .cancelled
        }
      case nil:
        guard let known else { preconditionFailure("there is no stale file") }
        return .finished(FlightResult(record: known, origin: .store, isDegraded: true))
      }
      // Another node may have finished in the meantime.
      let stored = await storedMeanwhile(job)
      if case .nothing = stored { continue }
      client.end()
      switch stored {
      case .nothing, .unshared: return .granted(nil)
      case .file(let result): return .finished(result)
      case .failure(let error): throw error
      }
    }
    return .granted(client)
  }

  /// Returns `true` if a stale file may be sent while another node renders the new one.
  private func maySend(_ known: RenditionRecord, stale job: RenditionJob) -> Bool {
    !job.request.validatesSource && job.version.admits(known.sourceFields)
      && known.freshness.allowsStaleIfError(at: clock.now())
  }

  private enum Stored {
    case nothing
    /// Another node has found out that the rendition must not be shared.
    case unshared
    case file(FlightResult)
    /// The source has failed on another node.
    case failure(ServingError)
  }

  private func storedMeanwhile(_ job: RenditionJob) async -> Stored {
    guard !job.request.validatesSource,
      let record = await stores.sharedRecord(for: job.key, after: job.purge)
    else { return .nothing }
    if let error = learnFailure(of: record, job) { return .failure(error) }
    guard state(of: record, job.request.source) == .fresh, !record.hasOnlyFailure else { return .nothing }
    guard record.isShared else { return .unshared }
    return .file(FlightResult(record: keepStored(record, job), origin: .store))
  }

  // MARK: Failures

  /// Remembers the failure of a record from a store, so that the source is not tried again on this node either.
  ///
  /// - Returns: the error; `nil` if there is none that still applies.
  @discardableResult
  func learnFailure(of record: RenditionRecord, _ job: RenditionJob) -> ServingError? {
    // Another node may have had another version.
    guard let failure = record.failure, job.version == .unknown else { return nil }
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
  func shareFailure(_ job: RenditionJob, _ known: RenditionRecord?, _ lease: LeaseClient?) {
    let now = clock.now()
    let failure =
      failures.shared(of: job.source, after: job.purge, now: now)
      ?? failures.shared(of: job.key.name, after: job.purge, now: now)
    guard leasing != nil, !stores.isEmpty, !job.isUnshared, job.version == .unknown, let failure else {
      lease?.end()
      return
    }
    // A stale file stays, if it may be sent while the source fails.
    var record = RenditionRecord.failed(failure)
    record.purge = job.purge
    if let known, failure.kind.isTemporary { record = known.failing(failure) }
    afterwards { [self, record] in
      await stores.storeShared(record, for: job.key)
      lease?.end()
    }
  }
}
