import Foundation
import NukeLegacy
import NukeTesting
import Testing

@Suite("A loader of version 4, with custom keys", .timeLimit(.minutes(1)))
struct LoaderKeyTests {
  private let gate = Gate()
  private let data: FakeDataLoader
  private let pipeline: ImagePipeline
  private let loader: Loader
  private let cache: Cache

  init() {
    let gate = gate
    data = FakeDataLoader { _ in .data(SampleImage.png(width: 12, height: 8)).held(by: gate) }
    let memory = ImageCache()
    pipeline = .fake(loader: data, imageCache: memory)
    loader = Loader(pipeline: pipeline)
    cache = Cache(memory)
  }

  private func request(_ name: String, loadKey: AnyHashable? = nil, cacheKey: AnyHashable? = nil) -> Request {
    var request = Request(url: imageURL(name))
    request.loadKey = loadKey
    request.cacheKey = cacheKey
    return request
  }

  @Test("It stores an image under the cache key only, and returns it for other URLs")
  func cacheKey() async throws {
    gate.open()
    let image = try await loader.loadImage(with: request("a", cacheKey: "key")).value
    #expect(cache["key"] === image)
    #expect(pipeline.cache[imageURL("a")] == nil)
    #expect(try await loader.loadImage(with: request("b", cacheKey: "key")).value === image)
    #expect(data.requests.count == 1)
  }

  @Test("It stores the image under the cache key of each request if they share a download")
  func twoCacheKeys() async throws {
    let promises = [1, 2].map { loader.loadImage(with: request("a", cacheKey: $0)) }
    gate.open()
    for promise in promises { _ = try await promise.value }
    #expect(data.requests.count == 1)
    #expect(cache[1] != nil && cache[2] != nil)
  }

  @Test("The memory cache options apply to images with a cache key")
  func memoryOptions() async throws {
    gate.open()
    cache["key"] = SampleImage.bitmap(width: 1, height: 1)
    var request = request("a", cacheKey: "key")
    request.memoryCacheOptions = .init(readAllowed: false, writeAllowed: false)
    #expect(try await loader.loadImage(with: request).value.pixelWidth == 12)
    #expect(cache["key"]?.pixelWidth == 1)
    request.memoryCacheOptions.writeAllowed = true
    _ = try await loader.loadImage(with: request).value
    #expect(cache["key"]?.pixelWidth == 12)
  }

  @Test("Requests with equal load keys share a load, and the image is stored for each of them")
  func loadKey() async throws {
    let first = loader.loadImage(with: request("a", loadKey: 7))
    let second = loader.loadImage(with: request("b", loadKey: 7))
    let third = loader.loadImage(with: request("c", loadKey: 7, cacheKey: "key"))
    gate.open()
    let image = try await first.value
    #expect(try await second.value === image)
    #expect(try await third.value === image)
    #expect(data.requests.map { $0.url?.lastPathComponent } == ["a"])
    #expect(pipeline.cache[imageURL("a")]?.image === image)
    #expect(pipeline.cache[imageURL("b")]?.image === image)
    #expect(cache["key"] === image && pipeline.cache[imageURL("c")] == nil)
  }

  @Test("It reads the memory cache before it joins a load")
  func memoryBeforeJoining() async throws {
    let kept = SampleImage.bitmap(width: 3, height: 3)
    pipeline.cache[imageURL("b")] = ImageContainer(image: kept)
    let loading = loader.loadImage(with: request("a", loadKey: 7))
    #expect(try await loader.loadImage(with: request("b", loadKey: 7)).value === kept)
    gate.open()
    _ = try await loading.value
  }

  @Test("A shared load is canceled with the last request")
  func leaving() async {
    let sources = (0..<2).map { _ in CancellationTokenSource() }
    let promises = zip(["a", "b"], sources).map { name, source in
      loader.loadImage(with: request(name, loadKey: 7), token: source.token)
    }
    await data.requests(count: 1)
    sources[0].cancel()
    #expect(isCancelled(await failure(of: promises[0])))
    #expect(data.cancelledRequests.isEmpty)
    sources[1].cancel()
    #expect(isCancelled(await failure(of: promises[1])))
    await data.cancelledRequests(count: 1)
  }

  @Test("Requests with different load keys and the same URL share the download")
  func differentLoadKeys() async throws {
    let promises = [1, 2].map { loader.loadImage(with: request("a", loadKey: $0)) }
    gate.open()
    for promise in promises { _ = try await promise.value }
    #expect(data.requests.count == 1)
  }
}
