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

  private func pipeline(
    _ policy: ImagePipeline.FreshnessPolicy = .respect, storing: ImagePipeline.DataCachePolicy = .storeAll,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    origin.pipeline(policy, cache: cache, storing: storing, configure)
  }

  private func load(_ request: ImageRequest, on pipeline: ImagePipeline) async throws -> ImageTask {
    try await pipeline.loadAndStore(request)
  }

  private func width(_ task: ImageTask) throws -> Int? { try task.status.result?.get().image.pixelWidth }

  // MARK: Within freshness

  @Test("Fresh images are used, and nothing is sent", arguments: [true, false])
  func fresh(isFlushed: Bool) async throws {
    let (first, second) = (pipeline(), pipeline())
    let blur = FakeProcessor("/blur")
    #expect(try await load(origin.request(blur), on: first).facts.freshness == .fresh)
    if isFlushed { cache.flush() }
    origin.pass(seconds: 59)
    let task = try await load(origin.request(blur), on: second)
    #expect(origin.asked == [nil])
    #expect(blur.count == 1)
    #expect(try await task.response.freshness == .fresh)
    #expect(try await task.response.cacheType == .disk)
    #expect(task.facts.freshness == .fresh)
    #expect(second.load == (0, 0))
  }

  @Test("Another cache in the same folder, as in another process, finds them")
  func otherCache() async throws {
    _ = try await load(origin.request(FakeProcessor("/blur")), on: pipeline())
    cache.flush()
    let other = origin.pipeline(cache: try DataCache(path: folder.url))
    _ = try await load(origin.request(FakeProcessor("/blur")), on: other)
    #expect(origin.asked == [nil])
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

  @Test("A variant is as fresh as its original")
  func madeLater() async throws {
    let pipeline = pipeline()
    _ = try await load(origin.request(), on: pipeline)
    origin.pass(seconds: 50)
    _ = try await load(origin.request(FakeProcessor("/late")), on: pipeline)
    #expect(origin.asked == [nil])
    origin.pass(seconds: 10)
    #expect(try await load(origin.request(FakeProcessor("/late")), on: pipeline).facts.freshness == .validated)
    #expect(origin.asked == [nil, "\"1\""])
  }

  // MARK: Past freshness

  @Test("One validation renews all variants of an original, and only the requested one is decoded")
  func renewed() async throws {
    let first = pipeline()
    let (a, b) = (FakeProcessor("/a"), FakeProcessor("/b"))
    for request in [origin.request(a), origin.request(b)] { _ = try await load(request, on: first) }
    #expect(origin.asked == [nil])
    origin.pass(seconds: 60)
    let second = pipeline()
    let validated = try await load(origin.request(a), on: second)
    #expect(origin.asked == [nil, "\"1\""])
    #expect(validated.facts.freshness == .validated)
    #expect(try width(validated) == 11)
    // The other one and the original are fresh by the same answer.
    #expect(try await load(origin.request(b), on: second).facts.freshness == .fresh)
    #expect(try await load(origin.request(), on: second).facts.freshness == .fresh)
    #expect(origin.asked.count == 2)
    #expect((a.count, b.count) == (1, 1))
    #expect(second.counters.decodes == 3)
    #expect(second.counters.processes == 0)
    // And for another 60 seconds, also for a pipeline that has seen nothing of it.
    origin.pass(seconds: 59)
    cache.flush()
    #expect(try await load(origin.request(b), on: pipeline()).facts.freshness == .fresh)
    #expect(origin.asked.count == 2)
  }

  @Test("A new original makes all variants stale")
  func replaced() async throws {
    let first = pipeline()
    let (a, b) = (FakeProcessor("/a"), FakeProcessor("/b"))
    for request in [origin.request(a), origin.request(b)] { _ = try await load(request, on: first) }
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    let second = pipeline()
    let replaced = try await load(origin.request(a), on: second)
    #expect(try width(replaced) == 12)
    #expect(replaced.facts.freshness == .fresh)
    #expect(replaced.facts.origin == .network)
    #expect(origin.asked == [nil, "\"1\""])
    // Made anew of the original that has come, without another request.
    #expect(try await width(load(origin.request(b), on: second)) == 12)
    #expect((a.count, b.count) == (2, 2))
    #expect(origin.asked.count == 2)
    let third = pipeline()
    for request in [origin.request(a), origin.request(b), origin.request()] {
      #expect(try await width(load(request, on: third)) == 12)
    }
    #expect(origin.asked.count == 2)
    #expect(third.counters.processes == 0)
  }

  @Test("Variants are created from new data, even if it is not stored and the chain is long")
  func replacedWithoutOriginal() async throws {
    let (a, b) = (FakeProcessor("/a"), FakeProcessor("/b"))
    _ = try await load(origin.request(a, b), on: pipeline(storing: .storeEncodedImages))
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    let task = try await load(origin.request(a, b), on: pipeline(storing: .storeEncodedImages))
    #expect(try width(task) == 12)
    #expect(origin.asked == [nil, "\"1\""])
    #expect((a.count, b.count) == (2, 2))
    #expect(!cache.containsData(for: origin.url.absoluteString))
  }

  @Test("The policy revalidate always validates, and loads again without a validator")
  func revalidate() async throws {
    let pipeline = pipeline(.revalidate)
    _ = try await load(origin.request(), on: pipeline)
    #expect(try await load(origin.request(), on: pipeline).facts.freshness == .validated)
    #expect(origin.asked == [nil, "\"1\""])
    #expect(origin.loader.requests[1].value(forHTTPHeaderField: "Cache-Control") == "max-age=0")
    origin.set {
      $0.isTagged = false
      $0.version = 2
    }
    #expect(try await width(load(origin.request(), on: pipeline)) == 12)
    #expect(try await load(origin.request(), on: pipeline).facts.freshness == .fresh)
    #expect(origin.asked == [nil, "\"1\"", "\"1\"", nil])
  }

  @Test("The default policy never validates")
  func ignore() async throws {
    let pipeline = pipeline(.ignore)
    _ = try await load(origin.request(), on: pipeline)
    origin.pass(seconds: 1_000_000)
    origin.set { $0.version = 2 }
    let task = try await load(origin.request(), on: pipeline)
    #expect(try width(task) == 11)
    #expect(task.facts.freshness == nil)
    #expect(try await task.response.freshness == nil)
    #expect(origin.asked == [nil])
    cache.flush()
    #expect(cache.totalCount == 1)
  }

  @Test("The request's policy takes precedence over the pipeline's")
  func requestDecides() async throws {
    var request = origin.request()
    request.freshnessPolicy = .respect
    let ignoring = pipeline(.ignore)
    _ = try await load(request, on: ignoring)
    origin.pass(seconds: 60)
    #expect(try await load(origin.request(), on: ignoring).facts.freshness == nil)
    #expect(try await load(request, on: ignoring).facts.freshness == .validated)
    request.freshnessPolicy = .ignore
    origin.pass(seconds: 60)
    _ = try await load(request, on: pipeline(.revalidate))
    #expect(origin.asked == [nil, "\"1\""])
  }

  // MARK: What is not known

  @Test("Entries without a version, as from an older release, are loaded again")
  func unknown() async throws {
    _ = try await load(origin.request(FakeProcessor("/blur")), on: pipeline(.ignore))
    let pipeline = pipeline()
    let blur = FakeProcessor("/blur")
    #expect(try await load(origin.request(blur), on: pipeline).facts.origin == .network)
    #expect(blur.count == 1)
    #expect(try await load(origin.request(blur), on: pipeline).facts.origin == .disk)
    #expect(origin.asked == [nil, nil])
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

  @Test("A new version of an animated image replaces the stored one")
  func generatorOfNames() async throws {
    // What knows of freshness stands beside what the program names.
    let named = try DataCache(path: folder.url.appendingPathComponent("named")) { _ in "image" }
    let pipeline = origin.pipeline(cache: named, storing: .storeOriginalData)
    _ = try await load(origin.request(), on: pipeline)
    named.flush()
    #expect(named.cachedData(for: origin.url.absoluteString) == VersionedOrigin.image(1))
    #expect(try await load(origin.request(), on: pipeline).facts.origin == .disk)
    #expect(origin.asked == [nil])
  }

  @Test("Removing everything removes the records too")
  func removeAll() async throws {
    let pipeline = pipeline()
    _ = try await load(origin.request(), on: pipeline)
    pipeline.cache.removeAll()
    #expect(try await load(origin.request(), on: pipeline).facts.origin == .network)
    #expect(origin.asked == [nil, nil])
  }

  // MARK: Wishes

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

  @Test("Stale images are not used if the server forbids it, whatever the request accepts")
  func mustRevalidate() async throws {
    origin.set { $0.fields = ["Cache-Control": "max-age=60, must-revalidate"] }
    _ = try await load(origin.request(), on: pipeline())
    origin.pass(seconds: 60)
    var request = origin.request()
    request.maxStale = 100
    #expect(try await load(request, on: pipeline()).facts.freshness == .validated)
  }

  @Test("Data is validated too")
  func data() async throws {
    let pipeline = pipeline()
    _ = try await pipeline.data(for: origin.request())
    origin.pass(seconds: 60)
    let task = pipeline.startTask(with: origin.request(), kind: .data)
    #expect(try await task.response.container.data == VersionedOrigin.image(1))
    #expect(task.facts.freshness == .validated)
    origin.pass(seconds: 60)
    origin.set { $0.version = 2 }
    #expect(try await pipeline.data(for: origin.request()).0 == VersionedOrigin.image(2))
    #expect(origin.asked == [nil, "\"1\"", "\"1\""])
    #expect(cache.cachedData(for: origin.url.absoluteString) == VersionedOrigin.image(2))
    #expect(pipeline.load == (0, 0))
  }
}
