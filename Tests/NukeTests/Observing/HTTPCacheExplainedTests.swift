import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeOrigin
import NukeTesting
import Testing

/// Something stored, a request for it, and what is to be found.
struct HTTPCacheCase: Sendable, CustomTestStringConvertible {
  typealias Finding = ImagePipeline.Explanation.Lookup.Finding

  var policy: ImagePipeline.FreshnessPolicy
  var cacheControl = "max-age=60"
  var tag: String? = "\"a\""
  var seconds = 90.0
  var options: ImageRequest.Options = []
  var maxStale: TimeInterval?
  var findings: [Finding]
  var origin = ImageTask.Facts.Origin.disk
  /// What the server hears of the load that follows, while somebody waits for it.
  var asked: [String] = []

  var testDescription: String { "\(policy), \(cacheControl), after \(seconds) s, \(options)" }

  static let whileRevalidating = "max-age=60, stale-while-revalidate=60"

  static let all = each(.ignore) + each(.respect) + others

  /// What is the same whether or not the pipeline goes by freshness.
  private static func each(_ policy: ImagePipeline.FreshnessPolicy) -> [Self] {
    [
      Self(policy: policy, seconds: 30, findings: [.hit]),
      Self(policy: policy, findings: [.stale, .unknown], origin: .network, asked: ["\"a\""]),
      Self(policy: policy, tag: nil, findings: [.miss, .unknown], origin: .network, asked: ["all"]),
      Self(policy: policy, seconds: 130, options: .returnCacheDataDontLoad, findings: [.hit]),
      Self(
        policy: policy, seconds: 30, options: .reloadIgnoringCachedData, findings: [.notAsked, .unknown],
        origin: .network, asked: ["all"]),
    ]
  }

  private static let others: [Self] = [
    Self(policy: .ignore, cacheControl: whileRevalidating, findings: [.shownStale]),
    Self(
      policy: .respect, cacheControl: whileRevalidating, findings: [.shownStale, .unknown], origin: .network,
      asked: ["\"a\""]),
    Self(
      policy: .respect, options: .staleWhileRevalidate, findings: [.shownStale, .unknown], origin: .network,
      asked: ["\"a\""]),
    Self(policy: .respect, maxStale: 60, findings: [.hit]),
    Self(policy: .revalidate, seconds: 30, findings: [.stale, .unknown], origin: .network, asked: ["\"a\""]),
    Self(policy: .revalidate, cacheControl: "max-age=60, immutable", seconds: 30, findings: [.hit]),
  ]
}

/// What is explained of the HTTP cache, compared with what a load then does.
@Suite("Explaining the HTTP cache", .timeLimit(.minutes(1)))
struct HTTPCacheExplainedTests {
  private let folder = DiskFolder()
  private let clock = CacheClock()
  private let origins = Origins()
  private let server: NukeOrigin
  private let log = CallLog()
  private let script = Script()
  private let body = SampleImage.png(width: 20, height: 10)

  /// What the server says.
  private final class Script: Sendable {
    let fields = Lock<[(name: String, value: String)]>([])
    let status = Lock(200)
  }

  init() throws {
    let (log, script, body) = (log, script, body)
    server = try origins.start { request in
      if request.path == "/settled" { return .status(204) }
      log.append(request.header("If-None-Match") ?? "all")
      let fields = script.fields.withLock { $0 }
      let tag = fields.first { $0.name == "ETag" }?.value
      return tag != nil && request.header("If-None-Match") == tag
        ? NukeOrigin.Response(status: 304, headers: fields)
        : NukeOrigin.Response(status: script.status.withLock { $0 }, headers: fields, body: body)
    }
  }

