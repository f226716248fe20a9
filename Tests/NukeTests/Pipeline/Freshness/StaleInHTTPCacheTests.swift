import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeOrigin
import NukeTesting
import Testing

/// Pipelines without a disk cache of their own, as by default.
@Suite("Stale images in the HTTP cache", .timeLimit(.minutes(1)))
struct StaleInHTTPCacheTests {
  private struct Script {
    var version = 1
    var cacheControl = "max-age=60, stale-while-revalidate=60"
    var gate: ScriptGate?
    var status = 200
  }

  private final class State: Sendable {
    private let script = Lock(Script())
    var now: Script { script.withLock { $0 } }
    func set(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }
  }

  private let folder = DiskFolder()
  private let clock = CacheClock()
  private let gate = ScriptGate()
  private let state = State()
  private let log = CallLog()
  private let origins = Origins()
  private let server: NukeOrigin

  init() throws {
    let (state, log) = (state, log)
    server = try origins.start { request in
      let state = state.now
      log.append(request.header("If-None-Match") ?? "all")
      let tag = "\"\(state.version)\""
      let fields = [(name: "ETag", value: tag), (name: "Cache-Control", value: state.cacheControl)]
      var answer = NukeOrigin.Response(
        status: state.status, headers: fields, body: SampleImage.png(width: 10 + state.version, height: 10))
      if request.header("If-None-Match") == tag { answer = NukeOrigin.Response(status: 304, headers: fields) }
      return state.gate.map { answer.held(by: $0) } ?? answer
    }
  }

