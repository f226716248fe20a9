import Foundation
import NukeBase

/// Follows the route of a load without performing it. It looks at caches and headers without side effects, and stops
/// where only the source could answer. ``ImageRoute`` and ``DataRoute`` make the decisions, as for the jobs.
struct Explainer {
  typealias Explanation = ImagePipeline.Explanation

  /// An explanation has neither images nor downloads.
  enum Values: ImageRouteValues {
    typealias Image = Void
    typealias Original = Never
  }

  let pipeline: ImagePipeline
  let request: ImageRequest
  var explanation: Explanation
  /// The data of the original, if it was found and is complete.
  var original: Data?
  var originalOrigin: ImageTask.Facts.Origin?
  /// The cache that has the processed image.
  var foundIn: ImageResponse.CacheType?
  /// The larger variant that was found on disk in place of the image; `nil` if there is none.
  var larger: LargerVariant?
  /// `true` if the image is made from a larger one in the disk cache.
  var isFromLargerImage = false

  var identity: RequestIdentity { request.storage.identity }
  let evaluator: FreshnessEvaluator?
  // A stored property, because the optimizer of Swift 6.3.1 crashed on a computed one.
  let requirement: FreshnessRequirement?

  /// Explains a load on the calling thread, which reads disks and calls the delegate.
  static func explain(_ request: ImageRequest, on pipeline: ImagePipeline) -> ImagePipeline.Explanation {
    var explainer = Explainer(pipeline.withDefaultProcessors(request), pipeline)
    explainer.explain()
    return explainer.explanation
  }

  private init(_ request: ImageRequest, _ pipeline: ImagePipeline) {
    self.pipeline = pipeline
    self.request = request
    evaluator = pipeline.freshnessEvaluator(of: request)
    requirement = pipeline.freshnessRequirement(of: request)
    let count = request.processors.count
    let diskKey = pipeline.dataCacheKey(for: request, processorCount: count)
    let scale = request.storage.scale.map { "@\($0)x" } ?? ""
    let isCustom = pipeline.delegate?.cacheKey(for: request, pipeline: pipeline) != nil
    explanation = Explanation(
      request: request.summary, memoryKey: isCustom ? diskKey : diskKey + scale, diskKey: diskKey,
      originalDiskKey: request.isGivenDecoded ? nil : pipeline.originalDataCacheKey(for: request))
    if request.url?.isHTTP == true {
      explanation.freshnessPolicy = request.freshnessPolicy ?? pipeline.configuration.freshnessPolicy
    }
  }

  mutating func explain() {
    guard !pipeline.shard(of: request).state.withLock({ $0.isInvalidated }) else {
      return fail(request.hasSource ? .pipelineInvalidated : .missingURL)
    }
    let count = request.processors.count
    explanation.isUnderWay = isAlive(imageKey(count))
    let goesOn = findImage(after: count, isUnderWay: false)
    if foundIn == .memory { startFromMemory() }
    if goesOn { explainStores() }
    explainQueues()
  }

  mutating func fail(_ error: ImagePipeline.Error) { explanation.failure = "\(error)" }

  // MARK: Images

  /// - Returns: `true` if the load would produce an image, as far as this can be predicted.
  mutating func findImage(after count: Int, isUnderWay: Bool) -> Bool {
    let isUnderWay = isUnderWay || isAlive(imageKey(count))
    let isWhole = count == request.processors.count
    var route = ImageRoute<Values>()
    var stamp: FreshnessStamp?
    var action = lookInMemory(after: count, isWhole: isWhole, &route, &stamp)
    guard request.hasSource || route.foundIn == .memory else {
      fail(.missingURL)
      return false
    }
    while true {
      switch action {
      case .lookOnDisk:
        guard ImageStep(request: request, processorCount: count).mayBeOnDisk else {
          action = .perform(.load)
          continue
        }
        let key = pipeline.dataCacheKey(for: request, processorCount: count)
        let (data, evaluation) = lookOnDisk(key, after: count, &stamp)
        action = route.lookedOnDisk(
          data.map { .init(data: $0, facts: FreshnessFacts(stamp: stamp), larger: larger) }, evaluation)
      case .decodeStored(let stored):
        addDecoding(ofStored: stored.data, after: count, isUnderWay: isUnderWay)
        isFromLargerImage = larger != nil
        action = route.decodedStored(())
      case .acquireLease(let work), .preview(_, _, then: let work): action = .perform(work)
      case .perform(.validate):
        askServer(isUnderWay: isUnderWay)
        action = route.notModified(FreshnessFacts(stamp: stamp))
      case .perform(.load): return makeImage(after: count, isUnderWay: isUnderWay)
      case .lookAtRecord: preconditionFailure("an explanation does not wait")
      case .finish:
        if isWhole { foundIn = route.foundIn } else if route.foundIn == .memory { startFromMemory() }
        return true
      }
    }
  }

