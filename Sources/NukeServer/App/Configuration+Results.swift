#if Server
  import Foundation
  import Nuke
  import NukeServing

  // The limits of the service, and its disk cache.
  extension ImageServer.Configuration {
    var service: ServiceConfiguration {
      var service = ServiceConfiguration()
      service.memoryLimit = memoryCacheSize
      service.defaultTimeToLive = ttl
      service.usesSourceFreshness = usesSourceFreshness
      service.validationInterval = validationInterval
      service.deadline = requestTimeout
      service.maximumWaiting = queueLength
      // Each store has its own time limit, so the service must not end look-ups earlier.
      service.storeTimeout = max(service.storeTimeout, redisTimeout, s3Timeout)
      if let decodeBudget { service.decodeBudget = decodeBudget }
      if let workers { service.maximumRunning = workers }
      return service
    }

    /// The disk cache for results.
    var diskResults: DataCache? {
      get throws(ConfigurationError) {
        guard let diskCache else { return nil }
        return try folder("disk-cache", diskCache) { url in
          let cache = try DataCache(path: url)
          cache.sizeLimit = diskCacheSize
          return cache
        }
      }
    }

    func folder<Value>(
      _ setting: String, _ path: String, _ open: (URL) throws -> Value
    ) throws(ConfigurationError) -> Value {
      if case .other = DiskStore.site(at: path) {
        throw ConfigurationError(setting, "\(path) contains files that are not a cache: use an empty folder")
      }
      do {
        return try open(URL(fileURLWithPath: path, isDirectory: true))
      } catch {
        throw ConfigurationError(setting, "\(path) cannot be used: set a folder that this user may write (\(error))")
      }
    }
  }
#endif
