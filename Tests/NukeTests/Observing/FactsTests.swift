import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The facts of a load", .timeLimit(.minutes(1)))
struct FactsTests {
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

  @Test("A memory cache that is too small for the image is the reason")
  func tooLarge() async {
    let small = ImageCache(costLimit: 20 * 10 * 4 * 10 - 1)
    #expect(await facts(of: ImageRequest(url: url), on: pipeline(imageCache: small)).notCachedInMemory == .tooLarge)
    small.costLimit += 1
    #expect(await facts(of: ImageRequest(url: url), on: pipeline(imageCache: small)).notCachedInMemory == nil)
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