  private mutating func makeImage(after count: Int, isUnderWay: Bool) -> Bool {
    isFromLargerImage = false
    guard findSource(after: count, isUnderWay: isUnderWay) else { return false }
    if count > 0 {
      addStep(.process, request.processors[count - 1].identifier, isUnderWay: isUnderWay)
    } else if let thumbnail = request.thumbnail {
      addStep(.process, "thumbnail \(thumbnail.identifier)", isUnderWay: isUnderWay)
    }
    return true
  }

  /// Finds the input of the last step.
  mutating func findSource(after count: Int, isUnderWay: Bool) -> Bool {
    let step = ImageStep(request: request, processorCount: count)
    let target = step.decodeTarget
    switch step.input {
    case .shorterChain: return findImage(after: count - 1, isUnderWay: isUnderWay)
    case .data:
      if step.mayUseOriginalInMemory, let target, findOriginalInMemory(for: target) {
        startFromMemory()
        return true
      }
      return findData(isUnderWay: isUnderWay) && decodeOriginal(for: target, isUnderWay: isUnderWay)
    case .closure: return fetch(isUnderWay: isUnderWay)
    }
  }

  private mutating func fetch(isUnderWay: Bool) -> Bool {
    let id = request.storage.resource.id ?? ""
    guard mayLoad(from: .closure, key: id) else { return false }
    lookUp(.closure, id, finding: .unknown)
    addStep(.load, "closure", isUnderWay: isUnderWay || isAlive(.fetched(identity)))
    explanation.byteCount = 0
    explanation.decodingByteCount = 0
    return true
  }

  mutating func startFromMemory() {
    explanation.byteCount = 0
    explanation.decodingByteCount = 0
  }

  mutating func decodeOriginal(for target: DecodeTarget?, isUnderWay: Bool) -> Bool {
    guard let original else {
      addStep(.decode, nil, isUnderWay: isUnderWay)
      return true
    }
    let context = ImageDecodingContext(
      request: request, data: original, cacheType: originalOrigin == .disk ? .disk : nil)
    guard let decoder = pipeline.imageDecoder(for: context) else {
      fail(.decoderNotRegistered(context: context))
      return false
    }
    do {
      let plan = try DecodePlan(
        decoder: decoder, data: original,
        opened: decoder.opened(original, limits: pipeline.configuration.codecLimits), target: target,
        thumbnail: request.thumbnail, posterFrame: request.posterFrame)
      let key = JobKey.decoded(identity, plan: plan, options: request.options)
      addStep(.decode, Self.name(of: decoder), isUnderWay: isUnderWay || isAlive(key), plan: plan)
      return true
    } catch {
      if originalOrigin == .disk, !request.isCacheOnly { return replaceOriginal(for: target, isUnderWay: isUnderWay) }
      fail(.decodingFailed(decoder: decoder, context: context, error: error))
      return false
    }
  }

  /// Stored data that cannot be decoded is removed, and the original is loaded from its source.
  private mutating func replaceOriginal(for target: DecodeTarget?, isUnderWay: Bool) -> Bool {
    lookUp(.network, request.url?.absoluteString ?? "", finding: .unknown)
    return found(nil, at: .network, isUnderWay: isUnderWay) && decodeOriginal(for: target, isUnderWay: isUnderWay)
  }

  // MARK: Data

  var isLocal: Bool { request.url.map(pipeline.readsLocally) ?? false }

