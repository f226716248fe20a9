#if Redis
  import Foundation
  import NukeLoaderSuite
  import NukeLocalServers
  import NukeRedis
  import Testing

  @Suite(
    "Redis Sentinel", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisSentinelTests {
    private let data = Data([1, 2, 3])

    private func key(_ name: String) -> String { RedisKeys(prefix: "nuke:").data(name) }

    private func failure(_ configuration: RedisConfiguration) throws -> RedisError {
      try #require(throws: RedisError.self) { _ = try RedisConnection.openPrimary(configuration) }
    }

    @Test("Data is stored on the primary that the sentinels report")
    func primary() throws {
      let group = try SentinelGroup()
      let cache = RedisDataCache(group.configuration())
      cache.storeData(data, for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == data)
      #expect(try group.primary.number("EXISTS", key("a")) == 1)
      #expect(cache.statistics.errors == 0)
    }

    @Test("A command that a demoted primary refuses is sent to the new primary")
    func demoted() throws {
      let group = try SentinelGroup()
      let cache = RedisDataCache(group.configuration())
      cache.storeData(data, for: "a")
      cache.flush()
      try group.failOver()
      cache.storeData(data, for: "b")
      cache.flush()
      #expect(try group.replica.number("EXISTS", key("b")) == 1)
      let attempt = cache.lease(for: "c")
      guard case .taken = attempt else { throw Unexpected(attempt) }
      #expect(cache.statistics.errors == 0 && cache.statistics.dropped == 0 && !cache.statistics.isOpen)
    }

    @Test("After the primary and a sentinel have died, the others elect a primary, which the next command uses")
    func died() throws {
      let group = try SentinelGroup(sentinels: 3, patience: 2000)
      let cache = RedisDataCache(group.configuration())
      cache.storeData(data, for: "a")
      cache.flush()
      group.primary.stop()
      group.sentinels[0].stop()
      for sentinel in group.sentinels.dropFirst() { try sentinel.waitUntilLogged("+switch-master") }
      cache.storeData(data, for: "b")
      cache.flush()
      #expect(try group.replica.number("EXISTS", key("b")) == 1)
      #expect(cache.cachedData(for: "b") == data)
      #expect(cache.statistics.errors == 0 && cache.statistics.dropped == 0)
    }

    @Test(
      "Connections to sentinels and servers are encrypted and authenticated",
      .enabled(if: TLSServer.openssl != nil, "openssl is needed: apt-get install openssl"))
    func secured() throws {
      let folder = try TemporaryFolder()
      try TLSServer.makeCertificates(in: folder.url.path, names: "DNS:localhost,IP:127.0.0.1")
      let group = try SentinelGroup(certificates: folder.url.path, password: "secret", sentinelPassword: "other")
      var configuration = try RedisConfiguration(
        url: "rediss+sentinel://:secret@localhost:\(group.sentinels[0].port)/images/2")
      configuration.connectTimeout = 10
      configuration.commandTimeout = 10
      configuration.tls?.caFile = folder.url.path + "/ca.pem"
      let error = try failure(configuration)
      guard case .refused(let text) = error else { throw Unexpected(error) }
      #expect(text.hasPrefix("NOAUTH") && text.contains("localhost:\(group.sentinels[0].port)"))
      configuration.sentinelPassword = "other"
      let cache = RedisDataCache(configuration)
      cache.storeData(data, for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == data)
      try group.failOver()
      cache.storeData(data, for: "b")
      cache.flush()
      #expect(cache.cachedData(for: "b") == data)
      #expect(cache.statistics.errors == 0 && cache.statistics.dropped == 0)
    }

    @Test("A sentinel that reports a replica is passed over, and the one that replied well is asked first from then on")
    func outdated() throws {
      let group = try SentinelGroup()
      let port = "\(group.replica.port)"
      let outdated = try ScriptedListener(
        Array("*2\r\n$9\r\n127.0.0.1\r\n$\(port.utf8.count)\r\n\(port)\r\n".utf8))
      let sentinel = RedisConfiguration.Sentinel(host: "127.0.0.1", port: Int(outdated.port))
      let alone = group.configuration { $0.address = .sentinels([sentinel], primary: "images") }
      let error = try failure(alone)
      guard case .notConnected(let reason) = error else { throw Unexpected(error) }
      #expect(reason.contains("127.0.0.1:\(port) is not a primary"))
      #expect(outdated.connectionCount == 1)
      let cache = RedisDataCache(
        group.configuration { configuration in
          guard case .sentinels(let others, let name) = configuration.address else { return }
          configuration.address = .sentinels([sentinel] + others, primary: name)
        })
      for _ in 0..<2 {
        cache.storeData(data, for: "a")
        cache.flush()
        // Closes the connection of the cache.
        try group.primary.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      }
      #expect(cache.cachedData(for: "a") == data)
      #expect(outdated.connectionCount == 2)
      #expect(cache.statistics.errors == 0)
    }

    @Test("The error of an unknown name says so, and that of a missing sentinel names its address")
    func unknown() throws {
      let group = try SentinelGroup()
      let other = group.configuration { configuration in
        guard case .sentinels(let sentinels, _) = configuration.address else { return }
        configuration.address = .sentinels(sentinels, primary: "videos")
      }
      let error = try failure(other)
      guard case .notConnected(let reason) = error else { throw Unexpected(error) }
      #expect(reason.contains("knows no primary with the name videos"))
      group.sentinels[0].stop()
      let stopped = try failure(group.configuration())
      guard case .notConnected(let text) = stopped else { throw Unexpected(stopped) }
      #expect(text.contains("127.0.0.1:\(group.sentinels[0].port)"))
    }
  }
#endif