  private func pipeline(
    _ policy: ImagePipeline.FreshnessPolicy = .ignore, storing: ImagePipeline.DataCachePolicy? = nil,
    in cache: HTTPCache? = nil
  ) throws -> ImagePipeline {
    var loading = DataLoader.Configuration()
    loading.urlCache = try cache ?? folder.httpCache(clock)
    loading.maximumConnectionsPerHost = 1
    let disk = try storing.map { _ in try DataCache(path: folder.url.appendingPathComponent("data")) }
    return .fake(loader: DataLoader(configuration: loading), imageCache: nil) {
      $0.freshnessPolicy = policy
      $0.dataCache = disk
      $0.dataCachePolicy = storing ?? .automatic
      $0.now = clock.now
    }
  }

  private func request(_ options: ImageRequest.Options = []) -> ImageRequest {
    ImageRequest(url: server.url("/a"), options: options)
  }

  /// Has the image stored, and lets so much time pass.
  private func store(_ cacheControl: String, tag: String? = "\"a\"", pass seconds: Double) async throws {
    script.fields.withLock { fields in
      fields = [(name: "Cache-Control", value: cacheControl)]
      if let tag { fields.append((name: "ETag", value: tag)) }
    }
    let cache = try folder.httpCache(clock)
    let pipeline = try pipeline(in: cache)
    _ = try? await pipeline.image(for: request())
    // What of a refused answer is kept comes behind its end. There is one connection: this is sent behind that.
    _ = try? await pipeline.data(for: ImageRequest(url: server.url("/settled")))
    // Another is asked, which sees what is on the disk.
    cache.flush()
    clock.pass(seconds: seconds)
  }

  /// What is found behind the caches of the pipeline's own.
  private func findings(_ explanation: ImagePipeline.Explanation) -> [HTTPCacheCase.Finding] {
    explanation.lookups.dropFirst(2).map(\.finding)
  }

