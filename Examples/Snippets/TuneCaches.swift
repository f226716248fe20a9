// Sets the limits of the memory and the disk cache, looks in both, and empties them.
import Foundation
import Nuke

func tuneCaches() async throws {
  let memory = ImageCache(costLimit: 200 << 20, countLimit: 1000)
  memory.ttl = 600

  let disk = try DataCache(name: "com.example.images")
  disk.sizeLimit = 500 << 20
  disk.maximumAge = 30 * 24 * 3600

  let pipeline = ImagePipeline {
    $0.imageCache = memory
    $0.dataCache = disk
    $0.dataCachePolicy = .automatic
  }

  // The token in the URL changes while the image stays the same, so the identifier omits it.
  var request: ImageRequest = "https://example.com/photo.jpg?token=17"
  request.imageID = "https://example.com/photo.jpg"
  _ = try await pipeline.image(for: request)

  let cached = pipeline.cache.cachedImage(for: request)
  print("in memory or on disk:", cached?.image ?? "nothing")
  print("\(memory.totalCost) bytes in memory, \(disk.totalSize) on disk")

  // The first request ignores the caches, and the second one sends no request to a server.
  request.options = .reloadIgnoringCachedData
  _ = try await pipeline.image(for: request)
  request.options = .returnCacheDataDontLoad
  _ = try? await pipeline.image(for: request)

  disk.flush()
  pipeline.cache.removeAll(caches: .memory)
}
