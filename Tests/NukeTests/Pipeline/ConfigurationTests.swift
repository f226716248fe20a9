import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  @Test("The defaults are as documented")
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

  @Test("The queues have the documented limits, and none is suspended")
  func queues() {
    let configuration = ImagePipeline.Configuration()
    let queues = [
      configuration.dataLoadingQueue, configuration.dataCachingQueue, configuration.imageDecodingQueue,
      configuration.imageEncodingQueue, configuration.imageProcessingQueue, configuration.imageDecompressingQueue,
    ]
    #expect(queues.map(\.maxConcurrentOperationCount) == [6, 2, 1, 1, 2, 2])
    #expect(queues.allSatisfy { !$0.isSuspended })
  }

  @Test("A closure changes the default configuration, and later changes have no effect")
  func closure() {
    let delegate = PlainDelegate()
    let pipeline = ImagePipeline(delegate: delegate) { $0.dataCachePolicy = .storeAll }
    #expect(pipeline.configuration.dataCachePolicy == .storeAll)
    #expect(pipeline.configuration.isTaskCoalescingEnabled)
    var copy = pipeline.configuration
    copy.dataCachePolicy = .automatic
    #expect(pipeline.configuration.dataCachePolicy == .storeAll)
  }

  @Test("There is a queue for disk cache reads")
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

  @Test("The shared pipeline can be replaced")
  func shared() async {
    let log = CallLog()
    let old = ImagePipeline.shared
    defer { ImagePipeline.shared = old }
    #expect(ImagePipeline.shared === old)
    do {
      // An object of the pipeline may use the shared one when it is released.
      let canary = Canary { log.append(ImagePipeline.shared === old ? "released" : "released too early") }
      let new = ImagePipeline(configuration: .fake(), delegate: CanaryDelegate(canary))
      ImagePipeline.shared = new
      #expect(ImagePipeline.shared === new)
    }
    ImagePipeline.shared = old
    #expect(await log.entries(count: 1) == ["released"])
  }
}

@Suite("Processors of the configuration", .timeLimit(.minutes(1)))
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

  @Test("They apply to requests without processors, however these are created")
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

  @Test("A request's own processors replace them")
  func replaced() async throws {
    _ = try await pipeline().image(for: ImageRequest(url: url, processors: [own]))
    #expect((standard.count, own.count) == (0, 1))
  }

  @Test("A task's request contains them")
  func task() async throws {
    let task = pipeline().imageTask(with: url)
    #expect(task.request.processors.map(\.identifier) == ["/standard"])
    #expect(try await task.response.request.processors.map(\.identifier) == ["/standard"])
  }

  @Test("They are part of the cache keys of images")
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

  @Test("Work is shared with requests that have the same processors")
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

  @Test("They are part of the keys of encoded images")
  func disk() async throws {
    let pipeline = pipeline {
      $0.dataCache = disk
      $0.dataCachePolicy = .automatic
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
    try await pipeline.loadAndStore(ImageRequest(url: url))
    #expect(disk.contents.keys.sorted() == [url.absoluteString + "/standard"])
    #expect(pipeline.cache.makeDataCacheKey(for: ImageRequest(url: url)) == url.absoluteString + "/standard")
    #expect(pipeline.cache.containsData(for: ImageRequest(url: url)))
    pipeline.cache.storeCachedImage(ImageContainer(image: SampleImage.bitmap(width: 3, height: 3)), for: "b")
    #expect(disk.contents["b/standard"] == Data("3x3".utf8))
  }

  @Test("Prefetching applies them")
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
