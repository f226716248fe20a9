import Foundation
import NukeHTTPCaching
import Synchronization

/// Images whose freshness counts: what is stored is used, or shown, or asked about.
extension ImageJob {
  /// A stored image about which the server is asked.
  enum StaleEntry {
    case image(Image, foundIn: ImageResponse.CacheType?)
    /// A variant that has not been decoded.
    case variant(Data, FreshnessStamp)

    var stamp: FreshnessStamp? {
      switch self {
      case .image(let image, _): image.freshness?.stamp
      case .variant(_, let stamp): stamp
      }
    }

    /// `true` if it was made of a stored original, and is itself not stored yet.
    var isNew: Bool {
      if case .image(_, foundIn: nil) = self { true } else { false }
    }
  }

  /// What was known when the server was first to be asked, and when that was.
  struct PendingValidation {
    let record: FreshnessRecord
    let since: Timestamp

    /// Returns `true` if somebody else has had an answer since, which is worth as much as one of the job's own.
    func isSettled(by other: FreshnessRecord) -> Bool { other != record && other.response.responseTime >= since }
  }

  /// What is to follow when a stored image has been shown.
  enum AfterShowing {
    case validate, reload
  }

  // MARK: Evaluation

  /// What is to be done with what was made of the version `representation`.
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
  private func lookAtRecord(of staleEntry: StaleEntry, _ cache: DataCache) {
    read(DiskLookup(nil, in: cache, evaluator), for: request) { [self] entry in
      GraphTransaction.run(on: pipeline) { transaction in
        switch evaluate(staleEntry.stamp?.representation, entry.row?.record) {
        case .fresh(let freshness):
          self.staleEntry = nil
          use(staleEntry, FreshnessFacts(stamp: staleEntry.stamp, freshness: freshness), &transaction)
        case .stale: if tryAcquireLease() { validate(&transaction) }
        // Another version has come, and perhaps what was made of it.
        case .outdated:
          self.staleEntry = nil
          lookForVariant(DiskLookup(dataCacheKey, in: cache, evaluator))
        }
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
        switch evaluation {
        case .stale(mayServe: true): afterShowing = .validate
        case .outdated(mayServe: true): afterShowing = .reload
        case .fresh(let freshness):
          facts.origin = .disk
          facts.byteCount = data.count
          facts.notCachedOnDisk = .cameFromCache
          loaded.freshness?.freshness = freshness
        case .stale(mayServe: false), .outdated(mayServe: false): return dependOnData(&transaction)
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
        afterShowing = stale.freshness?.stamp?.record == nil ? .reload : .validate
        decode(.success(stale), &transaction)
      }
    }
  }

  // MARK: Asking

  /// Asks about an image in memory, from the thread that wants it: leases are asked for on a worker.
  func validateFromMemory(_ transaction: inout GraphTransaction) {
    guard mayHaveToWait() else { return validate(&transaction) }
    schedule(on: pipeline.diskQueue) { [self] in
      GraphTransaction.run(on: pipeline) { if tryAcquireLease() { validate(&$0) } }
    }
  }

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
    let staleEntry = staleEntry
    self.staleEntry = nil
    facts.isCoalesced = facts.isCoalesced || validation.facts.isCoalesced
    facts.queued += validation.facts.queued
    facts.loading += validation.facts.loading
    facts.cacheStatus = validation.facts.cacheStatus
    switch validation.result! {
    case .failure(let error): finish(.failure(error), &transaction)
    case .success(let loaded) where loaded.isUnchanged:
      guard let staleEntry, staleEntry.stamp?.representation == loaded.freshness?.stamp?.representation else {
        return load(&transaction)
      }
      // Who waits for an image that is yet to be stored would find the record, and make the image too.
      if !staleEntry.isNew || loaded.freshness?.mayBeStored == false { endLeaseWithRecord() }
      use(staleEntry, loaded.freshness, &transaction)
    case .success(let loaded):
      facts.origin = validation.facts.origin
      facts.byteCount = validation.facts.byteCount
      facts.resumedByteCount = validation.facts.resumedByteCount
      facts.notCachedOnDisk = validation.facts.notCachedOnDisk
      foundIn = nil
      given = loaded
      load(&transaction)
    }
  }

  /// Goes on with what is held and still right.
  private func use(_ staleEntry: StaleEntry, _ freshness: FreshnessFacts?, _ transaction: inout GraphTransaction) {
    switch staleEntry {
    case .image(var image, let foundIn):
      image.freshness = freshness
      if foundIn == .memory {
        noteFoundInMemory()
        adopt(image)
      } else {
        self.foundIn = foundIn
        facts.origin = .disk
        facts.notCachedOnDisk = .cameFromCache
      }
      finish(.success(image), &transaction)
    case .variant(let data, _): decodeVariant(data, freshness, &transaction)
    }
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

  /// Tasks that asked for an image in memory have shown it when they were made. Those that asked for more steps have
  /// not.
  func noteShownByTasks() {
    hasShown = isRequested
    previewsAreOver.store(true, ordering: .relaxed)
  }

  /// Shows a stale image where that is what it was made for.
  ///
  /// - Returns: `true` if it was, so that this is not the end.
  func show(_ result: Result<Image, ImagePipeline.Error>, _ transaction: inout GraphTransaction) -> Bool {
    guard let next = afterShowing else { return false }
    afterShowing = nil
    let foundIn = foundIn
    self.foundIn = nil
    guard case .success(let image) = result else {
      dependOnData(&transaction)
      return true
    }
    hasShown = true
    previewsAreOver.store(true, ordering: .relaxed)
    var preview = image
    preview.container.isPreview = true
    preview.freshness?.freshness = .stale(.whileRevalidating)
    pipeline.deliver(preview, asPreviewOf: self)
    switch next {
    case .validate:
      staleEntry = .image(image, foundIn: foundIn)
      if tryAcquireLease() { validate(&transaction) }
    case .reload: if tryAcquireLease() { load(&transaction) }
    }
    return true
  }

  // MARK: The lease

  // One image is made for all processes that share a cache, and the server is asked about it once. The lease is taken
  // before the original is loaded or asked about, whose data is stored only as the policy says. The data job takes its own
  // lease after this one, never before.

  /// Returns `true` if the image is this job's to make, now. Otherwise it goes on with a look into the cache, at once
  /// or when somebody else has made it.
  func tryAcquireLease() -> Bool {
    guard let lease = lease ?? leaseOfVariant() else { return true }
    switch lease.ask({ [self] in lookAgain(lease) }) {
    case .lead: return true
    case .look:
      lookAgain(lease)
      return false
    case .wait: return false
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
  private func mayHaveToWait() -> Bool { (lease ?? leaseOfVariant()) != nil }

  private func lookAgain(_ lease: JobLease) {
    facts.waitingForOthers += lease.takeWaited()
    if let staleEntry, let cache = lease.cache as? DataCache { return lookAtRecord(of: staleEntry, cache) }
    lookForVariant(DiskLookup(dataCacheKey, in: lease.cache, evaluator))
  }

  /// Lets others go on when what the server has said of the original is on the disk, where they find it.
  private func endLeaseWithRecord() {
    guard let lease, let cache = lease.cache as? DataCache, let right = lease.handOver() as? DiskLease else { return }
    cache.letGo(of: right, withRecordFor: pipeline.originalDataCacheKey(for: request))
  }
}
