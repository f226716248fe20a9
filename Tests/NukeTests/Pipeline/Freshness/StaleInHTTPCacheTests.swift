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
      let fields = [(name: "ETag", value: "\"1\""), (name: "Cache-Control", value: state.cacheControl)]
      var answer = NukeOrigin.Response(
        status: state.status, headers: fields, body: SampleImage.png(width: 11, height: 10))
      if request.header("If-None-Match") == "\"1\"" { answer = NukeOrigin.Response(status: 304, headers: fields) }
      return state.gate.map { answer.held(by: $0) } ?? answer
    }
  }

  private func pipeline(
    delegate: (any ImagePipeline.Delegate)? = nil, of cachePolicy: HTTPCache.Policy = .init()
  ) throws -> ImagePipeline {
    var loading = DataLoader.Configuration()
    let cache = try folder.httpCache(clock)
    cache.policy = cachePolicy
    loading.urlCache = cache
    let configuration = ImagePipeline.Configuration.fake(
      loader: DataLoader(configuration: loading), imageCache: nil
    ) {
      $0.freshnessPolicy = .respect
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
  private func store(_ cacheControl: String? = nil) async throws {
    if let cacheControl { state.set { $0.cacheControl = cacheControl } }
    let pipeline = try pipeline()
    _ = try await pipeline.image(for: request())
    flush(pipeline)
    clock.pass(seconds: 90)
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
    let pipeline = try pipeline()
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
  }

  @Test("It is shown if the cache's policy allows it")
  func cachePolicy() async throws {
    try await store("max-age=60")
    var policy = HTTPCache.Policy()
    policy.staleLimitWhileRevalidating = 60
    let (_, seen) = start(request(), on: try pipeline(of: policy))
    #expect(await seen.entries(count: 1) == [shown])
    gate.open()
    #expect(await seen.entries(count: 2).last == "final 11 whole validated")
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

  @Test("The body of a stored error response is not an image")
  func storedError() async throws {
    state.set { $0.status = 404 }
    _ = try? await pipeline().image(for: request())
    // The load failed at the head of the response, whose body is stored afterwards.
    let stored = try folder.httpCache(clock)
    try await waitUntil { stored.cachedResponse(for: URLRequest(url: server.url("/a"))) != nil }
    clock.pass(seconds: 90)
    state.set { $0.gate = gate }
    // The stored response is the answer, and the server is asked behind it. A load that still finds the lease of the
    // first one leaves that to others.
    while log.entries.count < 2 {
      let (_, seen) = start(request(options: .staleWhileRevalidate), on: try pipeline())
      #expect(await seen.entries(count: 1).first?.hasPrefix("failure") == true)
      try Task.checkCancellation()
    }
    gate.open()
  }
}
