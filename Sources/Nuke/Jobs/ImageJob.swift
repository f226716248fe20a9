import Foundation
import FoundationNetworking
import NukeBase
import NukeCodecs
import Synchronization

/// The result of applying the first `processorCount` processors of a request. Looks in the caches, then applies one
/// processor to the result of a shorter chain, or decodes the original.
///
/// The route of every load is here. It begins at the last step and works backward, so that requests share steps.
final class ImageJob: Job, @unchecked Sendable {
  enum Values: ImageRouteValues {
    typealias Original = DataJob.Loaded
    typealias Image = ImageJob.Image
  }

  let step: ImageStep
  private(set) var result: Result<Image, ImagePipeline.Error>!
  /// The input of the last step.
  var source: Image?
  var queuedAt: UInt64 = 0
  var route: ImageRoute<Values>
  /// The cache that had the data of the original.
  var cacheType: ImageResponse.CacheType?

  /// Evaluates cached entries; `nil` if the request accepts any version. Set by `start`, since the delegate may be
  /// called for it.
  private(set) var evaluator: FreshnessEvaluator?
  /// The result of the memory look-up by the first task.
  private var look: ImagePipeline.MemoryLook?
  /// The freshness of the data that is decoded.
  var freshness: FreshnessFacts?
  /// `true` if the data in a cache could not be decoded, and other data is loaded. Then the caches are not read.
  var isLoadingAgain = false
  /// `true` if previews are not delivered any more. Read on any thread.
  let previewsAreOver = Atomic<Bool>(false)

  init(
    id: ID, request: ImageRequest, processorCount: Int, pipeline: ImagePipeline,
    look: ImagePipeline.MemoryLook? = nil, given: DataJob.Loaded? = nil
  ) {
    step = ImageStep(request: request, processorCount: processorCount)
    self.look = look
    route = ImageRoute(given: given)
    super.init(id: id, request: request, pipeline: pipeline)
  }

  var request: ImageRequest { step.request }
  var processorCount: Int { step.processorCount }
  var identity: RequestIdentity { request.storage.identity }

  // MARK: The route

  override func start(_ transaction: inout GraphTransaction) {
    evaluator = pipeline.freshnessEvaluator(of: request)
    lookInMemory(&transaction)
  }

  private func lookInMemory(_ transaction: inout GraphTransaction) {
    guard let container = cached(processorCount) else { return lookOnDisk(&transaction) }
    guard !container.isPreview else {
      showToJobs(container)
      return lookOnDisk(&transaction)
    }
    let stamp = evaluator == nil ? nil : pipeline.knownStamp(container, of: request)
    let facts = evaluator.map { _ in FreshnessFacts(stamp: stamp) }
    let evaluation = evaluate(stamp?.representation, stamp?.row.record)
    let action = route.foundInMemory(
      Image(container: container, cacheType: .memory, isFromLargerImage: container.isFromLargerImage), facts,
      evaluation, isShown: isRequested)
    // Leases are acquired on a worker.
    if case .acquireLease(let work) = action, mayHaveToWait() {
      schedule(on: pipeline.diskQueue) { [self] in
        GraphTransaction.run(on: pipeline) { perform(.acquireLease(work), &$0) }
      }
    } else {
      perform(action, &transaction)
    }
  }

  /// Performs an action of the route.
  func perform(_ action: ImageRoute<Values>.Action, _ transaction: inout GraphTransaction) {
    if route.previewsAreOver { previewsAreOver.store(true, ordering: .relaxed) }
    switch action {
    case .lookOnDisk: lookOnDisk(&transaction)
    case .lookAtRecord: lookAtRecord()
    case .decodeStored(let stored): decodeStored(stored, &transaction)
    case .acquireLease(let work): acquireLease(for: work, &transaction)
    case .perform(.load): load(&transaction)
    case .perform(.validate): validate(&transaction)
    case .preview(let image, let freshness, let work):
      showStale(image, freshness)
      perform(.acquireLease(work), &transaction)
    case .finish(var image, let freshness):
      if route.foundIn == .memory {
        facts.origin = .memory
        facts.notCachedInMemory = .cameFromCache
        facts.notCachedOnDisk = .cameFromCache
      }
      image.freshness = freshness
      finish(image, &transaction)
    }
  }

