import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Freshness of images on disk", .timeLimit(.minutes(1)))
struct FreshVariantTests {
  let origin = VersionedOrigin()
  let folder = DiskFolder()
  let cache: DataCache

  init() throws { cache = try DataCache(path: folder.url) }

  private func pipeline(_ policy: ImagePipeline.FreshnessPolicy = .respect) -> ImagePipeline {
    origin.pipeline(policy, cache: cache)
  }

  private func load(_ request: ImageRequest, on pipeline: ImagePipeline) async throws -> ImageTask {
    try await pipeline.loadAndStore(request)
  }

  @Test("A shared folder needs one load", arguments: [ImagePipeline.DataCachePolicy.storeAll, .automatic])
  func madeOnce(storing: ImagePipeline.DataCachePolicy) async throws {
    let time = ManualTime()
    let caches = [try folder.cache(leaseTime: time), try folder.cache(leaseTime: time)]
    let pipelines = caches.map { origin.pipeline(.respect, cache: $0, storing: storing) { _ in } }
    let blurs = [FakeProcessor("/blur"), FakeProcessor("/blur")]
    let gate = Gate()
    origin.set { $0.gate = gate }
    let first = pipelines[0].imageTask(with: origin.request(blurs[0]))
    await origin.loader.requests(count: 1)
    let second = pipelines[1].imageTask(with: origin.request(blurs[1]))
    await time.log.entries(count: 1)
    gate.open()
    _ = try await first.image
    await pipelines[0].encodingsDone()
    caches[0].flush()
    time.pass(milliseconds: 10)
    #expect(try await second.response.freshness == .fresh)
    #expect(try await second.response.cacheType == .disk)
    #expect(blurs.map(\.count) == [1, 0])
    #expect(origin.asked == [nil])
    #expect(second.facts.waitingForOthers > 0)
  }

  @Test("With the policy revalidate, caches on the way have to validate too")
  func revalidate() async throws {
    for _ in 0..<2 { _ = try await load(origin.request(), on: pipeline(.revalidate)) }
    #expect(origin.asked == [nil, "\"1\""])
    #expect(origin.loader.requests[1].value(forHTTPHeaderField: "Cache-Control") == "max-age=0")
  }

  @Test("The default policy stores no record")
  func ignore() async throws {
    _ = try await load(origin.request(), on: pipeline(.ignore))
    cache.flush()
    #expect(cache.totalCount == 1)
  }

  @Test("Entries with damaged records are loaded again")
  func damaged() async throws {
    _ = try await load(origin.request(), on: pipeline())
    cache.flush()
    let key = "\u{0}freshness \(origin.url.absoluteString)"
    let store = try folder.store()
    let metadata = try #require(store.metadata(for: key))
    #expect(metadata.variantOf == origin.url.absoluteString)
    var bytes = metadata.attributes
    bytes[bytes.count / 2] ^= 1
    #expect(store.setAttributes(bytes, for: key))
    let task = try await load(origin.request(), on: pipeline())
    #expect(task.facts.origin == .network)
    #expect(origin.asked == [nil, nil])
  }

  @Test("Responses are not stored if the server forbids it")
  func noStore() async throws {
    origin.set { $0.fields = ["Cache-Control": "no-store"] }
    let memory = FakeImageCache()
    let pipeline = origin.pipeline(cache: cache, imageCache: memory)
    let task = try await load(origin.request(FakeProcessor("/blur")), on: pipeline)
    #expect(task.facts.notCachedOnDisk == .forbiddenByServer)
    #expect(task.facts.notCachedInMemory == .forbiddenByServer)
    cache.flush()
    #expect(cache.totalCount == 0)
    #expect(memory.count == 0)
  }

  @Test("The record is stored beside data whose name is the program's")
  func generatorOfNames() async throws {
    let named = try DataCache(path: folder.url.appendingPathComponent("named")) { _ in "image" }
    let pipeline = origin.pipeline(cache: named, storing: .storeOriginalData)
    _ = try await load(origin.request(), on: pipeline)
    named.flush()
    #expect(named.cachedData(for: origin.url.absoluteString) == VersionedOrigin.image(1))
    #expect(try await load(origin.request(), on: pipeline).facts.origin == .disk)
    #expect(origin.asked == [nil])
  }

  @Test("Stale images are used within the request's maxStale")
  func maxStale() async throws {
    _ = try await load(origin.request(), on: pipeline())
    origin.pass(seconds: 70)
    var request = origin.request()
    request.maxStale = 10
    let task = try await load(request, on: pipeline())
    #expect(task.facts.freshness == .stale(.maxStale))
    #expect(origin.asked == [nil])
    request.maxStale = 9
    #expect(try await load(request, on: pipeline()).facts.freshness == .validated)
    origin.pass(seconds: 1_000_000)
    request.maxStale = .infinity
    #expect(try await load(request, on: pipeline()).facts.freshness == .stale(.maxStale))
    #expect(origin.asked.count == 2)
  }
}
