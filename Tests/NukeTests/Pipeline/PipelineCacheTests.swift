import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("ImagePipeline.Cache", .timeLimit(.minutes(1)))
struct PipelineCacheTests {
  let url = imageURL("a.png")
  let key = imageURL("a.png").absoluteString
  let memory = FakeImageCache()
  let disk = FakeDataCache()
  let loader = FakeDataLoader()
  let pipeline: ImagePipeline
  let container = ImageContainer(image: SampleImage.bitmap(width: 20, height: 10, isOpaque: false))

  init() {
    pipeline = .fake(loader: loader, imageCache: memory) { [disk] in $0.dataCache = disk }
  }

  private var request: ImageRequest { ImageRequest(url: url) }
  private var blurred: ImageRequest { ImageRequest(url: url, processors: [FakeProcessor("/blur")]) }

  private func with(_ options: ImageRequest.Options) -> ImageRequest { ImageRequest(url: url, options: options) }

  @Test("Images in memory are stored by URL and by request")
  func subscripts() {
    pipeline.cache[url] = container
    #expect(pipeline.cache[url]?.image === container.image)
    #expect(pipeline.cache[request]?.image === container.image)
    #expect(pipeline.cache[blurred] == nil)
    pipeline.cache[blurred] = container
    #expect(memory.count == 2)
    pipeline.cache[request] = nil
    #expect(pipeline.cache[url] == nil)
    #expect(pipeline.cache[blurred] != nil)
    #expect(disk.writes.isEmpty && disk.reads.isEmpty)
  }

  @Test("The options of a request apply in memory, except for removing")
  func optionsInMemory() {
    pipeline.cache[with(.disableMemoryCacheWrites)] = container
    pipeline.cache.storeCachedImage(container, for: with(.disableMemoryCacheWrites), caches: .memory)
    #expect(memory.count == 0)
    pipeline.cache[request] = container
    #expect(pipeline.cache[with(.disableMemoryCacheReads)] == nil)
    #expect(pipeline.cache.cachedImage(for: with(.disableMemoryCacheReads), caches: .memory) == nil)
    #expect(pipeline.cache[request] != nil)
    pipeline.cache[with(.disableMemoryCache)] = nil
    #expect(memory.count == 0)
  }

