import Foundation
import FoundationNetworking
import NukeImaging
import Synchronization

/// The bytes of an original: from the disk cache, a closure, a file or the network. The one place that knows where
/// bytes come from.
final class DataJob: Job, @unchecked Sendable {
  /// What the job gives.
  struct Loaded: Sendable {
    var data: Data
    var response: URLResponse?
    var cacheType: ImageResponse.CacheType?
  }

  private let request: ImageRequest
  private(set) var result: Result<Loaded, ImagePipeline.Error>!

  /// What has come. Loaders call one at a time; one that does not shall do no harm either.
  private let received = Lock(Received())
  private var startedAt: UInt64 = 0

  private struct Received {
    var data = Data()
    var response: URLResponse?

    /// Takes memory ahead of what has come, but not for all of a length that may be a lie.
    mutating func makeRoom(expected: Int) {
      if data.count < expected { data.reserveCapacity(min(expected, data.count * 4 + (1 << 20))) }
    }
  }

  private let queuedAt = Clock.now
  private let phase = Atomic<Phase>(.waiting)

  private enum Phase: UInt8, AtomicRepresentable {
    case waiting, loading, ended
  }

  // Guarded by the pipeline's lock.
  private var transfer: (any Cancellable)?
  private var isGivenUp = false

  /// Where the configuration wants previews. Made before the job is known to other threads.
  private var previews: DataPreviews?

  init(id: ID, request: ImageRequest, pipeline: ImagePipeline) {
    self.request = request
    isLocal = request.url.map(pipeline.readsLocally) ?? false
    super.init(id: id, pipeline: pipeline)
    previews = DataPreviews(for: self, request: request, pipeline: pipeline)
  }

  private let isLocal: Bool

  /// Local sources do not wait behind the network, nor does what asks not to.
  override var queue: TaskQueue? { holdsSlot ? pipeline.configuration.dataLoadingQueue : pipeline.unlimitedQueue }

  private var holdsSlot: Bool { !isLocal && !request.options.contains(.skipDataLoadingQueue) }

  // MARK: The route

  override func start(_ turn: inout Turn) {
    // Local files are as near as the cache.
    guard !isLocal, request.options.allowDiskReads, let cache = pipeline.dataCache(for: request) else {
      return load()
    }
    send(
      DiskRead(pipeline.originalDataCacheKey(for: request), in: cache, for: self) { [self] in useCached($0) },
      to: pipeline.diskQueue)
  }

  private func useCached(_ data: Data?) {
    guard let data else { return load() }
    guard !isStopped else { return }
    facts.origin = .disk
    finish(.success(Loaded(data: data, cacheType: .disk)), from: .waiting)
  }

  private func load() {
    if !isLocal, request.options.contains(.returnCacheDataDontLoad) {
      return finish(.failure(.dataMissingInCache), from: .waiting)
    }
    enqueue()
  }

  override func run() -> Outcome {
    guard begin() else { return .done }
    if isLocal {
      readLocal()
      return .done
    }
    switch request.storage.resource {
    case .data(_, let closure): load(closure)
    case .url, .urlRequest: if takeTurn() { loadFromNetwork() }
    case .image: preconditionFailure("a decoded picture has no data")
    }
    return holdsSlot ? .goesOn : .done
  }

