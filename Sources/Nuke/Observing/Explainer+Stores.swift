import Foundation
import NukeImaging

extension Explainer {
  mutating func explainStores() {
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
        // What processors make of it is not known before.
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
    if foundIn != nil { return .cameFromCache }
    if case .excluded(let reason) = pipeline.diskCacheForWriting(request) { return reason }
    let policy = pipeline.configuration.dataCachePolicy
    let isOriginalOnDisk = originalOrigin == .disk || request.isOfLocalSource
    return policy.storesEncoded(isVariant: request.isVariant, isOriginalOnDisk: isOriginalOnDisk) ? nil : .policy
  }

  // MARK: Queues

  mutating func explainQueues() {
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
