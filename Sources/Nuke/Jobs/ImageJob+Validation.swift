import Foundation
import NukeBase
import NukeHTTPCaching
import NukeStore
import Synchronization

/// Uses, shows or validates cached images according to their freshness.
extension ImageJob {
  // MARK: Evaluation

  /// Evaluates an entry that was made from the version `representation`.
  func evaluate(_ representation: UInt64?, _ record: FreshnessRecord?) -> FreshnessEvaluator.Evaluation {
    guard let evaluator else { return .fresh(nil) }
    let now = pipeline.configuration.now()
    return route.evaluated(evaluator.evaluate(representation, record, now: now), of: record, now: now)
  }

  /// Looks up the record of the stale entry, which another process may have renewed.
  func lookAtRecord() {
    guard let cache = lease?.cache as? DataCache else { preconditionFailure("only our own cache keeps records") }
    read(DiskLookup(nil, in: cache, evaluator), for: request) { [self] entry in
      GraphTransaction.run(on: pipeline) { transaction in
        let evaluation = evaluate(route.validatedVersion, entry.row?.record)
        useStale(route.lookedAtRecord(evaluation), &transaction)
      }
    }
  }

  // MARK: The original

  /// Loads the data of the original, but first shows a stored one that is stale, if the request allows it.
  func loadData(_ transaction: inout GraphTransaction) {
    if let loaded = route.takeGiven() { return decode(.success(loaded), &transaction) }
    guard let evaluator, !previewsAreOver.load(ordering: .relaxed), !evaluator.requirement.isOffline else {
      return dependOnData(&transaction)
    }
    guard let cache = pipeline.freshnessCache(for: request) else {
      return loadData(below: evaluator, found: nil, &transaction)
    }
    let key = pipeline.originalDataCacheKey(for: request)
    let askedAt = MonotonicClock.now
    read(DiskLookup(key, in: cache, evaluator), for: request) { [self] entry in
      facts.loading += MonotonicClock.seconds(from: askedAt, to: MonotonicClock.now)
      // Not by ``evaluate(_:_:)``, after which the route expects a validation by this job: the data job evaluates the
      // entry that it is given.
      let evaluation = evaluator.evaluate(
        entry.representation, entry.row?.record, now: pipeline.configuration.now())
      GraphTransaction.run(on: pipeline) { transaction in
        guard let data = entry.data else { return loadData(below: evaluator, found: entry, &transaction) }
        var loaded = DataJob.Loaded(data: data, cacheType: .disk, freshness: entry.facts(nil))
        guard route.foundOriginal(evaluation) else { return dependOnData(&transaction, found: entry) }
        if case .fresh(let freshness) = evaluation {
          facts.origin = .disk
          facts.byteCount = data.count
          facts.notCachedOnDisk = .cameFromCache
          loaded.freshness?.freshness = freshness
        }
        decode(.success(loaded), &transaction)
      }
    }
  }

  /// Shows a stale original from the HTTP cache of the loader first, if the request allows it.
  ///
  /// - Parameter found: the entry of the disk cache, which has no data.
  private func loadData(
    below evaluator: FreshnessEvaluator, found: DiskLookup.Entry?, _ transaction: inout GraphTransaction
  ) {
    guard let lookup = HTTPCacheLookup(for: request, evaluator, on: pipeline) else {
      return dependOnData(&transaction, found: found)
    }
    let askedAt = MonotonicClock.now
    lookup.run(trace) { [self] stale in
      guard !isStopped else { return }
      facts.loading += MonotonicClock.seconds(from: askedAt, to: MonotonicClock.now)
      GraphTransaction.run(on: pipeline) { transaction in
        guard let stale else { return dependOnData(&transaction, found: found) }
        let isKnown = stale.freshness?.stamp?.record != nil
        _ = route.foundOriginal(isKnown ? .stale(mayServe: true) : .outdated(mayServe: true))
        decode(.success(stale), &transaction)
      }
    }
  }

  // MARK: Validating

  func validate(_ transaction: inout GraphTransaction) {
    // Previews of the original are not previews of the input of this step.
    if processorCount > 1 { previewsAreOver.store(true, ordering: .relaxed) }
    let key = JobKey.validation(identity, options: request.options, evaluator?.requirement)
    transaction.depend(self, on: key, for: request, .validation)
  }

