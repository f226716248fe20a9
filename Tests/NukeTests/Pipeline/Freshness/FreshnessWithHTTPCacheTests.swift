import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeOrigin
import NukeTesting
import Testing

@Suite("A pipeline above an HTTP cache", .timeLimit(.minutes(1)))
struct FreshnessWithHTTPCacheTests {
  let folder = DiskFolder()
  let clock = CacheClock()
  let origins = Origins()
  let server: NukeOrigin
  let log = CallLog()

  init() throws {
    let log = log
    let body = SampleImage.png(width: 20, height: 10)
    server = try origins.start { request in
      log.append(request.header("If-None-Match") ?? "all")
      let fields = [
        (name: "ETag", value: "\"a\""), (name: "Cache-Control", value: "max-age=60, stale-while-revalidate=60"),
      ]
      return request.header("If-None-Match") == "\"a\""
        ? NukeOrigin.Response(status: 304, headers: fields) : NukeOrigin.Response(headers: fields, body: body)
    }
  }

  private func pipeline(
    _ policy: ImagePipeline.FreshnessPolicy = .ignore, dataCache: DataCache? = nil, imageCache: FakeImageCache? = nil,
    delegate: (any ImagePipeline.Delegate)? = nil, agent: String? = nil
  ) throws -> ImagePipeline {
    var loading = DataLoader.Configuration()
    loading.urlCache = try folder.httpCache(clock)
    if let agent { loading.userAgent = agent }
    let configuration = ImagePipeline.Configuration.fake(
      loader: DataLoader(configuration: loading), imageCache: imageCache
    ) {
      $0.freshnessPolicy = policy
      $0.dataCache = dataCache
      $0.now = clock.now
    }
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  private func load(on pipeline: ImagePipeline) async throws -> ImageTask {
    let task = pipeline.imageTask(with: server.url("/a"))
    _ = try await task.response
    return task
  }

  @Test("A request that reads no cache does not join one that the HTTP cache answers")
  func reloadApart() async throws {
    let pipeline = try pipeline()
    _ = try await load(on: pipeline)
    let tasks = [ImageRequest.Options(), .reloadIgnoringCachedData].map {
      pipeline.imageTask(with: ImageRequest(url: server.url("/a"), options: $0))
    }
    for task in tasks { _ = try await task.response }
    #expect(tasks.map(\.facts.origin) == [.disk, .network])
    #expect(log.entries.count == 2)
  }

  /// Requests of a program's own that no answer is stored for, or that want none that is.
  enum Insistent: CaseIterable {
    case reload, post, put, body

    func request(_ url: URL) -> ImageRequest {
      var request = URLRequest(url: url)
      switch self {
      case .reload: request.cachePolicy = .reloadIgnoringLocalCacheData
      case .post: request.httpMethod = "POST"
      case .put: request.httpMethod = "PUT"
      case .body: request.httpBody = Data("which".utf8)
      }
      return ImageRequest(urlRequest: request)
    }
  }

  @Test("Offline, nothing is sent, whatever the URL request says", arguments: Insistent.allCases)
  func insistent(_ kind: Insistent) async throws {
    let pipeline = try pipeline()
    pipeline.isOffline = true
    let error = await loadFailure(try await pipeline.image(for: kind.request(server.url("/a"))))
    guard case .dataMissingInCache = error else { throw Unexpected(error) }
    #expect(log.entries.isEmpty)
  }

  @Test("Offline, the HTTP cache is used even if the URL request says to reload")
  func insistentAndStored() async throws {
    let pipeline = try pipeline()
    _ = try await load(on: pipeline)
    server.stop()
    pipeline.isOffline = true
    let task = pipeline.imageTask(with: Insistent.reload.request(server.url("/a")))
    #expect(try await task.response.image.pixelWidth == 20)
    #expect(task.facts.cacheStatus == "Nuke; hit; ttl=60")
  }

  @Test("Offline, the delegate is not asked for the request to send")
  func delegateOffline() async throws {
    let calls = CallLog()
    let delegate = HookedDelegate {
      $0.willLoad = { _, request in
        calls.append("willLoad")
        return request
      }
    }
    let pipeline = try pipeline(delegate: delegate)
    _ = try await load(on: pipeline)
    pipeline.isOffline = true
    #expect(try await load(on: pipeline).facts.freshness == .fresh)
    #expect(calls.entries == ["willLoad"])
    #expect(log.entries == ["all"])
  }

  @Test("Offline, a miss is reported, also with a loader that validates responses itself")
  func judgedOffline() async throws {
    struct Refused: Error {}
    var loading = DataLoader.Configuration()
    loading.urlCache = try HTTPCache(path: folder.url.appendingPathComponent("http"))
    let loader = DataLoader(configuration: loading) { DataLoader.validate(response: $0).map { _ in Refused() } }
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    pipeline.isOffline = true
    let error = await loadFailure(try await pipeline.image(for: server.url("/a")))
    guard case .dataMissingInCache = error else { throw Unexpected(error) }
  }

  // MARK: Variants

  /// An origin that tells variants apart by a field, which the log gets, and says so.
  private func variants(by name: String, _ validator: (name: String, value: String)) throws -> NukeOrigin {
    let (log, body) = (log, SampleImage.png(width: 20, height: 10))
    return try origins.start { request in
      let condition = request.header("If-None-Match") ?? request.header("If-Modified-Since")
      log.append(condition ?? "all")
      let fields = [validator, (name: "Vary", value: name), (name: "Cache-Control", value: "max-age=60")]
      return condition == validator.value
        ? NukeOrigin.Response(status: 304, headers: fields) : NukeOrigin.Response(headers: fields, body: body)
    }
  }

  static let date = "Mon, 01 Jan 2024 00:00:00 GMT"

  @Test(
    "Variants by fields that the loader adds are used if fresh and validated if stale",
    arguments: ["Accept", "Accept-Encoding", "User-Agent"], ["ETag", "Last-Modified"])
  func variantsOnDisk(field: String, validator: String) async throws {
    let value = validator == "ETag" ? "\"a\"" : Self.date
    let origin = try variants(by: field, (validator, value))
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let request = ImageRequest(url: origin.url("/a"))
    let pipeline = try pipeline(.respect, dataCache: disk)
    let expected: [(seconds: Double, freshness: ImageResponse.Freshness)] = [
      (0, .fresh), (30, .fresh), (60, .validated), (30, .fresh),
    ]
    for (seconds, freshness) in expected {
      clock.pass(seconds: seconds)
      #expect(try await pipeline.imageTask(with: request).response.freshness == freshness)
    }
    #expect(log.entries == ["all", value])
  }

  @Test(
    "Variants by fields that the loader adds are found in memory",
    arguments: ["ETag", "Last-Modified"])
  func variantsInMemory(validator: String) async throws {
    let origin = try variants(by: "Accept-Encoding", (validator, validator == "ETag" ? "\"a\"" : Self.date))
    let request = ImageRequest(url: origin.url("/a"))
    let pipeline = try pipeline(.respect, imageCache: FakeImageCache())
    _ = try await pipeline.image(for: request)
    clock.pass(seconds: 30)
    // There before the call returns.
    #expect(try pipeline.imageTask(with: request).status.result?.get().cacheType == .memory)
    #expect(log.entries == ["all"])
  }

  @Test("Variants by fields that the delegate adds are used if fresh")
  func variantsByDelegate() async throws {
    let origin = try variants(by: "Accept-Language", ("Last-Modified", Self.date))
    let delegate = HookedDelegate(setting: "de", for: "Accept-Language")
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let pipeline = try pipeline(.respect, dataCache: disk, delegate: delegate)
    for _ in 0..<2 { _ = try await pipeline.image(for: origin.url("/a")) }
    #expect(log.entries == ["all"])
  }

  @Test("Variants that another loader stored with different fields are loaded again")
  func variantsOfTwoLoaders() async throws {
    let origin = try variants(by: "User-Agent", ("Last-Modified", Self.date))
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    for agent in ["one", "one", "two"] {
      _ = try await pipeline(.respect, dataCache: disk, agent: agent).image(for: origin.url("/a"))
    }
    #expect(log.entries == ["all", "all"])
  }

  // MARK: Redirects

  @Test("The result of a redirect is stored, which the HTTP cache does not do")
  func redirected() async throws {
    let (log, body) = (log, SampleImage.png(width: 20, height: 10))
    let origin = try origins.start { request in
      log.append(request.path)
      return request.path == "/old"
        ? .redirect(to: "/new") : .fields(body, ("Cache-Control", "max-age=60"), ("ETag", "\"a\""))
    }
    let below = try pipeline()
    for _ in 0..<2 { _ = try await below.image(for: origin.url("/old")) }
    #expect(log.entries == ["/old", "/new", "/old", "/new"])
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let above = try pipeline(.respect, dataCache: disk)
    for _ in 0..<2 { _ = try await above.image(for: origin.url("/old")) }
    #expect(log.entries.count == 6)
  }
}
