import Foundation
import FoundationNetworking
import NukeBase
import NukeHTTP
import NukeHTTPCaching
import NukeStore

/// Loads the bytes of an original from the disk cache, a closure, a file or the network.
final class DataJob: Job, @unchecked Sendable {
  /// The result of the job.
  struct Loaded: Sendable {
    var data: Data
    var response: LazyURLResponse?
    var cacheType: ImageResponse.CacheType?
    /// The freshness, if the request requires any.
    var freshness: FreshnessFacts?
    /// `true` if the stored bytes are current, so that this result contains none.
    var isUnchanged = false
  }

  /// The purpose of the job.
  enum Purpose {
    case data
    /// Downloads the bytes, which the disk cache does not have.
    case download
    /// Validates the stored bytes, and downloads others if they are outdated.
    case validation
  }

  let request: ImageRequest
  var route: DataRoute
  var result: Result<Loaded, ImagePipeline.Error>!

  /// A loader makes one call at a time. The lock guards against those that do not.
  let download = Lock(Download())
  var queuedAt = MonotonicClock.now
  private var startedAt: UInt64 = 0
  /// The interval of the load stage. Written before the download is `loading`.
  private(set) var interval: StageInterval?
  /// The end of the interval, until it is reported.
  private var intervalEnd: StageInterval.End?

  /// The previews, if the configuration enables them. Created before other threads know the job.
  private(set) var previews: DataPreviews?

  /// Evaluates cached entries; `nil` if the request accepts any version. Set by `start`, since the delegate may be
  /// called for it.
  private(set) var evaluator: FreshnessEvaluator?
  /// The entry of the disk cache, if the job that needs the data has looked it up.
  private var found: DiskLookup.Entry?
  /// The time at which the request was sent; `nil` if it does not matter.
  var sentAt: Timestamp?
  /// How the HTTP cache handled the response; `nil` if there is none, or if the loader does not say.
  var caching: ResponseHead.Caching?
  /// The status of a response that the loader has refused, if it reports one.
  var refusedStatus: Int?
  /// `true` if the result comes from another job, which has stored it.
  var isPassedOn = false

  init(
    id: ID, request: ImageRequest, pipeline: ImagePipeline, purpose: Purpose = .data, found: DiskLookup.Entry? = nil
  ) {
    self.request = request
    self.found = found
    route = DataRoute(purpose)
    isLocal = request.url.map(pipeline.readsLocally) ?? false
    super.init(id: id, request: request, pipeline: pipeline)
    previews = DataPreviews(for: self, request: request, pipeline: pipeline)
  }

  let isLocal: Bool

  /// Local sources do not wait for downloads, nor do requests with `skipDataLoadingQueue`.
  override var queue: TaskQueue? {
    isLocal ? pipeline.localQueue : holdsSlot ? pipeline.configuration.dataLoadingQueue : pipeline.unlimitedQueue
  }

  /// The host whose downloads share slots; `nil` if the job has no slot, or for a custom loader. Only the loaders of
  /// this package have a queue for each host; a custom loader may rely on the limit of the loading queue.
  override package var hostName: Substring? {
    guard holdsSlot, let url = request.storage.resource.url, pipeline.streamingLoader(for: request) != nil else {
      return nil
    }
    return url.originOfURL
  }

  private var holdsSlot: Bool { !isLocal && !request.options.contains(.skipDataLoadingQueue) }

  /// A download that has left the queue may be in the queue of the loader.
  override func reprioritize() {
    super.reprioritize()
    if let transfer = download.withLock({ $0.runningTransfer }) { transfer.setPriority(currentPriority) }
  }

  // MARK: The route

  override func start(_ transaction: inout GraphTransaction) {
    if route.purpose != .download { evaluator = pipeline.freshnessEvaluator(of: request) }
    if let found = found.take() { lookedOnDisk(found) } else { perform(route.started()) }
  }

  /// Performs an action of the route.
  func perform(_ action: DataRoute.Action) {
    guard !isStopped else { return }
    switch action {
    case .lookOnDisk: lookOnDisk()
    case .lookAtRecord: lookAtRecord()
    case .joinValidation: joinValidation()
    case .joinDownload: joinDownload()
    case .load: load()
    case .finish(let loaded):
      if loaded.cacheType == .disk { facts.origin = .disk }
      finish(.success(loaded), from: .waiting)
    }
  }

