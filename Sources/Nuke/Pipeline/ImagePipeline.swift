public import Foundation
public import FoundationNetworking
import NukeBase
import NukeHTTP
public import NukeImaging
import Synchronization

/// Loads images: looks them up in the caches, or downloads, decodes and processes them. Concurrent requests share equal
/// work.
///
/// A pipeline can be used from any thread. It looks in the memory cache on the calling thread, so that a hit returns at
/// once. The async methods also call the data loader there, and decoders that are quick; see
/// ``ImageDecoding/isAsynchronous``. Disk access, decoding and processing run on the pipeline's own threads.
///
/// ```swift
/// let image = try await ImagePipeline.shared.image(for: url)
/// ```
public final class ImagePipeline: Sendable {
  /// The settings and dependencies of the pipeline.
  public let configuration: Configuration
  /// Customizes single requests.
  let delegate: (any Delegate)?

  /// The jobs; see ``shard(of:)``.
  let shards = (0..<JobShard.count).map { _ in JobShard() }
  /// The queue for work without a limit.
  package let unlimitedQueue = TaskQueue(maxConcurrentOperationCount: .max)
  /// The queue for reading from the disk cache.
  package var diskQueue: TaskQueue { configuration.dataCachingQueue }
  /// The queue for writing bodies to the disk cache while they arrive.
  package let spoolQueue = TaskQueue(maxConcurrentOperationCount: 1, pool: .io)
  /// The queue for reading local files.
  let localQueue = TaskQueue(maxConcurrentOperationCount: WorkerPool.shared.limit, pool: .io)
  package let partialBodies = PartialBodies()
  let processorChains = ProcessorChains()
  /// The freshness of originals.
  let freshnessTable = FreshnessTable()
  let offline: Atomic<Bool>
  package let decodeBudget: DecodeBudget
  /// The data loader, if it can stream.
  let streamingLoader: (any StreamingDataLoading)?
  let rateLimiter: RateLimiter?
  package let counters = Counters()
  /// The log, metrics and tracer; `nil` if there are none.
  let instruments: Instruments?
  /// A copy of the flag in `state`, for reading without the lock.
  private let isInvalidated = Atomic<Bool>(false)
  /// The number of images that loads have stored in memory caches.
  let memoryStoreCount = Atomic<Int>(0)

  /// The default pipeline. Replace it before the first load.
  public static var shared: ImagePipeline {
    get {
      sharedPipeline.withLock { current in
        if current == nil { current = ImagePipeline() }
        return current!
      }
    }
    set {
      // Released outside the lock, because objects of its configuration may use the new pipeline.
      let old = sharedPipeline.withLock { exchange(&$0, with: newValue) }
      withExtendedLifetime(old) {}
    }
  }

  private static let sharedPipeline = Lock<ImagePipeline?>(nil)

  /// Creates a pipeline with a configuration and a delegate, which it retains.
  public convenience init(configuration: Configuration = .init(), delegate: (any Delegate)? = nil) {
    self.init(configuration: configuration, delegate: delegate, decodeBudget: .shared)
  }

  /// Creates a pipeline with the default configuration and the changes of `configure`.
  public convenience init(delegate: (any Delegate)? = nil, _ configure: (inout Configuration) -> Void) {
    var configuration = Configuration()
    configure(&configuration)
    self.init(configuration: configuration, delegate: delegate)
  }

  package init(
    configuration: Configuration, delegate: (any Delegate)? = nil, decodeBudget: DecodeBudget,
    rateLimiter: @autoclosure () -> RateLimiter = RateLimiter()
  ) {
    self.configuration = configuration
    self.delegate = delegate
    self.decodeBudget = decodeBudget
    offline = Atomic(configuration.isOffline)
    instruments = Instruments(configuration)
    streamingLoader = configuration.dataLoader as? any StreamingDataLoading
    self.rateLimiter = configuration.isRateLimiterEnabled ? rateLimiter() : nil
    configuration.dataLoadingQueue.keepsSlotForUrgentWork = true
  }

  /// Cancels all tasks. Later tasks fail with ``Error/pipelineInvalidated``.
  public func invalidate() {
    isInvalidated.store(true, ordering: .relaxed)
    let tasks = GraphTransaction.run(on: self) { $0.invalidate() }
    for task in tasks { task.fail(.pipelineInvalidated) }
    partialBodies.removeAll()
  }

  // MARK: Loading

  /// Starts loading the image at `url`, and returns the task.
  public func imageTask(with url: URL) -> ImageTask { imageTask(with: ImageRequest(url: url)) }

  /// Starts loading the image of `request`, and returns the task.
  public func imageTask(with request: ImageRequest) -> ImageTask {
    startTask(with: request, kind: .image, keepsEvents: true)
  }

  /// Returns the image at `url`.
  ///
  /// - Throws: ``Error``; ``Error/cancelled`` if the calling task was canceled.
  public func image(for url: URL) async throws(Error) -> PlatformImage {
    try await image(for: ImageRequest(url: url))
  }

