import Foundation
import NukeHTTPCaching
import NukeStore

/// The look-ups in the memory cache and the disk cache.
extension Explainer {
  mutating func lookInMemory(
    after count: Int, isWhole: Bool, _ route: inout ImageRoute<Values>, _ stamp: inout FreshnessStamp?
  ) -> ImageRoute<Values>.Action {
    let key = pipeline.dataCacheKey(for: request, processorCount: count)
    guard let container = imageInMemory(after: count, key) else { return .lookOnDisk }
    // A preview is used only for a request for exactly this image.
    if container.isPreview {
      let finding: Explanation.Lookup.Finding = isWhole ? .preview : .miss
      lookUp(.memory, key, count, finding: finding, byteCount: finding == .miss ? nil : container.byteCount)
      return .lookOnDisk
    }
    let judgement = judgement(on: container)
    lookUp(
      .memory, key, count, finding: judgement.finding, reason: judgement.reason, byteCount: container.byteCount,
      freshness: judgement.freshness)
    stamp = judgement.stamp
    isFromLargerImage = container.isFromLargerImage
    return route.foundInMemory((), FreshnessFacts(stamp: stamp), judgement.evaluation, isShown: isWhole)
  }

  /// Looks in memory for an original that a step with a decoding target can use.
  mutating func findOriginalInMemory(for target: DecodeTarget) -> Bool {
    let key = pipeline.dataCacheKey(for: request, processorCount: 0)
    guard let container = imageInMemory(after: 0, key) else { return false }
    if container.isPreview {
      lookUp(.memory, key, 0, finding: .miss)
      return false
    }
    let judgement = judgement(on: container)
    let isCurrent = judgement.finding == .hit
    let serves = isCurrent && DecodePlan.gives(container, for: target)
    lookUp(
      .memory, key, 0, finding: serves ? .hit : .miss,
      reason: serves ? nil : isCurrent ? .decodedSmaller : judgement.reason, byteCount: container.byteCount,
      freshness: judgement.freshness)
    return serves
  }

  /// Returns the image in the memory cache. Adds a look-up if there is none, or if the cache is not read.
  private mutating func imageInMemory(after count: Int, _ key: String) -> ImageContainer? {
    guard request.options.allowMemoryReads else {
      lookUp(.memory, key, count, finding: .notAsked, reason: reasonNotToRead)
      return nil
    }
    guard let cache = pipeline.imageCache(for: request) else {
      lookUp(.memory, key, count, finding: .notAsked, reason: .noCache)
      return nil
    }
    let container = peek(cache, after: count)
    if container == nil { lookUp(.memory, key, count, finding: .miss) }
    return container
  }

  private func peek(_ cache: any ImageCaching, after count: Int) -> ImageContainer? {
    let key = pipeline.imageCacheKey(for: request, processorCount: count)
    if let cache = cache as? ImageCache { return cache.peek(key) }
    return cache[key]
  }

  /// Looks on disk. The data is `nil` for a miss, and empty if reading it would affect the cache.
  ///
  /// - Parameter count: the number of processors applied; `nil` for the data of the original, which is not decoded yet.
  mutating func lookOnDisk(
    _ key: String, after count: Int?, _ stamp: inout FreshnessStamp?
  ) -> (data: Data?, evaluation: FreshnessEvaluator.Evaluation) {
    var (key, entry) = (key, readDisk(key))
    larger = nil
    if entry.isMiss, let found = findLarger(after: count) {
      lookUp(.disk, key, count, finding: .miss, reason: entry.isDamaged ? .damaged : nil)
      (key, entry, larger) = (found.variant.key, found.entry, found.variant)
    }
    switch entry {
    case .notAsked(let reason): lookUp(.disk, key, count, finding: .notAsked, reason: reason)
    case .absent: lookUp(.disk, key, count, finding: .miss)
    case .damaged: lookUp(.disk, key, count, finding: .miss, reason: .damaged)
    case .present:
      lookUp(.disk, key, count, finding: .hit, isLargerImage: larger != nil)
      return (Data(), .fresh(nil))
    case .whole(let data):
      let judgement = judgement(onDisk: key)
      let isDamaged = count != nil && decodePlan(ofStored: data) == nil
      lookUp(
        .disk, key, count, finding: isDamaged ? .miss : judgement.finding,
        reason: judgement.reason ?? (isDamaged ? .damaged : nil), byteCount: data.count,
        freshness: isDamaged ? nil : judgement.freshness, isLargerImage: larger != nil)
      if isDamaged { break }
      stamp = judgement.stamp
      return (data, judgement.evaluation)
    }
    return (nil, .fresh(nil))
  }

  /// Returns the larger variant from which a load would make the image.
  private func findLarger(after count: Int?) -> (variant: LargerVariant, entry: DiskFinding)? {
    guard let count, let variants = LargerVariants(of: request, after: count, on: pipeline),
      let cache = pipeline.dataCache(for: request)
    else { return nil }
    for variant in variants.candidates(in: cache, on: pipeline, isUse: false) {
      switch readDisk(variant.key) {
      case .notAsked, .absent, .damaged: continue
      case let entry: return (variant, entry)
      }
    }
    return nil
  }

