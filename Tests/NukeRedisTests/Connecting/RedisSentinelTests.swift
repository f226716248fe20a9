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

    private func sentinels(_ listener: ScriptedListener) -> RedisConfiguration {
      let sentinel = RedisConfiguration.Sentinel(host: "127.0.0.1", port: Int(listener.port))
      return listener.configuration { $0.address = .sentinels([sentinel], primary: "images") }
    }

    @Test(
      "A sentinel whose reply is not an address causes an error",
      arguments: [
        ":1\r\n", "*0\r\n", "*1\r\n$1\r\na\r\n", "*2\r\n:1\r\n:2\r\n", "*2\r\n$1\r\na\r\n$5\r\n65536\r\n",
        "*2\r\n$1\r\na\r\n$2\r\n-1\r\n", "*3\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\n1\r\n",
      ])
    func malformed(answer: String) throws {
      let listener = try ScriptedListener(Array(answer.utf8))
      let error = try failure(sentinels(listener))
      guard case .malformedReply = error else { throw Unexpected(error) }
    }

    @Test("A sentinel whose reply has no end causes an error")
    func endless() throws {
      let beginning = Array("*2\r\n$100000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 10_000)
      let listener = try ScriptedListener(beginning, isEndless: true)
      let error = try failure(sentinels(listener))
      #expect(error == .replyTooLarge(limit: 4096))
    }

    @Test("A primary that refuses all writes as a replica does is not used after a few failures")
    func alwaysReplica() throws {
      let server = try ScriptedListener { commands in
        Array((commands.contains("ROLE") ? "*1\r\n$6\r\nmaster\r\n" : "-READONLY\r\n").utf8)
      }
      let port = "\(server.port)"
      let sentinel = try ScriptedListener(
        Array("*2\r\n$9\r\n127.0.0.1\r\n$\(port.utf8.count)\r\n\(port)\r\n".utf8))
      let cache = RedisDataCache(RedisPool(sentinels(sentinel)) { 0 })
      for _ in 0..<20 { #expect(cache.cachedData(for: "a") == nil) }
      #expect(cache.statistics.isOpen)
      // Each command is sent twice.
      #expect(server.connectionCount == 2 * RedisPool.failureThreshold)
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
