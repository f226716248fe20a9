#if Redis
  import NukeRedis
  import Testing

  @Suite("The URL of a Redis server")
  struct RedisConfigurationTests {
    @Test("It contains the host, port, user, password and database")
    func whole() throws {
      let configuration = try RedisConfiguration(url: "redis://me:s%40cret@cache.internal:7000/3")
      #expect(configuration.address == .host("cache.internal", port: 7000))
      #expect(configuration.username == "me")
      #expect(configuration.password == "s@cret")
      #expect(configuration.database == 3)
    }

    @Test("Only the host is required")
    func short() throws {
      let configuration = try RedisConfiguration(url: "redis://localhost")
      #expect(configuration.address == .host("localhost", port: 6379))
      #expect(configuration.username == nil && configuration.password == nil && configuration.database == 0)
      #expect(configuration.connectTimeout == 0.25 && configuration.commandTimeout == 0.5)
      #expect(configuration.timeToLive == 604_800)
    }

    @Test("A password without a user, and an IPv6 address, are accepted")
    func passwordAlone() throws {
      let configuration = try RedisConfiguration(url: "redis://:secret@[::1]:6380/")
      #expect(configuration.address == .host("::1", port: 6380))
      #expect("\(configuration.address)" == "[::1]:6380")
      #expect(configuration.username == nil && configuration.password == "secret")
    }

    @Test("A Unix socket is accepted")
    func socket() throws {
      let configuration = try RedisConfiguration(url: "unix://:secret@/run/redis/redis.sock?db=2")
      #expect(configuration.address == .socket("/run/redis/redis.sock"))
      #expect(configuration.password == "secret" && configuration.database == 2)
    }

    @Test(
      "An invalid URL is rejected",
      arguments: [
        "", "localhost", "http://localhost", "redis://", "redis:///1", "redis://host:0", "redis://host:70000",
        "redis://host/one", "redis://host/-1", "redis://host?db=1", "redis://user@host", "unix://host/path", "unix://",
        "unix:///a?database=1", "unix:///a?db=x", "unix:///\(String(repeating: "a", count: 120))",
      ])
    func refused(url: String) throws {
      let error = try #require(throws: RedisError.self) { try RedisConfiguration(url: url) }
      guard case .invalidURL = error else {
        Issue.record("\(error)")
        return
      }
    }

    @Test("A URL that requires encryption is rejected, with an explanation that does not contain the password")
    func encrypted() throws {
      let error = try #require(throws: RedisError.self) { try RedisConfiguration(url: "rediss://:secret@host") }
      #expect(error == .encryptionUnavailable)
      #expect("\(error)".contains("tunnel") && !"\(error)".contains("secret"))
    }
  }
#endif