  private func decodePlan(ofStored data: Data) -> DecodePlan? {
    pipeline.storedDecoding(of: data, for: larger?.request ?? request)
  }

  /// - Parameter data: empty if reading it would affect the cache.
  mutating func addDecoding(ofStored data: Data, after count: Int, isUnderWay: Bool) {
    addStep(.load, "disk", isUnderWay: isUnderWay)
    if let plan = data.isEmpty ? nil : decodePlan(ofStored: data) {
      let identity = (larger?.request ?? request).storage.identity
      let isDecoding = isAlive(.variant(identity, processorCount: count, sharing: pipeline.processorChains))
      addStep(.decode, Self.name(of: plan.decoder), isUnderWay: isUnderWay || isDecoding, plan: plan)
      explanation.byteCount = data.count
    } else {
      addStep(.decode, nil, isUnderWay: isUnderWay)
    }
    if larger != nil { addStep(.process, request.processors[count - 1].identifier, isUnderWay: isUnderWay) }
  }

  enum DiskFinding {
    /// The cache is not read.
    case notAsked(Explanation.Lookup.Reason)
    case absent, damaged
    /// The data is in a custom cache, and reading it would affect that cache.
    case present
    case whole(Data)

    /// `true` if the cache was read and has no usable data.
    var isMiss: Bool { if case .absent = self { true } else { isDamaged } }

    var isDamaged: Bool { if case .damaged = self { true } else { false } }
  }

  func readDisk(_ key: String) -> DiskFinding {
    guard request.options.allowDiskReads else { return .notAsked(reasonNotToRead) }
    guard let cache = pipeline.dataCache(for: request) else { return .notAsked(.noCache) }
    guard let cache = cache as? DataCache else {
      guard cache.containsData(for: key) else { return .absent }
      if let evaluator, !evaluator.requirement.isOffline { return .notAsked(.freshnessNotKept) }
      return .present
    }
    return switch cache.peek(key) {
    case .absent: .absent
    case .damaged: .damaged
    case .whole(let data): .whole(data)
    }
  }

  private var reasonNotToRead: Explanation.Lookup.Reason {
    request.options.contains(.reloadIgnoringCachedData) ? .reload : .disabledByOption
  }
}

/// Evaluates the freshness of cached images, as a load would.
extension Explainer {
  /// The evaluation of a cached entry, and its known freshness.
  struct Judgement {
    var evaluation: FreshnessEvaluator.Evaluation
    var freshness: Explanation.Freshness?
    var stamp: FreshnessStamp?

    /// The result of the look-up.
    var finding: Explanation.Lookup.Finding {
      switch evaluation {
      case .fresh: .hit
      case .stale(let mayServe): mayServe ? .shownStale : .stale
      case .outdated(let mayServe): mayServe ? .shownStale : .miss
      }
    }

    var reason: Explanation.Lookup.Reason? {
      if case .outdated = evaluation { .versionUnknown } else { nil }
    }
  }

  func judgement(on container: ImageContainer) -> Judgement {
    guard let evaluator else { return Judgement(evaluation: .fresh(nil)) }
    let stamp = pipeline.knownStamp(container, of: request)
    var judgement = judgement(evaluator, stamp?.representation, stamp?.row.record)
    judgement.stamp = stamp
    return judgement
  }

  /// Evaluates the entry on disk under `key`.
  func judgement(onDisk key: String) -> Judgement {
    guard let evaluator else { return Judgement(evaluation: .fresh(nil)) }
    guard let cache = pipeline.freshnessCache(for: request) else { return judgement(evaluator, nil, nil) }
    let row = pipeline.freshnessRow(of: request)
    let record = row.merge(
      cache.freshnessRecord(for: pipeline.originalDataCacheKey(for: request), isUse: false))
    let representation = cache.representation(for: key)
    var judgement = judgement(evaluator, representation, record)
    judgement.stamp = representation.map { FreshnessStamp(row: row, representation: $0) }
    return judgement
  }

  private func judgement(
    _ evaluator: FreshnessEvaluator, _ representation: UInt64?, _ record: FreshnessRecord?
  ) -> Judgement {
    let now = pipeline.configuration.now()
    var judgement = Judgement(evaluation: evaluator.evaluate(representation, record, now: now))
    guard let record, record.representation == representation else { return judgement }
    judgement.freshness = Explanation.Freshness(
      record.response, evaluator.policy.freshness(of: record.response, now: now), now)
    return judgement
  }

  /// Adds the validation that follows a look-up of a stale entry.
  mutating func askServer(isUnderWay: Bool) {
    let isAsked = isAlive(.validation(identity, options: request.options, requirement))
    lookUp(.network, request.url?.absoluteString ?? "", finding: .unknown)
    addStep(.load, "network", isUnderWay: isUnderWay || isAsked)
  }
}

extension ImagePipeline.Explanation.Freshness {
  init(_ response: StoredResponse, _ freshness: NukeHTTPCaching.Freshness, _ now: Timestamp) {
    validators = [FieldName.eTag, .lastModified].compactMap { name in
      response.fields.only(name).map { "\(name.spelling) \(String(decoding: $0, as: UTF8.self))" }
    }
    isFresh = freshness.isFresh
    until = Date(timeIntervalSince1970: TimeInterval(now.seconds + freshness.remaining))
  }
}
