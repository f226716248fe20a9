import Foundation
import NukeHTTPCaching
import Synchronization

/// Images whose freshness counts: what is stored is used, or shown, or asked about.
extension ImageJob {
  /// The record when the server was first to be asked, and the time.
  struct PendingValidation {
    let record: FreshnessRecord
    let since: Timestamp

    /// Returns `true` if somebody else has had an answer since, which is worth as much as one of the job's own.
    func isSettled(by other: FreshnessRecord) -> Bool { other != record && other.response.responseTime >= since }
  }

  // MARK: Evaluation

  /// Evaluates an entry made of the version `representation`.
  func evaluate(_ representation: UInt64?, _ record: FreshnessRecord?) -> FreshnessEvaluator.Evaluation {
    guard let evaluator else { return .fresh(nil) }
    let now = pipeline.configuration.now()
    let evaluation = evaluator.evaluate(representation, record, now: now)
    guard case .stale = evaluation, let record else { return evaluation }
    if let pendingValidation { return pendingValidation.isSettled(by: record) ? .fresh(.validated) : evaluation }
    pendingValidation = PendingValidation(record: record, since: now)
    return evaluation
  }

  /// Looks at what others may have been told of what is held, which need not be read again.
  func lookAtRecord() {
    guard let cache = lease?.cache as? DataCache else { preconditionFailure("only our own cache keeps records") }
    read(DiskLookup(nil, in: cache, evaluator), for: request) { [self] entry in
      GraphTransaction.run(on: pipeline) { transaction in
        useStale(route.lookedAtRecord(evaluate(route.validatedVersion, entry.row?.record)), &transaction)
      }
    }
  }

  // MARK: The original

