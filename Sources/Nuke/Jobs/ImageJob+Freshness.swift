import Foundation
import NukeHTTPCaching
import Synchronization

/// Pictures whose freshness counts: what is stored is used, or shown, or asked about.
extension ImageJob {
  /// A stored picture about which the server is asked.
  enum Held {
    case picture(Image, foundIn: ImageResponse.CacheType?)
    /// A variant that has not been decoded.
    case variant(Data, FreshnessStamp)

    var stamp: FreshnessStamp? {
      switch self {
      case .picture(let image, _): image.freshness?.stamp
      case .variant(_, let stamp): stamp
      }
    }

    /// Whether it was made of a stored original, and is itself not stored yet.
    var isNew: Bool {
      if case .picture(_, foundIn: nil) = self { true } else { false }
    }
  }

  /// What was known when the server was first to be asked, and when that was.
  struct Doubt {
    let record: FreshnessRecord
    let since: Timestamp

    /// Whether somebody else has had an answer since, which is worth as much as one of the job's own.
    func isSettled(by other: FreshnessRecord) -> Bool { other != record && other.response.responseTime >= since }
  }

  /// What is to follow when a stored picture has been shown.
  enum AfterShowing {
    case validate, reload
  }

  // MARK: The route

  /// The first steps of the route, see ``start(_:)``.
  func start(_ check: FreshnessCheck, _ turn: inout Turn) {
    let container = cached(processorCount)
    if let container, container.isPreview {
      showToJobs(container)
    } else if let container {
      let stamp = pipeline.knownStamp(container, of: request)
      switch verdict(on: stamp?.representation, stamp?.row.record, check) {
      case .use(let freshness):
        noteFoundInMemory()
        let known = FreshnessFacts(stamp: stamp, freshness: freshness)
        return finish(.success(Image(container: container, cacheType: .memory, freshness: known)), &turn)
      case .validate(let isShown):
        if isShown { noteShownByTasks() }
        let image = Image(container: container, cacheType: .memory, freshness: FreshnessFacts(stamp: stamp))
        held = .picture(image, foundIn: .memory)
        return validateFromMemory(&turn)
      case .reload(let isShown): if isShown { noteShownByTasks() }
      }
    }
    guard isVariant, request.options.allowDiskReads else { return load(&turn) }
    if let cache = pipeline.freshnessCache(for: request) {
      lookForVariant(cache, check)
    } else if check.wish.isOffline, let cache = pipeline.dataCache(for: request) {
      lookOnDisk(cache, FreshnessFacts(freshness: .stale(.offline)))
    } else {
      load(&turn)
    }
  }

  /// What is to be done with what was made of the version `representation`.
  private func verdict(
    on representation: UInt64?, _ record: FreshnessRecord?, _ check: FreshnessCheck
  ) -> FreshnessCheck.Verdict {
    let now = pipeline.configuration.now()
    let verdict = check.verdict(on: representation, record, now: now)
    guard case .validate = verdict, let record else { return verdict }
    if let doubt { return doubt.isSettled(by: record) ? .use(.validated) : verdict }
    doubt = Doubt(record: record, since: now)
    return verdict
  }

  func lookForVariant(_ cache: DataCache, _ check: FreshnessCheck) {
    send(
      FreshnessRead(dataCacheKey, in: cache, for: self, request) { [self] in useStoredVariant($0, check) },
      to: pipeline.diskQueue)
  }

  private func useStoredVariant(_ found: FreshnessRead.Found, _ check: FreshnessCheck) {
    Turn.run(on: pipeline) { turn in
      guard let data = found.stored?.data else {
        if isLeading() { load(&turn) }
        return
      }
      switch verdict(on: found.stored?.representation, found.row.record, check) {
      case .use(let freshness): decodeVariant(data, found.facts(freshness), &turn)
      case .validate(isShown: true) where !hasShown:
        afterShowing = .validate
        decodeVariant(data, found.facts(nil), &turn)
      case .validate:
        held = found.stamp.map { .variant(data, $0) }
        if isLeading() { validate(&turn) }
      case .reload(isShown: true) where !hasShown:
        afterShowing = .reload
        decodeVariant(data, found.facts(nil), &turn)
      case .reload: if isLeading() { load(&turn) }
      }
    }
  }

  /// Looks at what others may have been told of what is held, which need not be read again.
  func lookAtRecord(of held: Held, _ cache: DataCache, _ check: FreshnessCheck) {
    send(
      FreshnessRead(nil, in: cache, for: self, request) { [self] found in
        Turn.run(on: pipeline) { turn in
          switch verdict(on: held.stamp?.representation, found.row.record, check) {
          case .use(let freshness):
            self.held = nil
            use(held, FreshnessFacts(stamp: held.stamp, freshness: freshness), &turn)
          case .validate: if isLeading() { validate(&turn) }
          // Another version has come, and perhaps what was made of it.
          case .reload:
            self.held = nil
            lookForVariant(cache, check)
          }
        }
      }, to: pipeline.diskQueue)
  }

