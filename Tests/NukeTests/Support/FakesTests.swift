import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("Test fakes", .timeLimit(.minutes(1)))
struct FakesTests {
  let url = imageURL("a")
  let loader = FakeDataLoader()
  let gate = Gate()

  private final class Received: Sendable {
    private let state = Lock((chunks: [Data](), ends: [(any Error)?]()))
    let ended = Gate()
    var chunks: [Data] { state.withLock { $0.chunks } }
    var ends: [(any Error)?] { state.withLock { $0.ends } }

    func load(_ url: URL, with loader: FakeDataLoader) -> any Cancellable {
      loader.loadData(
        with: URLRequest(url: url), didReceiveData: { data, _ in self.state.withLock { $0.chunks.append(data) } },
        completion: { error in
          self.state.withLock { $0.ends.append(error) }
          self.ended.open()
        })
    }
  }

  @Test("The loader responds by its script, in order")
  func script() async {
    loader.answer(
      url, with: .data(Data([1, 2, 3]), chunkSize: 2), .failure(FakeDataLoader.Failure.cancelled, after: [Data([9])]))
    var all: [[Data]] = []
    for _ in 0..<3 {
      let received = Received()
      _ = received.load(url, with: loader)
      await received.ended.wait()
      #expect(received.ends.count == 1)
      all.append(received.chunks)
    }
    #expect(all == [[Data([1, 2]), Data([3])], [Data([9])], [Data([9])]])
    #expect(loader.completedRequests.count == 3)
  }

  @Test("The loader fails for unknown requests")
  func noAnswer() async {
    let received = Received()
    _ = received.load(url, with: FakeDataLoader())
    await received.ended.wait()
    #expect(received.ends.first as? FakeDataLoader.Failure == .noAnswer(url))
  }

  @Test("The loader waits at a gate, and delivers on the opening thread if it is synchronous")
  func gates() {
    let loader = FakeDataLoader(delivery: .synchronous)
    loader.answer(url, with: .data(Data([1, 2, 3]), chunkSize: 1).held(by: gate, afterChunks: 2))
    let received = Received()
    _ = received.load(url, with: loader)
    #expect(received.chunks.count == 2)
    #expect(gate.arrivalCount == 1)
    gate.open()
    #expect(received.chunks.count == 3)
    #expect(received.ends.count == 1)
  }

  @Test("The loader completes a canceled transfer with an error, delivers nothing more, and records it once")
  func cancellation() {
    let log = CallLog()
    let loader = FakeDataLoader(delivery: .synchronous, log: log)
    loader.answer(url, with: .data(Data([1])).held(by: gate))
    let received = Received()
    let transfer = received.load(url, with: loader)
    transfer.cancel()
    transfer.cancel()
    gate.open()
    #expect(received.chunks.isEmpty)
    #expect(received.ends.count == 1)
    #expect(received.ends.first as? FakeDataLoader.Failure == .cancelled)
    #expect(loader.cancelledRequests.count == 1)
    #expect(log.entries == ["load a", "cancel a", "complete a"])
  }

  @Test("The loader responds with status 200 and the length, or as scripted")
  func responses() async throws {
    loader.answer(url, with: .data(SampleImage.png(width: 3, height: 3)))
    let pipeline = ImagePipeline.fake(loader: loader)
    let (data, response) = try await pipeline.data(for: ImageRequest(url: url))
    let http = try #require(response as? HTTPURLResponse)
    #expect(http.statusCode == 200)
    #expect(http.expectedContentLength == Int64(data.count))
    let own = URLResponse(url: url, mimeType: "image/x", expectedContentLength: -1, textEncodingName: nil)
    loader.answer(url, with: .data(data, response: own))
    #expect(try await pipeline.data(for: ImageRequest(url: url)).1?.mimeType == "image/x")
  }

  @Test("The loader responds with header fields, and the length of the body")
  func headers() async throws {
    loader.answer(url, with: .data(Data([1, 2]), headers: ["ETag": "\"1\""]))
    let pipeline = ImagePipeline.fake(loader: loader)
    let response = try #require(try await pipeline.data(for: ImageRequest(url: url)).1 as? HTTPURLResponse)
    #expect(response.value(forHTTPHeaderField: "ETag") == "\"1\"")
    #expect(response.expectedContentLength == 2)
  }

