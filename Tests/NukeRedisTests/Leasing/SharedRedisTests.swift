#if Redis
  import Foundation
  import Nuke
  import NukeLocalServers
  import NukeRedis
  import NukeTesting
  import Testing

  /// Pipelines as machines have them: what they share is the server alone.
  @Suite(
    "Pipelines that share a Redis server", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct SharedRedisTests {
    private struct Side {
      let cache: RedisDataCache
      let loader: FakeDataLoader
      let pipeline: ImagePipeline
    }

    private let server: RedisServer
    private let url = URL(string: "https://example.com/a.png")!
    private let original = SampleImage.png(width: 20, height: 10)

    init() throws { server = try RedisServer() }

    private func side(_ gate: Gate = Gate(isOpen: true), cache: RedisDataCache? = nil) -> Side {
      let cache =
        cache
        ?? server.cache {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
        }
      let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
      loader.answer(url, with: .data(original).held(by: gate))
      let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil) {
        $0.dataCache = cache
        $0.dataCachePolicy = .storeAll
      }
      return Side(cache: cache, loader: loader, pipeline: pipeline)
    }

    private func waiting(_ side: Side) async throws {
      try await waitUntil { side.cache.leases.waitingCount > 0 }
    }

    private func request(_ processor: FakeProcessor) -> ImageRequest { ImageRequest(url: url, processors: [processor]) }

    @Test("They download an image once that both request")
    func oneDownload() async throws {
      let gate = Gate()
      let (one, two) = (side(gate), side())
      let first = one.pipeline.imageTask(with: url)
      await one.loader.requests(count: 1)
      let second = two.pipeline.imageTask(with: url)
      try await waiting(two)
      gate.open()
      #expect(try await first.image.pixelWidth == 20)
      #expect(try await second.image.pixelWidth == 20)
      #expect(two.loader.requests.isEmpty)
      #expect(second.facts.origin == .disk && second.facts.waitingForOthers > 0)
    }

    @Test("They process an image once, from one download")
    func oneVariant() async throws {
      let gate = Gate()
      let (one, two) = (side(gate), side())
      let (blur, blurOfSecond) = (FakeProcessor("/blur"), FakeProcessor("/blur"))
      let first = one.pipeline.imageTask(with: request(blur))
      await one.loader.requests(count: 1)
      let second = two.pipeline.imageTask(with: request(blurOfSecond))
      try await waiting(two)
      gate.open()
      _ = try await (first.image, second.image)
      #expect((blur.count, blurOfSecond.count) == (1, 0))
      #expect(two.loader.requests.isEmpty)
      #expect(second.facts.origin == .disk)
    }

    @Test("They coalesce requests if they share a cache in one process, too")
    func oneCache() async throws {
      let gate = Gate()
      let one = side(gate)
      let two = side(cache: one.cache)
      let first = one.pipeline.imageTask(with: url)
      await one.loader.requests(count: 1)
      let second = two.pipeline.imageTask(with: url)
      try await waiting(two)
      gate.open()
      _ = try await (first.image, second.image)
      #expect(two.loader.requests.isEmpty)
    }

    @Test("They process each of many images once, if all are requested at the same time")
    func many() async throws {
      let sides = [side(), side(), side()]
      let processors = (0..<20).map { FakeProcessor("/\($0)") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for side in sides {
          for processor in processors {
            group.addTask { _ = try await side.pipeline.image(for: request(processor)) }
          }
        }
        try await group.waitForAll()
      }
      #expect(processors.map(\.count) == Array(repeating: 1, count: 20))
      #expect(sides.reduce(0) { $0 + $1.loader.requests.count } == 1)
    }

    @Test("The second one takes over if the first one is canceled")
    func takeover() async throws {
      let (one, two) = (side(Gate()), side())
      let first = one.pipeline.imageTask(with: url)
      await one.loader.requests(count: 1)
      let second = two.pipeline.imageTask(with: url)
      try await waiting(two)
      first.cancel()
      #expect(try await second.image.pixelWidth == 20)
      #expect(two.loader.requests.count == 1)
    }

    @Test("One takes over if the machine that holds the lease has crashed")
    func death() async throws {
      let key = RedisKeys(prefix: "nuke:").lease(url.absoluteString)
      try server.command("SET", key, "another token", "PX", "60000")
      let two = side()
      let task = two.pipeline.imageTask(with: url)
      try await waiting(two)
      #expect(two.loader.requests.isEmpty)
      try server.command("PEXPIRE", key, "1")
      #expect(try await task.image.pixelWidth == 20)
      #expect(two.loader.requests.count == 1)
    }

    @Test("They load images on their own if the server stops")
    func serverGone() async throws {
      let (one, two) = (side(Gate()), side())
      let first = one.pipeline.imageTask(with: url)
      await one.loader.requests(count: 1)
      let second = two.pipeline.imageTask(with: url)
      try await waiting(two)
      server.stop()
      #expect(try await second.image.pixelWidth == 20)
      #expect(try await two.pipeline.image(for: URL(string: "https://example.com/b.png")!).pixelWidth == 4)
      first.cancel()
    }
  }
#endif
