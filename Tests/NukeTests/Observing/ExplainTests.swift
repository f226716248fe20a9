import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Explaining a load", .timeLimit(.minutes(1)))
struct ExplainTests {
  typealias Lookup = ImagePipeline.Explanation.Lookup
  let url = imageURL("a.jpg")
  let loader = FakeDataLoader()
  let folder = DiskFolder()
  let jpeg = SampleImage.jpeg(width: 256, height: 192)

  init() { loader.answer(url, with: .data(jpeg)) }

  private func places(_ explanation: ImagePipeline.Explanation) -> [String] {
    explanation.lookups.map { "\($0.place.rawValue) \($0.processorCount.map(String.init) ?? "data") \($0.finding)" }
  }

  private func work(_ explanation: ImagePipeline.Explanation) -> [String] {
    explanation.steps.map { "\($0.kind)" + ($0.name.map { " \($0)" } ?? "") }
  }

  // MARK: What is asked

  @Test("The look-ups follow the route of a load: memory and disk for each shorter chain, data, network")
  func route() async {
    let cache = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
    let request = ImageRequest(url: url, processors: [FakeProcessor("a"), FakeProcessor("b")])
    let explanation = await pipeline.explain(request)
    #expect(
      places(explanation) == [
        "memory 2 miss", "disk 2 miss", "memory 1 miss", "disk 1 miss", "memory 0 miss", "disk data miss",
        "network data unknown",
      ])
    #expect(explanation.lookups.map(\.key) == ["ab", "ab", "a", "a", "", "", ""].map { url.absoluteString + $0 })
    #expect(work(explanation) == ["load network", "decode", "process a", "process b"])
    #expect(explanation.origin == .network)
    #expect(explanation.byteCount == nil)
    #expect(explanation.decodingByteCount == nil)
    #expect(explanation.memoryKey == url.absoluteString + "ab")
    #expect(explanation.diskKey == url.absoluteString + "ab")
    #expect(explanation.originalDiskKey == url.absoluteString)
    #expect(loader.requests.isEmpty)
    #expect(cache.reads.isEmpty)
    #expect(pipeline.load == (0, 0))
  }

  @Test("An image in memory needs no work, and nothing is stored")
  func memory() async {
    let pipeline = ImagePipeline.fake(loader: loader)
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 4, height: 4))
    let explanation = await pipeline.explain(url)
    #expect(places(explanation) == ["memory 0 hit"])
    #expect(explanation.lookups[0].byteCount == 64)
    #expect(explanation.steps.isEmpty)
    #expect(explanation.byteCount == 0)
    #expect(explanation.decodingByteCount == 0)
    #expect(explanation.queues.isEmpty)
    #expect(explanation.stores.allSatisfy { $0.notCachedReason == .cameFromCache })
  }

  @Test("A preview in memory is distinguished from an image")
  func preview() async {
    let pipeline = ImagePipeline.fake(loader: loader)
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 4, height: 4), isPreview: true)
    #expect(await places(pipeline.explain(url)) == ["memory 0 preview", "disk data notAsked", "network data unknown"])
    let processed = ImageRequest(url: url, processors: [FakeProcessor("a")])
    #expect(await places(pipeline.explain(processed)).contains("memory 0 miss"))
  }

  @Test(
    "The reason for an unused cache is stated",
    arguments: [
      (ImageRequest.Options.disableMemoryCacheReads, Lookup.Reason.disabledByOption, Lookup.Reason?.none),
      (.disableDiskCacheReads, .disabledByOption, .some(.disabledByOption)),
      (.reloadIgnoringCachedData, .reload, .reload),
    ])
  func reasons(options: ImageRequest.Options, memory: Lookup.Reason, disk: Lookup.Reason?) async throws {
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = FakeDataCache() }
    let explanation = await pipeline.explain(ImageRequest(url: url, options: options))
    let found = Dictionary(grouping: explanation.lookups, by: \.place)
    if options != .disableDiskCacheReads { #expect(found[.memory]?.first?.reason == memory) }
    #expect(found[.disk]?.first?.reason == disk)
    #expect(explanation.origin == .network)
  }

  @Test("Missing caches are stated")
  func noCaches() async {
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    let explanation = await pipeline.explain(url)
    #expect(explanation.lookups.prefix(2).map(\.reason) == [.noCache, .noCache])
    #expect(explanation.stores.map(\.notCachedReason) == [.noCache, .noCache, .noCache])
  }

  @Test("A cache-only load without an entry fails")
  func cacheOnly() async {
    let pipeline = ImagePipeline.fake(loader: loader)
    let explanation = await pipeline.explain(ImageRequest(url: url, options: .returnCacheDataDontLoad))
    #expect(explanation.lookups.last?.reason == .cacheOnly)
    #expect(explanation.failure == "\(ImagePipeline.Error.dataMissingInCache)")
    #expect(explanation.origin == nil)
    #expect(explanation.stores.isEmpty)
  }

  @Test("An invalidated pipeline fails")
  func invalidated() async {
    let pipeline = ImagePipeline.fake(loader: loader)
    pipeline.invalidate()
    #expect(await pipeline.explain(url).failure == "\(ImagePipeline.Error.pipelineInvalidated)")
  }

  @Test("A request without a URL fails with the error of its load, unless its image is in memory")
  func noURL() async throws {
    let pipeline = ImagePipeline.fake(loader: loader)
    let request = ImageRequest(url: nil)
    let badURL = "\(ImagePipeline.Error.dataLoadingFailed(error: URLError(.badURL)))"
    func loadError() async -> String? {
      await loadFailure(try await pipeline.image(for: request)).map { "\($0)" }
    }
    #expect(await loadError() == badURL)
    #expect(await pipeline.explain(request).failure == badURL)
    pipeline.cache[request] = ImageContainer(image: SampleImage.bitmap(width: 4, height: 4))
    #expect(await loadError() == nil)
    #expect(await pipeline.explain(request).failure == nil)
    #expect(await pipeline.explain(request).origin == .memory)
    pipeline.invalidate()
    #expect(await loadError() == badURL)
    #expect(await pipeline.explain(request).failure == badURL)
  }

  @Test("The delegate is asked for caches, keys and decoders, on a thread of the pipeline")
  func delegate() async {
    let (cache, log) = (FakeDataCache(["mine": jpeg]), CallLog())
    let delegate = HookedDelegate {
      $0.cacheKey = { _ in "mine" }
      $0.dataCache = { _ in
        log.append(WorkerPool.isWorker ? "worker" : "caller")
        return cache
      }
      $0.imageCache = { _ in nil }
    }
    let pipeline = ImagePipeline(configuration: .fake(loader: loader), delegate: delegate)
    let explanation = await pipeline.explain(url)
    #expect(explanation.memoryKey == "mine")
    #expect(places(explanation) == ["memory 0 notAsked", "disk data hit"])
    #expect(explanation.lookups.last?.key == "mine")
    #expect(Set(log.entries) == ["worker"])
  }

  // MARK: What it costs

  @Test("Size, reduction and memory are read from the header of the stored data")
  func header() async throws {
    let cache = try DataCache(path: folder.url)
    cache.storeData(jpeg, for: url.absoluteString)
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
    let explanation = await pipeline.explain(
      ImageRequest(url: url, processors: [.resize(width: 64, unit: .pixels)]))
    let decode = try #require(explanation.steps.first { $0.kind == .decode })
    #expect(decode.name == "ImageDecoders.Default")
    #expect(decode.scaleDenominator == 4)
    #expect(decode.pixelWidth == 64)
    #expect(decode.pixelHeight == 48)
    #expect(explanation.byteCount == jpeg.count)
    #expect(try #require(explanation.decodingByteCount) >= 64 * 48 * 4)
    #expect(explanation.origin == .disk)
    #expect(pipeline.counters.decodes == 0)
  }

  @Test("A stored variant is found, and one that cannot be decoded is skipped and not removed")
  func variants() async throws {
    let cache = try DataCache(path: folder.url)
    let key = url.absoluteString + "a"
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeAll
    }
    let request = ImageRequest(url: url, processors: [FakeProcessor("a")])
    cache.storeData(jpeg, for: key)
    let whole = await pipeline.explain(request)
    #expect(places(whole) == ["memory 1 miss", "disk 1 hit"])
    #expect(work(whole) == ["load disk", "decode ImageDecoders.Default"])
    #expect(whole.stores.map(\.notCachedReason) == [nil, .cameFromCache])
    cache.storeData(Data("not an image".utf8), for: key)
    let damaged = await pipeline.explain(request)
    #expect(damaged.lookups[1].finding == .miss)
    #expect(damaged.lookups[1].reason == .damaged)
    #expect(damaged.origin == .network)
    #expect(cache.containsData(for: key))
  }

  @Test("The size of a local file is known, and an unreadable one has a reason")
  func files() async throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appendingPathComponent("a.jpg")
    try jpeg.write(to: file)
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = FakeDataCache() }
    let explanation = await pipeline.explain(file)
    #expect(explanation.origin == .file)
    #expect(explanation.byteCount == jpeg.count)
    #expect(explanation.stores.map(\.notCachedReason) == [nil, .localSource, .policy])
    let missing = await pipeline.explain(folder.url.appendingPathComponent("b.jpg"))
    #expect(missing.lookups.last?.reason == .unreadable)
    #expect(missing.failure?.contains("b.jpg") == true)
  }

  @Test("No closure of a request is called")
  func closures() async {
    let log = CallLog()
    let pipeline = ImagePipeline.fake(loader: loader)
    let data = await pipeline.explain(
      ImageRequest(
        id: "a",
        data: {
          log.append("data")
          return Data()
        }))
    let image = await pipeline.explain(
      ImageRequest(
        id: "b",
        image: {
          log.append("image")
          return ImageContainer(image: PlatformImage())
        }, processors: [FakeProcessor("p")]))
    #expect(places(data).last == "closure data unknown")
    #expect(work(image) == ["load closure", "process p"])
    #expect(image.originalDiskKey == nil)
    #expect(image.decodingByteCount == 0)
    #expect(log.entries.isEmpty)
  }

  @Test("Stored data that cannot be decoded is loaded again, and fails if nothing may be loaded")
  func undecodableData() async throws {
    let cache = try DataCache(path: folder.url)
    cache.storeData(Data("not an image at all".utf8), for: url.absoluteString)
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
    var request = ImageRequest(url: url, options: [.returnCacheDataDontLoad])
    let explanation = await pipeline.explain(request)
    let error = await loadFailure(try await pipeline.image(for: request))
    #expect(explanation.failure != nil)
    #expect(explanation.failure == error.map { "\($0)" })
    request.options = []
    let loaded = await pipeline.explain(request)
    #expect(places(loaded).suffix(2) == ["disk data hit", "network data unknown"])
    #expect(work(loaded) == ["load disk", "load network", "decode"])
    #expect(loaded.failure == nil)
    _ = try await pipeline.image(for: request)
    #expect(loader.requests.count == 1)
  }

  @Test("An image that is too large for the memory cache is detected if nothing is applied to it")
  func tooLarge() async throws {
    let memory = ImageCache(costLimit: 10 * 256 * 192 * 4 - 10)
    let cache = try DataCache(path: folder.url)
    cache.storeData(jpeg, for: url.absoluteString)
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: memory) { $0.dataCache = cache }
    #expect(await pipeline.explain(url).stores.first?.notCachedReason == .tooLarge)
    memory.costLimit += 10
    #expect(await pipeline.explain(url).stores.first?.notCachedReason == nil)
  }

  // MARK: What is under way

  @Test("Running work to join, and the length of the queues, are stated")
  func underWay() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(jpeg).held(by: gate))
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 2)
      $0.isRateLimiterEnabled = true
    }
    let idle = await pipeline.explain(url)
    #expect(idle.isUnderWay == false)
    #expect(idle.steps.allSatisfy { !$0.isUnderWay })
    #expect(idle.queues.first?.runningCount == 0)
    #expect(idle.rateLimit?.tokenCount == 25)
    let task = pipeline.imageTask(with: url)
    await loader.requests(count: 1)
    let same = await pipeline.explain(url)
    #expect(same.isUnderWay)
    #expect(same.steps.filter { $0.kind != .encode }.allSatisfy { $0.isUnderWay })
    #expect(same.queues.first?.runningCount == 1)
    #expect(same.queues.first?.limit == 2)
    let resized = await pipeline.explain(
      ImageRequest(url: url, processors: [.resize(width: 64, unit: .pixels)]))
    #expect(resized.isUnderWay == false)
    #expect(resized.steps.map(\.isUnderWay) == [true, false, false])
    gate.open()
    _ = try await task.image
  }

  // MARK: What it leaves as it was

  @Test("The memory cache is not affected")
  func memoryOrder() async {
    let memory = ImageCache(costLimit: .max, countLimit: 2)
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: memory)
    let requests = ["old", "new", "newest"].map { ImageRequest(url: imageURL($0)) }
    for request in requests.prefix(2) {
      pipeline.cache[request] = ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    }
    #expect(await pipeline.explain(requests[0]).origin == .memory)
    pipeline.cache[requests[2]] = ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    #expect(pipeline.cache[requests[0]] == nil)
    #expect(pipeline.cache[requests[1]] != nil)
  }

  @Test("The disk cache is not affected, and damaged entries are not removed")
  func diskOrder() async throws {
    let cache = try DataCache(path: folder.url)
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) { $0.dataCache = cache }
    let requests = ["old", "new", "newest"].map { ImageRequest(url: imageURL($0)) }
    // Each takes two blocks: one for the data, one for what is kept beside it.
    cache.sizeLimit = 2 * 8192
    for request in requests.prefix(2) { pipeline.cache.storeCachedData(Data(jpeg.prefix(4000)), for: request) }
    cache.flush()
    let file = try #require(cache.url(for: imageURL("new").absoluteString))
    #expect(await pipeline.explain(requests[0]).lookups.contains { $0.place == .disk && $0.finding == .hit })
    pipeline.cache.storeCachedData(Data(jpeg.prefix(4000)), for: requests[2])
    cache.flush()
    #expect(!pipeline.cache.containsData(for: requests[0]))
    #expect(pipeline.cache.containsData(for: requests[1]))
    try Data("short".utf8).write(to: file)
    #expect(await pipeline.explain(requests[1]).lookups.contains { $0.place == .disk && $0.reason == .damaged })
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: For people and programs

  @Test("The description is readable, and the explanation can be encoded and decoded")
  func text() async throws {
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = FakeDataCache() }
    let request = ImageRequest(url: url, processors: [FakeProcessor("a")], options: .disableMemoryCacheReads)
    let explanation = await pipeline.explain(request)
    #expect(
      "\(explanation)" == """
        ImageRequest(http://pictures.test/a.jpg, processors ["a"])
          memory key: http://pictures.test/a.jpga
          disk key: http://pictures.test/a.jpga
          disk key of the original: http://pictures.test/a.jpg
          freshness: ignored, so cached entries are used however old they are
          lookups:
            memory, 1 processor applied: not used (disabled by the request's options)
            disk, 1 processor applied: miss
            memory, no processor applied: not used (disabled by the request's options)
            disk, data of the original: miss
            network: requested
          work:
            load from network
            decode
            process with a
          cost:
            data: size not known in advance
            memory for decoding: not known in advance
          stored:
            memory: the image
            disk: data of the original
            disk: not the image, because the policy does not include it
          queues:
            load: 0 waiting, 0 of 6 running
            decode: 0 waiting, 0 of 1 running
            process: 0 waiting, 0 of 2 running
        """)
    let copy = try JSONDecoder().decode(
      ImagePipeline.Explanation.self, from: JSONEncoder().encode(explanation))
    #expect(copy == explanation)
  }
}