  func load(_ transaction: inout GraphTransaction) {
    switch step.input {
    case .closure(let closure): fetch(closure, &transaction)
    case .data where step.mayUseOriginalInMemory: loadReducedOriginal(&transaction)
    case .data: loadData(&transaction)
    case .shorterChain: loadShorterChain(&transaction)
    }
  }

  override func resume(_ finished: Job, _ transaction: inout GraphTransaction) {
    switch finished {
    case let open as OpenJob:
      facts.add(open.facts)
      // Another request may have started the job.
      var context = open.context
      context.request = route.larger?.request ?? request
      decode(open.result, with: open.decoder, context, &transaction)
    case let decoded as DecodeJob where route.isDecodingStored:
      facts.add(decoded.facts)
      useStored(decoded.result, &transaction)
    case let validation as DataJob where validation.route.purpose == .validation:
      resume(validation, &transaction)
    case let data as DataJob:
      facts.add(data.facts)
      decode(data.result, &transaction)
    case let decoded as DecodeJob:
      facts.add(decoded.facts)
      if case .failure = decoded.result, loadAgain(&transaction) { return }
      process(
        decoded.result.map {
          Image(
            container: $0, response: decoded.response, cacheType: cacheType, freshness: freshness,
            resizeSource: decodeTarget == nil ? nil : decoded.source)
        }, &transaction)
    case let fetched as FetchJob:
      facts.add(fetched.facts)
      process(fetched.result.map { Image(container: $0) }, &transaction)
    case let shorter as ImageJob:
      facts.add(shorter.facts)
      process(shorter.result, &transaction)
    default: preconditionFailure("no step of the route waits for \(type(of: finished))")
    }
  }

  private func fetch(
    _ closure: @escaping @Sendable () async throws -> ImageContainer, _ transaction: inout GraphTransaction
  ) {
    if request.isCacheOnly { return finish(.failure(.dataMissingInCache), &transaction) }
    transaction.depend(self, on: .fetched(identity)) { [pipeline, request] in
      FetchJob(id: $0, request: request, pipeline: pipeline, closure: closure)
    }
  }

  /// - Parameter found: the entry of the original in the disk cache, if it was looked up.
  func dependOnData(_ transaction: inout GraphTransaction, found: DiskLookup.Entry? = nil) {
    var request = request
    request.options = loadOptions
    transaction.depend(
      self, on: pipeline.dataKey(for: request, evaluator?.requirement), for: request, found: found)
  }

  var loadOptions: ImageRequest.Options {
    isLoadingAgain ? request.options.union(.reloadIgnoringCachedData) : request.options
  }

  /// Loads the original at the reduction that the first processor permits. Only this step uses the result.
  private func loadReducedOriginal(_ transaction: inout GraphTransaction) {
    // An original in memory is used only if decoding would give the same pixels: earlier requests must not change a
    // result.
    if let original = cached(0) {
      if original.isPreview {
        receivePreview(Image(container: original, cacheType: .memory))
      } else if let decodeTarget, DecodePlan.gives(original, for: decodeTarget),
        case .fresh(let freshness) = pipeline.evaluate(original, for: request)
      {
        facts.origin = .memory
        facts.notCachedOnDisk = .cameFromCache
        let known = original.stamp.map { FreshnessFacts(stamp: $0, freshness: freshness) }
        let image = Image(
          container: original, cacheType: .memory, freshness: known, resizeSource: DecodePlan.source(of: original))
        return process(.success(image), &transaction)
      }
    }
    loadData(&transaction)
  }

  private func loadShorterChain(_ transaction: inout GraphTransaction) {
    let count = processorCount - 1
    let given = route.takeGiven()
    let key = JobKey.image(
      identity, processorCount: count, options: request.options, evaluator?.requirement,
      sharing: pipeline.processorChains)
    transaction.depend(self, on: key) { [pipeline, request] in
      ImageJob(id: $0, request: request, processorCount: count, pipeline: pipeline, given: given)
    }
  }