  /// Continues with the result of the validation.
  func resume(_ validation: DataJob, _ transaction: inout GraphTransaction) {
    facts.isCoalesced = facts.isCoalesced || validation.facts.isCoalesced
    facts.queued += validation.facts.queued
    facts.loading += validation.facts.loading
    facts.cacheStatus = validation.facts.cacheStatus
    switch validation.result! {
    case .failure(let error): finish(.failure(error), &transaction)
    case .success(let loaded) where loaded.isUnchanged:
      let isOfSameVersion = route.validatedVersion == loaded.freshness?.stamp?.representation
      // A waiter for an image that is not stored yet would find the record and make the image too.
      if isOfSameVersion, !route.isStaleEntryNew || loaded.freshness?.mayBeStored == false { endLeaseWithRecord() }
      useStale(route.notModified(loaded.freshness), &transaction)
    case .success(let loaded):
      facts.origin = validation.facts.origin
      facts.byteCount = validation.facts.byteCount
      facts.resumedByteCount = validation.facts.resumedByteCount
      facts.notCachedOnDisk = validation.facts.notCachedOnDisk
      perform(route.modified(loaded), &transaction)
    }
  }

  /// Continues with the stale entry if it is current.
  private func useStale(_ action: ImageRoute<Values>.Action, _ transaction: inout GraphTransaction) {
    if case .finish(var image, let freshness) = action {
      image.freshness = freshness
      if route.foundIn == .memory {
        adopt(image)
      } else {
        facts.origin = .disk
        facts.notCachedOnDisk = .cameFromCache
      }
    }
    perform(action, &transaction)
  }

  /// Stamps an image that another pipeline has stored in the memory cache.
  private func adopt(_ image: Image) {
    guard let stamp = image.freshness?.stamp, image.container.stamp?.row !== stamp.row,
      case .into(let cache) = pipeline.memoryCacheForWriting(request)
    else { return }
    var container = image.container
    container.stamp = stamp
    cache[pipeline.imageCacheKey(for: request, processorCount: processorCount)] = container
  }

  // MARK: Showing

  /// Delivers a stale image as a preview.
  func showStale(_ image: Image, _ freshness: FreshnessFacts?) {
    var preview = image
    preview.container.isPreview = true
    preview.freshness = freshness
    preview.freshness?.freshness = .stale(.whileRevalidating)
    pipeline.deliver(preview, asPreviewOf: self)
  }

  // MARK: The lease

  // Processes that share a cache make an image once and validate it once. The lease is acquired before the original is
  // loaded or validated. The data job acquires its own lease after this one, never before.

  /// Does the work if this job holds the lease. Otherwise looks in the cache again, at once or when the holder has
  /// finished.
  func acquireLease(for work: ImageRoute<Values>.Work, _ transaction: inout GraphTransaction) {
    guard let lease = lease ?? leaseOfVariant() else { return perform(.perform(work), &transaction) }
    let acquisition = lease.acquire { [self] in GraphTransaction.run(on: pipeline) { lookAgain(lease, &$0) } }
    switch acquisition {
    case .acquired: perform(.perform(work), &transaction)
    case .stored: lookAgain(lease, &transaction)
    case .waiting: break
    }
  }

  private func leaseOfVariant() -> JobLease? {
    guard step.isVariant, isRequested, storesEncoded, !hasKeyOfOriginal else { return nil }
    return makeLease(of: request, in: pipeline.diskCacheForWriting(request)) { dataCacheKey }
  }

  /// `true` if the data job needs a lease with the same key, for which it would wait: a delegate may return one key for
  /// both.
  private var hasKeyOfOriginal: Bool {
    pipeline.delegate != nil && pipeline.configuration.dataCachePolicy.storesOriginal(for: .image, of: request)
      && dataCacheKey == pipeline.originalDataCacheKey(for: request)
  }

  /// Returns `true` if other processes may do the same work, so that the lease has to be acquired on a worker.
  func mayHaveToWait() -> Bool { (lease ?? leaseOfVariant()) != nil }

  private func lookAgain(_ lease: JobLease, _ transaction: inout GraphTransaction) {
    facts.waitingForOthers += lease.client.takeWaitedSeconds()
    perform(route.lookAgain(), &transaction)
  }

  /// Releases the lease when the record of the original is on disk, where others find it.
  private func endLeaseWithRecord() {
    guard let lease, let cache = lease.cache as? DataCache, let right = lease.client.handOver() as? DiskLease else {
      return
    }
    cache.release(right, withRecordFor: pipeline.originalDataCacheKey(for: request))
  }
}
