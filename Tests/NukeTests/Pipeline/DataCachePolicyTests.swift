import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Disk cache policies", .timeLimit(.minutes(1)))
struct DataCachePolicyTests {
  enum Load: CaseIterable, Sendable {
    case original, processed, thumbnail, data, dataOfProcessed
  }

  static let url = imageURL("a.png")
  static let original = SampleImage.png(width: 20, height: 10)
  private static let key = url.absoluteString

  let loader = FakeDataLoader()
  let cache = FakeDataCache()

  init() { loader.answer(Self.url, with: .data(Self.original)) }

  private func pipeline(_ policy: ImagePipeline.DataCachePolicy) -> ImagePipeline {
    .fake(loader: loader) {
      $0.dataCache = cache
      $0.dataCachePolicy = policy
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
  }

  private func perform(_ load: Load, url: URL = Self.url, on pipeline: ImagePipeline) async throws {
    var request = ImageRequest(url: url)
    switch load {
    case .original, .data: break
    case .processed, .dataOfProcessed: request.processors = [FakeProcessor("/blur")]
    case .thumbnail: request.thumbnail = .init(maxPixelSize: 4)
    }
    switch load {
    case .data, .dataOfProcessed: _ = try await pipeline.data(for: request)
    case .original, .processed, .thumbnail: _ = try await pipeline.image(for: request)
    }
    await pipeline.encodingsDone()
  }

  private var texts: [String: String] {
    cache.contents.mapValues { $0 == Self.original ? "original" : String(decoding: $0, as: UTF8.self) }
  }

  private static func encoded(_ load: Load) -> [String: String] {
    switch load {
    case .original: [key: "20x10"]
    case .processed: [key + "/blur": "20x10"]
    case .thumbnail: [key + "com.github/kean/nuke/thumbnail?maxPixelSize=4.0,options=truetruetruetrue": "4x2"]
    case .data, .dataOfProcessed: [:]
    }
  }

  @Test("storeOriginalData stores the downloaded data", arguments: Load.allCases)
  func storeOriginalData(load: Load) async throws {
    try await perform(load, on: pipeline(.storeOriginalData))
    #expect(texts == [Self.key: "original"])
    #expect(cache.writes.count == 1)
  }

  @Test("storeEncodedImages stores only the encoded image, under the request's key", arguments: Load.allCases)
  func storeEncodedImages(load: Load) async throws {
    try await perform(load, on: pipeline(.storeEncodedImages))
    #expect(texts == Self.encoded(load))
    #expect(cache.writes.count == texts.count)
  }

  @Test("storeAll stores the original and the requested variant", arguments: Load.allCases)
  func storeAll(load: Load) async throws {
    try await perform(load, on: pipeline(.storeAll))
    let variant = load == .original ? [:] : Self.encoded(load)
    #expect(texts == variant.merging([Self.key: "original"]) { $1 })
    #expect(cache.writes.count == texts.count)
  }

  @Test("automatic stores the variant if the image is processed, otherwise the original", arguments: Load.allCases)
  func automatic(load: Load) async throws {
    try await perform(load, on: pipeline(.automatic))
    switch load {
    case .processed, .thumbnail, .dataOfProcessed: #expect(texts == Self.encoded(load))
    case .original, .data: #expect(texts == [Self.key: "original"])
    }
    #expect(cache.writes.count == texts.count)
  }

  @Test(
    "Of a local source, only the variant is stored",
    arguments: [
      ImagePipeline.DataCachePolicy.automatic, .storeOriginalData, .storeEncodedImages, .storeAll,
    ], Load.allCases)
  func local(policy: ImagePipeline.DataCachePolicy, load: Load) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.png", Self.original)
    let inline = try #require(URL(string: "DATA:image/png;base64,\(Self.original.base64EncodedString())"))
    let isStored = policy != .storeOriginalData && (load == .processed || load == .thumbnail)
    for (count, url) in [(1, file), (2, inline)] {
      try await perform(load, url: url, on: pipeline(policy))
      #expect(cache.writes.count == (isStored ? count : 0))
    }
    #expect(!texts.values.contains("original"))
  }

  @Test("Of a local file whose original is in memory, the variant is stored too")
  func localFromMemory() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.png", Self.original)
    let pipeline = pipeline(.storeAll)
    try await perform(.original, url: file, on: pipeline)
    try await perform(.processed, url: file, on: pipeline)
    #expect(texts == [file.absoluteString + "/blur": "20x10"])
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
    try await perform(.original, url: file, on: pipeline)
    try await perform(.data, url: file, on: pipeline)
    #expect(loader.requests.count == 2)
    #expect(cache.writes.isEmpty && cache.reads.isEmpty)
  }

  @Test("Each requested chain is stored, and no intermediate result")
  func steps() async throws {
    let (a, b, c) = (FakeProcessor("/a"), FakeProcessor("/b"), FakeProcessor("/c"))
    let pipeline = pipeline(.automatic)
    try await pipeline.loadAndStore(ImageRequest(url: Self.url, processors: [a, b, c]))
    #expect(Set(cache.contents.keys) == [Self.key + "/a/b/c"])
    try await pipeline.loadAndStore(ImageRequest(url: Self.url, processors: [a]))
    #expect(Set(cache.contents.keys) == [Self.key + "/a/b/c", Self.key + "/a"])
  }

  @Test("The original is stored if one of two coalesced loads requires it")
  func shared() async throws {
    let gate = Gate()
    loader.answer(Self.url, with: .data(Self.original).held(by: gate))
    let pipeline = pipeline(.automatic)
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

  @Test("The data of a closure is stored under its ID")
  func dataClosure() async throws {
    let pipeline = pipeline(.storeAll)
    let request = ImageRequest(id: "mine", data: { Self.original }, processors: [FakeProcessor("/p")])
    try await pipeline.loadAndStore(request)
    #expect(texts == ["mine": "original", "mine/p": "20x10"])
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

  @Test("Data that was read from the disk cache is not stored again")
  func notAgain() async throws {
    for policy in [ImagePipeline.DataCachePolicy.automatic, .storeOriginalData, .storeEncodedImages, .storeAll] {
      let cache = FakeDataCache([Self.key: Self.original, Self.key + "/p": Self.original])
      let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
        $0.dataCache = cache
        $0.dataCachePolicy = policy
      }
      _ = try await pipeline.image(for: Self.url)
      try await pipeline.loadAndStore(ImageRequest(url: Self.url, processors: [FakeProcessor("/p")]))
      #expect(cache.writes.isEmpty, "\(policy)")
    }
    #expect(loader.requests.isEmpty)
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

  @Test("Nothing is stored if the request disables it", arguments: Load.allCases)
  func forbidden(load: Load) async throws {
    let pipeline = pipeline(.storeAll)
    var request = ImageRequest(url: Self.url, options: .disableDiskCacheWrites)
    if load == .processed { request.processors = [FakeProcessor("/p")] }
    if load == .thumbnail { request.thumbnail = .init(maxPixelSize: 4) }
    if load == .data {
      _ = try await pipeline.data(for: request)
    } else {
      _ = try await pipeline.image(for: request)
    }
    await pipeline.encodingsDone()
    #expect(cache.writes.isEmpty)
    #expect(cache.reads.isEmpty == false, "reading is not forbidden")
  }
}