  private var decodeTarget: DecodeTarget? { step.decodeTarget }

  // MARK: Variants on disk

  var dataCacheKey: String { pipeline.dataCacheKey(for: request, processorCount: processorCount) }

  var largerVariants: LargerVariants? { LargerVariants(of: request, after: processorCount, on: pipeline) }

  // MARK: Processing

  /// The processor of this step, for an original that may have been decoded at a reduced size.
  private func resolvedProcessor(for image: Image) -> (any ImageProcessing)? {
    guard decodeTarget != nil, let original = image.resizeSource,
      let targeting = step.processor as? any DecodeTargeting
    else { return step.processor }
    return targeting.resolved(width: original.width, height: original.height)
  }

  private func process(_ loaded: Result<Image, ImagePipeline.Error>, _ transaction: inout GraphTransaction) {
    // The image is there, so previews in progress are not needed any more.
    stepPreviews.load()?.end()
    switch loaded {
    case .failure(let error): finish(.failure(error), &transaction)
    case .success(var image):
      if let scale = request.storage.scale, processorCount == 0 || decodeTarget != nil,
        image.container.image.scale != scale
      {
        image.container = image.container.withScale(scale)
      }
      guard let processor = step.processor else { return finish(.success(image), &transaction) }
      if type(of: processor) == ImageProcessors.Resize.self { image.noteResizeSource(isReduced: decodeTarget != nil) }
      if let whole = stepPreviews.load()?.result(of: image) {
        image.container = whole.container
        noteProcessing(whole.seconds)
        return finish(.success(image), &transaction)
      }
      source = image
      queuedAt = MonotonicClock.now
      enqueue()
    }
  }

  override var queue: TaskQueue? { pipeline.configuration.imageProcessingQueue }

  override func run() -> Outcome {
    guard !isStopped, var image = source.take(), let processor = resolvedProcessor(for: image) else { return .done }
    let startedAt = MonotonicClock.now
    facts.queued += MonotonicClock.seconds(from: queuedAt, to: startedAt)
    pipeline.counters.countProcess()
    let context = ImageProcessingContext(
      request: request, response: image.response(to: request), isCompleted: true)
    let interval = pipeline.instruments?.begin(.process, of: request, trace: trace, name: processor.identifier)
    let result: Result<Image, ImagePipeline.Error>
    do {
      image.container =
        try route.larger?.reduce(image.container) ?? image.container.processed(by: processor, context: context)
      result = .success(image)
    } catch {
      result = .failure(.processingFailed(processor: processor, context: context, error: error))
    }
    noteProcessing(MonotonicClock.seconds(from: startedAt, to: MonotonicClock.now))
    interval?.end(with: result)
    GraphTransaction.run(on: pipeline, isTail: true) {
      if route.larger == nil { finish(result, &$0) } else { useResized(result, &$0) }
    }
    return .done
  }

  private func noteProcessing(_ seconds: TimeInterval) {
    facts.processing += seconds
    guard processorCount > 0 else { return }
    while facts.processorTimes.count < processorCount - 1 { facts.processorTimes.append(0) }
    facts.processorTimes.append(seconds)
  }

  // MARK: Previews

  private let stepPreviews = AtomicLazyReference<StepPreviews>()

  /// Receives a preview of the input, and processes it as the image will be.
  func receivePreview(_ image: Image) {
    // Previews are upright, and this image will not be.
    guard !isStopped, request.thumbnail?.createThumbnailWithTransform != false,
      !previewsAreOver.load(ordering: .relaxed)
    else { return }
    var image = image
    if let scale = request.storage.scale { image.container.image = image.container.image.withScale(scale) }
    if let processor = step.processor {
      (stepPreviews.load() ?? stepPreviews.storeIfNil(StepPreviews(step: processor, job: self))).receive(image)
    } else {
      deliverPreview(image)
    }
  }

  func deliverPreview(_ image: Image) {
    // A stale image is only shown: nothing would replace it in the memory cache if the load fails.
    if isRequested, image.freshness?.freshness != .stale(.whileRevalidating) {
      resultStore.storePreview(image.container, of: self)
    }
    pipeline.deliver(image, asPreviewOf: self)
  }

