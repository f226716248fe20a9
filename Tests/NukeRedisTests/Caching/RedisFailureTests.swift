#if Redis
  import Dispatch
  import Foundation
  import InMemoryLogging
  import Logging
  import NukeLocalServers
  import NukeRedis
  import Testing

  @Suite(
    "A Redis server that fails", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisFailureTests {
    /// Seconds that pass when a test says so.
    private final class Time: Sendable {
      private let now = Lock(0.0)
      func pass(_ seconds: Double) { now.withLock { $0 += seconds } }
      var clock: @Sendable () -> TimeInterval { { self.now.withLock { $0 } } }
    }

    private let time = Time()
    private let data = Data([1, 2, 3])

    private func cache(_ configuration: RedisConfiguration) -> RedisDataCache {
      RedisDataCache(RedisPool(configuration, clock: time.clock))
    }

    /// One with time-outs that are long enough for a busy machine.
    private func patientCache(_ server: RedisServer) -> RedisDataCache {
      cache(
        server.configuration {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
        })
    }

    /// Has the server asked again, and returns when it has answered well.
    private func recover(_ cache: RedisDataCache) {
      while cache.statistics.isOpen {
        time.pass(60)
        _ = cache.cachedData(for: "probe")
      }
    }

    @Test("It causes cache misses, is not used for a while, and is used again when it recovers")
    func restarted() throws {
      let server = try RedisServer()
      let cache = patientCache(server)
      cache.storeData(data, for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == data)
      server.stop()
      for _ in 0..<RedisPool.failureThreshold { #expect(cache.cachedData(for: "a") == nil) }
      #expect(cache.statistics.isOpen)
      cache.storeData(data, for: "b")
      cache.flush()
      #expect(cache.cachedData(for: "b") == nil && !cache.containsData(for: "b"))
      #expect(cache.statistics.dropped == 1)
      try server.start()
      // Not asked yet.
      #expect(cache.cachedData(for: "a") == nil && cache.statistics.isOpen)
      recover(cache)
      cache.storeData(data, for: "c")
      cache.flush()
      #expect(cache.cachedData(for: "c") == data)
      #expect(cache.statistics.dropped == 1)
    }

    @Test("A probe without a command detects that it has recovered")
    func askedAgain() throws {
      let server = try RedisServer()
      let cache = patientCache(server)
      server.stop()
      for _ in 0..<RedisPool.failureThreshold { #expect(cache.cachedData(for: "a") == nil) }
      cache.pool.askAgain()
      #expect(cache.statistics.isOpen)
      try server.start()
      while cache.statistics.isOpen {
        time.pass(60)
        cache.pool.askAgain()
      }
      cache.storeData(data, for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == data)
    }

    @Test("A server that is awaited is not used until it was reached")
    func awaited() throws {
      let server = try RedisServer()
      server.stop()
      let cache = patientCache(server)
      cache.pool.awaitServer()
      #expect(cache.statistics.isOpen)
      try server.start()
      while cache.statistics.isOpen {
        time.pass(60)
        cache.pool.askAgain()
      }
      #expect(cache.cachedData(for: "a") == nil && cache.statistics.errors == 0)
    }

    @Test("The reason why an awaited server cannot be used is logged, though no command is sent")
    func awaitedWithWrongPassword() throws {
      let server = try RedisServer("--requirepass", "secret")
      let (log, logged) = (InMemoryLogHandler(), DispatchSemaphore(value: 0))
      let cache = cache(
        server.configuration {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
          $0.password = "wrong"
          $0.logger = Logger(label: "test", factory: { _ in SignalingLogHandler(log: log, logged: logged) })
        })
      cache.pool.awaitServer()
      #expect(logged.wait(timeout: .now() + 60) == .success)
      #expect(log.entries.first?.metadata["nuke.error"]?.description.contains("WRONGPASS") == true)
      #expect(cache.statistics.isOpen && cache.statistics.errors == 0)
    }

    @Test("A restart between two calls causes no error")
    func restartedBetween() throws {
      let server = try RedisServer()
      let cache = patientCache(server)
      cache.storeData(data, for: "a")
      cache.flush()
      server.stop()
      try server.start()
      #expect(cache.cachedData(for: "a") == nil)
      cache.storeData(data, for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == data)
      #expect(cache.statistics.errors == 0)
    }

    @Test("Keys that were to be removed during an outage are removed after it")
    func removedMeanwhile() throws {
      let server = try RedisServer()
      let patience: (inout RedisConfiguration) -> Void = { ($0.connectTimeout, $0.commandTimeout) = (60, 60) }
      let (cache, other) = (cache(server.configuration(patience)), server.cache(patience))
      cache.storeData(data, for: "a")
      cache.storeData(data, for: "b")
      cache.flush()
      server.pause()
      let hasty = self.cache(server.configuration { $0.commandTimeout = 0.02 })
      hasty.removeData(for: "a")
      hasty.flush()
      #expect(hasty.statistics.errors > 0)
      #expect(hasty.cachedData(for: "a") == nil)
      server.goOn()
      while other.cachedData(for: "a") != nil {
        time.pass(60)
        _ = hasty.cachedData(for: "b")
        hasty.flush()
      }
      #expect(other.cachedData(for: "b") == data && other.statistics.errors == 0)
    }

    @Test("A server that stops answering delays requests by at most a few timeouts, and then not at all")
    func stalled() throws {
      let server = try RedisServer()
      let patient = patientCache(server)
      patient.storeData(data, for: "a")
      patient.flush()
      let cache = cache(server.configuration { $0.commandTimeout = 0.05 })
      server.pause()
      for _ in 0..<50 { #expect(cache.cachedData(for: "a") == nil) }
      let statistics = cache.statistics
      #expect(statistics.isOpen && statistics.misses == 50)
      server.goOn()
      recover(cache)
      while cache.cachedData(for: "a") != data { time.pass(60) }
      #expect(cache.statistics.hits == 1)
    }

    @Test("A missing server is tried a few times, and then probed occasionally")
    func absent() throws {
      let listener = try ScriptedListener(nil, greets: false)
      let cache = cache(listener.configuration { $0.commandTimeout = 0.01 })
      for _ in 0..<20 { #expect(cache.cachedData(for: "a") == nil) }
      #expect(cache.statistics.isOpen)
      let count = listener.connectionCount
      #expect(count >= 1 && count <= RedisPool.failureThreshold)
      for _ in 0..<20 { #expect(cache.cachedData(for: "a") == nil) }
      #expect(listener.connectionCount == count)
    }

    @Test("A server that closes each new connection is not used after a few failures")
    func closing() throws {
      let listener = try ScriptedListener(nil, closes: true)
      let cache = cache(listener.configuration())
      for _ in 0..<20 { #expect(cache.cachedData(for: "a") == nil) }
      #expect(cache.statistics.isOpen)
      #expect(listener.connectionCount <= RedisPool.failureThreshold * RedisPool.closedLimit)
    }

    @Test("A wrong password is a cache miss, and is logged once")
    func unauthorized() throws {
      let server = try RedisServer("--requirepass", "secret")
      let log = InMemoryLogHandler()
      let cache = cache(
        server.configuration {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
          $0.password = "wrong"
          $0.logger = Logger(label: "test", factory: { _ in log })
        })
      for _ in 0..<10 {
        #expect(cache.cachedData(for: "a") == nil)
        cache.storeData(data, for: "a")
        cache.flush()
      }
      #expect(cache.statistics.errors >= 10 && cache.statistics.dropped == 10)
      let entries = log.entries
      #expect(entries.count == 2)
      #expect(entries.first?.metadata["nuke.error"]?.description.contains("WRONGPASS") == true)
      #expect(!entries.contains { $0.metadata.description.contains("\"wrong\"") })
    }

    @Test(
      "Invalid replies are cache misses",
      arguments: ["hello\r\n", "$2147483647\r\n1", "*1000000\r\n", "*1\r\n*1\r\n:1\r\n", ":1\r\n"])
    func garbage(answer: String) throws {
      let listener = try ScriptedListener(Array(answer.utf8), isEndless: answer.hasSuffix("1"))
      let cache = cache(listener.configuration { $0.maximumValueSize = 1_000_000 })
      for _ in 0..<2 {
        #expect(cache.cachedData(for: "a") == nil)
        cache.removeAll()
        cache.flush()
      }
      #expect(cache.statistics.errors >= 2)
    }
  }

  /// A log that signals each entry.
  private struct SignalingLogHandler: LogHandler {
    var log: InMemoryLogHandler
    let logged: DispatchSemaphore

    var logLevel: Logger.Level {
      get { log.logLevel }
      set { log.logLevel = newValue }
    }
    var metadata: Logger.Metadata {
      get { log.metadata }
      set { log.metadata = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { log[metadataKey: key] }
      set { log[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
      log.log(event: event)
      logged.signal()
    }
  }
#endif
