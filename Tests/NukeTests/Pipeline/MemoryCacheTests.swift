import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A pipeline with a memory cache", .timeLimit(.minutes(1)))
struct MemoryCacheTests {
  let url = pictureURL("a.png")
  let loader = FakeDataLoader()
  let cache = FakeImageCache()
  let pipeline: ImagePipeline

  init() {
    pipeline = .fake(loader: loader, imageCache: cache)
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)))
  }

  private func store(_ side: Int, for request: ImageRequest) {
    pipeline.cache[request] = ImageContainer(image: SampleImage.bitmap(width: side, height: side))
  }

  @Test("has the outcome of a hit ready before the call returns, without a job")
  func hit() throws {
    store(5, for: ImageRequest(url: url))
    // Nothing can run: what is there has been there on this thread.
    pipeline.configuration.imageDecodingQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    let response = try #require(try task.status.result?.get())
    #expect(response.image.pixelWidth == 5)
    #expect(response.cacheType == .memory)
    #expect(task.facts.origin == .memory)
    #expect(task.state == .completed)
    #expect(pipeline.load == (0, 0))
    #expect(loader.requests.isEmpty)
  }

  @Test("gives the very picture that was stored")
  func identity() async throws {
    let first = try await pipeline.image(for: url)
    let second = try await pipeline.image(for: url)
    #expect(first === second)
    #expect(loader.requests.count == 1)
  }

  @Test("keeps what was asked for, and not the steps on the way to it")
  func variants() async throws {
    let (a, b) = (FakeProcessor("a"), FakeProcessor("b"))
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [a, b]))
    #expect(cache.count == 1)
    #expect(pipeline.cache[ImageRequest(url: url, processors: [a, b])] != nil)
    #expect(pipeline.cache[ImageRequest(url: url, processors: [a])] == nil)
    #expect(pipeline.cache[url] == nil)
  }

  @Test("goes on from the longest chain that is kept")
  func shorterChain() async throws {
    let (a, b) = (FakeProcessor("a"), FakeProcessor("b"))
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [a]))
    let task = pipeline.imageTask(with: ImageRequest(url: url, processors: [a, b]))
    let response = try await task.response
    #expect((a.count, b.count) == (1, 1))
    #expect(loader.requests.count == 1)
    #expect(response.cacheType == nil, "the last step was made for this request")
    #expect(task.facts.origin == .memory)
  }

  @Test(
    "is not read where the request forbids it, and gets the new picture",
    arguments: [
      ImageRequest.Options.disableMemoryCacheReads, .reloadIgnoringCachedData,
    ])
  func noReads(options: ImageRequest.Options) async throws {
    store(5, for: ImageRequest(url: url))
    let image = try await pipeline.image(for: ImageRequest(url: url, options: options))
    #expect(image.pixelWidth == 20)
    #expect(pipeline.cache[url]?.image === image)
  }

  @Test("is not written where the request forbids it")
  func noWrites() async throws {
    _ = try await pipeline.image(for: ImageRequest(url: url, options: .disableMemoryCacheWrites))
    #expect(cache.writeCount == 0)
    store(5, for: ImageRequest(url: url))
    let image = try await pipeline.image(for: ImageRequest(url: url, options: .disableMemoryCacheWrites))
    #expect(image.pixelWidth == 5)
  }

  @Test("takes no part where the request forbids both")
  func disabled() async throws {
    store(5, for: ImageRequest(url: url))
    let writes = cache.writeCount
    let image = try await pipeline.image(for: ImageRequest(url: url, options: .disableMemoryCache))
    #expect(image.pixelWidth == 20)
    #expect(cache.writeCount == writes)
  }

  @Test("is all that is asked where the request allows no loading")
  func cacheOnly() async throws {
    let request = ImageRequest(url: url, options: .returnCacheDataDontLoad)
    let error = await failure { () async throws(ImagePipeline.Error) in try await pipeline.image(for: request) }
    guard case .dataMissingInCache = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    store(5, for: ImageRequest(url: url))
    #expect(try await pipeline.image(for: request).pixelWidth == 5)
    var processed = request
    processed.processors = [FakeProcessor("p")]
    #expect(try await pipeline.image(for: processed).pixelWidth == 5, "made of the original that is kept")
    #expect(loader.requests.isEmpty)
  }

  @Test("allows no loading for bytes either")
  func cacheOnlyData() async {
    let request = ImageRequest(url: url, options: .returnCacheDataDontLoad)
    let error = await failure { () async throws(ImagePipeline.Error) in try await pipeline.data(for: request) }
    guard case .dataMissingInCache = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(loader.requests.isEmpty)
  }

  @Test("may be missing")
  func none() async throws {
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    _ = try await pipeline.image(for: url)
    _ = try await pipeline.image(for: url)
    #expect(loader.requests.count == 2)
    #expect(pipeline.cache[url] == nil)
  }

  @Test("forgets what is set to nil")
  func removal() {
    store(5, for: ImageRequest(url: url))
    #expect(pipeline.cache[url] != nil)
    pipeline.cache[url] = nil
    #expect(pipeline.cache[url] == nil)
  }

  @Test("knows pictures by their image ID, whatever the URL")
  func imageID() async throws {
    var (first, second) = (
      ImageRequest(url: pictureURL("a.png?token=1")), ImageRequest(url: pictureURL("a.png?token=2"))
    )
    first.imageID = "a"
    second.imageID = "a"
    loader.answer(first.url!, with: .data(SampleImage.png(width: 7, height: 7)))
    let image = try await pipeline.image(for: first)
    #expect(try await pipeline.image(for: second) === image)
    #expect(loader.requests.count == 1)
  }

  @Test("keeps pictures of different scale and of different thumbnails apart")
  func keys() async throws {
    var scaled = ImageRequest(url: url)
    scaled.scale = 2
    var thumbnail = ImageRequest(url: url)
    thumbnail.thumbnail = .init(maxPixelSize: 5)
    let requests = [ImageRequest(url: url), scaled, thumbnail]
    for request in requests { _ = try await pipeline.image(for: request) }
    #expect(cache.count == 3)
    #expect(Set(requests.map { pipeline.cache.makeImageCacheKey(for: $0) }).count == 3)
  }
}