  override func resume(_ finished: Job, _ transaction: inout GraphTransaction) {
    guard let other = finished as? DataJob else { preconditionFailure("data waits for \(type(of: finished))") }
    if other.route.purpose == .validation { return resume(other) }
    isPassedOn = true
    facts.add(other.facts)
    // The facts of the download include the time since then.
    queuedAt = MonotonicClock.now
    finish(other.result, from: .waiting)
  }

  private func lookOnDisk() {
    // Reading a local file costs no more than reading the cache.
    guard !request.isOfLocalSource,
      let lookup = DiskLookup(pipeline.originalDataCacheKey(for: request), for: request, evaluator, on: pipeline)
    else { return load() }
    read(lookup, for: request) { [self] in lookedOnDisk($0) }
  }

  private func lookedOnDisk(_ entry: DiskLookup.Entry) {
    perform(route.lookedOnDisk(entry.data, entry.facts(nil), evaluate(entry)))
  }

  private func evaluate(_ entry: DiskLookup.Entry) -> FreshnessEvaluator.Evaluation {
    evaluator?.evaluate(entry.representation, entry.row?.record, now: pipeline.configuration.now()) ?? .fresh(nil)
  }

  private func joinDownload() {
    guard pipeline.sharesDownload(request, evaluator?.requirement) else { return load() }
    let now = MonotonicClock.now
    facts.loading += MonotonicClock.seconds(from: queuedAt, to: now)
    GraphTransaction.run(on: pipeline) {
      $0.depend(self, on: pipeline.downloadKey(for: request), for: request, .download)
    }
  }

  private func load() {
    if !isLocal, request.isCacheOnly, !pipeline.hasHTTPCache(for: request) {
      return finish(.failure(.dataMissingInCache), from: .waiting)
    }
    enqueue()
  }

  override func run() -> Outcome {
    guard tryAcquireLease(), begin() else { return .done }
    if isLocal {
      readLocal()
      return .done
    }
    switch request.storage.resource {
    case .data(_, let closure): load(closure)
    case .bytes(_, let data):
      facts.origin = .closure
      finish(data.isEmpty ? .failure(.dataIsEmpty) : .success(Loaded(data: data)))
    case .url, .urlRequest:
      // If there is no token now, ``hasToken()`` is called later.
      if !holdsSlot || pipeline.rateLimiter?.take(self) ?? true { loadFromNetwork() }
    case .image: preconditionFailure("a decoded image has no data")
    }
    return holdsSlot ? .goesOn : .done
  }

  /// Starts the download. Returns `false` if the job was stopped before.
  private func begin() -> Bool {
    if let instruments = pipeline.instruments {
      guard download.withLock({ $0.phase }) == .waiting else { return false }
      // Before the download begins, since the end of the download ends the interval.
      interval = instruments.begin(.load, of: request, trace: trace)
    }
    guard download.withLock({ $0.begin() }) else {
      interval?.end(ImagePipeline.Error.cancelled)
      return false
    }
    startedAt = MonotonicClock.now
    facts.queued += MonotonicClock.seconds(from: queuedAt, to: startedAt)
    return true
  }

  // MARK: Sources

  private func readLocal() {
    guard let url = request.url else { return }
    facts.origin = .init(ofLocal: url)
    finish(pipeline.readLocal(url).map { Loaded(data: $0.data, response: LazyURLResponse($0.response)) })
  }

  private func load(_ closure: @escaping @Sendable () async throws -> Data) {
    facts.origin = .closure
    let task = ClosureTask(
      Task {
        let result: Result<Loaded, ImagePipeline.Error>
        do {
          let data = try await interval.around(closure)
          result = data.isEmpty ? .failure(.dataIsEmpty) : .success(Loaded(data: data))
        } catch {
          result = .failure(.dataLoadingFailed(error: error))
        }
        pipeline.unlimitedQueue.add { [self] in finish(result) }
      })
    if update({ $0.hold(task, of: .whole) }) { task.cancel() }
  }

  // MARK: State

