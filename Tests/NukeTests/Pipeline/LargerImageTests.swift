import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Images made from larger images on disk", .timeLimit(.minutes(1)))
struct LargerImageTests {
  static let url = imageURL("a.png")
  private static let key = url.absoluteString

  let loader = FakeDataLoader()
  let cache = FakeDataCache()

  init() { loader.answer(Self.url, with: .data(SampleImage.png(width: 400, height: 300))) }

  private func pipeline(
    isReusing: Bool = true, cache: (any DataCaching)? = nil, imageCache: FakeImageCache? = nil,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: imageCache) {
      $0.dataCache = cache ?? self.cache
      $0.dataCachePolicy = .storeEncodedImages
      $0.makeImageEncoder = { _ in ImageEncoders.ImageIO(type: .png) }
      $0.isReusingLargerImagesInDataCache = isReusing
      configure(&$0)
    }
  }

  private func width(_ width: CGFloat, _ after: any ImageProcessing...) -> ImageRequest {
    ImageRequest(url: Self.url, processors: [.resize(width: width, unit: .pixels)] + after)
  }

  @discardableResult
  private func load(_ request: ImageRequest, on pipeline: ImagePipeline) async throws -> ImageTask {
    try await pipeline.loadAndStore(request)
  }

  private func key(_ request: ImageRequest) -> String { pipeline().cache.makeDataCacheKey(for: request) }

  // MARK: Using

  @Test("By default, the original is loaded again, and no sizes are listed")
  func off() async throws {
    #expect(!ImagePipeline.Configuration().isReusingLargerImagesInDataCache)
    let pipeline = pipeline(isReusing: false)
    try await load(width(200), on: pipeline)
    let task = try await load(width(100), on: pipeline)
    #expect(loader.requests.count == 2)
    #expect(try await task.response.cacheType == nil)
    #expect(!task.facts.isMadeFromLargerImage)
    #expect(Set(cache.contents.keys) == [key(width(200)), key(width(100))])
    // Another pipeline does not know the sizes either.
    try await load(width(50), on: self.pipeline())
    #expect(loader.requests.count == 3)
  }

  @Test("A larger image is read and resized, nothing is loaded, and nothing is stored")
  func on() async throws {
    try await load(width(200), on: pipeline())
    let writes = cache.writes
    let pipeline = pipeline()
    let task = try await load(width(100), on: pipeline)
    #expect(loader.requests.count == 1)
    let response = try await task.response
    #expect((response.image.pixelWidth, response.image.pixelHeight) == (100, 75))
    #expect(response.cacheType == .disk)
    #expect(task.facts.isMadeFromLargerImage)
    #expect(task.facts.origin == .disk)
    #expect(task.facts.byteCount == cache.contents[key(width(200))]?.count)
    #expect(task.facts.notCachedOnDisk == .cameFromCache)
    #expect(task.facts.processorTimes.count == 1)
    #expect((pipeline.counters.decodes, pipeline.counters.processes) == (1, 1))
    #expect(cache.writes == writes)
    #expect(pipeline.load == (0, 0))
  }

  @Test("The smallest of the larger images is used")
  func smallest() async throws {
    for width in [200, 300, 399] as [CGFloat] { try await load(self.width(width), on: pipeline()) }
    let task = try await load(width(90), on: pipeline())
    #expect(task.facts.byteCount == cache.contents[key(width(200))]?.count)
  }

  @Test("An exact image on disk takes precedence")
  func exact() async throws {
    try await load(width(100), on: pipeline())
    try await load(width(200), on: pipeline())
    let task = try await load(width(100), on: pipeline())
    #expect(task.facts.origin == .disk && !task.facts.isMadeFromLargerImage)
  }

  @Test("Requests that allow only caches are served, and fail by default", arguments: [true, false])
  func cacheOnly(isReusing: Bool) async throws {
    try await load(width(200), on: pipeline())
    var request = width(100)
    request.options = .returnCacheDataDontLoad
    let pipeline = pipeline(isReusing: isReusing)
    if isReusing {
      #expect(try await pipeline.image(for: request).pixelWidth == 100)
    } else {
      await #expect(throws: ImagePipeline.Error.self) { try await pipeline.image(for: request) }
    }
    #expect(loader.requests.count == 1)
  }

  @Test("A pipeline that is offline makes the smaller image")
  func offline() async throws {
    try await load(width(200), on: pipeline())
    #expect(try await pipeline { $0.isOffline = true }.image(for: width(100)).pixelWidth == 100)
  }

  @Test("Requests that do not read the disk cache load the original")
  func noReads() async throws {
    try await load(width(200), on: pipeline())
    var request = width(100)
    request.options = .disableDiskCacheReads
    try await load(request, on: pipeline())
    #expect(loader.requests.count == 2)
  }

  @Test("Equal loads share the work")
  func coalesced() async throws {
    try await load(width(200), on: pipeline())
    let gate = Gate()
    let slow = FakeDataCache(cache.contents, gate: gate)
    let pipeline = pipeline(cache: slow)
    let tasks = (0..<2).map { _ in pipeline.imageTask(with: width(100)) }
    await slow.reads(count: 1)
    gate.open()
    for task in tasks { #expect(try await task.image.pixelWidth == 100) }
    #expect((pipeline.counters.decodes, pipeline.counters.processes) == (1, 1))
  }

  // MARK: Not using

  private static func size(
    _ width: CGFloat, _ height: CGFloat, _ mode: ImageProcessingOptions.ContentMode = .aspectFit, crop: Bool = false,
    upscale: Bool = false, filter: ImageProcessingOptions.ResizeFilter = .lanczos
  ) -> [any ImageProcessing] {
    [
      .resize(
        size: CGSize(width: width, height: height), unit: .pixels, contentMode: mode, crop: crop, upscale: upscale,
        filter: filter)
    ]
  }

  static let others: [(stored: [any ImageProcessing], requested: [any ImageProcessing], Comment)] = [
    (size(200, 200), size(201, 201), "larger"),
    (size(200, 200), size(101, 101), "not twice as large"),
    (size(200, 200), size(50, 50, .aspectFill), "another mode"),
    (size(200, 200, .aspectFill), size(50, 50, .aspectFill, crop: true), "cropped"),
    (size(200, 200, .aspectFill, crop: true), size(80, 100, .aspectFill, crop: true), "another shape"),
    (size(200, 200), size(50, 50, filter: .area), "another filter"),
    (size(200, 200, filter: .nearest), size(50, 50, filter: .nearest), "pixels that are selected"),
    (size(800, 800, upscale: true), size(100, 100, upscale: true), "enlarged"),
    (size(200, 200) + [FakeProcessor("/a")], size(50, 50), "another processor after it"),
    ([FakeProcessor("/a")] + size(200, 200), size(50, 50), "another processor before it"),
    (size(200, 200), [FakeProcessor("/a")] + size(50, 50), "a further processor before it"),
    ([FakeProcessor("/a")] + size(200, 200), [FakeProcessor("/b")] + size(50, 50), "different processors before it"),
  ]

  @Test("The original is loaded for other images", arguments: others.indices)
  func other(index: Int) async throws {
    let other = Self.others[index]
    try await load(ImageRequest(url: Self.url, processors: other.stored), on: pipeline())
    let task = try await load(ImageRequest(url: Self.url, processors: other.requested), on: pipeline())
    #expect(loader.requests.count == 2, other.2)
    #expect(!task.facts.isMadeFromLargerImage, other.2)
  }

  @Test("The image of another URL is not used")
  func otherURL() async throws {
    let url = imageURL("b.png")
    loader.answer(url, with: .data(SampleImage.png(width: 400, height: 300)))
    try await load(width(200), on: pipeline())
    try await load(ImageRequest(url: url, processors: [.resize(width: 100, unit: .pixels)]), on: pipeline())
    #expect(loader.requests.count == 2)
  }

  // MARK: Chains

  @Test("The processors before the resize must be equal, and are not applied again")
  func before() async throws {
    func request(_ width: CGFloat, _ processor: FakeProcessor) -> ImageRequest {
      ImageRequest(url: Self.url, processors: [processor, .resize(width: width, unit: .pixels)])
    }
    let (first, second) = (FakeProcessor("/a"), FakeProcessor("/a"))
    try await load(request(200, first), on: pipeline())
    let task = try await load(request(100, second), on: pipeline())
    #expect(task.facts.isMadeFromLargerImage)
    #expect((first.count, second.count) == (1, 0))
    #expect(loader.requests.count == 1)
  }

  @Test("Processors after the resize are applied, and the result is not stored either", arguments: [true, false])
  func after(isInMemory: Bool) async throws {
    try await load(width(200), on: pipeline())
    let writes = cache.writes
    let pipeline = pipeline(imageCache: isInMemory ? FakeImageCache() : nil)
    if isInMemory { try await load(width(100), on: pipeline) }
    let last = FakeProcessor("/a")
    let task = try await load(width(100, last), on: pipeline)
    #expect(last.count == 1)
    #expect(task.facts.isMadeFromLargerImage)
    #expect(task.facts.origin == (isInMemory ? .memory : .disk))
    #expect(task.facts.notCachedOnDisk == .cameFromCache)
    #expect(cache.writes == writes)
    #expect(loader.requests.count == 1)
  }

  @Test("The image is stored in memory")
  func memory() async throws {
    try await load(width(200), on: pipeline())
    let pipeline = pipeline(imageCache: FakeImageCache())
    try await load(width(100), on: pipeline)
    let task = try await load(width(100), on: pipeline)
    #expect(task.facts.origin == .memory && task.facts.isMadeFromLargerImage)
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("Images of closures are made from larger ones too")
  func closure() async throws {
    let calls = CallLog()
    func request(_ width: CGFloat) -> ImageRequest {
      ImageRequest(
        id: "closure",
        image: {
          calls.append("call")
          return ImageContainer(image: SampleImage.bitmap(width: 400, height: 300))
        }, processors: [.resize(width: width, unit: .pixels)])
    }
    try await load(request(200), on: pipeline())
    #expect(try await load(request(100), on: pipeline()).facts.isMadeFromLargerImage)
    #expect(calls.entries == ["call"])
  }

  @Test("A delegate's keys are used")
  func delegateKeys() async throws {
    final class Keys: ImagePipeline.Delegate {
      func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? {
        "key " + request.processors.map(\.identifier).joined()
      }
    }
    func pipeline() -> ImagePipeline {
      ImagePipeline(configuration: self.pipeline().configuration, delegate: Keys())
    }
    try await load(width(200), on: pipeline())
    #expect(try await load(width(100), on: pipeline()).facts.isMadeFromLargerImage)
    #expect(!cache.contents.keys.contains { $0.hasPrefix(Self.key) })
  }

  // MARK: Sizes and pixels

  @Test("The size is that of the image made from the original, at every width and reduction")
  func sizes() async throws {
    for (width, height) in [(403, 299), (401, 267)] {
      loader.answer(Self.url, with: .data(SampleImage.jpeg(width: width, height: height)))
      let cache = FakeDataCache()
      try await load(self.width(202), on: pipeline(cache: cache))
      let (reusing, direct) = (pipeline(cache: cache), pipeline(isReusing: false, cache: FakeDataCache()))
      for width in 20...101 {
        let reused = try await load(self.width(CGFloat(width)), on: reusing)
        let made = try await load(self.width(CGFloat(width)), on: direct)
        #expect(reused.facts.isMadeFromLargerImage && !made.facts.isMadeFromLargerImage)
        let sides = [try await reused.image, try await made.image].map { [$0.pixelWidth, $0.pixelHeight] }
        #expect(sides[0] == sides[1])
      }
    }
  }

  // MARK: What is missing, damaged or replaced

  private var listKeys: [String] { cache.contents.keys.filter { $0.hasPrefix("sizes ") } }

  @Test("An evicted image is a miss")
  func evicted() async throws {
    try await load(width(200), on: pipeline())
    cache.removeData(for: key(width(200)))
    let task = try await load(width(100), on: pipeline())
    #expect(loader.requests.count == 2)
    #expect(task.facts.origin == .network && !task.facts.isMadeFromLargerImage)
  }

  @Test("If the smallest is evicted, the next one is used")
  func nextLarger() async throws {
    try await load(width(200), on: pipeline())
    try await load(width(300), on: pipeline())
    cache.removeData(for: key(width(200)))
    let task = try await load(width(100), on: pipeline())
    #expect(task.facts.byteCount == cache.contents[key(width(300))]?.count)
    #expect(loader.requests.count == 2)
  }

  @Test("A damaged image is removed, and the original is loaded")
  func damaged() async throws {
    try await load(width(200), on: pipeline())
    cache.storeData(Data("not an image".utf8), for: key(width(200)))
    let task = try await load(width(100), on: pipeline())
    #expect(loader.requests.count == 2)
    #expect(task.facts.origin == .network && !task.facts.isMadeFromLargerImage)
    #expect(task.facts.notCachedOnDisk == nil)
    #expect(cache.contents[key(width(200))] == nil)
    #expect(cache.contents[key(width(100))] != nil)
  }

  @Test("An image of another size than listed is left alone, and the original is loaded")
  func replaced() async throws {
    try await load(width(200), on: pipeline())
    let other = SampleImage.png(width: 200, height: 100)
    cache.storeData(other, for: key(width(200)))
    let task = try await load(width(100), on: pipeline())
    #expect(loader.requests.count == 2)
    #expect(try await task.image.pixelHeight == 75)
    #expect(cache.contents[key(width(200))] == other)
  }

  @Test("A missing or damaged list is a miss, and the next image that is stored starts a new one")
  func damagedList() async throws {
    try await load(width(200), on: pipeline())
    #expect(listKeys.count == 1)
    cache.storeData(Data("[]".utf8), for: listKeys[0])
    try await load(width(100), on: pipeline())
    #expect(loader.requests.count == 2)
    #expect(try await load(width(50), on: pipeline()).facts.isMadeFromLargerImage)
    cache.removeData(for: listKeys[0])
    try await load(width(40), on: pipeline())
    #expect(loader.requests.count == 3)
  }

  @Test("A new version with another size starts a new list")
  func newVersion() async throws {
    try await load(width(200), on: pipeline())
    loader.answer(Self.url, with: .data(SampleImage.png(width: 400, height: 200)))
    var request = width(300)
    request.options = .reloadIgnoringCachedData
    try await load(request, on: pipeline())
    let task = try await load(width(80), on: pipeline())
    #expect(try await task.image.pixelHeight == 40)
    #expect(task.facts.byteCount == cache.contents[key(width(300))]?.count)
    #expect(listKeys.count == 1)
  }

  @Test("Data that the delegate refuses is not used")
  func refused() async throws {
    final class Refusing: ImagePipeline.Delegate {
      func willCache(
        data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
        completion: @escaping @Sendable (Data?) -> Void
      ) {
        completion(nil)
      }
    }
    let refusing = ImagePipeline(configuration: pipeline().configuration, delegate: Refusing())
    try await load(width(200), on: refusing)
    try await load(width(100), on: pipeline())
    #expect(loader.requests.count == 2)
  }

  // MARK: Several processes

  @Test("Sizes that another cache in the same folder has stored are known")
  func shared() async throws {
    let folder = DiskFolder()
    // The program's names do not apply to the list.
    let name: DataCache.FilenameGenerator = { $0.contains("s=200") ? "large" : $0.contains("s=160") ? "mid" : "other" }
    let caches = try (0..<3).map { _ in try DataCache(path: folder.url, filenameGenerator: name) }
    try await load(width(200), on: pipeline(cache: caches[0]))
    caches[0].flush()
    try await load(width(160), on: pipeline(cache: caches[1]))
    caches[1].flush()
    #expect(loader.requests.count == 2)
    let pipeline = pipeline(cache: caches[2])
    let medium = try await load(width(60), on: pipeline)
    #expect(medium.facts.byteCount == caches[2].cachedData(for: key(width(160)))?.count)
    caches[2].removeData(for: key(width(160)))
    let large = try await load(width(60), on: pipeline)
    #expect(large.facts.byteCount == caches[2].cachedData(for: key(width(200)))?.count)
    #expect(loader.requests.count == 2)
  }
}
