import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Stale images followed by fresh ones", .timeLimit(.minutes(1)))
struct StaleThenFreshTests {
  enum Place: CaseIterable, Sendable { case memory, variant, original }

  let origin = VersionedOrigin()
  let folder = DiskFolder()
  let cache: DataCache
  let gate = Gate()

  init() throws { cache = try DataCache(path: folder.url) }

  private func text(_ response: ImageResponse) -> String {
    let kind = response.isPreview ? "early" : "whole"
    return "\(response.image.pixelWidth) \(kind) \(response.freshness.map { "\($0)" } ?? "unknown")"
  }

  private let asking = "stale: it is being validated"

  /// A pipeline with a stale image in one place, and a server that answers once the gate is open.
  private func stale(in place: Place) async throws -> (pipeline: ImagePipeline, processor: FakeProcessor) {
    origin.set { $0.fields = ["Cache-Control": "max-age=60, stale-while-revalidate=30"] }
    let storing: ImagePipeline.DataCachePolicy = place == .original ? .storeOriginalData : .storeAll
    let first = origin.pipeline(cache: cache, storing: storing, imageCache: FakeImageCache())
    let processor = FakeProcessor("/p")
    try await first.loadAndStore(origin.request(processor))
    origin.pass(seconds: 61)
    origin.set { $0.gate = gate }
    if place == .memory { return (first, processor) }
    return (origin.pipeline(cache: cache, storing: storing, imageCache: FakeImageCache()), processor)
  }

  /// Starts a task whose events are all seen.
  private func start(_ request: ImageRequest, on pipeline: ImagePipeline) -> (ImageTask, CallLog) {
    let log = CallLog()
    let task = pipeline.startTask(with: request, kind: .image) { _, event in
      switch event {
      case .progress: break
      case .preview(let response): log.append("preview \(self.text(response))")
      case .finished(let result): log.append((try? result.get()).map { "final \(self.text($0))" } ?? "\(result)")
      }
    }
    return (task, log)
  }

  @Test("The stale image is shown at once, and is the result after a 304", arguments: Place.allCases)
  func unchanged(place: Place) async throws {
    let (pipeline, processor) = try await stale(in: place)
    let before = (pipeline.counters.decodes, processor.count)
    let (task, log) = start(origin.request(processor), on: pipeline)
    #expect(await log.entries(count: 1) == ["preview 11 early \(asking)"])
    await origin.loader.requests(count: 2)
    #expect(log.entries.count == 1)
    gate.open()
    #expect(await log.entries(count: 2).last == "final 11 whole validated")
    #expect(origin.asked == [nil, "\"1\""])
    // Decoded once where it was not in memory, and processed once where the original alone was stored.
    #expect(pipeline.counters.decodes - before.0 == (place == .memory ? 0 : 1))
    #expect(processor.count - before.1 == (place == .original ? 1 : 0))
    #expect(task.facts.freshness == .validated)
    #expect(task.facts.previewCount == 1)
    await pipeline.encodingsDone()
    // The next one finds the very image in memory, fresh.
    let next = pipeline.imageTask(with: origin.request(processor))
    #expect(try next.status.result?.get().freshness == .fresh)
  }

  @Test("The remaining steps run once if a shorter chain is stored")
  func shorterChain() async throws {
    let (pipeline, processor) = try await stale(in: .variant)
    let late = FakeProcessor("/late")
    let (_, log) = start(origin.request(processor, late), on: pipeline)
    #expect(await log.entries(count: 1) == ["preview 11 early \(asking)"])
    gate.open()
    #expect(await log.entries(count: 2).last == "final 11 whole validated")
    #expect(late.count == 1)
    #expect(pipeline.counters.decodes == 1)
  }

  @Test("It is not stored in memory as a preview, so that the renewed image is there")
  func memoryIsKept() async throws {
    let (pipeline, processor) = try await stale(in: .memory)
    let task = pipeline.imageTask(with: origin.request(processor))
    await origin.loader.requests(count: 2)
    #expect(pipeline.cache[origin.request(processor)]?.isPreview == false)
    task.cancel()
    gate.open()
    #expect(pipeline.cache[origin.request(processor)]?.isPreview == false)
  }
}