  @Test("The loader fails with an unacceptable status as a real one does")
  func status() async {
    loader.answer(url, with: .status(404))
    let error = await #expect(throws: ImagePipeline.Error.self) {
      try await ImagePipeline.fake(loader: loader).image(for: url)
    }
    #expect(error?.dataLoadingError as? DataLoader.Error == .statusCodeUnacceptable(404))
  }

  @Test("The loader answers with the files of a folder, and fails for URLs without one")
  func fixtures() async throws {
    let folder = try TemporaryFolder()
    let file = SampleImage.png(width: 3, height: 2)
    _ = folder.file("a", file)
    let loader = FakeDataLoader(fixtures: folder.url)
    let pipeline = ImagePipeline.fake(loader: loader)
    #expect(try await pipeline.data(for: ImageRequest(url: url)).0 == file)
    for missing in [imageURL("b"), URL(string: "https://example.com/")!, URL(string: "https://example.com/..")!] {
      let error = await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: missing) }
      #expect(error?.dataLoadingError as? FakeDataLoader.Failure == .noAnswer(missing))
    }
  }

  @Test("An open gate lets everyone pass")
  func gate() async {
    #expect(gate.isOpen == false)
    let waiting = (0..<5).map { _ in Task { await gate.wait() } }
    await gate.arrivals(count: 5)
    gate.open()
    for waiting in waiting { await waiting.value }
    await gate.wait()
    gate.waitBlocking()
    #expect(gate.isOpen)
    #expect(Gate(isOpen: true).isOpen)
    #expect(gate.arrivalCount == 7)
  }

  @Test("A canceled wait at a gate ends")
  func cancelledWait() async {
    let waiting = Task { await gate.wait() }
    await gate.arrivals(count: 1)
    waiting.cancel()
    await waiting.value
    #expect(gate.isOpen == false)
  }

  @Test("The memory cache counts reads, hits and writes")
  func cache() {
    let cache = FakeImageCache()
    let key = ImageCacheKey(key: "a")
    #expect(cache[key] == nil)
    cache[key] = ImageContainer(image: SampleImage.bitmap(width: 1, height: 1))
    #expect(cache[key] != nil)
    #expect((cache.readCount, cache.hitCount, cache.writeCount, cache.count) == (2, 1, 1, 1))
    cache.removeAll()
    #expect(cache.count == 0)
  }

  @Test("The disk cache stores data, and records calls in order")
  func diskCache() async {
    let log = CallLog()
    let cache = FakeDataCache(["a": Data([1])], gate: gate, log: log)
    #expect(cache.containsData(for: "a"))
    #expect(cache.containsData(for: "b") == false)
    let reading = Task { cache.cachedData(for: "a") }
    #expect(await cache.reads(count: 1) == ["a"])
    gate.open()
    #expect(await reading.value == Data([1]))
    #expect(cache.cachedData(for: "b") == nil)
    cache.storeData(Data([2]), for: "b")
    #expect(await cache.writes(count: 1) == ["b"])
    cache.removeData(for: "a")
    #expect(await cache.removals(count: 1) == ["a"])
    #expect(cache.contents == ["b": Data([2])])
    #expect(log.entries == ["read a", "read b", "write b", "remove a"])
    cache.removeAll()
    #expect(cache.contents.isEmpty)
  }

  @Test("Images are equal in every run, have the requested size, and survive a PNG")
  func samples() throws {
    let image = SampleImage.bitmap(width: 9, height: 5, scale: 2, isOpaque: false)
    #expect((image.pixelWidth, image.pixelHeight, image.scale, image.isOpaque) == (9, 5, 2, false))
    #expect(image.pixels == SampleImage.bitmap(width: 9, height: 5, isOpaque: false).pixels)
    #expect(
      PlatformImage(data: SampleImage.png(width: 9, height: 5))?.pixels
        == SampleImage.bitmap(width: 9, height: 5).pixels)
    #expect(PlatformImage(data: SampleImage.jpeg(width: 9, height: 5))?.pixelWidth == 9)
    #expect(SampleImage.bitmap(width: 0, height: -1).pixelWidth == 1)
  }
}
