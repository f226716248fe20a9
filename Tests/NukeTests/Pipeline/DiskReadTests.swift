import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A pipeline with a disk cache", .timeLimit(.minutes(1)))
struct DiskReadTests {
  let url = imageURL("a.png")
  let key = imageURL("a.png").absoluteString
  let original = SampleImage.png(width: 20, height: 10)
  let loader = FakeDataLoader()

  init() { loader.answer(url, with: .data(original)) }

  private func pipeline(
    _ cache: FakeDataCache, _ policy: ImagePipeline.DataCachePolicy = .storeAll
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: nil) {
      $0.dataCache = cache
      $0.dataCachePolicy = policy
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
  }

  private func blurred(_ processors: FakeProcessor..., options: ImageRequest.Options = []) -> ImageRequest {
    ImageRequest(url: url, processors: processors, options: options)
  }

  private func isMissing(_ error: ImagePipeline.Error?) -> Bool {
    if case .dataMissingInCache = error { true } else { false }
  }

  // MARK: What is found

  @Test("A stored original has its pixels and its size in bytes, and no response of a server")
  func originalFromDisk() async throws {
    let pipeline = pipeline(FakeDataCache([key: original]))
    let task = pipeline.imageTask(with: url)
    let response = try await task.response
    #expect(response.image.pixels == SampleImage.bitmap(width: 20, height: 10).pixels)
    #expect(response.urlResponse == nil)
    #expect(task.facts.byteCount == original.count)
    #expect(pipeline.load == (0, 0))
  }

  @Test("The data of a stored original is returned")
  func dataFromDisk() async throws {
    let pipeline = pipeline(FakeDataCache([key: original]))
    let (data, response) = try await pipeline.data(for: ImageRequest(url: url))
    #expect(data == original)
    #expect(response == nil)
    #expect(pipeline.counters.decodes == 0)
  }

  @Test("A stored variant gets the scale of the request")
  func scale() async throws {
    var request = blurred(FakeProcessor("/blur"))
    request.scale = 2
    let cache = FakeDataCache([key + "/blur": SampleImage.png(width: 8, height: 4)])
    let image = try await pipeline(cache).image(for: request)
    #expect(image.scale == 2)
    #expect(image.size == CGSize(width: 4, height: 2))
  }

  @Test("Processing continues from a stored shorter chain")
  func intermediate() async throws {
    let cache = FakeDataCache([key + "/a": SampleImage.png(width: 7, height: 5)])
    let (a, b) = (FakeProcessor("/a"), FakeProcessor("/b"))
    let image = try await pipeline(cache, .automatic).image(for: blurred(a, b))
    #expect(image.pixelWidth == 7)
    #expect((a.count, b.count) == (0, 1))
    #expect(await cache.writes(count: 1) == [key + "/a/b"])
    #expect(loader.requests.isEmpty)
  }

  @Test(
    "A damaged or truncated variant is removed and created again",
    arguments: [Data("not an image".utf8), SampleImage.png(width: 40, height: 40).prefix(60)])
  func damagedVariant(_ stored: Data) async throws {
    let cache = FakeDataCache([key + "/blur": stored])
    let (pipeline, blur) = (pipeline(cache), FakeProcessor("/blur"))
    let task = pipeline.imageTask(with: blurred(blur))
    let response = try await task.response
    #expect(response.image.pixelWidth == 20)
    #expect(response.cacheType == nil)
    #expect(task.facts.origin == .network)
    #expect(blur.count == 1)
    #expect(loader.requests.count == 1)
    #expect(pipeline.load == (0, 0))
    await pipeline.encodingsDone()
    #expect(cache.removals == [key + "/blur"])
    #expect(cache.contents[key + "/blur"] == Data("20x10".utf8))
  }

  @Test("The highest priority is read first, also if it changes while waiting")
  func priority() async throws {
    let cache = FakeDataCache()
    let pipeline = pipeline(cache)
    pipeline.diskQueue.maxConcurrentOperationCount = 1
    pipeline.diskQueue.isSuspended = true
    let urls = ["a", "b", "c"].map(imageURL)
    for url in urls { loader.answer(url, with: .data(original)) }
    let tasks = urls.map { pipeline.imageTask(with: ImageRequest(url: $0, priority: .low)) }
    tasks[2].priority = .veryHigh
    tasks[1].priority = .high
    tasks[2].priority = .normal
    pipeline.diskQueue.isSuspended = false
    for task in tasks { _ = try await task.image }
    #expect(cache.reads == [urls[1], urls[2], urls[0]].map(\.absoluteString))
  }