  private func pipeline(
    _ policy: ImagePipeline.FreshnessPolicy = .respect, imageCache: FakeImageCache? = nil,
    dataCache: DataCache? = nil, delegate: (any ImagePipeline.Delegate)? = nil,
    of cachePolicy: HTTPCache.Policy = .init()
  ) throws -> ImagePipeline {
    var loading = DataLoader.Configuration()
    let cache = try folder.httpCache(clock)
    cache.policy = cachePolicy
    loading.urlCache = cache
    let configuration = ImagePipeline.Configuration.fake(
      loader: DataLoader(configuration: loading), imageCache: imageCache
    ) {
      $0.freshnessPolicy = policy
      $0.dataCache = dataCache
      $0.now = clock.now
    }
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  private func request(
    _ processors: FakeProcessor..., options: ImageRequest.Options = []
  ) -> ImageRequest {
    ImageRequest(url: server.url("/a"), processors: processors, options: options)
  }

  /// Has it stored, lets it become stale, and has the server hold back what it says from then on.
  private func store(_ cacheControl: String? = nil, pass seconds: Double = 90) async throws {
    if let cacheControl { state.set { $0.cacheControl = cacheControl } }
    let pipeline = try pipeline()
    _ = try await pipeline.image(for: request())
    flush(pipeline)
    clock.pass(seconds: seconds)
    state.set { $0.gate = gate }
  }

  /// Has all on the disk, where the next pipeline finds it.
  private func flush(_ pipeline: ImagePipeline) {
    let loader = pipeline.configuration.dataLoader as? DataLoader
    loader?.configuration(for: server.url("/a"))?.urlCache?.flush()
  }

  private func start(_ request: ImageRequest, on pipeline: ImagePipeline) -> (task: ImageTask, seen: CallLog) {
    let seen = CallLog()
    let task = pipeline.startTask(with: request, kind: .image) { _, event in
      switch event {
      case .progress: break
      case .preview(let response): seen.append("preview \(Self.text(response))")
      case .finished(let result): seen.append((try? result.get()).map { "final \(Self.text($0))" } ?? "\(result)")
      }
    }
    return (task, seen)
  }

  private static func text(_ response: ImageResponse) -> String {
    let kind = response.isPreview ? "early" : "whole"
    return "\(response.image.pixelWidth) \(kind) \(response.freshness.map { "\($0)" } ?? "unknown")"
  }

  private let shown = "preview 11 early stale: it is being validated"

  @Test("The stale image is shown at once, and is the result after a 304")
  func unchanged() async throws {
    try await store()
    let memory = FakeImageCache()
    let pipeline = try pipeline(imageCache: memory)
    let processor = FakeProcessor("/p")
    let (task, seen) = start(request(processor), on: pipeline)
    #expect(await seen.entries(count: 1) == [shown])
    await log.entries(count: 2)
    #expect(seen.entries.count == 1)
    gate.open()
    #expect(await seen.entries(count: 2).last == "final 11 whole validated")
    #expect(log.entries == ["all", "\"1\""])
    // Neither decoded nor processed a second time.
    #expect(pipeline.counters.decodes == 1)
    #expect(processor.count == 1)
    #expect(task.facts.freshness == .validated)
    #expect(task.facts.previewCount == 1)
    #expect(task.facts.cacheStatus == "Nuke; fwd=stale")
    #expect((try await task.response.urlResponse as? HTTPURLResponse)?.statusCode == 200)
    // Renewed in memory and in the HTTP cache.
    #expect(try await pipeline.imageTask(with: request(processor)).response.freshness == .fresh)
    flush(pipeline)
    let other = try self.pipeline().imageTask(with: request())
    #expect(try await other.response.freshness == .fresh)
    #expect(other.facts.origin == .disk)
    #expect(log.entries.count == 2)
  }

  @Test("The stale image is shown at once, and then the new one, which the HTTP cache stores")
  func changed() async throws {
    try await store()
    state.set { $0.version = 2 }
    let pipeline = try pipeline()
    let (task, seen) = start(request(), on: pipeline)
    #expect(await seen.entries(count: 1) == [shown])
    gate.open()
    #expect(await seen.entries(count: 2).last == "final 12 whole fresh")
    #expect(task.facts.origin == .network)
    #expect(log.entries == ["all", "\"1\""])
    flush(pipeline)
    #expect(try await self.pipeline().image(for: request()).pixelWidth == 12)
    #expect(log.entries.count == 2)
    #expect(pipeline.load == (0, 0))
  }

  /// Expects that the stale image is shown, and is the result after a 304.
  private func expectShown(
    _ request: ImageRequest, on pipeline: ImagePipeline, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let (_, seen) = start(request, on: pipeline)
    #expect(await seen.entries(count: 1) == [shown], sourceLocation: sourceLocation)
    gate.open()
    #expect(await seen.entries(count: 2).last == "final 11 whole validated", sourceLocation: sourceLocation)
  }

  @Test("It is not shown if neither the server nor the request allows it")
  func notShown() async throws {
    try await store("max-age=60")
    let (_, seen) = start(request(), on: try pipeline())
    await log.entries(count: 2)
    #expect(seen.entries.isEmpty)
    gate.open()
    #expect(await seen.entries(count: 1) == ["final 11 whole validated"])
  }

  @Test("It is shown if the request allows it", arguments: [ImagePipeline.FreshnessPolicy.respect, .revalidate])
  func option(policy: ImagePipeline.FreshnessPolicy) async throws {
    try await store("max-age=60, must-revalidate")
    await expectShown(request(options: .staleWhileRevalidate), on: try pipeline(policy))
  }

  @Test("It is shown if the cache's policy allows it")
  func cachePolicy() async throws {
    try await store("max-age=60")
    var policy = HTTPCache.Policy()
    policy.staleLimitWhileRevalidating = 60
    await expectShown(request(), on: try pipeline(of: policy))
  }

  @Test("It is shown below a disk cache without an entry, with one validation")
  func belowDiskCache() async throws {
    try await store()
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    await expectShown(request(), on: try pipeline(dataCache: disk))
    #expect(log.entries == ["all", "\"1\""])
  }

  @Test("It is shown through a loader from the delegate, with the cache status in the facts")
  func delegate() async throws {
    let delegate = PlainDelegate()
    let pipeline = try pipeline(delegate: delegate)
    let first = pipeline.imageTask(with: request())
    _ = try await first.response
    flush(pipeline)
    #expect(first.facts.cacheStatus == "Nuke; fwd=uri-miss; stored")
    clock.pass(seconds: 90)
    let (_, seen) = start(request(), on: try self.pipeline(delegate: delegate))
    #expect(await seen.entries(count: 2) == [shown, "final 11 whole validated"])
  }

  @Test("It is the result if the server cannot be reached after it was shown")
  func disconnected() async throws {
    try await store()
    server.stop()
    let (_, seen) = start(request(), on: try pipeline())
    #expect(await seen.entries(count: 2) == [shown, "final 11 whole stale: the server cannot be reached"])
  }

  @Test("Without a policy it is the result at once, and is validated in the background")
  func ignoring() async throws {
    try await store()
    let (_, seen) = start(request(), on: try pipeline(.ignore))
    #expect(await seen.entries(count: 1) == ["final 11 whole stale: it is being validated"])
    #expect(await log.entries(count: 2) == ["all", "\"1\""])
    gate.open()
  }

  @Test("It is returned without validation if the request accepts it")
  func maxStale() async throws {
    try await store("max-age=60")
    var request = request()
    request.maxStale = 60
    let (_, seen) = start(request, on: try pipeline())
    #expect(await seen.entries(count: 1) == ["final 11 whole stale: the request accepts it"])
    #expect(log.entries == ["all"])
  }

  @Test("The body of a stored error response is not an image")
  func storedError() async throws {
    state.set { $0.status = 404 }
    _ = try? await pipeline().image(for: request())
    clock.pass(seconds: 90)
    let (_, seen) = start(request(options: .staleWhileRevalidate), on: try pipeline())
    #expect(await seen.entries(count: 1).first?.hasPrefix("failure") == true)
    // It is asked about behind the answer.
    #expect(await log.entries(count: 2).count == 2)
  }
}
