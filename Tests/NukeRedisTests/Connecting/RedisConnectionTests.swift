#if Redis
  import Foundation
  import NukeLoaderSuite
  import NukeLocalServers
  import NukeRedis
  import Testing

  @Suite(
    "A connection to Redis", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisConnectionTests {
    private func ask(_ listener: ScriptedListener, limit: Int = 4096, seconds: Double = 5) throws -> RedisReply {
      let connection = try RedisConnection(listener.configuration())
      return try connection.exchange(RedisCommands("GET", "a"), seconds: seconds, limit: limit)[0]
    }

    private func failure(_ body: () throws -> Void) throws -> RedisError {
      try #require(throws: RedisError.self, performing: body)
    }

    @Test("Several commands are sent together, and their replies arrive in order")
    func pipelining() throws {
      let server = try RedisServer()
      let connection = try RedisConnection(server.configuration())
      var commands = RedisCommands()
      commands.add("SET", "a", .bytes([0, 13, 10], Data([255])))
      commands.add("GET", "a")
      commands.add("GET", "b")
      commands.add("INCR", "c")
      commands.add("INCR", "a")
      let replies = try connection.exchange(commands, seconds: 5, limit: 4096)
      guard replies.count == 5, case .status("OK") = replies[0], case .bytes(let bytes) = replies[1],
        case .none = replies[2], case .integer(1) = replies[3], case .error(let text) = replies[4]
      else { throw Unexpected(replies) }
      #expect(bytes.data(from: 0) == Data([0, 13, 10, 255]))
      #expect(bytes.data(from: 3) == Data([255]) && bytes.data(from: 4).isEmpty)
      #expect(text.contains("not an integer"))
    }

    @Test("Replies are read while commands are still being sent, so that neither side blocks the other")
    func bothWays() throws {
      let server = try RedisServer()
      let connection = try RedisConnection(server.configuration { $0.commandTimeout = 30 })
      var commands = RedisCommands()
      let value = RedisCommands.Argument.bytes([], Data(repeating: 7, count: 1 << 20))
      for _ in 0..<24 { commands.add("ECHO", value) }
      let replies = try connection.exchange(commands, seconds: 30, limit: 32 << 20)
      #expect(replies.count == 24)
    }

    @Test("Bytes of a reply stay valid after the connection is released")
    func ownership() throws {
      let server = try RedisServer()
      let data = try {
        let connection = try RedisConnection(server.configuration())
        var commands = RedisCommands()
        commands.add("ECHO", .bytes([1, 2], Data(repeating: 3, count: 100_000)))
        guard case .bytes(let bytes) = try connection.exchange(commands, seconds: 5, limit: 1 << 20)[0] else {
          return Data()
        }
        return bytes.data(from: 2)
      }()
      #expect(data == Data(repeating: 3, count: 100_000))
    }

    @Test("The connection uses the configured password, user and database")
    func introduced() throws {
      let server = try RedisServer("--requirepass", "secret")
      let refused = try failure { _ = try RedisConnection(server.configuration()) }
      guard case .refused(let text) = refused else { throw Unexpected(refused) }
      #expect(text.hasPrefix("NOAUTH"))
      let wrong = try failure { _ = try RedisConnection(server.configuration { $0.password = "wrong" }) }
      guard case .refused(let words) = wrong else { throw Unexpected(wrong) }
      #expect(words.hasPrefix("WRONGPASS"))
      let connection = try RedisConnection(
        server.configuration {
          $0.username = "default"
          $0.password = "secret"
          $0.database = 5
        })
      guard case .bytes(let list) = try connection.exchange(RedisCommands("CLIENT", "LIST"), seconds: 5, limit: 8192)[0]
      else { return }
      #expect(list.text.contains(" db=5 "))
    }

    @Test("The error of a missing server names its address")
    func absent() throws {
      let error = try failure { _ = try RedisConnection(RedisConfiguration(address: .socket("/nowhere/redis.sock"))) }
      guard case .notConnected(let reason) = error else { throw Unexpected(error) }
      #expect(reason.contains("/nowhere/redis.sock"))
    }

    // MARK: Hostile servers

    @Test(
      "An invalid reply fails with an error",
      arguments: [
        "hello\r\n", "$-5\r\n", "*-5\r\n", "$99999999999999999999\r\n", "*2147483647\r\n", "*1000000\r\n", ":12a\r\n",
        "\0\0\0\0",
        String(repeating: "*1\r\n", count: 9) + ":1\r\n", "*300\r\n*300\r\n", "*1\r\n*65536\r\n*2\r\n",
        "+OK\r\n+OK\r\n",
      ])
    func malformed(answer: String) throws {
      let listener = try ScriptedListener(Array(answer.utf8))
      let error = try failure { _ = try ask(listener) }
      guard case .malformedReply = error else { throw Unexpected(error) }
    }

    @Test(
      "The reply limit holds, whatever length the server announces",
      arguments: ["$2147483647\r\n", "+", "*3\r\n$1000000\r\n", ""])
    func endless(beginning: String) throws {
      let listener = try ScriptedListener(
        Array(beginning.utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 10_000), isEndless: true)
      let error = try failure { _ = try ask(listener, limit: 100_000) }
      switch error {
      case .replyTooLarge(limit: 100_000), .malformedReply: break
      default: Issue.record("\(error)")
      }
    }

    @Test("An incomplete or missing reply times out", arguments: ["$100\r\nabc", "", "*2\r\n:1\r\n"])
    func stalled(answer: String) throws {
      let listener = try ScriptedListener(answer.isEmpty ? nil : Array(answer.utf8))
      #expect(try failure { _ = try ask(listener, seconds: 0.05) } == .timedOut)
    }

    @Test("A reply that never ends times out, although bytes arrive all the time", arguments: ["+", "$1000000000\r\n"])
    func slow(beginning: String) throws {
      let listener = try ScriptedListener(Array(beginning.utf8), isEndless: true)
      #expect(try failure { _ = try ask(listener, limit: .max, seconds: 0.05) } == .timedOut)
    }

    @Test("Arrays within arrays are read")
    func nested() throws {
      let listener = try ScriptedListener(Array("*3\r\n*2\r\n*1\r\n:1\r\n*0\r\n*-1\r\n:2\r\n".utf8))
      let reply = try ask(listener)
      guard case .array(let parts) = reply, parts.count == 3, case .array(let inner) = parts[0], inner.count == 2,
        case .array(let ones) = inner[0], ones.count == 1, case .integer(1) = ones[0],
        case .array(let nothing) = inner[1], nothing.isEmpty, case .none = parts[1], case .integer(2) = parts[2]
      else { throw Unexpected(reply) }
    }

    @Test("A long error is shortened, because errors are logged")
    func longError() throws {
      let listener = try ScriptedListener(Array("-ERR \(String(repeating: "x", count: 3000))\r\n".utf8))
      let reply = try ask(listener)
      guard case .error(let text) = reply else { throw Unexpected(reply) }
      #expect(text.hasPrefix("ERR xx") && text.utf8.count == 512)
    }

    @Test("A server that accepts the connection and sends nothing times out")
    func silent() throws {
      let listener = try ScriptedListener(nil, greets: false)
      let error = try failure { _ = try RedisConnection(listener.configuration { $0.commandTimeout = 0.05 }) }
      #expect(error == .timedOut)
    }

    @Test("A connection that the server has closed is detected")
    func stale() throws {
      let server = try RedisServer()
      let connection = try RedisConnection(server.configuration())
      #expect(!connection.isStale)
      server.stop()
      #expect(connection.isStale)
      #expect(throws: RedisError.closed) { try connection.exchange(RedisCommands("PING"), seconds: 5, limit: 100) }
    }
  }
#endif
