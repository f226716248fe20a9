import CoreMetrics
import Foundation
import MetricsTestKit
import Nuke
import NukeTesting
import Testing

@Suite("Pipeline metrics", .timeLimit(.minutes(1)))
struct MetricsTests {
  let url = imageURL("a.png")
  let png = SampleImage.png(width: 20, height: 10)
  let loader = FakeDataLoader()
  let metrics = TestMetrics()

  init() { loader.answer(url, with: .data(png)) }

  private func pipeline(
    imageCache: (any ImageCaching)? = FakeImageCache(),
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .fake(loader: loader, imageCache: imageCache) {
      $0.metricsFactory = metrics
      configure(&$0)
    }
  }

  private func loads(_ outcome: String, _ origin: String) throws -> Int64 {
    try metrics.expectCounter("nuke_loads_total", [("outcome", outcome), ("origin", origin)]).totalValue
  }

  private func lookups(_ cache: String, _ result: String) throws -> Int64 {
    try metrics.expectCounter("nuke_cache_lookups_total", [("cache", cache), ("result", result)]).totalValue
  }

  private func stages(_ stage: String) throws -> Int {
    try metrics.expectTimer("nuke_stage_duration_seconds", [("stage", stage)]).values.count
  }

  @Test("Loads are counted by outcome and origin, with their bytes and cache look-ups")
  func counts() async throws {
    let pipeline = pipeline { $0.dataCache = FakeDataCache() }
    let request = ImageRequest(url: url, processors: [FakeProcessor("p")])
    _ = try await pipeline.image(for: request)
    // One without a task, one with.
    _ = try await pipeline.image(for: request)
    _ = try await pipeline.imageTask(with: request).response
    _ = try? await pipeline.image(for: imageURL("unknown"))
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    pipeline.imageTask(with: ImageRequest(url: url, options: .reloadIgnoringCachedData)).cancel()
    #expect(try loads("success", "network") == 1)
    #expect(try loads("success", "memory") == 2)
    #expect(try loads("failure", "network") == 1)
    #expect(try loads("cancelled", "none") == 1)
    #expect(
      try metrics.expectCounter("nuke_loaded_bytes_total", [("origin", "network")]).totalValue == Int64(png.count))
    #expect(try lookups("memory", "hit") == 2)
    #expect(try lookups("memory", "miss") == 2)
    #expect(try lookups("disk", "hit") == 0)
    #expect(try lookups("disk", "miss") == 3)
    #expect(try (stages("load"), stages("decode"), stages("process"), stages("read")) == (2, 1, 1, 3))
    #expect(try metrics.expectTimer("nuke_load_duration_seconds", [("origin", "network")]).values.count == 2)
  }

  @Test("A load looks up the original on disk once, also if its freshness matters")
  func freshness() async throws {
    let origin = VersionedOrigin()
    let folder = DiskFolder()
    let cache = try DataCache(path: folder.url)
    for (seconds, hits, misses) in [(0, 0, 1), (1, 1, 1), (61, 2, 1)] as [(Int, Int64, Int64)] {
      origin.pass(seconds: seconds)
      let pipeline = origin.pipeline(cache: cache) { $0.metricsFactory = metrics }
      _ = try await pipeline.image(for: origin.request())
      await pipeline.encodingsDone()
      #expect(try (lookups("disk", "hit"), lookups("disk", "miss")) == (hits, misses))
    }
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("Shared work is counted once, and waiting by task")
  func shared() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(png).held(by: gate))
    let pipeline = pipeline()
    let tasks = (0..<3).map { _ in pipeline.imageTask(with: url) }
    gate.open()
    for task in tasks { _ = try await task.response }
    #expect(try stages("load") == 1)
    #expect(try loads("success", "network") == 3)
    #expect(try metrics.expectCounter("nuke_joined_loads_total").totalValue == 2)
  }

  @Test("Gauges state that no work is left, and how much is cached")
  func gauges() async throws {
    let pipeline = pipeline(imageCache: ImageCache(costLimit: 1 << 20))
    _ = try await pipeline.image(for: url)
    #expect(try metrics.expectGauge("nuke_loads_active").lastValue == 0)
    #expect(try metrics.expectGauge("nuke_queue_waiting", [("queue", "decode")]).lastValue == 0)
    #expect(try metrics.expectGauge("nuke_memory_cache_bytes").lastValue == 800)
    #expect(try metrics.expectGauge("nuke_memory_cache_images").lastValue == 1)
  }

  @Test("Encoding for the disk is timed")
  func encoding() async throws {
    let pipeline = pipeline {
      $0.dataCache = FakeDataCache()
      $0.dataCachePolicy = .storeEncodedImages
    }
    try await pipeline.loadAndStore(ImageRequest(url: url))
    #expect(try stages("encode") == 1)
  }
}
