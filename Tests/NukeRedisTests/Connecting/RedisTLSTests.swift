#if Redis
  import Foundation
  import NukeLoaderSuite
  import NukeLocalServers
  import NukeRedis
  import Testing

  @Suite(
    "A connection to Redis with TLS", .timeLimit(.minutes(3)),
    .enabled(
      if: RedisServer.isInstalled && TLSServer.openssl != nil,
      "redis-server and openssl are needed: apt-get install redis-server openssl"))
  struct RedisTLSTests {
    private let folder: TemporaryFolder
    private var certificates: String { folder.url.path }
    private var authority: String { certificates + "/ca.pem" }

    init() throws {
      folder = try TemporaryFolder()
      try TLSServer.makeCertificates(in: folder.url.path)
    }

    private func configuration(
      _ port: Int, host: String = "localhost", _ change: (inout RedisConfiguration) -> Void = { _ in }
    ) -> RedisConfiguration {
      var configuration = RedisConfiguration(address: .host(host, port: port))
      configuration.connectTimeout = 10
      configuration.commandTimeout = 10
      configuration.tls = RedisConfiguration.TLS(caFile: authority)
      change(&configuration)
      return configuration
    }

    private func reason(_ configuration: RedisConfiguration) throws -> String {
      let error = try #require(throws: RedisError.self) { _ = try RedisConnection(configuration) }
      guard case .notConnected(let reason) = error else { throw Unexpected(error) }
      return reason
    }

    @Test("Long commands and replies pass in both directions at once, unchanged")
    func bothWays() throws {
      let server = try RedisServer.listening(certificates: certificates)
      let connection = try RedisConnection(configuration(server.port))
      let data = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      var commands = RedisCommands()
      commands.add("SET", "a", "1")
      for _ in 0..<24 { commands.add("ECHO", .bytes([1, 2], data)) }
      commands.add("INCR", "a")
      let replies = try connection.exchange(commands, seconds: 60, limit: 32 << 20)
      #expect(replies.count == 26)
      for case .bytes(let bytes) in replies { #expect(bytes.data(from: 0) == Data([1, 2]) + data) }
      let ends = (replies.first, replies.last)
      guard case (.status("OK")?, .integer(2)?) = ends else { throw Unexpected(ends) }
    }

    @Test("A cache with an idle connection uses it again")
    func reused() throws {
      let server = try RedisServer.listening(certificates: certificates, password: "secret")
      let cache = RedisDataCache(configuration(server.port) { $0.password = "secret" })
      func connections() throws -> Int? {
        guard case .bytes(let text) = try server.command("INFO", "stats") else { return nil }
        return text.text.split(whereSeparator: \.isNewline).lazy
          .compactMap { $0.hasPrefix("total_connections_received:") ? Int($0.split(separator: ":")[1]) : nil }.first
      }
      let before = try #require(try connections())
      cache.storeData(Data([1]), for: "a")
      cache.flush()
      for _ in 0..<3 { #expect(cache.cachedData(for: "a") == Data([1])) }
      // One of the cache, and one that asks for the number.
      #expect(try connections() == before + 2)
    }

    @Test("A certificate of an authority that is not trusted is refused")
    func untrusted() throws {
      let server = try RedisServer.listening(certificates: certificates)
      #expect(
        try reason(configuration(server.port) { $0.tls = RedisConfiguration.TLS() })
          .hasPrefix("the certificate of the server is not valid: "))
    }

    @Test("A certificate for another host is refused, and one for an address is not")
    func otherHost() throws {
      let server = try RedisServer.listening(certificates: certificates)
      #expect(
        try reason(configuration(server.port, host: "127.0.0.1"))
          .hasPrefix("the certificate of the server is not valid: "))
      let other = try TemporaryFolder()
      try TLSServer.makeCertificates(in: other.url.path, names: "DNS:redis.example.com,IP:127.0.0.1")
      let named = try RedisServer.listening(certificates: other.url.path)
      let settings = RedisConfiguration.TLS(caFile: other.url.path + "/ca.pem")
      _ = try RedisConnection(configuration(named.port, host: "127.0.0.1") { $0.tls = settings })
      #expect(
        try reason(configuration(named.port) { $0.tls = settings })
          .hasPrefix("the certificate of the server is not valid: "))
    }

    @Test("A server that requires a certificate accepts that of the client, and no client without one")
    func clientCertificate() throws {
      let server = try RedisServer.listening(certificates: certificates, "--tls-auth-clients", "yes")
      // Which of both the client sees depends on whether it still writes when the server closes the connection.
      let error = try #require(throws: RedisError.self) { _ = try RedisConnection(configuration(server.port)) }
      #expect(error == .closed || "\(error)".contains("certificate required"))
      _ = try RedisConnection(
        configuration(server.port) {
          $0.tls?.certificateFile = certificates + "/server.pem"
          $0.tls?.keyFile = certificates + "/server.key"
        })
    }

    @Test("The error of a file that cannot be used names it")
    func files() throws {
      let port = Int(try PlainListener(answer: nil).port)
      let missing = certificates + "/missing.pem"
      let key = certificates + "/ca.key"
      let changes: [(String, (inout RedisConfiguration.TLS) -> Void)] = [
        (missing, { $0.caFile = missing }), (missing, { $0.certificateFile = missing }),
        (
          key,
          { tls in
            tls.certificateFile = certificates + "/server.pem"
            tls.keyFile = key
          }
        ),
      ]
      for (name, change) in changes {
        var settings = RedisConfiguration.TLS(caFile: authority)
        change(&settings)
        #expect(try reason(configuration(port) { $0.tls = settings }).contains(name))
      }
    }

    @Test("A server without TLS is refused")
    func plain() throws {
      let server = try RedisServer.listening()
      #expect(throws: RedisError.self) {
        _ = try RedisConnection(configuration(server.port) { $0.connectTimeout = 1 })
      }
      let listener = try ScriptedListener(nil)
      #expect(try reason(configuration(Int(listener.port))).hasPrefix("the TLS handshake failed: "))
    }

    @Test("A server that does not answer the handshake times out")
    func silent() throws {
      let listener = try PlainListener(answer: nil)
      let error = try #require(throws: RedisError.self) {
        _ = try RedisConnection(configuration(Int(listener.port)) { $0.connectTimeout = 0.05 })
      }
      #expect(error == .timedOut)
    }

    @Test("A server that stops within a message of the handshake times out")
    func incomplete() throws {
      // The header of a record of the handshake.
      let listener = try ScriptedListener([22, 3, 3, 1, 0], greets: false)
      let error = try #require(throws: RedisError.self) {
        _ = try RedisConnection(configuration(Int(listener.port)) { $0.connectTimeout = 0.05 })
      }
      #expect(error == .timedOut)
    }

    @Test("A server that sends handshake messages without end causes an error")
    func endless() throws {
      // A HelloRequest, which has no effect during a handshake (RFC 5246 §7.4.1.1).
      let listener = try ScriptedListener([22, 3, 3, 0, 4, 0, 0, 0, 0], greets: false, isEndless: true)
      let error = try #require(throws: RedisError.self) {
        _ = try RedisConnection(configuration(Int(listener.port)) { $0.connectTimeout = 0.05 })
      }
      // Versions of OpenSSL may differ in whether they ignore it.
      switch error {
      case .timedOut, .notConnected: break
      default: throw Unexpected(error)
      }
    }

    @Test("A restart between two commands causes no error")
    func restarted() throws {
      let server = try RedisServer.listening(certificates: certificates)
      let cache = RedisDataCache(configuration(server.port))
      cache.storeData(Data([1]), for: "a")
      cache.flush()
      server.stop()
      try server.start()
      cache.storeData(Data([2]), for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == Data([2]))
      #expect(cache.statistics.errors == 0 && cache.statistics.dropped == 0)
    }
  }
#endif