  /// Returns the image of `request`. A memory hit returns without a switch of threads.
  ///
  /// - Throws: ``Error``; ``Error/cancelled`` if the calling task was canceled.
  public func image(for request: ImageRequest) async throws(Error) -> PlatformImage {
    switch findOrStart(request) {
    case .found(let image): return image
    case .started(let task): return try await task.response.image
    }
  }

  private enum FoundOrStarted {
    case found(PlatformImage)
    case started(ImageTask)
  }

  // Not inlined, since the frame of the asynchronous caller, which is allocated for each call, would hold all of its
  // temporary values.
  @inline(never)
  private func findOrStart(_ request: ImageRequest) -> FoundOrStarted {
    let request = withDefaultProcessors(request)
    // Without a delegate nothing observes the task, so a memory hit needs none.
    guard delegate == nil else { return .started(startTask(with: request, kind: .image, startsHere: true)) }
    var look = lookInMemory(for: request)
    // Taken out, since a copy would have to be retained.
    if let container = look.container.take() {
      if !container.isPreview, isUsable(container, for: request) {
        instruments?.didHitMemory(request)
        return .found(container.image)
      }
      look.container = container
    }
    return .started(startTask(with: request, kind: .image, look: look, startsHere: true))
  }

  /// Returns the encoded original of `request` and the response of the server. Nothing is decoded.
  ///
  /// - Throws: ``Error``; ``Error/cancelled`` if the calling task was canceled.
  public func data(for request: ImageRequest) async throws(Error) -> (Data, URLResponse?) {
    let response = try await startTask(with: request, kind: .data, startsHere: true).response
    return (response.container.data ?? Data(), response.urlResponse)
  }

  // MARK: Tasks

  /// Creates a task and starts it.
  ///
  /// - Parameters:
  ///   - look: the result of the memory look-up, if the caller has made one.
  ///   - keepsEvents: `true` if the program may create streams of events.
  ///   - startsHere: `true` if a download may start on the calling thread, since the caller awaits the result.
  ///   - callsProgram: `true` if `observer` calls user code, which must not run on a loader's thread.
  ///   - observer: receives all events in order, on any thread.
  @inline(never)
  package func startTask(
    with request: ImageRequest, kind: ImageTask.Kind, look: MemoryLook? = nil, keepsEvents: Bool = false,
    startsHere: Bool = false, callsProgram: Bool = true,
    observer: (@Sendable (ImageTask, ImageTask.Event) -> Void)? = nil
  ) -> ImageTask {
    let request = withDefaultProcessors(request)
    let task = ImageTask(request: request, kind: kind, pipeline: self, keepsEvents: keepsEvents)
    if observer != nil || delegate != nil { introduce(task, to: observer, callsProgram: callsProgram) }
    guard kind == .image else {
      start(task, look: nil, here: startsHere)
      return task
    }
    var look = look ?? lookInMemory(for: request)
    noteLook(look)
    if let response = memoryResponse(&look, for: request) {
      if !response.isPreview {
        task.finishFromMemory(response)
        return task
      }
      if task.guarded.withLock({ $0.note(response) }) { task.deliverPendingEvents() }
    }
    start(task, look: look, here: startsHere)
    return task
  }

  private func introduce(
    _ task: ImageTask, to observer: (@Sendable (ImageTask, ImageTask.Event) -> Void)?, callsProgram: Bool
  ) {
    delegate?.imageTaskCreated(task, pipeline: self)
    task.observe(isForeign: callsProgram || delegate != nil) { [delegate] task, event in
      delegate?.imageTask(task, didReceiveEvent: event, pipeline: task.pipeline)
      observer?(task, event)
    }
    delegate?.imageTaskDidStart(task, pipeline: self)
  }

  // MARK: The memory cache

  /// The result of looking up a request in the memory cache. A load that receives it does not look again.
  package struct MemoryLook: Sendable {
    package var container: ImageContainer?
    /// The number of images stored before the look-up. A miss is out of date if more have been stored since.
    let storeCount: Int
  }

  /// Looks up a request to which the default processors have been added.
  package func lookInMemory(for request: ImageRequest) -> MemoryLook {
    let storeCount = memoryStoreCount.load(ordering: .acquiring)
    guard request.options.allowMemoryReads, !isInvalidated.load(ordering: .relaxed),
      let cache = imageCache(for: request)
    else { return MemoryLook(container: nil, storeCount: .max) }
    return MemoryLook(container: cache[imageCacheKey(for: request)], storeCount: storeCount)
  }

  private func noteLook(_ look: MemoryLook) {
    guard let metrics = instruments?.metrics, look.storeCount != .max else { return }
    metrics.looked(into: .memory, isHit: look.container.map { !$0.isPreview } ?? false)
  }

