import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Disk cache policies", .timeLimit(.minutes(1)))
struct DataCachePolicyTests {
  static let url = imageURL("a.png")
  static let original = SampleImage.png(width: 20, height: 10)
  private static let key = url.absoluteString

  let loader = FakeDataLoader()
  let cache = FakeDataCache()

  init() { loader.answer(Self.url, with: .data(Self.original)) }

  private func pipeline() -> ImagePipeline {
    .fake(loader: loader) {
      $0.dataCache = cache
      $0.dataCachePolicy = .automatic
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
  }

  private var texts: [String: String] {
    cache.contents.mapValues { $0 == Self.original ? "original" : String(decoding: $0, as: UTF8.self) }
  }

  @Test("Of a local file that the data loader reads, nothing is stored")
  func localOfLoader() async throws {
    let file = URL(fileURLWithPath: "/a.png")
    loader.answer(file, with: .data(Self.original))
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataCache = cache
      $0.isLocalResourcesSupportEnabled = false
      $0.dataCachePolicy = .storeAll
    }
    try await pipeline.loadAndStore(ImageRequest(url: file))
    _ = try await pipeline.data(for: ImageRequest(url: file))
    #expect(loader.requests.count == 2)
    #expect(cache.writes.isEmpty && cache.reads.isEmpty)
  }

  @Test("Each requested chain is stored, and no intermediate result")
  func steps() async throws {
    let (a, b, c) = (FakeProcessor("/a"), FakeProcessor("/b"), FakeProcessor("/c"))
    let pipeline = pipeline()
    try await pipeline.loadAndStore(ImageRequest(url: Self.url, processors: [a, b, c]))
    #expect(Set(cache.contents.keys) == [Self.key + "/a/b/c"])
    try await pipeline.loadAndStore(ImageRequest(url: Self.url, processors: [a]))
    #expect(Set(cache.contents.keys) == [Self.key + "/a/b/c", Self.key + "/a"])
  }

  @Test("The original is stored if one of two coalesced loads requires it")
  func shared() async throws {
    let gate = Gate()
    loader.answer(Self.url, with: .data(Self.original).held(by: gate))
    let pipeline = pipeline()
    let tasks = [
      pipeline.imageTask(with: ImageRequest(url: Self.url, processors: [FakeProcessor("/p")])),
      pipeline.imageTask(with: ImageRequest(url: Self.url)),
    ]
    await loader.requests(count: 1)
    gate.open()
    for task in tasks { _ = try await task.image }
    await pipeline.encodingsDone()
    #expect(texts == [Self.key: "original", Self.key + "/p": "20x10"])
    #expect(loader.requests.count == 1)
  }

  @Test("The encoded image of a closure is found again")
  func imageClosure() async throws {
    let calls = CallLog()
    let request = ImageRequest(
      id: "mine",
      image: {
        calls.append("called")
        return ImageContainer(image: SampleImage.bitmap(width: 6, height: 4))
      })
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
    }
    #expect(try await pipeline.image(for: request).pixelWidth == 6)
    await pipeline.encodingsDone()
    #expect(cache.writes == ["mine"])
    let response = try await pipeline.imageTask(with: request).response
    #expect(response.image.pixelWidth == 6)
    #expect(response.cacheType == .disk)
    #expect(calls.entries.count == 1)
  }

  @Test("Nothing is stored if the encoder returns no data", arguments: [nil, Data()] as [Data?])
  func failedEncoding(answer: Data?) async throws {
    struct Encoder: ImageEncoding {
      let answer: Data?
      func encode(_ image: PlatformImage) -> Data? { answer }
    }
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
      $0.makeImageEncoder = { _ in Encoder(answer: answer) }
    }
    try await pipeline.loadAndStore(ImageRequest(url: Self.url))
    #expect(cache.writes.isEmpty)
  }

  @Test("Previews are not stored, and the delegate is not asked")
  func previews() async throws {
    let data = try SampleImage.progressiveJPEG()
    let gates = [Gate(), Gate()]
    loader.answer(Self.url, with: .parts(of: data, cutAt: [data.count * 2 / 3], heldBy: gates))
    let (log, memory) = (CallLog(), FakeImageCache())
    let configuration = ImagePipeline.Configuration.fake(loader: loader, imageCache: memory) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
      $0.decodeEveryPart()
    }
    let delegate = HookedDelegate {
      $0.willCache = { data, image, _ in
        log.append("store, preview \(image?.isPreview == true)")
        return data
      }
      $0.decompress = { response in
        log.append("decompress, preview \(response.isPreview)")
        return response
      }
    }
    let pipeline = ImagePipeline(configuration: configuration, delegate: delegate)
    let task = pipeline.imageTask(with: ImageRequest(url: Self.url, processors: [FakeProcessor("/p")]))
    var previews = task.previews.makeAsyncIterator()
    gates[0].open()
    let preview = try #require(await previews.next())
    #expect(preview.isPreview)
    #expect(pipeline.cache[preview.request]?.isPreview == true)
    await pipeline.encodingsDone()
    #expect(log.entries.isEmpty && cache.writes.isEmpty)
    gates[1].open()
    #expect(try await task.response.isPreview == false)
    await pipeline.encodingsDone()
    #expect(log.entries == ["decompress, preview false", "store, preview false"])
    #expect(cache.writes == [Self.key + "/p"])
  }
}
