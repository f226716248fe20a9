import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The facts of a load", .timeLimit(.minutes(1)))
struct FactsTests {
  typealias Reason = ImageTask.Facts.NotCachedReason
  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let disk = FakeDataCache()

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  private func facts(
    of request: ImageRequest, on pipeline: ImagePipeline? = nil
  ) async -> ImageTask.Facts {
    let task = (pipeline ?? self.pipeline()).imageTask(with: request)
    _ = try? await task.response
    return task.facts
  }

  private func pipeline(
    _ policy: ImagePipeline.DataCachePolicy = .storeAll, imageCache: (any ImageCaching)? = FakeImageCache(),
    delegate: (any ImagePipeline.Delegate)? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    ImagePipeline(
      configuration: .fake(loader: loader, imageCache: imageCache) {
        $0.dataCache = disk
        $0.dataCachePolicy = policy
        configure(&$0)
      }, delegate: delegate)
  }

  // MARK: Why something was not cached

  @Test("A cached result has no reason")
  func cached() async {
    for processors in [[], [FakeProcessor("a")]] as [[FakeProcessor]] {
      let facts = await facts(of: ImageRequest(url: url, processors: processors))
      #expect(facts.notCachedInMemory == nil)
      #expect(facts.notCachedOnDisk == nil)
    }
  }

  @Test(
    "The option that disabled a cache is the reason",
    arguments: [
      (ImageRequest.Options.disableMemoryCacheWrites, Reason.disabledByOption, Reason?.none),
      (.disableDiskCacheWrites, nil, .disabledByOption),
      ([.disableMemoryCache, .disableDiskCache], .disabledByOption, .disabledByOption),
    ] as [(ImageRequest.Options, Reason?, Reason?)])
  func options(options: ImageRequest.Options, memory: Reason?, disk: Reason?) async {
    let facts = await facts(of: ImageRequest(url: url, options: options))
    #expect(facts.notCachedInMemory == memory)
    #expect(facts.notCachedOnDisk == disk)
  }

  @Test("A missing cache, one that is too small and an excluding policy are reasons")
  func caches() async {
    let small = ImageCache(costLimit: 20 * 10 * 4 * 10 - 1)
    let none = ImagePipeline.fake(loader: loader, imageCache: nil)
    let without = await facts(of: ImageRequest(url: url), on: none)
    #expect(without.notCachedInMemory == .noCache)
    #expect(without.notCachedOnDisk == .noCache)
    #expect(await facts(of: ImageRequest(url: url), on: pipeline(imageCache: small)).notCachedInMemory == .tooLarge)
    small.costLimit += 1
    #expect(await facts(of: ImageRequest(url: url), on: pipeline(imageCache: small)).notCachedInMemory == nil)
    let closure = ImageRequest(id: "a", image: { ImageContainer(image: SampleImage.bitmap(width: 2, height: 2)) })
    #expect(await facts(of: closure).notCachedOnDisk == .policy)
  }

  @Test("Results from a cache and loaded results are distinguished")
  func fromCaches() async {
    let pipeline = pipeline()
    let request = ImageRequest(url: url)
    _ = await facts(of: request, on: pipeline)
    let hit = await facts(of: request, on: pipeline)
    #expect(hit.origin == .memory)
    #expect(hit.notCachedInMemory == .cameFromCache)
    #expect(hit.notCachedOnDisk == .cameFromCache)
    let stored = await facts(of: ImageRequest(url: url, options: .disableMemoryCacheReads), on: pipeline)
    #expect(stored.origin == .disk)
    #expect(stored.notCachedInMemory == nil)
    #expect(stored.notCachedOnDisk == .cameFromCache)
    // The original comes from memory, the variant is stored.
    let variant = await facts(of: ImageRequest(url: url, processors: [FakeProcessor("a")]), on: pipeline)
    #expect(variant.notCachedOnDisk == nil)
  }

  @Test("Local sources are not copied, and data is not cached in memory")
  func sources() async throws {
    let png = SampleImage.png(width: 4, height: 4).base64EncodedString()
    let local = await facts(of: ImageRequest(url: URL(string: "data:image/png;base64,\(png)")))
    #expect(local.notCachedOnDisk == .localSource)
    let task = pipeline().loadData(with: ImageRequest(url: url), on: nil) { _ in }
    _ = try await task.response
    #expect(task.facts.notCachedInMemory == .bytesAlone)
    #expect(task.facts.notCachedOnDisk == nil)
  }

  @Test("A refusal by the delegate is the reason")
  func refused() async {
    let delegate = HookedDelegate { $0.willCache = { _, _, _ in nil } }
    let facts = await facts(of: ImageRequest(url: url), on: pipeline(.storeOriginalData, delegate: delegate))
    #expect(facts.notCachedOnDisk == .refusedByDelegate)
    #expect(disk.writes.isEmpty)
  }

  @Test("A failed or canceled load loaded nothing")
  func nothing() async throws {
    let failed = await facts(of: ImageRequest(url: imageURL("unknown")))
    #expect(failed.notCachedInMemory == .nothingLoaded)
    #expect(failed.notCachedOnDisk == .nothingLoaded)
    let pipeline = pipeline()
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    let task = pipeline.imageTask(with: url)
    #expect(task.facts.notCachedInMemory == .nothingLoaded)
    task.cancel()
    #expect(task.facts.notCachedOnDisk == .nothingLoaded)
  }

  // MARK: What it took

  @Test("Each processor that ran has a duration, and cached results have none")
  func processors() async {
    let pipeline = pipeline()
    let chain = ["a", "b", "c"].map { FakeProcessor($0) }
    let first = await facts(of: ImageRequest(url: url, processors: Array(chain.prefix(2))), on: pipeline)
    #expect(first.processorTimes.count == 2)
    #expect(first.processorTimes.allSatisfy { $0 > 0 })
    #expect(abs(first.processorTimes.reduce(0, +) - first.processing) < 1e-9)
    let second = await facts(of: ImageRequest(url: url, processors: chain), on: pipeline)
    #expect(second.processorTimes.map { $0 > 0 } == [false, false, true])
    #expect(await facts(of: ImageRequest(url: url), on: pipeline).processorTimes.isEmpty)
  }

  @Test("The duration of the delegate's decompression is included")
  func decompressing() async {
    let delegate = HookedDelegate { $0.decompress = { $0 } }
    #expect(await facts(of: ImageRequest(url: url), on: pipeline(delegate: delegate)).decompressing > 0)
    #expect(await facts(of: ImageRequest(url: url)).decompressing == 0)
  }

  @Test("Previews are counted")
  func previews() async throws {
    // GIFs are shown while they come; the decoder does not look at the rest.
    let (gates, gif) = ([Gate(), Gate()], Data("GIF89a".utf8) + Data(count: 100))
    loader.answer(url, with: .parts(of: gif, cutAt: [40], heldBy: gates))
    let decoder = PreviewingDecoder()
    let pipeline = pipeline {
      $0.decodeEveryPart()
      $0.makeImageDecoder = { _ in decoder }
    }
    let task = pipeline.imageTask(with: url)
    var previews = task.previews.makeAsyncIterator()
    gates[0].open()
    #expect(await previews.next() != nil)
    gates[1].open()
    _ = try await task.response
    #expect(task.facts.previewCount >= 1)
  }

  private struct PreviewingDecoder: ImageDecoding {
    func decode(_ data: Data) throws -> ImageContainer {
      ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    }
    func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      ImageContainer(image: SampleImage.bitmap(width: 1, height: 1), isPreview: true)
    }
  }
}