  /// Returns the response to display: the image or a preview. It is a preview if another load has stored one, or if the
  /// image is stale. The image is moved out of `look` if the request accepts any version of it.
  package func memoryResponse(_ look: inout MemoryLook, for request: ImageRequest) -> ImageResponse? {
    // A copy of the container would have to be retained.
    guard let container = look.container.take() else { return nil }
    if !container.isPreview, ignoresFreshness(of: request) {
      return ImageResponse(container: container, request: request, cacheType: .memory)
    }
    look.container = container
    var response = ImageResponse(container: container, request: request, cacheType: .memory)
    if container.isPreview { return response }
    switch evaluate(container, for: request) {
    case .fresh(let freshness):
      response.freshness = freshness
      return response
    case .stale(mayServe: true), .outdated(mayServe: true): return response.asStalePreview
    case .stale(mayServe: false), .outdated(mayServe: false): return nil
    }
  }

  private func start(_ task: ImageTask, look: MemoryLook?, here: Bool) {
    guard configuration.startsTasksOnPipelineActor, !here else { return begin(task, look: look, here: here) }
    Task { @ImagePipelineActor in begin(task, look: look, here: false) }
  }

  private func begin(_ task: ImageTask, look: MemoryLook?, here: Bool) {
    if let trace = instruments?.didCreate(task) { trace.begin(task) }
    // The Swift task was canceled before it started the load.
    if here, Task.isCancelled { return task.cancel() }
    guard task.request.hasSource else { return task.fail(.missingURL) }
    if task.kind == .data, case .image = task.request.storage.resource {
      return task.fail(.dataMissingInCache)
    }
    let queue = configuration.dataLoadingQueue
    let isValid =
      here
      ? WorkerPool.shared.usingCallingThread(for: queue) { subscribe(task, look, isTail: true) }
      : subscribe(task, look, isTail: false)
    if !isValid { task.fail(.pipelineInvalidated) }
  }

  /// Subscribes `task` to the job of its request; `false` if the pipeline has been invalidated.
  private func subscribe(_ task: ImageTask, _ look: MemoryLook?, isTail: Bool) -> Bool {
    let identity = task.request.storage.identity
    let requirement = freshnessRequirement(of: task.request)
    return GraphTransaction.run(on: self, isTail: isTail) { transaction in
      switch task.kind {
      case .image:
        let count = identity.processorCount
        return transaction.join(
          task,
          to: .image(
            identity, processorCount: count, options: task.request.options, requirement, sharing: processorChains)
        ) { ImageJob(id: $0, request: task.request, processorCount: count, pipeline: self, look: look) }
      case .data:
        return transaction.join(task, to: dataKey(for: task.request, requirement)) {
          DataJob(id: $0, request: task.request, pipeline: self)
        }
      }
    }
  }

  /// Delivers the progress of `job` to all tasks that wait for it.
  func report(_ progress: ImageTask.Progress, of job: Job) {
    var listeners: [ImageTask] = []
    job.shard.state.withLock { state in
      state.graph.forEachClient(of: job.id) { task in
        if task.guarded.withLock({ $0.note(progress) }) { listeners.append(task) }
      }
    }
    for task in listeners { deliverPendingEvents(of: task) }
  }

  /// Delivers a task's events on the calling thread, or on a worker if user code would block the thread of a loader.
  func deliverPendingEvents(of task: ImageTask) {
    if WorkerPool.isWorker || !task.guarded.withLock({ $0.hasForeignObserver }) { return task.deliverPendingEvents() }
    unlimitedQueue.add { task.deliverPendingEvents() }
  }
}

extension ImagePipeline {
  /// The numbers of live jobs and of subscriptions to them.
  package var load: (jobs: Int, subscriptions: Int) {
    shards.reduce(into: (jobs: 0, subscriptions: 0)) { sum, shard in
      shard.state.withLock { state in
        sum.jobs += state.graph.jobCount
        sum.subscriptions += state.graph.subscriptionCount
      }
    }
  }

  /// The amount of work done, by kind, for tests and demonstrations.
  package final class Counters: Sendable {
    private let downloadCount = Atomic<Int>(0)
    private let decodeCount = Atomic<Int>(0)
    private let processCount = Atomic<Int>(0)
    private let joinCount = Atomic<Int>(0)

    package var downloads: Int { downloadCount.load(ordering: .relaxed) }
    package var decodes: Int { decodeCount.load(ordering: .relaxed) }
    package var processes: Int { processCount.load(ordering: .relaxed) }
    /// The number of requests and steps that joined running work.
    package var joined: Int { joinCount.load(ordering: .relaxed) }

    func countDownload() { downloadCount.add(1, ordering: .relaxed) }
    func countDecode() { decodeCount.add(1, ordering: .relaxed) }
    func countProcess() { processCount.add(1, ordering: .relaxed) }
    func countJoin() { joinCount.add(1, ordering: .relaxed) }
  }
}

extension ImagePipeline.Error {
  /// The error of a request without a URL.
  static var missingURL: Self { .dataLoadingFailed(error: URLError(.badURL)) }
}

extension ImageRequest {
  /// `true` if a closure returns the original as an image. On disk there is only its encoded form.
  var isGivenDecoded: Bool {
    if case .image = storage.resource { true } else { false }
  }

  var hasSource: Bool {
    switch storage.resource {
    case .url(let url): url != nil
    case .urlRequest(let request): request.url != nil
    case .data, .bytes, .image: true
    }
  }
}
