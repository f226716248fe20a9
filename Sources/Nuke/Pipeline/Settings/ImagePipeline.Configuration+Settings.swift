import Foundation
import NukeBase
import NukeCodecs
import NukeHTTP
import NukeStore

extension ImagePipeline.Configuration {
  /// Creates the configuration for servers, ``server``, with the changes that `settings` describe.
  ///
  /// The folder of the disk cache is opened, and created if it does not exist.
  ///
  /// - Throws: an error that names the key of a value that cannot be used, or whose folder cannot.
  public init(settings: ImagePipeline.Settings) throws(ImagePipeline.Settings.Error) {
    try settings.validate()
    self = .server
    dataLoader = Self.loader(settings.loader ?? .init())
    if let memoryCache = settings.memoryCache { imageCache = Self.cache(memoryCache) }
    if let diskCache = settings.diskCache {
      dataCache = try Self.cache(diskCache)
      if let policy = diskCache.policy { dataCachePolicy = policy }
    }
    set(settings.concurrency ?? .init())
    set(settings.limits ?? .init())
    if let isEnabled = settings.isRateLimiterEnabled { isRateLimiterEnabled = isEnabled }
    if let policy = settings.freshnessPolicy { freshnessPolicy = policy }
  }

  private static func loader(_ settings: ImagePipeline.Settings.Loader) -> DataLoader {
    var loading = DataLoader.Configuration.server
    if let seconds = settings.connectTimeout { loading.connectTimeout = seconds }
    if let seconds = settings.idleTimeout { loading.idleTimeout = seconds }
    if let seconds = settings.resourceTimeout { loading.resourceTimeout = seconds }
    if let count = settings.maximumConnectionsPerHost { loading.maximumConnectionsPerHost = count }
    if let count = settings.maximumRedirects { loading.maximumRedirects = count }
    if settings.isPublicOnly == true { loading.addressPolicy = .publicOnly }
    if let userAgent = settings.userAgent { loading.userAgent = userAgent }
    let retries = settings.maximumRetries ?? 0
    return DataLoader(
      configuration: loading, retryPolicy: retries > 0 ? RetryPolicy(maxRetryCount: retries) : nil)
  }

  private static func cache(_ settings: ImagePipeline.Settings.MemoryCache) -> ImageCache? {
    if settings.sizeLimit == 0 { return nil }
    let cache = ImageCache(
      costLimit: settings.sizeLimit ?? ImageCache.defaultCostLimit, countLimit: settings.countLimit ?? .max)
    cache.ttl = settings.lifetime
    return cache
  }

  private static func cache(
    _ settings: ImagePipeline.Settings.DiskCache
  ) throws(ImagePipeline.Settings.Error) -> DataCache {
    do {
      let cache = try DataCache(path: URL(fileURLWithPath: settings.path, isDirectory: true))
      if let sizeLimit = settings.sizeLimit { cache.sizeLimit = sizeLimit }
      cache.maximumAge = settings.maximumAge
      return cache
    } catch {
      throw .folderNotUsable(key: "diskCache.path", reason: "\(error)")
    }
  }

  private mutating func set(_ concurrency: ImagePipeline.Settings.Concurrency) {
    if let count = concurrency.downloads { dataLoadingQueue.maxConcurrentOperationCount = count }
    if let count = concurrency.decoding { imageDecodingQueue.maxConcurrentOperationCount = count }
    if let count = concurrency.processing { imageProcessingQueue.maxConcurrentOperationCount = count }
    if let count = concurrency.encoding { imageEncodingQueue.maxConcurrentOperationCount = count }
  }

  private mutating func set(_ limits: ImagePipeline.Settings.Limits) {
    if let count = limits.maximumPixelCount { codecLimits.maximumPixelCount = count }
    if let side = limits.maximumSide { codecLimits.maximumSide = side }
    if let count = limits.maximumFrameCount { codecLimits.maximumFrameCount = count }
    if let size = limits.maximumResponseSize { maximumResponseDataSize = size }
  }
}