  /// The data of the original; first a stored one that is shown while the server is asked.
  func loadData(_ check: FreshnessCheck, _ turn: inout Turn) {
    if let loaded = given {
      given = nil
      return decode(.success(loaded), &turn)
    }
    guard !previewsAreOver.load(ordering: .relaxed), !check.wish.isOffline else { return dependOnData(&turn) }
    guard let cache = pipeline.freshnessCache(for: request) else { return loadData(below: check, &turn) }
    let key = pipeline.originalDataCacheKey(for: request)
    let askedAt = Clock.now
    send(
      FreshnessRead(key, in: cache, for: self, request) { [self] found in
        facts.loading += Clock.seconds(from: askedAt, to: Clock.now)
        let verdict = check.verdict(
          on: found.stored?.representation, found.row.record, now: pipeline.configuration.now())
        Turn.run(on: pipeline) { turn in
          guard let data = found.stored?.data else { return loadData(below: check, &turn) }
          switch verdict {
          case .validate(isShown: true): afterShowing = .validate
          case .reload(isShown: true): afterShowing = .reload
          case .use(let freshness):
            facts.origin = .disk
            facts.byteCount = data.count
            facts.notCachedOnDisk = .cameFromCache
            let loaded = DataJob.Loaded(data: data, cacheType: .disk, freshness: found.facts(freshness))
            return decode(.success(loaded), &turn)
          case .validate(isShown: false), .reload(isShown: false): return dependOnData(&turn)
          }
          let stale = DataJob.Loaded(data: data, cacheType: .disk, freshness: found.facts(nil))
          decode(.success(stale), &turn)
        }
      }, to: pipeline.diskQueue)
  }

  /// The data of the original from the loader; first what its HTTP cache has, where that is shown while the server is
  /// asked.
  private func loadData(below check: FreshnessCheck, _ turn: inout Turn) {
    guard let look = StaleRead(for: self, check) else { return dependOnData(&turn) }
    let askedAt = Clock.now
    look.completion = { [self] stale in
      facts.loading += Clock.seconds(from: askedAt, to: Clock.now)
      Turn.run(on: pipeline) { turn in
        guard let stale else { return dependOnData(&turn) }
        afterShowing = stale.freshness?.stamp?.record == nil ? .reload : .validate
        decode(.success(stale), &turn)
      }
    }
    send(look, to: pipeline.diskQueue)
  }

  // MARK: Asking

  /// Asks about a picture in memory, from the thread that wants it: leases are asked for on a worker.
  private func validateFromMemory(_ turn: inout Turn) {
    guard mayHaveToWait() else { return validate(&turn) }
    send(
      WorkItem { [self] in
        takeErrand()
        if !isStopped { Turn.run(on: pipeline) { if isLeading() { validate(&$0) } } }
        return .done
      }, to: pipeline.diskQueue)
  }

  private func validate(_ turn: inout Turn) {
    // What comes of the original is not what this step works on.
    if processorCount > 1 { previewsAreOver.store(true, ordering: .relaxed) }
    let key = JobKey.validation(identity, options: request.options, check?.wish)
    turn.depend(self, on: key) { [pipeline, request] in
      DataJob(id: $0, request: request, pipeline: pipeline, purpose: .validation)
    }
  }

  /// Goes on with what the server says.
  func resume(_ validation: DataJob, _ turn: inout Turn) {
    let held = held
    self.held = nil
    facts.isCoalesced = facts.isCoalesced || validation.facts.isCoalesced
    facts.queued += validation.facts.queued
    facts.loading += validation.facts.loading
    facts.cacheStatus = validation.facts.cacheStatus
    switch validation.result! {
    case .failure(let error): finish(.failure(error), &turn)
    case .success(let loaded) where loaded.isUnchanged:
      guard let held, held.stamp?.representation == loaded.freshness?.stamp?.representation else {
        return load(&turn)
      }
      // Who waits for a picture that is yet to be stored would find the record, and make the picture too.
      if !held.isNew || loaded.freshness?.mayBeStored == false { endLeaseWithRecord() }
      use(held, loaded.freshness, &turn)
    case .success(let loaded):
      facts.origin = validation.facts.origin
      facts.byteCount = validation.facts.byteCount
      facts.resumedByteCount = validation.facts.resumedByteCount
      facts.notCachedOnDisk = validation.facts.notCachedOnDisk
      foundIn = nil
      given = loaded
      load(&turn)
    }
  }

  /// Goes on with what is held and still right.
  private func use(_ held: Held, _ freshness: FreshnessFacts?, _ turn: inout Turn) {
    switch held {
    case .picture(var image, let foundIn):
      image.freshness = freshness
      if foundIn == .memory {
        noteFoundInMemory()
        adopt(image)
      } else {
        self.foundIn = foundIn
        facts.origin = .disk
        facts.notCachedOnDisk = .cameFromCache
      }
      finish(.success(image), &turn)
    case .variant(let data, _): decodeVariant(data, freshness, &turn)
    }
  }

  /// Has a picture that another pipeline put into the memory cache go by what this one knows.
  private func adopt(_ image: Image) {
    guard let stamp = image.freshness?.stamp, image.container.stamp?.row !== stamp.row,
      case .into(let cache) = pipeline.memoryCacheForWriting(request)
    else { return }
    var container = image.container
    container.stamp = stamp
    cache[pipeline.imageCacheKey(for: request, processorCount: processorCount)] = container
  }

  // MARK: Showing

  /// Tasks that asked for a picture in memory have shown it when they were made. Those that asked for more steps have not.
  private func noteShownByTasks() {
    hasShown = isRequested
    previewsAreOver.store(true, ordering: .relaxed)
  }

  /// Shows a stale picture where that is what it was made for.
  ///
  /// - Returns: whether it was, so that this is not the end.
  func show(_ result: Result<Image, ImagePipeline.Error>, _ turn: inout Turn) -> Bool {
    guard let next = afterShowing else { return false }
    afterShowing = nil
    let foundIn = foundIn
    self.foundIn = nil
    guard case .success(let image) = result else {
      dependOnData(&turn)
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
      held = .picture(image, foundIn: foundIn)
      if isLeading() { validate(&turn) }
    case .reload: if isLeading() { load(&turn) }
    }
    return true
  }
}
