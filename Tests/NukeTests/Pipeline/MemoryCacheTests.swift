import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The memory cache of a pipeline", .timeLimit(.minutes(1)))
struct MemoryCacheTests {
  let url = imageURL("a.png")
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

  @Test("A hit has its outcome before the call returns, without a job")
  func hit() throws {
    store(5, for: ImageRequest(url: url))
    // Nothing can run: what is there has been there on this thread.
    pipeline.configuration.imageDecodingQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    let response = try #require(try task.status.result?.get())
    #expect(response.image.pixelWidth == 5)
    #expect(task.state == .completed)
    #expect(pipeline.load == (0, 0))
    #expect(loader.requests.isEmpty)
  }

  @Test("The stored image itself is returned")
  func identity() async throws {
    let first = try await pipeline.image(for: url)
    let second = try await pipeline.image(for: url)
    #expect(first === second)
    #expect(loader.requests.count == 1)
  }

  @Test("The result is stored, and not the intermediate ones")
  func variants() async throws {
    let (a, b) = (FakeProcessor("a"), FakeProcessor("b"))
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [a, b]))
    #expect(cache.count == 1)
    #expect(pipeline.cache[ImageRequest(url: url, processors: [a, b])] != nil)
    #expect(pipeline.cache[ImageRequest(url: url, processors: [a])] == nil)
    #expect(pipeline.cache[url] == nil)
  }

  @Test("Processing continues from the longest stored chain")
  func shorterChain() async throws {
    let (a, b) = (FakeProcessor("a"), FakeProcessor("b"))
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [a]))
    let task = pipeline.imageTask(with: ImageRequest(url: url, processors: [a, b]))
    let response = try await task.response
    #expect((a.count, b.count) == (1, 1))
    #expect(loader.requests.count == 1)
    #expect(response.cacheType == .memory, "the last step was made of an image in memory")
    #expect(task.facts.origin == .memory)
    #expect(pipeline.cache[task.request]?.image === response.image, "what was made is stored")
  }

  @Test("An image made from a stored original has the origin memory")
  func fromOriginal() async throws {
    _ = try await pipeline.image(for: url)
    let response = try await pipeline.imageTask(
      with: ImageRequest(url: url, processors: [FakeProcessor("p")])
    ).response
    #expect(response.cacheType == .memory)
    let resized = ImageRequest(url: url, processors: [.resize(width: 20, unit: .pixels)])
    #expect(try await pipeline.imageTask(with: resized).response.cacheType == .memory)
    #expect(loader.requests.count == 1)
  }

  @Test("The cache is read once for each image that a load could start from", arguments: 0...2)
  func looks(processorCount: Int) async throws {
    let processors = (0..<processorCount).map { FakeProcessor("/\($0)") }
    let request = ImageRequest(url: url, processors: processors)
    _ = try await pipeline.imageTask(with: request).response
    #expect(cache.readCount == processorCount + 1, "the image, and what each step is made of")
    _ = try await pipeline.imageTask(with: request).response
    #expect(cache.readCount == processorCount + 2)
  }

  @Test("The cache is read once by each way to load")
  func looksOfAll() async throws {
    let urls = (0..<3).map { imageURL("\($0).png") }
    for url in urls { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }
    _ = try await pipeline.image(for: urls[0])
    #expect(cache.readCount == 1)
    let log = CallLog()
    pipeline.loadImage(with: ImageRequest(url: urls[1]), on: nil) { _ in log.append("end") }
    await log.entries(count: 1)
    #expect(cache.readCount == 2)
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.didComplete = { log.append("all") }
    prefetcher.startPrefetching(with: [urls[2]])
    await log.entries(count: 2)
    #expect(cache.readCount == 3)
  }

  @Test("A load reads the cache again if another one has stored its image in the meantime")
  func looksAgain() async throws {
    let log = CallLog()
    let (pipeline, request) = (pipeline, ImageRequest(url: url))
    // The look finds nothing, and before the load begins another one ends.
    let late = ImagePipeline(
      configuration: .fake(loader: loader, imageCache: cache),
      delegate: HookedDelegate { $0.event = { _, event in log.append("\(event)") } })
    let look = late.lookInMemory(for: request)
    #expect(look.container == nil)
    _ = try await late.image(for: url)
    let task = late.startTask(with: request, kind: .image, look: look)
    #expect(try await task.response.cacheType == .memory)
    #expect(loader.requests.count == 1)
    _ = pipeline
  }

  @Test("A preview of an image that a load starts from is processed and delivered")
  func previewOfIntermediate() async throws {
    let (gate, a, b) = (Gate(), FakeProcessor("/a"), FakeProcessor("/b"))
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)).held(by: gate))
    let preview = ImageContainer(image: SampleImage.bitmap(width: 5, height: 5), isPreview: true)
    cache[pipeline.cache.makeImageCacheKey(for: ImageRequest(url: url, processors: [a]))] = preview
    let task = pipeline.imageTask(with: ImageRequest(url: url, processors: [a, b]))
    var previews = task.previews.makeAsyncIterator()
    let response = try #require(await previews.next())
    #expect(response.isPreview)
    #expect(response.image.pixelWidth == 5)
    #expect((a.count, b.count) == (0, 1), "the step that was left")
    gate.open()
    #expect(try await task.image.pixelWidth == 20)
  }

  @Test("Images are identified by their image ID, whatever the URL")
  func imageID() async throws {
    var (first, second) = (
      ImageRequest(url: imageURL("a.png?token=1")), ImageRequest(url: imageURL("a.png?token=2"))
    )
    first.imageID = "a"
    second.imageID = "a"
    loader.answer(first.url!, with: .data(SampleImage.png(width: 7, height: 7)))
    let image = try await pipeline.image(for: first)
    #expect(try await pipeline.image(for: second) === image)
    #expect(loader.requests.count == 1)
  }

  @Test("Images with different scales and thumbnails are distinguished")
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
