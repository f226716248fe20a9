import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("Coalescing", .timeLimit(.minutes(1)))
struct CoalescingTests {
  let url = imageURL("a.jpg")
  let gate = Gate()
  let loader = FakeDataLoader()
  let pipeline: ImagePipeline

  init() {
    pipeline = .fake(loader: loader)
    loader.answer(url, with: .data(SampleImage.jpeg(width: 256, height: 192)).held(by: gate))
  }

  private func resized(_ width: CGFloat, _ more: (any ImageProcessing)...) -> ImageRequest {
    ImageRequest(url: url, processors: [.resize(width: width, unit: .pixels)] + more)
  }

  /// Starts all, then lets the downloads come, expects that there are so many, and gives the images.
  @discardableResult
  private func load(
    _ requests: [ImageRequest], on other: ImagePipeline? = nil, downloads: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [PlatformImage] {
    let tasks = requests.map { (other ?? pipeline).imageTask(with: $0) }
    await loader.requests(count: downloads)
    gate.open()
    var images: [PlatformImage] = []
    for task in tasks { images.append(try await task.image) }
    #expect(loader.requests.count == downloads, sourceLocation: sourceLocation)
    return images
  }

  @Test("Equal requests share one download and one decode")
  func same() async throws {
    let images = try await load(Array(repeating: ImageRequest(url: url), count: 50))
    #expect(images.allSatisfy { $0 === images[0] })
    #expect(pipeline.counters.decodes == 1)
    #expect(pipeline.counters.joined == 49)
  }

  @Test("Shared work is marked in the facts")
  func facts() async throws {
    let (first, second) = (pipeline.imageTask(with: url), pipeline.imageTask(with: url))
    gate.open()
    _ = try await (first.image, second.image)
    #expect(first.facts.isCoalesced == false)
    #expect(second.facts.isCoalesced)
    #expect(second.facts.byteCount == first.facts.byteCount)
  }

  @Test("Two sizes share the download, and the decode if they use the same reduction")
  func sizesOfOneScale() async throws {
    let images = try await load([resized(128), resized(100)])
    #expect(images.map(\.pixelWidth) == [128, 100])
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("Sizes with different reductions share the download and decode twice")
  func sizesOfTwoScales() async throws {
    let images = try await load([resized(128), resized(60), ImageRequest(url: url)])
    #expect(images.map(\.pixelWidth) == [128, 60, 256])
    #expect(pipeline.counters.decodes == 3)
  }

  @Test("A step that two chains have in common runs once")
  func sharedStep() async throws {
    let blur = FakeProcessor("blur")
    let images = try await load([resized(100, blur), resized(100)])
    #expect(images.map(\.pixelWidth) == [100, 100])
    #expect(pipeline.counters.decodes == 1)
    #expect(blur.count == 1)
    #expect(pipeline.counters.processes == 2, "one resize and one blur")
  }

  @Test("A common step runs once, whichever chain comes first")
  func sharedStepOtherOrder() async throws {
    let (first, second) = (FakeProcessor("first"), FakeProcessor("second"))
    try await load([
      ImageRequest(url: url, processors: [first]), ImageRequest(url: url, processors: [first, second]),
    ])
    #expect((first.count, second.count) == (1, 1))
  }

  @Test("With coalescing disabled, everything runs twice")
  func off() async throws {
    let pipeline = ImagePipeline.fake(loader: loader) { $0.isTaskCoalescingEnabled = false }
    try await load([ImageRequest(url: url), ImageRequest(url: url)], on: pipeline, downloads: 2)
    #expect(pipeline.counters.decodes == 2)
    #expect(pipeline.counters.joined == 0)
  }

  @Test("Requests with different header fields are not shared")
  func headers() async throws {
    let requests = ["de", "en"].map { language in
      var urlRequest = URLRequest(url: url)
      urlRequest.setValue(language, forHTTPHeaderField: "Accept-Language")
      return ImageRequest(urlRequest: urlRequest)
    }
    try await load(requests, downloads: 2)
  }

  @Test("Requests of different traces share a download", arguments: ["traceparent", "Tracestate"])
  func traces(field: String) async throws {
    let requests = ["1", "2", nil].map { trace in
      var urlRequest = URLRequest(url: url)
      urlRequest.setValue(trace, forHTTPHeaderField: field)
      return ImageRequest(urlRequest: urlRequest)
    }
    try await load(requests)
    #expect(pipeline.counters.decodes == 1)
  }

  @Test(
    "Requests that read caches and those that do not share a download", arguments: [false, true], [false, true])
  func reload(hasDataCache: Bool, reloadsFirst: Bool) async throws {
    let disk = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) { if hasDataCache { $0.dataCache = disk } }
    let reloading = ImageRequest(url: url, options: .reloadIgnoringCachedData)
    let requests = reloadsFirst ? [reloading, ImageRequest(url: url)] : [ImageRequest(url: url), reloading]
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await loader.requests(count: 1)
    // Both have come to the download, the one that reads by way of the disk.
    if hasDataCache {
      await disk.reads(count: 1)
      try await waitUntil { pipeline.counters.joined >= 1 }
    }
    gate.open()
    for task in tasks { #expect(try await task.image.pixelWidth == 256) }
    #expect(loader.requests.count == 1)
    if hasDataCache { #expect(await disk.writes(count: 1) == [url.absoluteString]) }
  }

  @Test(
    "Requests that may store data and those that may not share a download, which is stored",
    arguments: [ImageRequest.Options.disableDiskCacheWrites, .disableDiskCache], [false, true])
  func storing(options: ImageRequest.Options, isFirst: Bool) async throws {
    let disk = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = disk }
    var requests = [ImageRequest(url: url), ImageRequest(url: url, options: options)]
    if isFirst { requests.reverse() }
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await loader.requests(count: 1)
    // Requests that read the disk cache come to the download by way of it.
    try await waitUntil { pipeline.counters.joined >= 1 }
    gate.open()
    for task in tasks { #expect(try await task.image.pixelWidth == 256) }
    #expect(loader.requests.count == 1)
    #expect(await disk.writes(count: 1) == [url.absoluteString])
  }

  @Test("Data is stored only if one of the requests that still wait for it allows that")
  func notStored() async throws {
    let disk = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = disk }
    let storing = pipeline.imageTask(with: ImageRequest(url: url, options: .disableDiskCacheReads))
    let other = pipeline.imageTask(with: ImageRequest(url: url, options: .disableDiskCache))
    await loader.requests(count: 1)
    try await waitUntil { pipeline.counters.joined >= 1 }
    storing.cancel()
    gate.open()
    #expect(try await other.image.pixelWidth == 256)
    #expect(other.facts.notCachedOnDisk == .disabledByOption)
    #expect(loader.requests.count == 1 && disk.writes.isEmpty)
  }

  @Test("A load that joins a download gets its progress and its facts")
  func reloadFacts() async throws {
    let disk = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = disk }
    let task = pipeline.imageTask(with: url)
    var progress = task.progress.makeAsyncIterator()
    await loader.requests(count: 1)
    gate.open()
    #expect(await progress.next()?.completed ?? 0 > 0)
    _ = try await task.image
    let facts = task.facts
    #expect(facts.origin == .network)
    #expect(facts.byteCount == SampleImage.jpeg(width: 256, height: 192).count)
    #expect(facts.notCachedOnDisk == nil)
    #expect(!facts.isCoalesced)
  }

  @Test(
    "A request with another cache policy, cellular setting, method or body has a download of its own",
    arguments: [
      { $0.cachePolicy = .reloadRevalidatingCacheData }, { $0.allowsCellularAccess = false },
      { $0.httpMethod = "POST" },
      { $0.httpBody = Data([1]) },
    ] as [@Sendable (inout URLRequest) -> Void])
  func policies(change: @Sendable (inout URLRequest) -> Void) async throws {
    let plain = URLRequest(url: url)
    var changed = plain
    change(&changed)
    try await load([ImageRequest(urlRequest: plain), ImageRequest(urlRequest: changed)], downloads: 2)
  }

  @Test("A plain URL request shares the download with a request for its URL")
  func plainRequests() async throws {
    var slow = URLRequest(url: url)
    slow.timeoutInterval = 5
    try await load([
      ImageRequest(url: url), ImageRequest(urlRequest: URLRequest(url: url)), ImageRequest(urlRequest: slow),
    ])
    #expect(pipeline.counters.joined == 2)
  }

  @Test("Without an HTTP cache, the download is shared whatever caches are skipped")
  func dataOptions() async throws {
    let sets: [ImageRequest.Options] = [
      .disableDiskCacheReads, [.disableMemoryCacheReads, .disableDiskCacheReads], .reloadIgnoringCachedData,
    ]
    try await load(sets.map { ImageRequest(url: url, options: $0) })
  }

  @Test("Requests with different options share one download if they load")
  func options() async throws {
    try await load([ImageRequest(url: url), ImageRequest(url: url, options: .disableMemoryCacheWrites)])
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("A load of data shares the download with a load of an image")
  func bytes() async throws {
    let image = pipeline.imageTask(with: url)
    await loader.requests(count: 1)
    async let bytes = pipeline.data(for: ImageRequest(url: url))
    try await waitUntil { pipeline.counters.joined >= 1 }
    gate.open()
    _ = try await image.image
    _ = try await bytes
    #expect(loader.requests.count == 1)
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("A closure is called once for all requests with its ID")
  func closures() async throws {
    let calls = CallLog()
    let request = ImageRequest(
      id: "mine",
      image: { [gate] in
        calls.append("called")
        await gate.wait()
        return ImageContainer(image: SampleImage.bitmap(width: 4, height: 4))
      })
    let images = try await load([request, request], downloads: 0)
    #expect(images[0] === images[1])
    #expect(calls.entries.count == 1)
  }

  @Test("After a shared load has ended, the image is loaded again")
  func afterwards() async throws {
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    gate.open()
    _ = try await pipeline.image(for: url)
    _ = try await pipeline.image(for: url)
    #expect(loader.requests.count == 2)
  }
}
