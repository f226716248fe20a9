import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  @Test("has documented defaults")
  func defaults() {
    let configuration = ImagePipeline.Configuration()
    #expect(configuration.dataLoader is DataLoader)
    #expect(configuration.dataCache == nil)
    #expect(configuration.imageCache === ImageCache.shared)
    let context = ImageEncodingContext(request: ImageRequest(url: url), image: PlatformImage(), urlResponse: nil)
    #expect(configuration.makeImageEncoder(context) is ImageEncoders.Default)
    let data = SampleImage.png(width: 4, height: 4)
    let decoder = configuration.makeImageDecoder(ImageDecodingContext(request: ImageRequest(url: url), data: data))
    #expect(decoder is ImageDecoders.Default)
    #expect(configuration.dataCachePolicy == .storeOriginalData)
    #expect(configuration.processors.isEmpty)
    #expect(configuration.isDecompressionEnabled)
    #expect(!configuration.isUsingPrepareForDisplay)
    #expect(configuration.isTaskCoalescingEnabled)
    #expect(configuration.isRateLimiterEnabled)
    #expect(!configuration.isProgressiveDecodingEnabled)
    #expect(configuration.progressiveDecodingInterval == 0.5)
    #expect(configuration.isStoringPreviewsInMemoryCache)
    #expect(configuration.isLocalResourcesSupportEnabled)
    let tenth = ImageCache.defaultCostLimit / 2
    #expect(abs((configuration.maximumResponseDataSize ?? 0) - min(200 << 20, tenth)) <= 1)
  }

  @Test("has queues of so many operations at a time, none of them suspended")
  func queues() {
    let configuration = ImagePipeline.Configuration()
    let queues = [
      configuration.dataLoadingQueue, configuration.dataCachingQueue, configuration.imageDecodingQueue,
      configuration.imageEncodingQueue, configuration.imageProcessingQueue, configuration.imageDecompressingQueue,
    ]
    #expect(queues.map(\.maxConcurrentOperationCount) == [6, 2, 1, 1, 2, 2])
    #expect(queues.allSatisfy { !$0.isSuspended })
  }

  @Test("is the default one with changes where a closure makes them, and cannot be changed from outside afterwards")
  func closure() {
    let delegate = PlainDelegate()
    let pipeline = ImagePipeline(delegate: delegate) { $0.dataCachePolicy = .storeAll }
    #expect(pipeline.configuration.dataCachePolicy == .storeAll)
    #expect(pipeline.configuration.isTaskCoalescingEnabled)
    var copy = pipeline.configuration
    copy.dataCachePolicy = .automatic
    #expect(pipeline.configuration.dataCachePolicy == .storeAll)
  }

  @Test("has a queue for reads of the disk cache")
  func dataCachingQueue() async throws {
    let cache = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataCache = cache
      $0.dataCachingQueue.isSuspended = true
    }
    let task = pipeline.imageTask(with: url)
    // Another image, which the disk cache has no part in, goes past it.
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .disableDiskCache))
    #expect(cache.reads.isEmpty)
    #expect(task.state == .running)
    pipeline.configuration.dataCachingQueue.isSuspended = false
    #expect(try await task.image.pixelWidth == 20)
    #expect(cache.reads == [url.absoluteString])
  }

  @Test("replaces the pipeline that is used where none is named")
  func shared() {
    let old = ImagePipeline.shared
    defer { ImagePipeline.shared = old }
    #expect(ImagePipeline.shared === old)
    let new = ImagePipeline.fake()
    ImagePipeline.shared = new
    #expect(ImagePipeline.shared === new)
  }
}

@Suite("A configuration with processors", .timeLimit(.minutes(1)))
struct DefaultProcessorsTests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let cache = FakeImageCache()
  let disk = FakeDataCache()
  let standard = FakeProcessor("/standard")
  let own = FakeProcessor("/own")

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  private func pipeline(
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: cache) {
      $0.processors = [standard]
      configure(&$0)
    }
  }

  @Test("applies them to requests that have none of their own, however they come")
  func applied() async throws {
    let pipeline = pipeline { $0.imageCache = nil }
    _ = try await pipeline.image(for: url)
    _ = try await pipeline.imageTask(with: url).image
    let log = CallLog()
    pipeline.loadImage(with: ImageRequest(url: url), on: nil) { _ in log.append("end") }
    await log.entries(count: 1)
    #expect(standard.count == 3)
    _ = try await pipeline.data(for: ImageRequest(url: url))
    #expect(standard.count == 3)
  }

  @Test("lets a request's own take their place")
  func replaced() async throws {
    _ = try await pipeline().image(for: ImageRequest(url: url, processors: [own]))
    #expect((standard.count, own.count) == (0, 1))
  }

  @Test("says of a task which are applied")
  func task() async throws {
    let task = pipeline().imageTask(with: url)
    #expect(task.request.processors.map(\.identifier) == ["/standard"])
    #expect(try await task.response.request.processors.map(\.identifier) == ["/standard"])
  }

  @Test("keeps the images under keys that say so, and finds them by the same requests")
  func keys() async throws {
    let pipeline = pipeline()
    let (plain, explicit) = (ImageRequest(url: url), ImageRequest(url: url, processors: [standard]))
    _ = try await pipeline.image(for: plain)
    #expect(pipeline.cache.makeImageCacheKey(for: plain) == ImageCacheKey(request: explicit))
    #expect(cache[ImageCacheKey(request: explicit)] != nil)
    #expect(cache[ImageCacheKey(request: plain)] == nil)
    #expect(pipeline.cache[url] != nil)
    #expect(pipeline.cache.containsCachedImage(for: plain, caches: .memory))
    #expect(try await pipeline.imageTask(with: explicit).response.cacheType == .memory)
    #expect(try await pipeline.imageTask(with: plain).response.cacheType == .memory)
    pipeline.cache[plain] = nil
    #expect(cache[ImageCacheKey(request: explicit)] == nil)
  }

  @Test("shares the work with a request that names the same ones")
  func coalescing() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)).held(by: gate))
    let pipeline = pipeline()
    let tasks = [
      pipeline.imageTask(with: url), pipeline.imageTask(with: ImageRequest(url: url, processors: [standard])),
    ]
    gate.open()
    for task in tasks { _ = try await task.image }
    #expect(standard.count == 1)
    #expect(loader.requests.count == 1)
  }

  @Test("stores encoded images under keys that say so")
  func disk() async throws {
    let pipeline = pipeline {
      $0.dataCache = disk
      $0.dataCachePolicy = .automatic
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
    _ = try await pipeline.image(for: url)
    await pipeline.encodingsDone()
    #expect(disk.contents.keys.sorted() == [url.absoluteString + "/standard"])
    #expect(pipeline.cache.makeDataCacheKey(for: ImageRequest(url: url)) == url.absoluteString + "/standard")
    #expect(pipeline.cache.containsData(for: ImageRequest(url: url)))
    pipeline.cache.storeCachedImage(ImageContainer(image: SampleImage.bitmap(width: 3, height: 3)), for: "b")
    #expect(disk.contents["b/standard"] == Data("3x3".utf8))
  }

  @Test("prefetches what will be asked for")
  func prefetching() async throws {
    let pipeline = pipeline()
    let (prefetcher, completed) = (ImagePrefetcher(pipeline: pipeline), Gate())
    prefetcher.didComplete = { completed.open() }
    prefetcher.startPrefetching(with: [url])
    await completed.wait()
    #expect(standard.count == 1)
    #expect(try await pipeline.imageTask(with: url).response.cacheType == .memory)
  }
}