  /// Changes the download. A transfer that it has released is destroyed outside the lock.
  func update<Result>(_ body: (inout Download) -> Result) -> Result {
    let (result, released) = download.withLock { download in (body(&download), download.takeReleased()) }
    withExtendedLifetime(released) {}
    return result
  }

  var isLoading: Bool { !isStopped && download.withLock { $0.isLoading } }

  /// The data so far, for previews.
  var receivedSoFar: (data: Data, response: LazyURLResponse?) { download.withLock { ($0.body.data, $0.response) } }

  // MARK: Ending

  override func stop() {
    super.stop()
    previews?.end()
    // Ended first: a loader may call back from within `cancel()`, and its calls must have no effect.
    let ended = download.withLock { $0.stop { request.urlRequest } }
    guard ended.phase == .loading else { return }
    if holdsSlot { pipeline.configuration.dataLoadingQueue.releaseSlot(of: self) }
    interval?.end(ImagePipeline.Error.cancelled)
    keep(ended.part)
    ended.transfer?.cancel()
  }

  /// Ends the download with its first result. Later results, and those after a cancellation, have no effect.
  ///
  /// - Parameter begun: `waiting` if the job has no slot. If the phase went through `loading`, a stop in between would
  ///   release a slot that was never taken.
  func finish(_ result: Result<Loaded, ImagePipeline.Error>, from begun: Download.Phase = .loading) {
    if update({ $0.end(from: begun) }) { end(result, begun: begun) }
  }

  /// Reports the end of the download. Called once, outside of all locks, because it may call user code.
  func end(_ result: Result<Loaded, ImagePipeline.Error>, begun: Download.Phase) {
    self.result = result
    facts.loading += MonotonicClock.seconds(from: begun == .waiting ? queuedAt : startedAt, to: MonotonicClock.now)
    if case .success(let loaded) = result { facts.byteCount = loaded.data.count }
    if begun == .loading {
      if holdsSlot { pipeline.configuration.dataLoadingQueue.releaseSlot(of: self) }
      if interval != nil { intervalEnd = StageInterval.End() }
    }
    if case .success(let loaded) = result {
      if let previews, previews.complete(loaded.data, loaded.response, { [self] in report() }) { return }
    } else {
      previews?.end()
    }
    // Decoders, caches, metrics and loggers of the program must not block the thread of a loader, which serves all
    // transfers. Nor may a disk block the thread of a caller.
    if WorkerPool.isWorker || WorkerPool.isCallingThread && pipeline.dataCache(for: request) == nil {
      report()
    } else {
      pipeline.unlimitedQueue.add { [self] in report() }
    }
  }

  private func report() {
    if let moment = intervalEnd.take() {
      interval?.end(with: result, at: moment, byteCount: (try? result.get())?.data.count, origin: facts.origin)
    }
    noteFreshness()
    if case .success(let loaded) = result, loaded.cacheType == nil, !loaded.isUnchanged {
      if !isPassedOn { facts.notCachedOnDisk = store(loaded) }
    } else {
      if case .success = result { facts.notCachedOnDisk = .cameFromCache }
      download.withLock { $0.spool }?.drop(of: self)
    }
    lease?.client.end()
    GraphTransaction.run(on: pipeline, isTail: true) { $0.finish(self) }
  }

  /// The facts for a task that loads data.
  var factsOfData: ImageTask.Facts {
    var facts = facts
    if case .success = result { facts.notCachedInMemory = .bytesAlone }
    return facts
  }

  // MARK: The lease: one download for all processes that share a cache, if the original is stored there

  /// Returns `true` if this job holds the lease and may download now. Otherwise the job looks in the cache again, at
  /// once or when the holder of the lease has finished.
  private func tryAcquireLease() -> Bool {
    guard let lease = lease ?? leaseOfOriginal() else { return true }
    switch lease.acquire({ [self] in lookAgain(lease) }) {
    case .acquired: return true
    case .stored:
      // An entry that is to be validated is in the cache in any case.
      if route.purpose == .validation, let cache = lease.cache as? DataCache {
        return mustStillValidate(cache)
      }
      lookAgain(lease)
      return false
    case .waiting: return false
    }
  }

  private func leaseOfOriginal() -> JobLease? {
    makeLease(of: request, in: cacheOfOriginal) { pipeline.originalDataCacheKey(for: request) }
  }