  /// Loads the data of the original, but first shows a stored one that is stale, if the request allows it.
  func loadData(_ transaction: inout GraphTransaction) {
    if let loaded = given {
      given = nil
      return decode(.success(loaded), &transaction)
    }
    guard let evaluator, !previewsAreOver.load(ordering: .relaxed), !evaluator.requirement.isOffline else {
      return dependOnData(&transaction)
    }
    guard let cache = pipeline.freshnessCache(for: request) else { return loadData(below: evaluator, &transaction) }
    let key = pipeline.originalDataCacheKey(for: request)
    let askedAt = Clock.now
    read(DiskLookup(key, in: cache, evaluator), for: request) { [self] entry in
      facts.loading += Clock.seconds(from: askedAt, to: Clock.now)
      // Not by ``evaluate(_:_:)``, which notes what this job asks the server about: the data job evaluates this again.
      let evaluation = evaluator.evaluate(
        entry.representation, entry.row?.record, now: pipeline.configuration.now())
      GraphTransaction.run(on: pipeline) { transaction in
        guard let data = entry.data else { return loadData(below: evaluator, &transaction) }
        var loaded = DataJob.Loaded(data: data, cacheType: .disk, freshness: entry.facts(nil))
        guard route.foundOriginal(evaluation) else { return dependOnData(&transaction) }
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

  /// The same with the HTTP cache of the loader.
  private func loadData(below evaluator: FreshnessEvaluator, _ transaction: inout GraphTransaction) {
    guard let lookup = HTTPCacheLookup(for: request, evaluator, on: pipeline) else { return dependOnData(&transaction) }
    let askedAt = Clock.now
    schedule(on: pipeline.diskQueue) { [self] in
      let stale = lookup.run(trace)
      facts.loading += Clock.seconds(from: askedAt, to: Clock.now)
      GraphTransaction.run(on: pipeline) { transaction in
        guard let stale else { return dependOnData(&transaction) }
        let isKnown = stale.freshness?.stamp?.record != nil
        _ = route.foundOriginal(isKnown ? .stale(mayServe: true) : .outdated(mayServe: true))
        decode(.success(stale), &transaction)
      }
    }
  }

  // MARK: Asking

  func validate(_ transaction: inout GraphTransaction) {
    // What comes of the original is not what this step works on.
    if processorCount > 1 { previewsAreOver.store(true, ordering: .relaxed) }
    let key = JobKey.validation(identity, options: request.options, evaluator?.requirement)
    transaction.depend(self, on: key) { [pipeline, request] in
      DataJob(id: $0, request: request, pipeline: pipeline, purpose: .validation)
    }
  }

  /// Goes on with what the server says.
  func resume(_ validation: DataJob, _ transaction: inout GraphTransaction) {
    facts.isCoalesced = facts.isCoalesced || validation.facts.isCoalesced
    facts.queued += validation.facts.queued
    facts.loading += validation.facts.loading
    facts.cacheStatus = validation.facts.cacheStatus
    switch validation.result! {
    case .failure(let error): finish(.failure(error), &transaction)
    case .success(let loaded) where loaded.isUnchanged:
      let isOfSameVersion = route.validatedVersion == loaded.freshness?.stamp?.representation
      // Who waits for an image that is yet to be stored would find the record, and make the image too.
      if isOfSameVersion, !route.isStaleEntryNew || loaded.freshness?.mayBeStored == false { endLeaseWithRecord() }
      useStale(route.notModified(loaded.freshness), &transaction)
    case .success(let loaded):
      facts.origin = validation.facts.origin
      facts.byteCount = validation.facts.byteCount
      facts.resumedByteCount = validation.facts.resumedByteCount
      facts.notCachedOnDisk = validation.facts.notCachedOnDisk
      given = loaded
      perform(route.modified(), &transaction)
    }
  }

  /// Goes on with what is held, if it is still right.
  private func useStale(_ action: ImageRoute<Image>.Action, _ transaction: inout GraphTransaction) {
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

  /// Has an image that another pipeline put into the memory cache go by what this one knows.
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

  // One image is made for all processes that share a cache, and the server is asked about it once. The lease is taken
  // before the original is loaded or asked about, whose data is stored only as the policy says. The data job takes its
  // own lease after this one, never before.

  /// Does the work if this job may, now. Otherwise it goes on with a look into the cache, at once or when somebody else
  /// has made the image.
  func acquireLease(for work: ImageRoute<Image>.Work, _ transaction: inout GraphTransaction) {
    guard let lease = lease ?? leaseOfVariant() else { return perform(.perform(work), &transaction) }
    let answer = lease.ask { [self] in GraphTransaction.run(on: pipeline) { lookAgain(lease, &$0) } }
    switch answer {
    case .lead: perform(.perform(work), &transaction)
    case .look: lookAgain(lease, &transaction)
    case .wait: break
    }
  }

  private func leaseOfVariant() -> JobLease? {
    guard isVariant, isRequested, storesEncoded, !hasKeyOfOriginal else { return nil }
    return makeLease(of: request, in: pipeline.diskCacheForWriting(request)) { dataCacheKey }
  }

  /// `true` if the lease is the one that the data job asks for, which would wait for it: a delegate may give one key to
  /// both.
  private var hasKeyOfOriginal: Bool {
    pipeline.delegate != nil && pipeline.configuration.dataCachePolicy.storesOriginal(for: .image, of: request)
      && dataCacheKey == pipeline.originalDataCacheKey(for: request)
  }

  /// Returns `true` if others may be at the same. Who does it is found out on a worker.
  func mayHaveToWait() -> Bool { (lease ?? leaseOfVariant()) != nil }

  private func lookAgain(_ lease: JobLease, _ transaction: inout GraphTransaction) {
    facts.waitingForOthers += lease.takeWaited()
    perform(route.lookAgain(), &transaction)
  }

  /// Lets others go on when what the server has said of the original is on the disk, where they find it.
  private func endLeaseWithRecord() {
    guard let lease, let cache = lease.cache as? DataCache, let right = lease.handOver() as? DiskLease else { return }
    cache.release(right, withRecordFor: pipeline.originalDataCacheKey(for: request))
  }
}