  override func stop() {
    super.stop()
    stepPreviews.load()?.end()
  }

  // MARK: Caches and the result

  /// Returns the image after the first `count` processors, or a preview of it, from the memory cache.
  func cached(_ count: Int) -> ImageContainer? {
    guard request.options.allowMemoryReads else { return nil }
    // The task has looked up this image. Its result counts unless images have been stored since.
    if count == processorCount, let look = look.take(),
      look.storeCount == pipeline.memoryStoreCount.load(ordering: .acquiring)
    {
      return look.container
    }
    return pipeline.imageCache(for: request)?[pipeline.imageCacheKey(for: request, processorCount: count)]
  }

  /// Delivers a preview from the memory cache to dependent jobs. Tasks got it when they were created.
  func showToJobs(_ preview: ImageContainer) {
    if !isRequested { pipeline.deliver(Image(container: preview, cacheType: .memory), asPreviewOf: self) }
  }

  func finish(_ result: Result<Image, ImagePipeline.Error>, _ transaction: inout GraphTransaction) {
    switch result {
    case .success(let image):
      if route.isShowing {
        perform(route.made(image, image.freshness), &transaction)
      } else {
        finish(image, &transaction)
      }
    case .failure: if route.failed() { dependOnData(&transaction) } else { end(result, &transaction) }
    }
  }

  private func finish(_ image: Image, _ transaction: inout GraphTransaction) {
    // Only requested results are stored, and not intermediate ones.
    guard isRequested, route.foundIn != .memory else { return end(.success(image), &transaction) }
    if !request.options.contains(.skipDecompression), let delegate = pipeline.delegate,
      delegate.shouldDecompress(response: image.response(to: request), for: request, pipeline: pipeline)
    {
      schedule(on: pipeline.configuration.imageDecompressingQueue) { [self] in decompress(image, delegate) }
    } else {
      store(image)
      end(.success(image), &transaction)
    }
  }

  /// Calls `decompress` of the delegate, on a worker.
  private func decompress(_ image: Image, _ delegate: any ImagePipeline.Delegate) {
    var image = image
    let startedAt = MonotonicClock.now
    let interval = pipeline.instruments?.begin(.decompress, of: request, trace: trace)
    image.container =
      delegate.decompress(response: image.response(to: request), request: request, pipeline: pipeline).container
    interval?.end()
    facts.decompressing = MonotonicClock.seconds(from: startedAt, to: MonotonicClock.now)
    store(image)
    GraphTransaction.run(on: pipeline, isTail: true) { end(.success(image), &$0) }
  }

  private func end(_ result: Result<Image, ImagePipeline.Error>, _ transaction: inout GraphTransaction) {
    self.result = result.map { image in
      var image = image
      // The next step resizes this image.
      image.resizeSource = nil
      return image
    }
    stepPreviews.load()?.end()
    lease?.client.end()
    let image = try? result.get()
    facts.freshness = image?.freshness?.freshness
    facts.isMadeFromLargerImage = image?.isFromLargerImage == true
    transaction.finish(self)
  }

  private let resultStore = ResultStore()

  private func store(_ image: Image) {
    if image.freshness?.mayBeStored == false {
      facts.notCachedInMemory = .forbiddenByServer
      facts.notCachedOnDisk = .forbiddenByServer
      return
    }
    facts.notCachedInMemory = resultStore.storeInMemory(image, of: self)
    if route.foundIn == .disk || image.isFromLargerImage { return }
    // The original data may have been stored before.
    let reason = resultStore.storeOnDisk(image, of: self)
    switch facts.notCachedOnDisk {
    case .nothingLoaded, .policy: facts.notCachedOnDisk = reason
    default: if reason == nil { facts.notCachedOnDisk = nil }
    }
  }

  /// `true` if the policy stores the encoded result on disk.
  var storesEncoded: Bool {
    pipeline.configuration.dataCachePolicy.storesEncoded(
      isVariant: step.isVariant, isOriginalOnDisk: cacheType == .disk || request.isOfLocalSource)
  }
}