  @Test("Previews are stored in memory only if the configuration says so", arguments: [false, true])
  func previews(isStored: Bool) {
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: memory) {
      $0.isStoringPreviewsInMemoryCache = isStored
    }
    let preview = ImageContainer(image: container.image, isPreview: true)
    pipeline.cache[url] = preview
    pipeline.cache.storeCachedImage(preview, for: blurred, caches: .memory)
    #expect(memory.count == (isStored ? 2 : 0))
  }

  @Test(
    "An image is stored in the given caches",
    arguments: [
      ImagePipeline.Cache.Caches.memory, .disk, .all, [],
    ])
  func store(caches: ImagePipeline.Cache.Caches) {
    pipeline.cache.storeCachedImage(container, for: blurred, caches: caches)
    #expect((pipeline.cache[blurred] != nil) == caches.contains(.memory))
    #expect(disk.writes == (caches.contains(.disk) ? [key + "/blur"] : []))
    #expect(pipeline.cache.containsCachedImage(for: blurred, caches: .memory) == caches.contains(.memory))
    #expect(pipeline.cache.containsCachedImage(for: blurred, caches: .disk) == caches.contains(.disk))
    #expect(pipeline.cache.containsCachedImage(for: blurred) == !caches.isEmpty)
    #expect(pipeline.cache.containsCachedImage(for: request) == false)
    #expect(disk.reads.isEmpty, "nothing is read to know whether it is there")
  }

  @Test("An image is read from the given caches")
  func cachedImage() throws {
    pipeline.cache.storeCachedImage(container, for: request, caches: .disk)
    #expect(pipeline.cache.cachedImage(for: request, caches: .memory) == nil)
    let read = try #require(pipeline.cache.cachedImage(for: request))
    #expect(read.image.pixels == container.image.pixels)
    #expect(pipeline.cache[request] == nil, "what is read is not kept in memory")
    pipeline.cache.storeCachedImage(container, for: request, caches: .memory)
    #expect(pipeline.cache.cachedImage(for: request)?.image === container.image)
    #expect(pipeline.cache.cachedImage(for: request, caches: .disk)?.image !== container.image)
    #expect(pipeline.cache.cachedImage(for: blurred) == nil)
    #expect(loader.requests.isEmpty)
  }

  @Test("An image from disk has the scale of the request")
  func scale() throws {
    var request = request
    request.scale = 2
    pipeline.cache.storeCachedImage(container, for: request, caches: .disk)
    let image = try #require(pipeline.cache.cachedImage(for: request)).image
    #expect(image.scale == 2)
    #expect(image.size == CGSize(width: 10, height: 5))
  }

  @Test("Data that is not an image, or too large for the pipeline, is a miss")
  func undecodable() {
    disk.storeData(Data("not an image".utf8), for: key)
    #expect(pipeline.cache.cachedImage(for: request) == nil)
    let careful = ImagePipeline.fake(imageCache: nil) {
      $0.dataCache = disk
      $0.codecLimits = CodecLimits(maximumPixelCount: 100)
    }
    disk.storeData(SampleImage.png(width: 20, height: 10), for: key)
    #expect(pipeline.cache.cachedImage(for: request) != nil)
    #expect(careful.cache.cachedImage(for: request) == nil)
  }

  @Test("An image is removed from the given caches")
  func removeImage() {
    pipeline.cache.storeCachedImage(container, for: request)
    pipeline.cache.removeCachedImage(for: request, caches: .memory)
    #expect(pipeline.cache[url] == nil)
    #expect(pipeline.cache.containsData(for: request))
    pipeline.cache.storeCachedImage(container, for: request, caches: .memory)
    pipeline.cache.removeCachedImage(for: request, caches: .disk)
    #expect(pipeline.cache[url] != nil)
    #expect(pipeline.cache.containsData(for: request) == false)
    pipeline.cache.storeCachedImage(container, for: request)
    pipeline.cache.removeCachedImage(for: request)
    #expect(pipeline.cache.containsCachedImage(for: request) == false)
    #expect(memory.count == 0 && disk.contents.isEmpty)
  }

  @Test("Previews are never stored on disk")
  func preview() {
    let preview = ImageContainer(image: container.image, isPreview: true)
    pipeline.cache.storeCachedImage(preview, for: request)
    #expect(disk.writes.isEmpty)
    #expect(pipeline.cache[url]?.isPreview == true)
  }

  @Test("Data is stored, read, found and removed under the key of the request")
  func data() {
    let data = Data("anything".utf8)
    pipeline.cache.storeCachedData(data, for: blurred)
    #expect(disk.contents == [key + "/blur": data])
    #expect(pipeline.cache.cachedData(for: blurred) == data)
    #expect(pipeline.cache.cachedData(for: request) == nil)
    #expect(pipeline.cache.containsData(for: blurred))
    #expect(pipeline.cache.containsData(for: request) == false)
    pipeline.cache.removeCachedData(for: blurred)
    #expect(pipeline.cache.containsData(for: blurred) == false)
    #expect(disk.removals == [key + "/blur"])
  }

  @Test("The options of a request apply to data")
  func options() {
    pipeline.cache.storeCachedImage(container, for: with([.disableMemoryCacheWrites, .disableDiskCacheWrites]))
    #expect(memory.writeCount == 0 && disk.writes.isEmpty)
    pipeline.cache.storeCachedImage(container, for: request)
    for options in [ImageRequest.Options.disableMemoryCacheReads, .reloadIgnoringCachedData] {
      #expect(pipeline.cache.cachedImage(for: with(options), caches: .memory) == nil)
    }
    for options in [ImageRequest.Options.disableDiskCacheReads, .reloadIgnoringCachedData] {
      #expect(pipeline.cache.cachedData(for: with(options)) == nil)
      #expect(pipeline.cache.cachedImage(for: with(options), caches: .disk) == nil)
    }
    #expect(disk.reads.isEmpty)
  }

  @Test(
    "The given caches are emptied",
    arguments: [
      ImagePipeline.Cache.Caches.memory, .disk, .all, [],
    ])
  func removeAll(caches: ImagePipeline.Cache.Caches) {
    pipeline.cache.storeCachedImage(container, for: request)
    pipeline.cache.removeAll(caches: caches)
    #expect((memory.count == 0) == caches.contains(.memory))
    #expect(disk.contents.isEmpty == caches.contains(.disk))
  }

  @Test("Keys contain the image, its processors and its thumbnail")
  func keys() {
    #expect(pipeline.cache.makeDataCacheKey(for: request) == key)
    #expect(pipeline.cache.makeDataCacheKey(for: blurred) == key + "/blur")
    var other = blurred
    other.thumbnail = .init(maxPixelSize: 4)
    #expect(
      pipeline.cache.makeDataCacheKey(for: other) == key
        + "com.github/kean/nuke/thumbnail?maxPixelSize=4.0,options=truetruetruetrue/blur")
    other.imageID = "mine"
    #expect(
      pipeline.cache.makeDataCacheKey(for: other)
        == "minecom.github/kean/nuke/thumbnail?maxPixelSize=4.0,options=truetruetruetrue/blur")
    #expect(pipeline.cache.makeImageCacheKey(for: blurred) == ImageCacheKey(request: blurred))
    #expect(pipeline.cache.makeImageCacheKey(for: blurred) != pipeline.cache.makeImageCacheKey(for: request))
  }

  @Test("Loads and direct access use the same entries")
  func sameKeys() async throws {
    pipeline.cache.storeCachedImage(container, for: blurred, caches: .disk)
    #expect(try await pipeline.imageTask(with: blurred).response.cacheType == .disk)
    #expect(pipeline.cache[blurred] != nil)
    let other = imageURL("b.png")
    loader.answer(other, with: .data(SampleImage.png(width: 3, height: 3)))
    _ = try await pipeline.image(for: other)
    #expect(pipeline.cache.cachedImage(for: ImageRequest(url: other), caches: .disk)?.image.pixelWidth == 3)
  }

  @Test("Caches may be missing")
  func none() {
    let pipeline = ImagePipeline.fake(imageCache: nil)
    pipeline.cache.storeCachedImage(container, for: request)
    pipeline.cache.storeCachedData(Data([1]), for: request)
    #expect(pipeline.cache[url] == nil)
    #expect(pipeline.cache.cachedImage(for: request) == nil)
    #expect(pipeline.cache.cachedData(for: request) == nil)
    #expect(pipeline.cache.containsCachedImage(for: request) == false)
    pipeline.cache.removeCachedImage(for: request)
    pipeline.cache.removeAll()
  }
}
