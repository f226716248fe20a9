public import Foundation

extension ImagePipeline {
  /// The pipeline's caches.
  public var cache: Cache { Cache(pipeline: self) }

  /// Reads and writes the caches of a pipeline, with the keys of the pipeline.
  ///
  /// The methods run on the calling thread. Those that access the disk or decode block it.
  public struct Cache: Sendable {
    let pipeline: ImagePipeline

    /// The caches to use.
    public struct Caches: OptionSet, Sendable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }

      /// The memory cache.
      public static let memory = Caches(rawValue: 1 << 0)
      /// The disk cache.
      public static let disk = Caches(rawValue: 1 << 1)
      /// The memory cache and the disk cache.
      public static let all: Caches = [.memory, .disk]
    }

    // MARK: Memory

    /// The image of `url` in the memory cache. Setting stores it, `nil` removes it.
    public subscript(url: URL) -> ImageContainer? {
      get { self[ImageRequest(url: url)] }
      nonmutating set { self[ImageRequest(url: url)] = newValue }
    }

    /// The image of `request`, with its processors applied, in the memory cache. Setting stores it, `nil` removes it.
    ///
    /// This and the other methods that read or store obey the options of the request: with
    /// ``ImageRequest/Options/disableMemoryCacheReads`` reading returns `nil`, and with
    /// ``ImageRequest/Options/disableMemoryCacheWrites`` nothing is stored. A preview is stored only if
    /// ``Configuration-swift.struct/isStoringPreviewsInMemoryCache`` is set. Removing always removes.
    public subscript(request: ImageRequest) -> ImageContainer? {
      get {
        guard request.options.allowMemoryReads else { return nil }
        return pipeline.imageCache(for: request)?[makeImageCacheKey(for: request)]
      }
      nonmutating set {
        if let newValue {
          guard !request.options.contains(.disableMemoryCacheWrites) else { return }
          if newValue.isPreview, !pipeline.configuration.isStoringPreviewsInMemoryCache { return }
        }
        pipeline.imageCache(for: request)?[makeImageCacheKey(for: request)] = newValue
      }
    }

    // MARK: Images

    /// Returns the image of `request` from memory, or reads and decodes it from disk. Nothing is loaded or processed.
    public func cachedImage(for request: ImageRequest, caches: Caches = .all) -> ImageContainer? {
      let request = pipeline.withDefaultProcessors(request)
      if caches.contains(.memory), let container = self[request] { return container }
      guard caches.contains(.disk), let data = cachedData(for: request),
        let container = try? pipeline.storedDecoding(of: data, for: request)?.decode(isCancelled: { false })
      else { return nil }
      return request.storage.scale.map(container.withScale) ?? container
    }

    /// Stores an image for `request`. On disk it is encoded. Previews are not stored on disk, nor are processed
    /// animated images, which would lose their animation.
    public func storeCachedImage(_ container: ImageContainer, for request: ImageRequest, caches: Caches = .all) {
      let request = pipeline.withDefaultProcessors(request)
      if caches.contains(.memory) { self[request] = container }
      guard caches.contains(.disk), !container.isPreview, container.damage == nil, container.dataOfMovingVariant == nil
      else { return }
      let context = ImageEncodingContext(request: request, image: container.image, urlResponse: nil)
      if let data = pipeline.imageEncoder(for: context).encode(container, context: context) {
        storeCachedData(data, for: request)
      }
    }

    /// Removes the image of `request`.
    public func removeCachedImage(for request: ImageRequest, caches: Caches = .all) {
      if caches.contains(.memory) { self[request] = nil }
      if caches.contains(.disk) { removeCachedData(for: request) }
    }

    /// Returns `true` if the image of `request` is cached, without reading or decoding it. An image on disk is found
    /// even if the request disables disk reads.
    public func containsCachedImage(for request: ImageRequest, caches: Caches = .all) -> Bool {
      if caches.contains(.memory), self[request] != nil { return true }
      return caches.contains(.disk) && containsData(for: request)
    }

    // MARK: Data

    /// Returns the encoded image of `request` from disk.
    public func cachedData(for request: ImageRequest) -> Data? {
      guard request.options.allowDiskReads else { return nil }
      return pipeline.dataCache(for: request)?.cachedData(for: makeDataCacheKey(for: request))
    }

    /// Stores the encoded image of `request` on disk.
    public func storeCachedData(_ data: Data, for request: ImageRequest) {
      guard !request.options.contains(.disableDiskCacheWrites) else { return }
      pipeline.dataCache(for: request)?.storeData(data, for: makeDataCacheKey(for: request))
    }

    /// Returns `true` if the encoded image of `request` is on disk, without reading it, even if the request disables
    /// disk reads.
    public func containsData(for request: ImageRequest) -> Bool {
      pipeline.dataCache(for: request)?.containsData(for: makeDataCacheKey(for: request)) ?? false
    }

    /// Removes the encoded image of `request` from disk.
    public func removeCachedData(for request: ImageRequest) {
      pipeline.dataCache(for: request)?.removeData(for: makeDataCacheKey(for: request))
    }

    // MARK: Keys and all

    /// Returns the memory cache key of the image of `request`, with its processors applied.
    public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
      let request = pipeline.withDefaultProcessors(request)
      return pipeline.imageCacheKey(for: request)
    }

    /// Returns the disk cache key of the image of `request`, with its processors applied.
    public func makeDataCacheKey(for request: ImageRequest) -> String {
      let request = pipeline.withDefaultProcessors(request)
      return pipeline.dataCacheKey(for: request, processorCount: request.processors.count)
    }

    /// Removes everything from the caches of the pipeline's configuration. Caches that a delegate returns for single
    /// requests stay unchanged.
    public func removeAll(caches: Caches = .all) {
      if caches.contains(.memory) { pipeline.configuration.imageCache?.removeAll() }
      if caches.contains(.disk) { pipeline.configuration.dataCache?.removeAll() }
    }
  }
}
