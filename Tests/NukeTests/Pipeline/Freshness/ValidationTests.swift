import Foundation
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("Validation of stored entries", .timeLimit(.minutes(1)))
struct ValidationTests {
  let origin = VersionedOrigin()
  let folder = DiskFolder()
  let cache: DataCache
  let gate = NukeTesting.Gate()

  init() throws { cache = try DataCache(path: folder.url) }

  private func pipeline(
    _ policy: ImagePipeline.FreshnessPolicy = .respect,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    origin.pipeline(policy, cache: cache, configure)
  }

  /// A pipeline that loads from elsewhere, at the same time of day.
  private func pipeline(loading loader: any DataLoading) -> ImagePipeline {
    .fake(loader: loader, imageCache: nil) {
      $0.freshnessPolicy = .respect
      $0.dataCache = cache
      $0.now = origin.now
    }
  }

  /// Stores images and lets them become stale.
  private func store(_ requests: ImageRequest...) async throws {
    let pipeline = pipeline()
    for request in requests { _ = try await pipeline.image(for: request) }
    await pipeline.encodingsDone()
    // Nobody has the lease of what has been written.
    cache.flush()
    origin.pass(seconds: 61)
  }

  // MARK: Together

  @Test("One validation serves variants, the original and its data")
  func coalescing() async throws {
    let (a, b) = (FakeProcessor("/a"), FakeProcessor("/b"))
    try await store(origin.request(a), origin.request(b), origin.request())
    origin.set { $0.gate = gate }
    let pipeline = pipeline { $0.dataCachingQueue = TaskQueue(maxConcurrentOperationCount: 1) }
    let tasks = [origin.request(a), origin.request(b), origin.request()].map { pipeline.imageTask(with: $0) }
    let data = pipeline.startTask(with: origin.request(), kind: .data)
    await origin.loader.requests(count: 2)
    // All of them wait by now: each has read what there is, since the queue that reads has nothing left.
    await pipeline.diskReadsDone()
    gate.open()
    for task in tasks { #expect(try await task.response.freshness == .validated) }
    #expect(try await data.response.container.data == VersionedOrigin.image(1))
    #expect(origin.asked == [nil, "\"1\""])
    #expect(pipeline.load == (0, 0))
  }

  @Test("One validation serves several pipelines and processes with a shared disk cache")
  func sharedByProcesses() async throws {
    try await store(origin.request())
    cache.flush()
    origin.set { $0.gate = gate }
    // Each has a cache of its own in the folder, as processes have.
    let pipelines = try (0..<2).map { _ in origin.pipeline(cache: try DataCache(path: folder.url)) }
    let first = pipelines[0].imageTask(with: origin.request())
    await origin.loader.requests(count: 2)
    let second = pipelines[1].imageTask(with: origin.request())
    gate.open()
    #expect(try await first.response.freshness == .validated)
    #expect(try await second.response.freshness == .fresh)
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("It continues for the remaining tasks, and is canceled with the last")
  func cancellation() async throws {
    try await store(origin.request())
    origin.set { $0.gate = gate }
    let pipeline = pipeline()
    let tasks = (0..<2).map { _ in pipeline.imageTask(with: origin.request()) }
    await origin.loader.requests(count: 2)
    tasks[0].cancel()
    #expect(origin.loader.cancelledRequests.isEmpty)
    tasks[1].cancel()
    await origin.loader.cancelledRequests(count: 1)
    #expect(pipeline.load == (0, 0))
    gate.open()
    // What is stored has neither gained nor lost by it.
    #expect(try await pipeline.imageTask(with: origin.request()).response.freshness == .validated)
  }

  @Test("It has the highest priority of its tasks")
  func priority() async throws {
    try await store(origin.request())
    let other = imageURL("other.png")
    origin.loader.answer(other, with: .data(VersionedOrigin.image(1)))
    let pipeline = pipeline { $0.dataCachingQueue = TaskQueue(maxConcurrentOperationCount: 1) }
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    pipeline.configuration.dataLoadingQueue.maxConcurrentOperationCount = 1
    let ordinary = pipeline.imageTask(with: ImageRequest(url: other))
    let validation = pipeline.imageTask(with: origin.request())
    await pipeline.diskReadsDone()
    validation.priority = .veryHigh
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    _ = try await (ordinary.response, validation.response)
    #expect(origin.loader.requests.dropFirst().map(\.url) == [origin.url, other])
  }

  // MARK: What loaders say

  @Test(
    "All ways in which loaders report 304 work", arguments: VersionedOrigin.Telling.allCases)
  func telling(telling: VersionedOrigin.Telling) async throws {
    try await store(origin.request())
    origin.set { $0.telling = telling }
    let pipeline = pipeline()
    let task = pipeline.imageTask(with: origin.request())
    _ = try await task.response
    // Of one that does not tell, all is asked for anew.
    #expect(task.facts.freshness == (telling == .nothing ? .fresh : .validated))
    #expect(origin.asked == (telling == .nothing ? [nil, "\"1\"", nil] : [nil, "\"1\""]))
    origin.pass(seconds: 59)
    _ = try await pipeline.image(for: origin.request())
    // An answer without fields says that those which are known still hold, from now on.
    #expect(origin.asked.count == (telling == .nothing ? 3 : 2))
  }

  @Test("A 304 for something that is not stored leads to a request for the whole")
  func wrongConfirmation() async throws {
    try await store(origin.request())
    origin.set { $0.isWrongAbout304 = true }
    let task = pipeline().imageTask(with: origin.request())
    _ = try await task.response
    #expect(task.facts.freshness == .fresh)
    #expect(origin.asked == [nil, "\"1\"", nil])
  }

  @Test("A loader's own error for an empty response leads to a request for the whole")
  func ownErrorForNotModified() async throws {
    try await store(origin.request())
    let asked = CallLog()
    let loader = FakeDataLoader { request in
      let condition = request.value(forHTTPHeaderField: "If-None-Match")
      asked.append(condition ?? "all")
      return condition == nil ? .data(VersionedOrigin.image(2)) : .failure(Forbidden())
    }
    let image = try await pipeline(loading: loader).image(for: origin.request())
    #expect(image.pixelWidth == VersionedOrigin.width(of: 2))
    #expect(asked.entries == ["\"1\"", "all"])
  }

  @Test("A 304 is recognized even if the loader validates responses itself")
  func judgedNotModified() async throws {
    let conditions = CallLog()
    let server = try Self.unchangingServer(noting: conditions)
    defer { server.stop() }
    let pipeline = judgingPipeline()
    for freshness in [ImageResponse.Freshness.fresh, .validated] {
      #expect(try await pipeline.imageTask(with: server.url("/image")).response.freshness == freshness)
      origin.pass(seconds: 61)
    }
    #expect(conditions.entries == ["none", "\"a\""])
  }

  /// A server whose only image stays the same, and which notes what each request says of it.
  private static func unchangingServer(noting conditions: CallLog) throws -> NukeOrigin {
    let body = SampleImage.png(width: 20, height: 10)
    return try NukeOrigin { request in
      conditions.append(request.header("If-None-Match") ?? "none")
      let headers = [(name: "ETag", value: "\"a\""), (name: "Cache-Control", value: "max-age=60")]
      return request.header("If-None-Match") == "\"a\""
        ? NukeOrigin.Response(status: 304, headers: headers) : NukeOrigin.Response(headers: headers, body: body)
    }
  }

  /// A pipeline whose loader asks the program which answers are good.
  private func judgingPipeline() -> ImagePipeline {
    let loader = DataLoader(configuration: makeConfiguration()) { response in
      DataLoader.validate(response: response).map { _ in Forbidden() }
    }
    return pipeline(loading: loader)
  }

  @Test("Conditions of the program's own are not changed")
  func ownConditions() async throws {
    try await store(origin.request())
    let delegate = HookedDelegate(setting: "\"own\"", for: "If-None-Match")
    let pipeline = ImagePipeline(configuration: pipeline().configuration, delegate: delegate)
    _ = try await pipeline.image(for: origin.request())
    #expect(origin.asked == [nil, "\"own\""])
  }

  @Test("It works over the network, streaming or with closures", arguments: [false, true])
  func network(hasDelegate: Bool) async throws {
    let conditions = CallLog()
    let server = try Self.unchangingServer(noting: conditions)
    defer { server.stop() }
    let url = server.url("/image")
    for _ in 0..<2 {
      let pipeline = ImagePipeline(
        configuration: pipeline(loading: makeLoader()).configuration,
        delegate: hasDelegate ? HookedDelegate { _ in } : nil)
      #expect(try await pipeline.image(for: url).pixelWidth == 20)
      origin.pass(seconds: 1_000_000_000)
    }
    #expect(conditions.entries == ["none", "\"a\""])
  }

  // MARK: Failures

  static let disconnections: [any Error] = [
    DataLoader.TransferError.cannotResolveHost("a.test"),
    DataLoader.TransferError.cannotConnect(host: "a.test", reason: "it refuses"),
    DataLoader.TransferError.connectionLost(host: "a.test", reason: "it ended"),
    DataLoader.TransferError.timedOut(.idle, host: "a.test", seconds: 1), URLError(.timedOut),
    URLError(.cannotFindHost),
    URLError(.cannotConnectToHost), URLError(.dnsLookupFailed), URLError(.networkConnectionLost),
    URLError(.notConnectedToInternet),
  ]

  @Test("Every error of an unreachable server returns the stored image", arguments: disconnections.indices)
  func afterDisconnection(_ index: Int) async throws {
    try await store(origin.request())
    origin.set { $0.failure = Self.disconnections[index] }
    #expect(try await pipeline().imageTask(with: origin.request()).response.freshness == .stale(.disconnected))
  }

  /// What a loader of the program's own says.
  struct Forbidden: Error {}

  static let refusals: [any Error] = [
    Forbidden(), CancellationError(), URLError(.userAuthenticationRequired), URLError(.serverCertificateUntrusted),
    DataLoader.TransferError.tlsFailed(host: "a.test", reason: "the certificate is another's"),
    DataLoader.TransferError.protocolError(host: "a.test", reason: "it is no HTTP"),
    DataLoader.TransferError.addressNotAllowed(host: "a.test", address: "127.0.0.1"),
    DataLoader.TransferError.insecureRedirect(host: "a.test"), DataLoader.TransferError.tooManyRedirects(limit: 5),
    DataLoader.Error.statusCodeUnacceptable(403),
  ]

  @Test("Other errors fail the load", arguments: refusals.indices)
  func afterRefusal(_ index: Int) async throws {
    try await store(origin.request())
    origin.set { $0.failure = Self.refusals[index] }
    let error = await loadFailure(try await pipeline().image(for: origin.request()))
    let expected = Self.refusals[index]
    #expect(error?.dataLoadingError?.reason == expected.reason)
  }

  @Test("A server error returns the stored image if that is allowed", arguments: [500, 503])
  func serverError(status: Int) async throws {
    origin.set { $0.fields = ["Cache-Control": "max-age=60, stale-if-error=10"] }
    try await store(origin.request())
    origin.set { $0.failure = DataLoader.Error.statusCodeUnacceptable(status) }
    let task = pipeline().imageTask(with: origin.request())
    #expect(try await task.response.freshness == .stale(.serverError))
    origin.pass(seconds: 10)
    #expect(await loadFailure(try await pipeline().image(for: origin.request())) != nil)
  }

  @Test(
    "The status counts even if a loader has its own errors",
    arguments: [403, 404, 410, 503])
  func judgedStatus(_ status: Int) async throws {
    let refusing = Lock<Int?>(nil)
    let body = SampleImage.png(width: 20, height: 10)
    let server = try NukeOrigin { _ in
      if let status = refusing.withLock({ $0 }) { return .status(status) }
      return .fields(body, ("ETag", "\"a\""), ("Cache-Control", "max-age=60, stale-if-error=1000"))
    }
    let pipeline = judgingPipeline()
    let url = server.url("/image")
    _ = try await pipeline.image(for: url)
    origin.pass(seconds: 61)
    refusing.withLock { $0 = status }
    if status == 503 {
      #expect(try await pipeline.imageTask(with: url).response.freshness == .stale(.serverError))
    } else {
      let error = await loadFailure(try await pipeline.image(for: url))
      #expect(error?.dataLoadingError is Forbidden)
    }
    server.stop()
    // Only what the server says is gone is forgotten.
    let freshness = try? await pipeline.imageTask(with: url).response.freshness
    let expected: ImageResponse.Freshness? = [404, 410].contains(status) ? nil : .stale(.disconnected)
    #expect(freshness == expected)
  }

  // MARK: Offline

  @Test("Offline does not affect closures and files")
  func offlineClosures() async throws {
    let pipeline = pipeline(.ignore) { $0.isOffline = true }
    let image = SampleImage.png(width: 4, height: 4)
    let file = folder.url.appendingPathComponent("image.png")
    try image.write(to: file)
    let inline = try #require(URL(string: "data:image/png;base64,\(image.base64EncodedString())"))
    for request in [ImageRequest(id: "closure") { image }, ImageRequest(url: file), ImageRequest(url: inline)] {
      #expect(try await pipeline.image(for: request).pixelWidth == 4)
    }
  }

  // MARK: Caches of the program's own

  @Test("A custom disk cache is written, and read only offline")
  func ownCache() async throws {
    let own = FakeDataCache()
    let pipeline = origin.pipeline(cache: own)
    for _ in 0..<2 {
      #expect(try await pipeline.imageTask(with: origin.request(FakeProcessor("/a"))).response.freshness == .fresh)
      await pipeline.encodingsDone()
    }
    #expect(origin.asked == [nil, nil])
    #expect(own.reads.isEmpty)
    #expect(own.contents.count == 2)
    pipeline.isOffline = true
    for request in [origin.request(FakeProcessor("/a")), origin.request()] {
      #expect(try await pipeline.imageTask(with: request).response.freshness == .stale(.offline))
    }
    #expect(origin.asked.count == 2)
  }

  @Test("Images in memory are validated with any disk cache")
  func ownCacheWithMemory() async throws {
    let pipeline = origin.pipeline(cache: FakeDataCache(), imageCache: FakeImageCache())
    _ = try await pipeline.image(for: origin.request())
    origin.pass(seconds: 61)
    #expect(try await pipeline.imageTask(with: origin.request()).response.freshness == .validated)
    #expect(origin.asked == [nil, "\"1\""])
  }
}

extension ImagePipeline {
  /// Returns once everything has been read from disk that was to be when this was called, and what followed from that.
  /// One read at a time, so that what comes last sees all others done.
  func diskReadsDone() async {
    precondition(diskQueue.maxConcurrentOperationCount == 1)
    for _ in 0..<8 { await diskQueue.reached() }
  }
}
