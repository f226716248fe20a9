import Foundation
import NukeImaging

extension Explainer {
  mutating func findInMemory(after count: Int, isWhole: Bool) -> Bool {
    let key = pipeline.dataCacheKey(for: request, processorCount: count)
    guard let container = imageInMemory(after: count, key) else { return false }
    // A preview is for those who want this very image.
    if container.isPreview {
      let finding: Explanation.Lookup.Finding = isWhole ? .preview : .miss
      lookUp(.memory, key, count, finding: finding, byteCount: finding == .miss ? nil : container.byteCount)
      return false
    }
    let judgement = judgement(on: container)
    lookUp(
      .memory, key, count, finding: judgement.finding, reason: judgement.reason, byteCount: container.byteCount,
      freshness: judgement.freshness)
    if case .stale = judgement.evaluation { askServer(isUnderWay: false) }
    return judgement.finding != .miss
  }

  /// An original in memory, where it serves a step that has it decoded smaller.
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

  /// What is in memory; notes where nothing is, or the cache is not asked.
  private mutating func imageInMemory(after count: Int, _ key: String) -> ImageContainer? {
    guard request.options.allowMemoryReads else {
      lookUp(.memory, key, count, finding: .notAsked, reason: reasonNotToRead(.disableMemoryCacheReads))
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

  mutating func findOnDisk(after count: Int, isUnderWay: Bool) -> Bool {
    let key = pipeline.dataCacheKey(for: request, processorCount: count)
    switch readDisk(key) {
    case .failure(let reason):
      lookUp(.disk, key, count, finding: .notAsked, reason: reason)
      return false
    case .success(.absent):
      lookUp(.disk, key, count, finding: .miss)
      return false
    case .success(.damaged):
      lookUp(.disk, key, count, finding: .miss, reason: .damaged)
      return false
    case .success(.present):
      lookUp(.disk, key, count, finding: .hit)
      addStep(.load, "disk", isUnderWay: isUnderWay)
      addStep(.decode, nil, isUnderWay: isUnderWay)
      return true
    case .success(.whole(let data)):
      let judgement = judgement(onDisk: key)
      if case .outdated = judgement.evaluation {
        lookUp(.disk, key, count, finding: .miss, reason: judgement.reason, byteCount: data.count)
        return false
      }
      let context = ImageDecodingContext(request: request, data: data, cacheType: .disk)
      guard let decoder = pipeline.imageDecoder(for: context),
        let plan = try? DecodePlan(
          decoder: decoder, data: data, target: nil, limits: pipeline.configuration.codecLimits)
      else {
        lookUp(.disk, key, count, finding: .miss, reason: .damaged, byteCount: data.count)
        return false
      }
      lookUp(
        .disk, key, count, finding: judgement.finding, byteCount: data.count, freshness: judgement.freshness)
      if case .stale = judgement.evaluation { askServer(isUnderWay: isUnderWay) }
      addStep(.load, "disk", isUnderWay: isUnderWay)
      let isDecoding = isAlive(
        .variant(identity, processorCount: count, sharing: pipeline.processorChains))
      addStep(.decode, Self.name(of: decoder), isUnderWay: isUnderWay || isDecoding, plan: plan)
      explanation.byteCount = data.count
      return true
    }
  }

  enum DiskFinding {
    case absent, damaged
    /// Present in a cache of the program's own, which cannot be read without that counting as a use.
    case present
    case whole(Data)
  }

  enum DiskLookup {
    case success(DiskFinding)
    case failure(Explanation.Lookup.Reason)
  }

  func readDisk(_ key: String) -> DiskLookup {
    guard request.options.allowDiskReads else { return .failure(reasonNotToRead(.disableDiskCacheReads)) }
    guard let cache = pipeline.dataCache(for: request) else { return .failure(.noCache) }
    guard let cache = cache as? DataCache else {
      guard cache.containsData(for: key) else { return .success(.absent) }
      if let evaluator, !evaluator.requirement.isOffline { return .failure(.freshnessNotKept) }
      return .success(.present)
    }
    switch cache.peek(key) {
    case .absent: return .success(.absent)
    case .damaged: return .success(.damaged)
    case .whole(let data): return .success(.whole(data))
    }
  }

  private func reasonNotToRead(_ option: ImageRequest.Options) -> Explanation.Lookup.Reason {
    request.options.contains(.reloadIgnoringCachedData) ? .reload : .disabledByOption
  }
}
