import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Explaining freshness", .timeLimit(.minutes(1)))
struct FreshnessExplainedTests {
  let origin = VersionedOrigin()
  let folder = DiskFolder()
  let cache: DataCache

  init() throws { cache = try DataCache(path: folder.url) }

  private func lines(_ explanation: ImagePipeline.Explanation) -> [String] {
    explanation.lookups.map { "\($0)" }
  }

  private func stored(
    _ policy: ImagePipeline.FreshnessPolicy = .respect, imageCache: FakeImageCache? = nil
  ) async throws -> ImagePipeline {
    let pipeline = origin.pipeline(policy, cache: cache, imageCache: imageCache)
    _ = try await pipeline.image(for: origin.request())
    return pipeline
  }

  @Test("The expiration and the validators of an image are stated")
  func disk() async throws {
    let pipeline = try await stored()
    let fresh = await pipeline.explain(origin.request())
    #expect(fresh.origin == .disk)
    #expect(fresh.freshnessPolicy == .respect)
    #expect(fresh.lookups[1].finding == .hit)
    #expect(fresh.lookups[1].freshness?.isFresh == true)
    #expect(
      lines(fresh)[1]
        == "disk, data of the original: hit, \(VersionedOrigin.image(1).count) bytes, fresh until 2023-11-14T22:14:20Z, validated by ETag \"1\""
    )
    origin.pass(seconds: 61)
    let stale = await pipeline.explain(origin.request())
    #expect(stale.origin == .network)
    #expect(stale.lookups.map(\.finding) == [.notAsked, .stale, .unknown])
    #expect(lines(stale)[1].contains("hit, but it must be validated"))
    #expect(lines(stale)[1].hasSuffix("stale since 2023-11-14T22:14:20Z, validated by ETag \"1\""))
    // It has asked nobody.
    #expect(origin.asked == [nil])
  }

  @Test("The freshness of an image in memory is stated, and it is not decoded")
  func memory() async throws {
    let pipeline = try await stored(imageCache: FakeImageCache())
    #expect(await pipeline.explain(origin.request()).origin == .memory)
    origin.pass(seconds: 61)
    let stale = await pipeline.explain(origin.request())
    #expect(stale.lookups.map(\.finding) == [.stale, .unknown])
    #expect(stale.steps.map(\.kind) == [.load])
    #expect(stale.byteCount == 0)
  }

  @Test("The freshness of a variant is stated, and a variant of an unknown version is outdated")
  func variants() async throws {
    let pipeline = try await stored()
    let request = origin.request(FakeProcessor("/a"))
    try await pipeline.loadAndStore(request)
    #expect(await pipeline.explain(request).lookups[1].freshness?.isFresh == true)
    _ = try await origin.pipeline(.ignore, cache: cache).image(
      for: origin.request(FakeProcessor("/a"), options: .reloadIgnoringCachedData))
    await pipeline.encodingsDone()
    cache.flush()
    let unknown = await pipeline.explain(origin.request())
    #expect(unknown.lookups[1].finding == .miss)
    #expect(unknown.lookups[1].reason == .versionUnknown)
    #expect(unknown.origin == .network)
  }

  @Test("A policy without validation is stated")
  func ignored() async throws {
    let pipeline = try await stored(.ignore)
    origin.pass(seconds: 1_000_000)
    let explanation = await pipeline.explain(origin.request())
    #expect(explanation.origin == .disk)
    #expect(explanation.lookups[1].freshness == nil)
    #expect("\(explanation)".contains("  freshness: ignored, so cached entries are used however old they are\n"))
    let closure = await pipeline.explain(ImageRequest(id: "a") { Data() })
    #expect(closure.freshnessPolicy == nil)
    #expect(!"\(closure)".contains("freshness"))
  }

  @Test("Offline, cached images of any age are used")
  func offline() async throws {
    let pipeline = try await stored()
    origin.pass(seconds: 1_000_000)
    pipeline.isOffline = true
    #expect(await pipeline.explain(origin.request()).origin == .disk)
    #expect(await pipeline.explain(imageURL("missing")).failure != nil)
  }

  @Test("A cache that cannot store freshness is stated")
  func ownCache() async {
    let key = origin.url.absoluteString
    let pipeline = origin.pipeline(cache: FakeDataCache([key: VersionedOrigin.image(1)]))
    let explanation = await pipeline.explain(origin.request())
    #expect(explanation.lookups[1].reason == .freshnessNotKept)
    #expect(explanation.origin == .network)
  }

  @Test("The explanation survives a round trip through JSON")
  func coding() async throws {
    let explanation = await (try stored()).explain(origin.request())
    let decoded = try JSONDecoder().decode(
      ImagePipeline.Explanation.self, from: JSONEncoder().encode(explanation))
    #expect(decoded == explanation)
  }
}