  /// Leaves the waiting; false where the job was stopped before.
  private func begin() -> Bool {
    guard
      phase.compareExchange(expected: .waiting, desired: .loading, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    startedAt = Clock.now
    facts.queued += Clock.seconds(from: queuedAt, to: startedAt)
    return true
  }

  // MARK: Sources

  private func readLocal() {
    guard let url = request.url else { return }
    facts.origin = .init(ofLocal: url)
    finish(pipeline.readLocal(url).map { Loaded(data: $0.data, response: $0.response) })
  }

  private func load(_ closure: @escaping @Sendable () async throws -> Data) {
    facts.origin = .closure
    hold(
      ClosureTask(
        Task {
          do {
            let data = try await closure()
            finish(data.isEmpty ? .failure(.dataIsEmpty) : .success(Loaded(data: data)))
          } catch {
            finish(.failure(.dataLoadingFailed(error: error)))
          }
        }))
  }

  /// Whether the download may begin now; else ``hasToken()`` will be called.
  private func takeTurn() -> Bool {
    guard holdsSlot, let rateLimiter = pipeline.rateLimiter else { return true }
    return rateLimiter.take(self)
  }

  private func loadFromNetwork() {
    facts.origin = .network
    guard let urlRequest = request.urlRequest else { return finish(.failure(.imageRequestMissing)) }
    guard let delegate = pipeline.delegate else { return send(urlRequest) }
    holdUntilSent(
      ClosureTask(
        Task {
          do {
            send(try await delegate.willLoadData(for: request, urlRequest: urlRequest, pipeline: pipeline))
          } catch {
            finish(.failure(.dataLoadingFailed(error: error)))
          }
        }))
  }

  private func send(_ urlRequest: URLRequest) {
    guard isLoading else { return }
    pipeline.counters.countDownload()
    if pipeline.delegate == nil, let loader = pipeline.streamingLoader {
      return hold(loader.stream(urlRequest, limit: maximumSize, observer: self))
    }
    hold(
      pipeline.dataLoader(for: request).loadData(
        with: urlRequest,
        didReceiveData: { [self] chunk, response in receive(chunk, response) },
        completion: { [self] error in complete(error) }))
  }

  // MARK: The transfer

  /// Keeps what can be cancelled; cancels it where that has been wished meanwhile, or the load has ended already.
  private func hold(_ cancellable: any Cancellable) {
    let isLate = pipeline.state.withLock { _ in
      if !isGivenUp, phase.load(ordering: .acquiring) == .loading {
        transfer = cancellable
        return false
      }
      return isGivenUp
    }
    if isLate { cancellable.cancel() }
  }

  /// Keeps what comes before a transfer. It runs on a thread of its own, so the transfer may be there already, which it
  /// must not take the place of.
  private func holdUntilSent(_ preparation: any Cancellable) {
    let isLate = pipeline.state.withLock { _ in
      if !isGivenUp, transfer == nil, phase.load(ordering: .acquiring) == .loading { transfer = preparation }
      return isGivenUp
    }
    if isLate { preparation.cancel() }
  }

  /// Lets go of the transfer, which may hold closures that hold this job.
  private func takeTransfer(givingUp: Bool) -> (any Cancellable)? {
    pipeline.state.withLock { _ in
      if givingUp { isGivenUp = true }
      defer { transfer = nil }
      return transfer
    }
  }

  // MARK: What the loader says

  private var maximumSize: Int? { pipeline.configuration.maximumResponseDataSize }
  private var isLoading: Bool { phase.load(ordering: .acquiring) == .loading && !isStopped }

  private func receive(_ chunk: Data, _ response: URLResponse) {
    guard isLoading else { return }
    let expected = response.expectedContentLength
    let count: Int? = received.withLock { received in
      if let maximumSize, received.data.count + chunk.count > maximumSize || expected > Int64(maximumSize) {
        return nil
      }
      if received.response == nil { received.response = response }
      if received.data.isEmpty {
        received.data = chunk
      } else {
        received.makeRoom(expected: Int(clamping: expected))
        received.data.append(chunk)
      }
      return received.data.count
    }
    if let count {
      reportProgress(count, expected: expected)
      previews?.dataDidGrow()
    } else {
      let transfer = takeTransfer(givingUp: true)
      // Finished first, so that a loader which answers from within `cancel()` does not give another reason.
      finish(.failure(.dataDownloadExceededMaximumSize))
      transfer?.cancel()
    }
  }

  /// What has come, for previews.
  var receivedSoFar: (data: Data, response: URLResponse?) { received.withLock { ($0.data, $0.response) } }

  private func reportProgress(_ count: Int, expected: Int64) {
    pipeline.report(.init(completed: Int64(count), total: max(expected, 0)), of: self)
  }

  private func complete(_ error: (any Error)?) {
    if case .bodyTooLarge? = error as? DataLoader.Error { return finish(.failure(.dataDownloadExceededMaximumSize)) }
    if let error { return finish(.failure(.dataLoadingFailed(error: error))) }
    let (data, response) = received.withLock { received in
      defer { received = Received() }
      return (received.data, received.response)
    }
    guard !data.isEmpty else { return finish(.failure(.dataIsEmpty)) }
    finish(.success(Loaded(data: data, response: response)))
  }

  // MARK: Ending

  override func stop() {
    super.stop()
    previews?.end()
    // Ended first, so that a loader which answers from within `cancel()` is not listened to.
    let old = phase.exchange(.ended, ordering: .acquiringAndReleasing)
    if old == .loading, holdsSlot { pipeline.configuration.dataLoadingQueue.releaseSlot() }
    takeTransfer(givingUp: true)?.cancel()
  }

  /// The first result counts; a loader that answers twice, or after it was cancelled, changes nothing.
  ///
  /// - Parameter begun: `waiting` where the end has come without a slot. Going through `loading` would let a stop in
  ///   between give back a slot that was never taken.
  private func finish(_ result: Result<Loaded, ImagePipeline.Error>, from begun: Phase = .loading) {
    guard
      phase.compareExchange(expected: begun, desired: .ended, ordering: .acquiringAndReleasing).exchanged
    else { return }
    self.result = result
    facts.loading += Clock.seconds(from: begun == .waiting ? queuedAt : startedAt, to: Clock.now)
    if case .success(let loaded) = result { facts.byteCount = loaded.data.count }
    previews?.end()
    if begun == .loading, holdsSlot { pipeline.configuration.dataLoadingQueue.releaseSlot() }
    _ = takeTransfer(givingUp: false)
    // Decoders and caches of the user's are not to hold up the thread of a loader, which serves all transfers.
    if WorkerPool.isWorker { report() } else { pipeline.unlimitedQueue.add(Report(job: self)) }
  }

  private func report() {
    if case .success(let loaded) = result, loaded.cacheType == nil { store(loaded.data) }
    Turn.run(on: pipeline) { $0.finish(self) }
  }

  /// Keeps the data on disk, where the policy says so for one of those who wait.
  private func store(_ data: Data) {
    guard !isLocal, !pipeline.configuration.isDataCacheReadOnly, !request.options.contains(.disableDiskCacheWrites),
      let cache = pipeline.dataCache(for: request)
    else { return }
    let policy = pipeline.configuration.dataCachePolicy
    let isWanted = pipeline.state.withLock { state in
      var isWanted = false
      state.graph.forEachClient(of: id) { task in
        isWanted = isWanted || policy.storesOriginal(for: task.kind, of: task.request)
      }
      return isWanted
    }
    guard isWanted else { return }
    pipeline.store(data, of: nil, for: request, key: pipeline.originalDataCacheKey(for: request), in: cache)
  }

  /// Carries a result from a loader's thread to a worker.
  private final class Report: QueuedWork, @unchecked Sendable {
    private let job: DataJob
    init(job: DataJob) { self.job = job }

    override func run() -> Outcome {
      job.report()
      return .done
    }
  }
}

extension DataJob: RateLimiter.Applicant {
  var wantsToken: Bool { isLoading }

