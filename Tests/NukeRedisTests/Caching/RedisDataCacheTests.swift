#if Redis
  import Foundation
  import InMemoryLogging
  import Logging
  import NukeLocalServers
  import NukeRedis
  import NukeTesting
  import Testing

  @Suite(
    "Data in Redis", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisDataCacheTests {
    private let server: RedisServer
    private let data = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws { server = try RedisServer() }

    /// Seconds that are long enough for a busy machine.
    private func cache(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisDataCache {
      server.cache {
        $0.connectTimeout = 10
        $0.commandTimeout = 10
        change(&$0)
      }
    }

    @Test("All caches of the server read the same bytes", arguments: [0, 1, 20_000, 3_000_000])
    func roundTrip(size: Int) throws {
      let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let (one, two) = (cache(), cache())
      #expect(one.cachedData(for: "a") == nil && !one.containsData(for: "a"))
      one.storeData(data, for: "a")
      one.flush()
      for cache in [one, two] {
        #expect(cache.cachedData(for: "a") == data)
        #expect(cache.containsData(for: "a") && !cache.containsData(for: "b"))
      }
      two.removeData(for: "a")
      two.flush()
      #expect(one.cachedData(for: "a") == nil)
      #expect(one.statistics.hits == 1 && one.statistics.misses == 2 && one.statistics.stored == 1)
      #expect(one.statistics.errors == 0 && one.statistics.dropped == 0 && !one.statistics.isOpen)
    }

    @Test("The returned data starts at index 0, and outlives the cache")
    func indices() throws {
      var found: Data?
      do {
        let cache = cache()
        cache.storeData(data, for: "a")
        cache.flush()
        found = cache.cachedData(for: "a")
      }
      server.stop()
      #expect(found?.startIndex == 0)
      #expect(found == data)
    }

    @Test("Stored data can be read immediately, before it is sent")
    func staged() {
      server.pause()
      let cache = server.cache {
        $0.connectTimeout = 5
        $0.commandTimeout = 5
      }
      cache.storeData(data, for: "a")
      #expect(cache.cachedData(for: "a") == data && cache.containsData(for: "a"))
      cache.removeData(for: "a")
      #expect(cache.cachedData(for: "a") == nil && !cache.containsData(for: "a"))
      cache.storeData(data, for: "a")
      cache.removeAll()
      #expect(cache.cachedData(for: "a") == nil)
      cache.storeData(Data([1]), for: "a")
      server.goOn()
      cache.flush()
      #expect(cache.cachedData(for: "a") == Data([1]))
    }

    // MARK: Time

    @Test("The default time to live is a week; the configuration and each call can set another")
    func timeToLive() throws {
      let cache = cache {
        $0.timeToLiveOfValue = { key, data in key == "short" ? TimeInterval(data.count) : nil }
      }
      let keys = RedisKeys(prefix: "nuke:")
      cache.storeData(data, for: "week")
      cache.storeData(Data(count: 900), for: "short")
      cache.storeData(data, for: "hour", timeToLive: 7200)
      cache.flush()
      #expect(try #require(try server.number("TTL", keys.data("week"))) > 604_000)
      #expect((300...900).contains(try #require(try server.number("TTL", keys.data("short")))))
      #expect((6000...7200).contains(try #require(try server.number("TTL", keys.data("hour")))))
    }

    @Test("Expired data is a cache miss")
    func expired() throws {
      let cache = cache()
      cache.storeData(data, for: "a", timeToLive: 3600)
      cache.flush()
      let key = RedisKeys(prefix: "nuke:").data("a")
      #expect(try server.number("PEXPIRE", key, "1") == 1)
      try server.waitUntilGone(key)
      #expect(cache.cachedData(for: "a") == nil && !cache.containsData(for: "a"))
      #expect(cache.statistics.errors == 0)
    }

    @Test("Storing data with a time to live of 0 removes the previous data")
    func noTime() throws {
      let cache = cache()
      cache.storeData(data, for: "a")
      cache.flush()
      cache.storeData(Data([1]), for: "a", timeToLive: 0)
      cache.flush()
      #expect(cache.cachedData(for: "a") == nil)
      #expect(cache.statistics.dropped == 0)
    }

    // MARK: Limits

    @Test("Data above the size limit is not stored, and the previous data is removed")
    func tooLarge() throws {
      let cache = cache { $0.maximumValueSize = 1000 }
      cache.storeData(Data(count: 1000), for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a")?.count == 1000)
      cache.storeData(Data(count: 1001), for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == nil)
      #expect(try server.keys().isEmpty)
      #expect(cache.statistics.dropped == 1)
    }

    @Test("Data above the reader's size limit is a cache miss, and is not removed")
    func tooLargeForReader() throws {
      let (large, small) = (cache(), cache { $0.maximumValueSize = 1000 })
      large.storeData(data, for: "a")
      large.flush()
      #expect(small.cachedData(for: "a") == nil)
      #expect(large.cachedData(for: "a") == data)
    }

    @Test("Data is dropped if too much waits to be sent, and the previous data is removed")
    func backlog() throws {
      let cache = cache { $0.backlogLimit = 50_000 }
      cache.storeData(data, for: "a")
      cache.flush()
      server.pause()
      cache.storeData(data, for: "b")
      cache.storeData(data, for: "c")
      cache.storeData(data + data, for: "a")
      #expect(cache.statistics.dropped == 1)
      #expect(cache.cachedData(for: "b") == data)
      #expect(cache.cachedData(for: "a") == nil)
      server.goOn()
      cache.flush()
      #expect(cache.cachedData(for: "c") == data)
      #expect(cache.cachedData(for: "a") == nil)
    }

    @Test("Data is dropped if the server is out of memory, and the previous data is removed")
    func full() throws {
      let server = try RedisServer("--maxmemory", "3mb")
      let cache = server.cache {
        $0.connectTimeout = 10
        $0.commandTimeout = 10
      }
      cache.storeData(Data([1]), for: "a")
      cache.flush()
      for number in 0..<4 {
        cache.storeData(Data(count: 1_000_000), for: "\(number)")
        cache.flush()
      }
      let before = cache.statistics
      #expect(before.dropped > 0 && before.errors > 0)
      cache.storeData(Data(count: 1_000_000), for: "a")
      cache.flush()
      #expect(cache.statistics.dropped > before.dropped)
      #expect(cache.cachedData(for: "a") == nil)
      #expect(!cache.statistics.isOpen)
      // Reading goes on.
      #expect(cache.cachedData(for: "0") != nil)
    }

    // MARK: Damage

    @Test(
      "Damaged data is a cache miss, and is removed",
      arguments: ["", "short", "no value of ours, but long", "type", "bit"])
    func damaged(kind: String) throws {
      let cache = cache()
      let key = RedisKeys(prefix: "nuke:").data("a")
      switch kind {
      case "type": try server.command("RPUSH", key, "1")
      case "bit":
        cache.storeData(data, for: "a")
        cache.flush()
        try server.command("SETBIT", key, "100007", "1")
        try server.command("SETBIT", key, "100006", "1")
      default: try server.command("SET", key, kind)
      }
      #expect(cache.cachedData(for: "a") == nil)
      cache.flush()
      // An empty value is nothing to Redis's GETRANGE.
      #expect(try server.keys().isEmpty == !kind.isEmpty)
      #expect(cache.statistics.errors == (kind.isEmpty ? 0 : 1))
      cache.storeData(data, for: "a")
      cache.flush()
      #expect(cache.cachedData(for: "a") == data)
    }

    @Test("Data that was copied to another key is a cache miss")
    func swapped() throws {
      let cache = cache()
      let keys = RedisKeys(prefix: "nuke:")
      cache.storeData(data, for: "a")
      cache.flush()
      try server.command("COPY", keys.data("a"), keys.data("b"))
      #expect(cache.cachedData(for: "b") == nil)
      #expect(cache.cachedData(for: "a") == data)
    }

    // MARK: Prefixes

    @Test(
      "Removing all data affects only the keys with the prefix of the cache",
      arguments: ["nuke:", "[a-z]*:", "a?\\^"])
    func removeAll(prefix: String) throws {
      let cache = cache { $0.keyPrefix = prefix }
      let other = self.cache { $0.keyPrefix = "x:" }
      for number in 0..<3000 {
        cache.storeData(Data([1]), for: "\(number)")
        if number < 10 { other.storeData(Data([2]), for: "\(number)") }
      }
      cache.flush()
      other.flush()
      try server.command("SET", "\(prefix)lease:1", "1")
      #expect(try server.number("DBSIZE") == 3011)
      cache.removeAll()
      cache.storeData(Data([3]), for: "new")
      cache.flush()
      #expect(try server.number("DBSIZE") == 12)
      #expect(cache.cachedData(for: "0") == nil)
      #expect(cache.cachedData(for: "new") == Data([3]))
      #expect(other.cachedData(for: "0") == Data([2]))
    }

    // MARK: As a dictionary

    @Test("The cache behaves like a dictionary in 10,000 random calls")
    func model() throws {
      let caches = [cache(), cache()]
      var random = SeededGenerator(seed: 7)
      var model: [String: Data] = [:]
      var cache = caches[0]
      for step in 0..<10_000 {
        let key = "\(Int.random(in: 0..<40, using: &random))"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: #expect(cache.cachedData(for: key) == model[key], "step \(step)")
        case 35..<45: #expect(cache.containsData(for: key) == (model[key] != nil), "step \(step)")
        case 45..<80:
          let value = Data(
            repeating: UInt8.random(in: 0...255, using: &random), count: .random(in: 0..<300, using: &random))
          cache.storeData(value, for: key)
          model[key] = value
        case 80..<97:
          cache.removeData(for: key)
          model[key] = nil
        case 97:
          cache.removeAll()
          model = [:]
        default:
          // The other one sees what was written.
          cache.flush()
          cache = caches[Int.random(in: 0..<2, using: &random)]
        }
      }
      #expect(cache.statistics.errors == 0 && cache.statistics.dropped == 0)
    }
  }
#endif