  @Test("The explanation matches the load", arguments: HTTPCacheCase.all)
  func load(_ example: HTTPCacheCase) async throws {
    try await store(example.cacheControl, tag: example.tag, pass: example.seconds)
    let pipeline = try pipeline(example.policy)
    var request = request(example.options)
    request.maxStale = example.maxStale
    let explanation = await pipeline.explain(request)
    #expect(findings(explanation) == example.findings)
    #expect(explanation.origin == example.origin)
    #expect(explanation.failure == nil)
    // It has asked nobody.
    #expect(log.entries == ["all"])
    let task = pipeline.imageTask(with: request)
    _ = try await task.response
    // What was shown stays, if the server says that it is right: it is told as what was stored.
    if example.findings != [.shownStale, .unknown] { #expect(task.facts.origin == example.origin) }
    // Behind an answer the server is asked at some time.
    if example.findings != [.shownStale] { #expect(log.entries == ["all"] + example.asked) }
    if example.origin == .disk {
      #expect(explanation.lookups.last?.cacheStatus == task.facts.cacheStatus)
      #expect(explanation.byteCount == body.count)
    }
  }

  static let storing: [ImagePipeline.DataCachePolicy] = [
    .automatic, .storeOriginalData, .storeEncodedImages, .storeAll,
  ]

  @Test("For each disk cache policy, the stored entries are stated", arguments: storing)
  func storingPolicies(_ policy: ImagePipeline.DataCachePolicy) async throws {
    try await store("max-age=60", pass: 30)
    let pipeline = try pipeline(storing: policy)
    let explanation = await pipeline.explain(request())
    #expect(findings(explanation) == [.hit])
    #expect(explanation.origin == .disk)
    let stored = explanation.stores.contains { $0.place == .disk && $0.notCachedReason == nil }
    let task = pipeline.imageTask(with: request())
    _ = try await task.response
    #expect(stored == (task.facts.notCachedOnDisk == nil))
    guard policy != .storeEncodedImages else { return }
    // What the disk cache then has is found before.
    let explained = await pipeline.explain(request())
    let next = try #require(explained.lookups.last)
    #expect(next.finding == .hit)
    #expect(!next.isInHTTPCache)
  }

  @Test("Entries of the disk cache are validated, whatever the HTTP cache has")
  func belowQuestion() async throws {
    try await store("max-age=60", pass: 0)
    let pipeline = try pipeline(.respect, storing: .storeAll)
    _ = try await pipeline.image(for: request())
    clock.pass(seconds: 90)
    let explanation = await pipeline.explain(request())
    #expect(explanation.lookups.map(\.finding) == [.notAsked, .stale, .unknown])
    #expect(explanation.origin == .network)
  }

  @Test("The expiration of a stored response, and what happens to a stale one, are stated")
  func words() async throws {
    try await store(HTTPCacheCase.whileRevalidating, pass: 30)
    let pipeline = try pipeline()
    var explanation = await pipeline.explain(request())
    let fresh = try #require(explanation.lookups.last)
    #expect(fresh.freshness?.isFresh == true)
    #expect(fresh.freshness?.validators == ["ETag \"a\""])
    #expect(fresh.cacheStatus == "Nuke; hit; ttl=30")
    #expect("\(fresh)".hasPrefix("HTTP cache: hit, \(body.count) bytes, fresh until "))
    clock.pass(seconds: 60)
    explanation = await pipeline.explain(request())
    let shown = try #require(explanation.lookups.last)
    #expect(shown.freshness?.isFresh == false)
    #expect(
      "\(shown)".hasPrefix("HTTP cache: hit, and used while it is validated, \(body.count) bytes, stale since "))
    clock.pass(seconds: 60)
    let stale = await pipeline.explain(request()).lookups
    #expect("\(stale[2])".hasPrefix("HTTP cache: hit, but it must be validated, "))
    #expect("\(stale[3])" == "network: requested")
  }

  @Test("A miss is stated, and a cache-only load fails")
  func missing() async throws {
    let pipeline = try pipeline()
    let explanation = await pipeline.explain(request())
    #expect(findings(explanation) == [.miss, .unknown])
    let cachesAlone = await pipeline.explain(request(.returnCacheDataDontLoad))
    #expect(findings(cachesAlone) == [.miss, .notAsked])
    #expect(cachesAlone.failure == "\(ImagePipeline.Error.dataMissingInCache)")
    #expect(log.entries.isEmpty)
  }

  @Test("A stored error response makes the load fail")
  func negative() async throws {
    script.status.withLock { $0 = 404 }
    try await store("max-age=60", pass: 30)
    let pipeline = try pipeline()
    let explanation = await pipeline.explain(request())
    #expect(findings(explanation) == [.hit])
    #expect(explanation.failure?.contains("404") == true)
    #expect(log.entries == ["all"])
  }

  @Test("Without an HTTP cache, none is mentioned")
  func none() async throws {
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: .init()), imageCache: nil)
    let explanation = await pipeline.explain(request())
    #expect(findings(explanation) == [.unknown])
  }

  @Test("The HTTP cache is not affected")
  func use() async throws {
    // Each takes two blocks: one for the body, one for what is kept beside it.
    let cache = try HTTPCache(path: folder.url.appendingPathComponent("small"), diskCapacity: 2 * 8192)
    var loading = DataLoader.Configuration()
    loading.urlCache = cache
    let pipeline = ImagePipeline.fake(loader: DataLoader(configuration: loading), imageCache: nil)
    let urls = ["/old", "/new", "/newest"].map { server.url($0) }
    func keep(_ url: URL) throws {
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=60"]))
      cache.storeCachedResponse(CachedURLResponse(response: response, data: body), for: URLRequest(url: url))
      cache.flush()
    }
    for url in urls.prefix(2) { try keep(url) }
    let explanation = await pipeline.explain(urls[0])
    #expect(findings(explanation) == [.hit])
    try keep(urls[2])
    #expect(cache.cachedResponse(for: URLRequest(url: urls[0])) == nil)
    #expect(cache.cachedResponse(for: URLRequest(url: urls[1])) != nil)
  }
}