  func hasToken() { pipeline.unlimitedQueue.add(Download(job: self)) }

  private func beginAfterWaiting() {
    guard isLoading else { return }
    let now = Clock.now
    facts.queued += Clock.seconds(from: startedAt, to: now)
    startedAt = now
    loadFromNetwork()
  }

  /// Carries a download whose turn has come to a worker.
  private final class Download: QueuedWork, @unchecked Sendable {
    private let job: DataJob
    init(job: DataJob) { self.job = job }

    override func run() -> Outcome {
      job.beginAfterWaiting()
      return .done
    }
  }
}

extension DataJob: StreamObserver {
  func didReceive(_ head: ResponseHead) {
    guard isLoading else { return }
    let response = head.urlResponse()
    received.withLock { $0.response = response }
  }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    guard isLoading else { return }
    let (count, response) = received.withLock { received in
      let expected = received.response?.expectedContentLength ?? -1
      received.makeRoom(expected: Int(clamping: expected))
      received.data.append(contentsOf: bytes)
      return (received.data.count, received.response)
    }
    reportProgress(count, expected: response?.expectedContentLength ?? -1)
    previews?.dataDidGrow()
  }

  func didFinish(_ error: (any Error)?) { complete(error) }
}

/// A closure's Swift task as something that can be cancelled.
final class ClosureTask: Cancellable {
  private let task: Task<Void, Never>
  init(_ task: Task<Void, Never>) { self.task = task }
  func cancel() { task.cancel() }
}
