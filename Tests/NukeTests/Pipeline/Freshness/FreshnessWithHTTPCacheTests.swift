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
  let server: NukeOrigin
  let log = CallLog()

  init() throws {
    let log = log
    let body = SampleImage.png(width: 20, height: 10)
    server = try NukeOrigin { request in
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
    var options = DiskStore.Options()
    let clock = clock
    options.now = { clock.nanoseconds }
    var loading = DataLoader.Configuration()
    loading.urlCache = try HTTPCache(
      path: folder.url.appendingPathComponent("http"), diskCapacity: 1 << 20, options: options)
    if let agent { loading.userAgent = agent }
    let configuration = ImagePipeline.Configuration.fake(
      loader: DataLoader(configuration: loading), imageCache: imageCache
    ) {
      $0.freshnessPolicy = policy
      $0.dataCache = dataCache
      $0.now = { Timestamp(milliseconds: Int(clock.nanoseconds / 1_000_000)) }
    }
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  private func load(_ options: ImageRequest.Options = [], on pipeline: ImagePipeline) async throws -> ImageTask {
    let task = pipeline.imageTask(with: ImageRequest(url: server.url("/a"), options: options))
    _ = try await task.response
    return task
  }

  @Test("says how current what that cache has given is, also where the pipeline asks nothing")
  func freshness() async throws {
    defer { server.stop() }
    let pipeline = try pipeline()
    #expect(try await load(on: pipeline).facts.freshness == .fresh)
    let hit = try await load(on: pipeline)
    #expect(hit.facts.freshness == .fresh)
    #expect(hit.facts.origin == .disk)
    #expect(log.entries == ["all"])
    clock.pass(seconds: 200)
    #expect(try await load(on: pipeline).facts.freshness == .validated)
    #expect(log.entries == ["all", "\"a\""])
  }

  @Test("keeps a request that reads no cache apart from one that the HTTP cache answers")
  func reloadApart() async throws {
    defer { server.stop() }
    let pipeline = try pipeline()
    _ = try await load(on: pipeline)
    let tasks = [ImageRequest.Options(), .reloadIgnoringCachedData].map {
      pipeline.imageTask(with: ImageRequest(url: server.url("/a"), options: $0))
    }
    for task in tasks { _ = try await task.response }
    #expect(tasks.map(\.facts.origin) == [.disk, .network])
    #expect(log.entries.count == 2)
  }

  @Test("gets what that cache has where nothing may be loaded, however stale, and nothing else")
  func offline() async throws {
    let pipeline = try pipeline()
    _ = try await load(on: pipeline)
    server.stop()
    clock.pass(seconds: 1_000_000)
    let task = try await load(.returnCacheDataDontLoad, on: pipeline)
    #expect(try await task.response.image.pixelWidth == 20)
    #expect(task.facts.freshness == .stale(.offline))
    let error = await failure { () async throws(ImagePipeline.Error) in
      try await pipeline.image(
        for: ImageRequest(url: server.url("/missing"), options: .returnCacheDataDontLoad))
    }
    guard case .dataMissingInCache = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(log.entries == ["all"])
    #expect(pipeline.load == (0, 0))
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

  @Test("sends nothing offline, whatever the program's own request wants", arguments: Insistent.allCases)
  func insistent(_ kind: Insistent) async throws {
    defer { server.stop() }
    let pipeline = try pipeline()
    pipeline.isOffline = true
    let error = await failure { () async throws(ImagePipeline.Error) in
      try await pipeline.image(for: kind.request(server.url("/a")))
    }
    guard case .dataMissingInCache = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(log.entries.isEmpty)
  }

  @Test("gets what that cache has offline, also where the program's own request wants it anew")
  func insistentAndStored() async throws {
    let pipeline = try pipeline()
    _ = try await load(on: pipeline)
    server.stop()
    pipeline.isOffline = true
    let task = pipeline.imageTask(with: Insistent.reload.request(server.url("/a")))
    #expect(try await task.response.image.pixelWidth == 20)
    #expect(task.facts.cacheStatus == "Nuke; hit; ttl=60")
  }

  @Test("does not ask the delegate offline what is to be sent")
  func delegateOffline() async throws {
    defer { server.stop() }
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

  @Test("says offline that nothing is stored, also by a loader that judges answers itself")
  func judgedOffline() async throws {
    defer { server.stop() }
    struct Refused: Error {}
    var loading = DataLoader.Configuration()
    loading.urlCache = try HTTPCache(path: folder.url.appendingPathComponent("http"))
    let loader = DataLoader(configuration: loading) { DataLoader.validate(response: $0).map { _ in Refused() } }
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    pipeline.isOffline = true
    let error = await failure { () async throws(ImagePipeline.Error) in
      try await pipeline.image(for: server.url("/a"))
    }
    guard case .dataMissingInCache = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("loads anew through that cache where the request wants it")
  func reload() async throws {
    defer { server.stop() }
    let pipeline = try pipeline()
    for _ in 0..<2 { _ = try await load(.reloadIgnoringCachedData, on: pipeline) }
    #expect(log.entries == ["all", "all"])
  }

  @Test("asks the server itself about what it keeps, and not that cache")
  func validation() async throws {
    defer { server.stop() }
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let pipeline = try pipeline(.respect, dataCache: disk)
    _ = try await load(on: pipeline)
    // That cache would give what is stale while it asks behind the answer.
    clock.pass(seconds: 90)
    #expect(try await load(on: pipeline).facts.freshness == .validated)
    #expect(log.entries == ["all", "\"a\""])
    #expect(try await load(on: pipeline).facts.freshness == .fresh)
    #expect(log.entries.count == 2)
  }

  @Test("does not take for fresh what that cache gives stale")
  func staleBelow() async throws {
    _ = try await load(on: try pipeline())
    server.stop()
    clock.pass(seconds: 1000)
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let pipeline = try pipeline(.respect, dataCache: disk)
    #expect(try await load(on: pipeline).facts.freshness == .stale(.disconnected))
    // It is stale in the disk cache as well.
    #expect(try await load(on: pipeline).facts.freshness == .stale(.disconnected))
  }

  // MARK: Variants

  /// An origin that tells variants apart by a field, which the log gets, and says so.
  private func variants(by name: String, _ validator: (name: String, value: String)) throws -> NukeOrigin {
    let (log, body) = (log, SampleImage.png(width: 20, height: 10))
    return try NukeOrigin { request in
      let condition = request.header("If-None-Match") ?? request.header("If-Modified-Since")
      log.append(condition ?? "all")
      let fields = [validator, (name: "Vary", value: name), (name: "Cache-Control", value: "max-age=60")]
      return condition == validator.value
        ? NukeOrigin.Response(status: 304, headers: fields) : NukeOrigin.Response(headers: fields, body: body)
    }
  }

  static let date = "Mon, 01 Jan 2024 00:00:00 GMT"

  @Test(
    "uses what is fresh, and asks about what is stale, where variants are told apart by what the loader adds",
    arguments: ["Accept", "Accept-Encoding", "User-Agent"], ["ETag", "Last-Modified"])
  func variantsOnDisk(field: String, validator: String) async throws {
    let value = validator == "ETag" ? "\"a\"" : Self.date
    let origin = try variants(by: field, (validator, value))
    defer { origin.stop() }
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
    "gives from memory what is fresh, where variants are told apart by what the loader adds",
    arguments: ["ETag", "Last-Modified"])
  func variantsInMemory(validator: String) async throws {
    let origin = try variants(by: "Accept-Encoding", (validator, validator == "ETag" ? "\"a\"" : Self.date))
    defer { origin.stop() }
    let request = ImageRequest(url: origin.url("/a"))
    let pipeline = try pipeline(.respect, imageCache: FakeImageCache())
    _ = try await pipeline.image(for: request)
    clock.pass(seconds: 30)
    // There before the call returns.
    #expect(try pipeline.imageTask(with: request).status.result?.get().cacheType == .memory)
    #expect(log.entries == ["all"])
  }

  @Test("uses what is fresh where variants are told apart by what the delegate adds")
  func variantsByDelegate() async throws {
    let origin = try variants(by: "Accept-Language", ("Last-Modified", Self.date))
    defer { origin.stop() }
    let delegate = HookedDelegate {
      $0.willLoad = { _, request in
        var request = request
        request.setValue("de", forHTTPHeaderField: "Accept-Language")
        return request
      }
    }
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let pipeline = try pipeline(.respect, dataCache: disk, delegate: delegate)
    for _ in 0..<2 { _ = try await pipeline.image(for: origin.url("/a")) }
    #expect(log.entries == ["all"])
  }

  @Test("loads what another loader has stored anew, where variants are told apart by what differs between them")
  func variantsOfTwoLoaders() async throws {
    let origin = try variants(by: "User-Agent", ("Last-Modified", Self.date))
    defer { origin.stop() }
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    for agent in ["one", "one", "two"] {
      _ = try await pipeline(.respect, dataCache: disk, agent: agent).image(for: origin.url("/a"))
    }
    #expect(log.entries == ["all", "all"])
  }

  // MARK: Redirects

  @Test("keeps what a redirect has led to, which that cache does not")
  func redirected() async throws {
    let (log, body) = (log, SampleImage.png(width: 20, height: 10))
    let origin = try NukeOrigin { request in
      log.append(request.path)
      return request.path == "/old"
        ? .redirect(to: "/new") : .fields(body, ("Cache-Control", "max-age=60"), ("ETag", "\"a\""))
    }
    defer { origin.stop() }
    let below = try pipeline()
    for _ in 0..<2 { _ = try await below.image(for: origin.url("/old")) }
    #expect(log.entries == ["/old", "/new", "/old", "/new"])
    let disk = try DataCache(path: folder.url.appendingPathComponent("data"))
    let above = try pipeline(.respect, dataCache: disk)
    for _ in 0..<2 { _ = try await above.image(for: origin.url("/old")) }
    #expect(log.entries.count == 6)
  }
}