  /// Looks for what another client of the cache may have stored meanwhile.
  private func lookAgain(_ lease: JobLease) {
    let waited = lease.client.takeWaitedSeconds()
    facts.waitingForOthers += waited
    // The time counts neither as queued nor as loading.
    queuedAt = min(queuedAt + UInt64(waited * 1e9), MonotonicClock.now)
    guard case .lookOnDisk = route.lookAgain() else { return lookAtRecord() }
    let key = pipeline.originalDataCacheKey(for: request)
    read(DiskLookup(key, in: lease.cache, evaluator), for: request) { [self] in
      perform(route.lookedAgain($0.data, $0.facts(nil), evaluate($0)))
    }
  }

  // MARK: Storing

  /// Stores the data on disk if the policy says so for one of the subscribers.
  ///
  /// - Returns: the reason if it was not stored.
  private func store(_ loaded: Loaded) -> ImageTask.Facts.NotCachedReason? {
    let (spool, resumedCount) = download.withLock { ($0.spool, $0.resumedCount) }
    facts.resumedByteCount = resumedCount
    let part = spool?.takePart()
    if part == nil, resumedCount > 0 { spool?.forget(of: self) }
    switch cacheToStore(loaded) {
    case .excluded(let reason):
      if let part { spool?.cache.abandon(part) }
      return reason
    case .into(let cache):
      let key = pipeline.originalDataCacheKey(for: request)
      let label = EntryLabel(loaded.freshness, original: key, key: key)
      let isRefused = pipeline.store(
        loaded.data, of: nil, for: request, key: key, in: cache, from: part, label: label,
        lease: lease?.client.handOver())
      return isRefused ? .refusedByDelegate : nil
    }
  }

  private func cacheToStore(_ loaded: Loaded) -> ImagePipeline.Storing<any DataCaching> {
    let storing = cacheOfOriginal
    guard case .into = storing else { return storing }
    if loaded.isPart { return .excluded(.partOfOriginal) }
    if loaded.freshness?.mayBeStored == false { return .excluded(.forbiddenByServer) }
    return storing
  }

  /// The cache to store the original in, if the options and the policy allow it for one of the current subscribers.
  var cacheOfOriginal: ImagePipeline.Storing<any DataCaching> {
    if request.isOfLocalSource { return .excluded(.localSource) }
    let storing = pipeline.writableDiskCache(for: request)
    guard case .into = storing else { return storing }
    let policy = pipeline.configuration.dataCachePolicy
    var (isAllowed, isWanted) = (false, false)
    shard.state.withLock { state in
      state.graph.forEachClient(of: id) { task in
        guard !task.request.options.contains(.disableDiskCacheWrites) else { return }
        isAllowed = true
        isWanted = isWanted || policy.storesOriginal(for: task.kind, of: task.request)
      }
    }
    return isWanted ? storing : .excluded(isAllowed ? .policy : .disabledByOption)
  }
}

extension DataJob.Loaded {
  /// `true` if the program has requested a range, so that the bytes are not the whole original.
  var isPart: Bool { response?.head.status == 206 }
}

extension DataJob: RateLimiter.Waiter {
  var wantsToken: Bool { isLoading }

  func hasToken() {
    pipeline.unlimitedQueue.add { [self] in
      guard isLoading else { return }
      let now = MonotonicClock.now
      facts.queued += MonotonicClock.seconds(from: startedAt, to: now)
      startedAt = now
      loadFromNetwork()
    }
  }
}

extension GraphTransaction {
  /// Subscribes `job` to the data job of `key`.
  mutating func depend(
    _ job: Job, on key: JobKey, for request: ImageRequest, _ purpose: DataJob.Purpose = .data,
    found: DiskLookup.Entry? = nil
  ) {
    depend(job, on: key) { [pipeline] in
      DataJob(id: $0, request: request, pipeline: pipeline, purpose: purpose, found: found)
    }
  }
}

/// The Swift task of a closure, as a ``Cancellable``.
final class ClosureTask: Cancellable {
  private let task: Task<Void, Never>
  init(_ task: Task<Void, Never>) { self.task = task }
  func cancel() { task.cancel() }
}
