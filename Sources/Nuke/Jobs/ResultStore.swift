import Synchronization

/// Stores the results of one image job in the caches, if the request and the configuration allow it.
struct ResultStore: ~Copyable {
  /// The final image, set before it is stored in memory.
  private let final = AtomicLazyReference<Final>()

  private final class Final: Sendable {
    let container: ImageContainer
    init(_ container: ImageContainer) { self.container = container }
  }

  /// Stores a preview in the memory cache. It never replaces the final image.
  func storePreview(_ container: ImageContainer, of job: ImageJob) {
    let (pipeline, request) = (job.pipeline, job.request)
    guard pipeline.configuration.isStoringPreviewsInMemoryCache,
      !request.options.contains(.disableMemoryCacheWrites), let cache = pipeline.imageCache(for: request)
    else { return }
    let key = pipeline.imageCacheKey(for: request, processorCount: job.processorCount)
    cache[key] = container
    // The final image may have been stored between the caller's check and this write.
    if let final = final.load() { cache[key] = final.container }
  }

  /// Stores the final image in the memory cache.
  ///
  /// - Returns: the reason if it was not stored.
  func storeInMemory(_ image: ImageJob.Image, of job: ImageJob) -> ImageTask.Facts.NotCachedReason? {
    let (pipeline, request) = (job.pipeline, job.request)
    switch pipeline.memoryCacheForWriting(request) {
    case .excluded(let reason): return reason
    case .into(let cache):
      var container = image.container
      if let stamp = image.freshness?.stamp { container.stamp = stamp }
      if image.isFromLargerImage { container.isFromLargerImage = true }
      if pipeline.configuration.isProgressiveDecodingEnabled { _ = final.storeIfNil(Final(container)) }
      cache[pipeline.imageCacheKey(for: request, processorCount: job.processorCount)] = container
      // Before the job ends: a request that does not find the job any more looks in the cache again.
      pipeline.memoryStoreCount.add(1, ordering: .releasing)
      guard let cache = cache as? ImageCache, !cache.takes(cost: image.container.cost) else { return nil }
      pipeline.instruments?.log?.warn(.tooLargeForMemory, of: request, byteCount: image.container.byteCount)
      return .tooLarge
    }
  }

  /// Encodes the final image on the encoding queue and stores it in the disk cache, if the policy says so.
  ///
  /// - Returns: the reason if it is not stored.
  func storeOnDisk(_ image: ImageJob.Image, of job: ImageJob) -> ImageTask.Facts.NotCachedReason? {
    switch job.pipeline.diskCacheForWriting(job.request) {
    case .excluded(let reason): return reason
    case .into(let cache):
      guard job.storesEncoded else { return .policy }
      guard image.container.damage == nil else { return .damaged }
      job.pipeline.configuration.imageEncodingQueue.add(
        EncodedStore(image, of: job, key: job.dataCacheKey, cache: cache))
      return nil
    }
  }
}
