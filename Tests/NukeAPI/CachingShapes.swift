import Foundation
import Nuke

func useMemoryCache(image: PlatformImage) {
  let cache = ImageCache.shared
  cache.costLimit = 1024 * 1024 * 100
  cache.countLimit = 100
  cache.ttl = 120
  cache.entryCostLimit = 0.2
  let key = ImageCacheKey(request: ImageRequest(url: address))
  cache[key] = ImageContainer(image: image)
  cache[ImageCacheKey(key: "mine")] = nil
  print(cache[key]?.image as Any, cache.totalCost, cache.totalCount, ImageCache.defaultCostLimit)
  cache.trim(toCost: 0)
  cache.trim(toCount: 0)
  cache.removeAll()
}

func usePipelineCache(request: ImageRequest, container: ImageContainer) {
  let cache = ImagePipeline.shared.cache
  cache[address] = container
  cache[request] = container
  cache[request] = nil
  print(cache[address]?.image as Any, cache[request]?.data as Any)
  print(cache.cachedImage(for: request) as Any, cache.cachedImage(for: request, caches: [.disk]) as Any)
  cache.storeCachedImage(container, for: request)
  cache.storeCachedImage(container, for: request, caches: .memory)
  print(cache.containsCachedImage(for: request), cache.containsCachedImage(for: request, caches: .all))
  cache.removeCachedImage(for: request)
  cache.removeCachedImage(for: request, caches: [.memory, .disk])
  print(cache.cachedData(for: request) as Any, cache.containsData(for: request))
  cache.storeCachedData(Data(), for: request)
  cache.removeCachedData(for: request)
  print(cache.makeImageCacheKey(for: request), cache.makeDataCacheKey(for: request))
  cache.removeAll()
  cache.removeAll(caches: [.memory])
}

func useDataCache(folder: URL) throws {
  let cache = try DataCache(name: "test.images")
  _ = try DataCache(name: "test.images", filenameGenerator: { $0.isEmpty ? nil : $0 })
  _ = try DataCache(path: folder, filenameGenerator: DataCache.filename(for:))
  cache.sizeLimit = 1024 * 1024 * 100
  cache.sweepInterval = 60
  cache.isSweepEnabled = false
  cache["key"] = Data("value".utf8)
  cache.storeData(Data(), for: "other")
  print(cache["key"] as Any, cache.cachedData(for: "key") as Any, cache.containsData(for: "key"), cache.path)
  print(cache.filename(for: "key") as Any, cache.url(for: "key") as Any, cache.queue)
  cache.removeData(for: "key")
  cache.flush()
  cache.flush(for: "key")
  cache.sweep()
  print(cache.totalCount, cache.totalSize, cache.totalAllocatedSize)
  cache.removeAll()
}

final class OwnMemoryCache: ImageCaching {
  subscript(key: ImageCacheKey) -> ImageContainer? {
    get { nil }
    set { print(key, newValue as Any) }
  }
  func removeAll() {}
}

final class OwnDataCache: DataCaching {
  func cachedData(for key: String) -> Data? { nil }
  func containsData(for key: String) -> Bool { false }
  func storeData(_ data: Data, for key: String) {}
  func removeData(for key: String) {}
  func removeAll() {}
}
