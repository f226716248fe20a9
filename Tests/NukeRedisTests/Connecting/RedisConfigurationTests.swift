#if Redis
  import NukeLoaderSuite
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
        "redis+sentinel://one", "redis+sentinel://one/", "redis+sentinel://one,/images",
        "redis+sentinel://one,,two/images", "redis+sentinel:///images",
        "redis+sentinel://one/images/x", "redis+sentinel://one:0/images", "redis+sentinel://one/images?db=1",
      ])
    func refused(url: String) throws {
      let error = try #require(throws: RedisError.self) { try RedisConfiguration(url: url) }
      guard case .invalidURL = error else { throw Unexpected(error) }
    }

    @Test("A URL with rediss requires TLS")
    func encrypted() throws {
      let configuration = try RedisConfiguration(url: "rediss://:secret@host/1")
      #expect(configuration.address == .host("host", port: 6379))
      #expect(configuration.tls == RedisConfiguration.TLS() && configuration.database == 1)
      #expect(try RedisConfiguration(url: "redis://host").tls == nil)
    }

    @Test("A URL of sentinels contains their addresses, and the name, password and database of the primary")
    func sentinels() throws {
      let configuration = try RedisConfiguration(
        url: "redis+sentinel://me:s%2Ccret@one:7000,two,[::1]:26380/images/3")
      let sentinels = [("one", 7000), ("two", 26379), ("::1", 26380)].map(RedisConfiguration.Sentinel.init)
      #expect(configuration.address == .sentinels(sentinels, primary: "images"))
      #expect(configuration.username == "me" && configuration.password == "s,cret" && configuration.database == 3)
      #expect(configuration.sentinelPassword == nil && configuration.tls == nil)
      #expect("\(configuration.address)" == "images of the sentinels one:7000, two:26379, [::1]:26380")
      let secure = try RedisConfiguration(url: "rediss+sentinel://one/images")
      #expect(secure.address == .sentinels([.init(host: "one")], primary: "images"))
      #expect(secure.tls == RedisConfiguration.TLS() && secure.database == 0)
    }

    @Test("An error of a URL does not contain the password")
    func secrecy() throws {
      for url in [
        "redis+sentinel://:se,cret@one:x/images", "redis+sentinel://:se,cret@one,two:0/a", "redis://:secret@/",
      ] {
        let error = try #require(throws: RedisError.self) { try RedisConfiguration(url: url) }
        #expect(!"\(error)".contains("cret"))
      }
    }
  }
#endif
