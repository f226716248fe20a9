#if Redis
  import Foundation
  import NukeLocalServers
  import NukeRedis
  import Testing

  @Suite(
    "The removal of all data from a Redis server", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisScanTests {
    private let key = RedisKeys(prefix: "nuke:").data("a")

    /// Returns the reply to SCAN.
    private static func page(_ cursor: String, _ keys: [String]) -> [UInt8] {
      let keys = keys.map { "$\($0.utf8.count)\r\n\($0)\r\n" }
      return Array("*2\r\n$\(cursor.utf8.count)\r\n\(cursor)\r\n*\(keys.count)\r\n\(keys.joined())".utf8)
    }

    private func cache(_ listener: ScriptedListener, scanLimit: Int) -> RedisDataCache {
      RedisDataCache(RedisPool(listener.configuration()) { 0 }, scanLimit: scanLimit)
    }

    @Test(
      "It ends with an error if SCAN has no end",
      arguments: [("another cursor each time", 50), ("one cursor", 2), ("two cursors", 4)])
    func endless(cursors: String, steps: Int) throws {
      let scans = Lock(0)
      let listener = try ScriptedListener { [key] commands in
        guard commands.contains("SCAN") else { return Array(":1\r\n".utf8) }
        let number = scans.withLock { count in
          count += 1
          return count
        }
        switch cursors {
        case "one cursor": return Self.page("7", [key])
        case "two cursors": return Self.page("\(1 + number % 2)", [key])
        default: return Self.page("\(number)", [key])
        }
      }
      let cache = cache(listener, scanLimit: 50)
      cache.removeAll()
      cache.flush()
      // The thread of the cache tries it, and `flush()` does again.
      #expect(scans.withLock { $0 } == 2 * steps)
      #expect(cache.statistics.errors == 2)
      // The data that could not be removed is not returned.
      #expect(cache.cachedData(for: "a") == nil)
    }

    @Test("Keys of other programs stay, although the reply of SCAN contains them")
    func foreign() throws {
      let foreign = ["other", "nuke:lease:1", "nuke:", ""]
      let listener = try ScriptedListener { [key] commands in
        commands.contains("SCAN") ? Self.page("0", foreign + [key]) : Array(":1\r\n".utf8)
      }
      let cache = cache(listener, scanLimit: 50)
      cache.removeAll()
      cache.flush()
      #expect(cache.statistics.errors == 0)
      #expect(
        listener.commands.filter { !$0.contains("SCAN") }
          == ["*2\r\n$6\r\nUNLINK\r\n$\(key.utf8.count)\r\n\(key)\r\n"])
    }

    @Test("More keys than SCAN was asked for are removed, in parts")
    func manyKeys() throws {
      let keys = (0..<2_500).map { RedisKeys(prefix: "nuke:").data("\($0)") }
      let lines = Lock(0)
      let listener = try ScriptedListener { commands in
        if commands.contains("SCAN") { return Self.page("0", keys) }
        // UNLINK has five lines, which may arrive in parts.
        let count = lines.withLock { lines in
          let before = lines / 5
          lines += commands.utf8.count(where: { $0 == UInt8(ascii: "\n") })
          return lines / 5 - before
        }
        return Array(String(repeating: ":1\r\n", count: count).utf8)
      }
      let cache = cache(listener, scanLimit: 1)
      cache.removeAll()
      cache.flush()
      #expect(cache.statistics.errors == 0)
      #expect(lines.withLock { $0 } == 5 * keys.count)
    }
  }
#endif
