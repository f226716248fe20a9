import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Explanations of images made from larger ones", .timeLimit(.minutes(1)))
struct LargerImageExplainedTests {
  enum Cache: CaseIterable { case own, custom }
  enum Damage: CaseIterable { case none, evicted, damaged, undecodable }

  static let url = imageURL("a.jpg")
  private static let resize = ImageProcessors.Resize(width: 40, unit: .pixels)

  let loader = FakeDataLoader { _ in .data(SampleImage.jpeg(width: 400, height: 300)) }
  let folder = DiskFolder()

  private func pipeline(_ cache: any DataCaching, memory: FakeImageCache? = nil) -> ImagePipeline {
    .fake(loader: loader, imageCache: memory) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
      $0.isReusingLargerImagesInDataCache = true
    }
  }

  private func request(_ width: CGFloat, _ after: any ImageProcessing...) -> ImageRequest {
    ImageRequest(url: Self.url, processors: [.resize(width: width, unit: .pixels)] + after)
  }

  private func store(_ width: CGFloat, in cache: any DataCaching) async throws -> String {
    let pipeline = pipeline(cache)
    try await pipeline.loadAndStore(request(width))
    return pipeline.cache.makeDataCacheKey(for: request(width))
  }

  @Test("The larger image is found, decoded and resized", arguments: Cache.allCases)
  func found(kind: Cache) async throws {
    let cache: any DataCaching = kind == .own ? try DataCache(path: folder.url) : FakeDataCache()
    let key = try await store(200, in: cache)
    let pipeline = pipeline(cache)
    let explanation = await pipeline.explain(request(40))
    let disk = explanation.lookups.filter { $0.place == .disk }
    #expect(disk.map(\.finding) == [.miss, .hit])
    #expect(disk.map(\.isLargerImage) == [false, true])
    #expect(disk.map(\.key) == [explanation.diskKey, key])
    #expect(disk.map(\.processorCount) == [1, 1])
    #expect(explanation.origin == .disk && explanation.failure == nil)
    #expect(explanation.steps.map(\.kind) == [.load, .decode, .process])
    #expect(explanation.steps.last?.name == Self.resize.identifier)
    #expect(explanation.stores.filter { $0.place == .disk }.map(\.notCachedReason) == [.cameFromCache])
    #expect(explanation.description.contains("disk, 1 processor applied, at a larger size: hit"))
    if kind == .own { #expect(explanation.steps[1].pixelWidth == 200) }
    #expect(pipeline.counters.decodes == 0)
  }

  @Test("The explanation matches the load", arguments: Damage.allCases)
  func agrees(damage: Damage) async throws {
    let cache = try DataCache(path: folder.url)
    let key = try await store(200, in: cache)
    cache.flush()
    switch damage {
    case .none: break
    case .evicted: cache.removeData(for: key)
    case .undecodable: cache.storeData(Data("not an image".utf8), for: key)
    case .damaged:
      let file = try #require(cache.url(for: key))
      var data = try Data(contentsOf: file)
      data[data.count / 2] ^= 1
      try data.write(to: file)
    }
    cache.flush()
    for request in [request(40), request(40, FakeProcessor("/a"))] {
      // Another cache, which has not read the file yet.
      let cache = try DataCache(path: folder.url)
      let pipeline = pipeline(cache)
      let explanation = await pipeline.explain(request)
      let task = pipeline.imageTask(with: request)
      _ = try await task.response
      await pipeline.encodingsDone()
      // The next request is explained and loaded from the same entries.
      cache.flush()
      let context: Comment = "\(explanation)"
      let isLarger = explanation.lookups.contains { $0.isLargerImage && $0.finding == .hit }
      #expect(isLarger == task.facts.isMadeFromLargerImage, context)
      #expect(explanation.origin == task.facts.origin, context)
      #expect(pipeline.counters.processes == explanation.steps.count { $0.kind == .process }, context)
      let stored = explanation.stores.first { $0.place == .disk && !$0.isOriginal }
      #expect(stored?.notCachedReason == task.facts.notCachedOnDisk, context)
      if damage == .none { #expect(isLarger, context) }
    }
  }

  @Test("An image in memory that was made from a larger one is not stored either")
  func memory() async throws {
    let cache = FakeDataCache()
    _ = try await store(200, in: cache)
    let pipeline = pipeline(cache, memory: FakeImageCache())
    _ = try await pipeline.image(for: request(40))
    let explanation = await pipeline.explain(request(40, FakeProcessor("/a")))
    #expect(explanation.lookups.last?.place == .memory)
    #expect(explanation.stores.filter { $0.place == .disk }.map(\.notCachedReason) == [.cameFromCache])
  }

  @Test("By default, larger images are not looked up")
  func off() async throws {
    let cache = FakeDataCache()
    _ = try await store(200, in: cache)
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) { $0.dataCache = cache }
    let explanation = await pipeline.explain(request(40))
    #expect(explanation.origin == .network)
    #expect(!explanation.lookups.contains { $0.isLargerImage })
  }
}