  /// - Returns: `true` if the load would produce data, as far as this can be predicted.
  mutating func findData(isUnderWay: Bool) -> Bool {
    let isUnderWay = isUnderWay || isAlive(pipeline.dataKey(for: request, requirement))
    if isLocal, let url = request.url { return readLocal(url, isUnderWay: isUnderWay) }
    if let data = findStoredData(isUnderWay: isUnderWay) {
      return found(data.isEmpty ? nil : data, at: .disk, isUnderWay: isUnderWay)
    }
    let (place, name): (ImageTask.Facts.Origin, String) =
      switch request.storage.resource {
      case .data(let id, _), .bytes(let id, _): (.closure, id)
      case .url, .urlRequest, .image: (.network, request.url?.absoluteString ?? "")
      }
    var known: Data?
    if place == .network {
      switch findInHTTPCache() {
      case .load: break
      case .ask(let data): known = data
      case .given(let data): return found(data, at: .network, from: "HTTP cache", isUnderWay: isUnderWay)
      case .fails: return false
      }
    }
    guard mayLoad(from: place, key: name) else { return false }
    lookUp(place, name, finding: .unknown)
    return found(known, at: place, isUnderWay: isUnderWay)
  }

  /// Returns the stored data that the load would use; `nil` if it would use none, and empty as from ``lookOnDisk``.
  private mutating func findStoredData(isUnderWay: Bool) -> Data? {
    var route = DataRoute(.data)
    var stamp: FreshnessStamp?
    var action = route.started()
    while true {
      switch action {
      case .lookOnDisk:
        let (data, evaluation) = lookOnDisk(pipeline.originalDataCacheKey(for: request), after: nil, &stamp)
        action = route.lookedOnDisk(data, FreshnessFacts(stamp: stamp), evaluation)
      case .joinValidation:
        askServer(isUnderWay: isUnderWay)
        action = route.notModified(FreshnessFacts(stamp: stamp))
      case .finish(let loaded): return loaded.data
      case .joinDownload, .load: return nil
      case .lookAtRecord: preconditionFailure("an explanation does not wait")
      }
    }
  }

  /// - Parameter name: the name of the source; `nil` for that of `place`.
  mutating func found(
    _ data: Data?, at place: ImageTask.Facts.Origin, from name: String? = nil, isUnderWay: Bool
  ) -> Bool {
    original = data
    originalOrigin = place
    explanation.byteCount = data?.count
    addStep(.load, name ?? place.rawValue, isUnderWay: isUnderWay)
    return true
  }

  mutating func readLocal(_ url: URL, isUnderWay: Bool) -> Bool {
    let place = ImageTask.Facts.Origin(ofLocal: url)
    // The text of a `data:` URL may be long.
    let key = place == .inline ? "data:" : url.absoluteString
    switch pipeline.readLocal(url) {
    case .success(let loaded):
      lookUp(place, key, finding: .hit, byteCount: loaded.data.count)
      return found(loaded.data, at: place, isUnderWay: isUnderWay)
    case .failure(let error):
      lookUp(place, key, finding: .miss, reason: .unreadable)
      fail(error)
      return false
    }
  }

  mutating func mayLoad(from place: ImageTask.Facts.Origin, key: String) -> Bool {
    guard request.isCacheOnly else { return true }
    lookUp(place, key, finding: .notAsked, reason: .cacheOnly)
    fail(.dataMissingInCache)
    return false
  }

  // MARK: Collecting results

  mutating func lookUp(
    _ place: ImageTask.Facts.Origin, _ key: String, _ processorCount: Int? = nil,
    finding: Explanation.Lookup.Finding, reason: Explanation.Lookup.Reason? = nil, byteCount: Int? = nil,
    freshness: Explanation.Freshness? = nil, isLargerImage: Bool = false, isInHTTPCache: Bool = false,
    cacheStatus: String? = nil
  ) {
    explanation.lookups.append(
      .init(
        place: place, key: key, processorCount: processorCount, finding: finding, reason: reason,
        byteCount: byteCount, freshness: freshness, isLargerImage: isLargerImage, isInHTTPCache: isInHTTPCache,
        cacheStatus: cacheStatus))
  }

  mutating func addStep(
    _ kind: Explanation.Step.Kind, _ name: String?, isUnderWay: Bool, plan: DecodePlan? = nil
  ) {
    let size = plan?.pixelSize
    explanation.steps.append(
      .init(
        kind: kind, name: name, isUnderWay: isUnderWay, scaleDenominator: size == nil ? nil : plan?.scaleDenominator,
        pixelWidth: size?.width, pixelHeight: size?.height))
    // The memory is unknown if the decoder does not read the header first.
    if size != nil { explanation.decodingByteCount = plan?.byteCount }
  }

