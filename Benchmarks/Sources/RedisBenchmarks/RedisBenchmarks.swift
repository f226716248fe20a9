#if Redis
  import Foundation
  import Measuring
  import NukeRedis
  import RedisFloors

  // The cost of a value in Redis, compared with bare hiredis: CPU time of this process, and wall time in the note. The
  // server is a separate process on this machine.

  @main
  struct RedisBenchmarks {
    static func main() async throws {
      let port = 6400 + Int.random(in: 0..<500)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-redis-\(getpid())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let socket = folder.appendingPathComponent("redis.sock").path
      let server = try startServer(folder: folder, socket: socket, port: port)
      defer {
        server.terminate()
        server.waitUntilExit()
      }

      print(Sample.head)
      for (place, address, path) in [
        ("TCP", RedisConfiguration.Address.host("127.0.0.1", port: port), nil), ("socket", .socket(socket), socket),
      ] {
        guard let floor = redis_floor_connect(path, Int32(port)) else { fatalError("no connection to redis-server") }
        defer { redis_floor_close(floor) }
        var configuration = RedisConfiguration(address: address)
        configuration.connectTimeout = 10
        configuration.commandTimeout = 10
        let cache = RedisDataCache(configuration)
        let connection = Connection(floor)
        for length in [20_000, 200_000] {
          await measure(place, length, connection, cache)
        }
      }
    }

    private struct Connection: @unchecked Sendable {
      let pointer: UnsafeMutableRawPointer
      init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }
    }

    private static func measure(_ place: String, _ length: Int, _ floor: Connection, _ cache: RedisDataCache) async {
      let times = 40_000_000 / (length + 20_000)
      let name = "\(length / 1000) KB, \(place)"
      let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
      let set = await timed("hiredis: set \(name)", times) {
        data.withUnsafeBytes { redis_floor_set(floor.pointer, "floor", $0.baseAddress, length, Int32(times)) }
      }
      print(set.line)
      print(
        await timed("store, wait, \(name)", times) {
          for _ in 0..<times {
            cache.storeData(data, for: "value")
            cache.flush()
          }
          return times
        }.line)
      print(
        await timed("store 100, wait, \(name)", times, goal: .init(1.5, times: set)) {
          for number in 0..<times {
            cache.storeData(data, for: "\(number % 100)")
            if number % 100 == 99 { cache.flush() }
          }
          cache.flush()
          return times
        }.line)
      let get = await timed("hiredis: get \(name)", times) {
        Int32(redis_floor_get(floor.pointer, "floor", length, Int32(times)))
      }
      print(get.line)
      print(
        await timed("read \(name)", times, goal: .init(1.5, times: get)) {
          var found = 0
          for _ in 0..<times where cache.cachedData(for: "value")?.count == length { found += 1 }
          return found
        }.line)
    }

    /// Adds the wall time as a note. Fails if an operation has failed.
    private static func timed<Count: BinaryInteger & Sendable>(
      _ name: String, _ times: Int, goal: Sample.Goal? = nil, _ body: @escaping @Sendable () async -> Count
    ) async -> Sample {
      var sample = await Measuring.measure(name, operations: times, repetitions: 7, goal: goal) {
        let count = await body()
        precondition(count == times, "\(name) failed")
      }
      let clock = ContinuousClock()
      let wall = await clock.measure { _ = await body() }
      sample.note = String(format: "%.1f µs of wall time", wall / .microseconds(times))
      return sample
    }

    private static func startServer(folder: URL, socket: String, port: Int) throws -> Process {
      let server = Process()
      server.executableURL = URL(fileURLWithPath: "/usr/bin/redis-server")
      server.arguments = [
        "--port", "\(port)", "--bind", "127.0.0.1", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir",
        folder.path, "--logfile", "",
      ]
      let output = Pipe()
      server.standardOutput = output
      try server.run()
      var text = ""
      while !text.contains("eady to accept connections") {
        let more = output.fileHandleForReading.availableData
        precondition(!more.isEmpty, "redis-server has ended: \(text)")
        text += String(decoding: more, as: UTF8.self)
      }
      return server
    }
  }
#else
  @main
  struct RedisBenchmarks {
    static func main() { print("Built without the trait Redis.") }
  }
#endif