  @Test("A canceled load does not read")
  func cancelledInQueue() async throws {
    let cache = FakeDataCache()
    let pipeline = pipeline(cache)
    let other = imageURL("other")
    loader.answer(other, with: .data(original))
    pipeline.diskQueue.isSuspended = true
    pipeline.imageTask(with: url).cancel()
    #expect(pipeline.load == (0, 0))
    pipeline.diskQueue.isSuspended = false
    _ = try await pipeline.image(for: other)
    #expect(cache.reads == [other.absoluteString])
  }

  // MARK: Options

  @Test("A cache-only request does not join a running load, in either order")
  func cacheOnlyApart() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(original).held(by: gate))
    let pipeline = pipeline(FakeDataCache())
    let cacheOnly = ImageRequest(url: url, options: .returnCacheDataDontLoad)
    let load = pipeline.imageTask(with: url)
    await loader.requests(count: 1)
    let error = await loadFailure(try await pipeline.image(for: cacheOnly))
    #expect(isMissing(error), "it did not wait for the download")
    gate.open()
    #expect(try await load.image.pixelWidth == 20)
  }
}

extension HoldingWorkers {
  @Suite("A slow disk cache")
  struct SlowDiskTests {
    let url = imageURL("a.png")
    let key = imageURL("a.png").absoluteString
    let gate = Gate()
    let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 20, height: 10)) }

    @Test("It is read once, and the variant decoded once, for all requests")
    func shared() async throws {
      let cache = FakeDataCache([key + "/blur": SampleImage.png(width: 7, height: 5)], gate: gate)
      let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
      let blur = FakeProcessor("/blur")
      let tasks = (0..<2).map { _ in pipeline.imageTask(with: ImageRequest(url: url, processors: [blur])) }
      await cache.reads(count: 1)
      gate.open()
      let images = [try await tasks[0].image, try await tasks[1].image]
      #expect(images[0] === images[1])
      #expect(cache.reads.count == 1)
      #expect(pipeline.counters.decodes == 1)
      #expect(tasks.map(\.facts.isCoalesced) == [false, true])
    }

    @Test("A load of a variant or an original can be canceled during the read", arguments: [true, false])
    func cancelled(isVariant: Bool) async throws {
      let cache = FakeDataCache(gate: gate)
      let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
      var request = ImageRequest(url: url)
      if isVariant { request.processors = [FakeProcessor("/blur")] }
      let task = pipeline.imageTask(with: request)
      await cache.reads(count: 1)
      task.cancel()
      #expect(task.isCancelled)
      #expect(pipeline.load == (0, 0))
      gate.open()
      // The next load goes the same way, behind the one that was given up.
      _ = try await pipeline.image(for: imageURL("b.png"))
      #expect(loader.requests.map(\.url) == [imageURL("b.png")])
      #expect(cache.writes == [imageURL("b.png").absoluteString])
    }

    @Test("A load does not join a cache-only one")
    func ordinaryDoesNotJoin() async throws {
      let cache = FakeDataCache(gate: gate)
      // What is loaded would be in the cache for a look that comes late.
      let download = Gate()
      loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)).held(by: download))
      let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
      let cacheOnly = pipeline.imageTask(with: ImageRequest(url: url, options: .returnCacheDataDontLoad))
      await cache.reads(count: 1)
      let ordinary = pipeline.imageTask(with: url)
      await cache.reads(count: 2)
      gate.open()
      let error = await loadFailure(try await cacheOnly.image)
      download.open()
      guard case .dataMissingInCache = error else { throw Unexpected(error) }
      #expect(try await ordinary.image.pixelWidth == 20)
    }

    @Test("An image from new data is delivered while one from old data is still decoded")
    func reloadDuringDecode() async throws {
      let newURL = imageURL("changing.png")
      let loader = FakeDataLoader { _ in .data(Data("new".utf8)) }
      let cache = FakeDataCache([newURL.absoluteString: Data("old".utf8)])
      let decoder = FakeDecoder(isAsynchronous: true, gate: gate) { data in
        ImageContainer(image: SampleImage.bitmap(width: data == Data("new".utf8) ? 2 : 1, height: 1))
      }
      let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
        $0.dataCache = cache
        $0.makeImageDecoder = { _ in decoder }
        $0.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: 2)
      }
      let old = pipeline.imageTask(with: newURL)
      await decoder.decodes(count: 1)
      let new = pipeline.imageTask(with: ImageRequest(url: newURL, options: .reloadIgnoringCachedData))
      await decoder.decodes(count: 2)
      gate.open()
      #expect(try await old.image.pixelWidth == 1)
      #expect(try await new.image.pixelWidth == 2)
    }
  }
}