  mutating func addStore(
    _ place: ImageTask.Facts.Origin, _ key: String, isOriginal: Bool, _ reason: ImageTask.Facts.NotCachedReason?
  ) {
    explanation.stores.append(.init(place: place, isOriginal: isOriginal, key: key, notCachedReason: reason))
  }

  static func name(of decoder: any ImageDecoding) -> String {
    let name = String(reflecting: type(of: decoder))
    return name.hasPrefix("Nuke.") ? String(name.dropFirst(5)) : name
  }

  // MARK: Running jobs

  func imageKey(_ count: Int) -> JobKey {
    .image(
      identity, processorCount: count, options: request.options, requirement, sharing: pipeline.processorChains)
  }

  func isAlive(_ key: JobKey) -> Bool {
    pipeline.configuration.isTaskCoalescingEnabled
      && pipeline.shard(of: request).state.withLock { $0.graph.contains(key) }
  }
}

/// Explains which entries would be stored, and which queues the work would wait in.
extension Explainer {
  fileprivate mutating func explainStores() {
    storesInMemory()
    if let key = explanation.originalDiskKey, let originalOrigin {
      addStore(.disk, key, isOriginal: true, reasonNotToStoreOriginal(from: originalOrigin))
    }
    let reason = reasonNotToStoreEncoded()
    addStore(.disk, explanation.diskKey, isOriginal: false, reason)
    if reason == nil { addStep(.encode, nil, isUnderWay: explanation.isUnderWay) }
  }

  private mutating func storesInMemory() {
    var reason: ImageTask.Facts.NotCachedReason?
    if foundIn == .memory {
      reason = .cameFromCache
    } else {
      switch pipeline.memoryCacheForWriting(request) {
      case .excluded(let why): reason = why
      case .into(let cache):
        // The size after processing is not known in advance.
        if let cache = cache as? ImageCache, let last = explanation.steps.last, last.kind == .decode,
          let width = last.pixelWidth, let height = last.pixelHeight, !cache.takes(cost: width * height * 4)
        {
          reason = .tooLarge
        }
      }
    }
    addStore(.memory, explanation.memoryKey, isOriginal: false, reason)
  }

  private func reasonNotToStoreOriginal(
    from origin: ImageTask.Facts.Origin
  ) -> ImageTask.Facts.NotCachedReason? {
    if origin == .disk { return .cameFromCache }
    if case .excluded(let reason) = pipeline.diskCacheForOriginal(request) { return reason }
    return pipeline.configuration.dataCachePolicy.storesOriginal(for: .image, of: request) ? nil : .policy
  }

  private func reasonNotToStoreEncoded() -> ImageTask.Facts.NotCachedReason? {
    if foundIn != nil || isFromLargerImage { return .cameFromCache }
    if case .excluded(let reason) = pipeline.diskCacheForWriting(request) { return reason }
    let policy = pipeline.configuration.dataCachePolicy
    let isOriginalOnDisk = originalOrigin == .disk || request.isOfLocalSource
    return policy.storesEncoded(isVariant: request.isVariant, isOriginalOnDisk: isOriginalOnDisk) ? nil : .policy
  }

  // MARK: Queues

  fileprivate mutating func explainQueues() {
    let configuration = pipeline.configuration
    for kind in [Explanation.Step.Kind.load, .decode, .process, .encode] {
      guard explanation.steps.contains(where: { $0.kind == kind }) else { continue }
      switch kind {
      case .load: if waitsToLoad { addQueue(kind, configuration.dataLoadingQueue) }
      case .decode: addQueue(kind, configuration.imageDecodingQueue)
      case .process: addQueue(kind, configuration.imageProcessingQueue)
      case .encode: addQueue(kind, configuration.imageEncodingQueue)
      }
    }
    if waitsToLoad, originalOrigin == .network, let status = pipeline.rateLimiter?.status {
      explanation.rateLimit = .init(tokenCount: status.tokens, waitingCount: status.waiting)
    }
  }

  private var waitsToLoad: Bool {
    guard let last = explanation.lookups.last else { return false }
    let isDownload = last.place == .network || last.isInHTTPCache
    return (isDownload || last.place == .closure) && !request.options.contains(.skipDataLoadingQueue)
  }

  private mutating func addQueue(_ work: Explanation.Step.Kind, _ queue: TaskQueue) {
    let status = queue.status
    explanation.queues.append(
      .init(
        work: work, waitingCount: status.waiting, runningCount: status.running, limit: status.limit,
        isSuspended: status.isSuspended))
  }
}
