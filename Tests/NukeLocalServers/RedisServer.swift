#if Redis
  import Foundation
  import NukeImaging
  package import NukeRedis

  /// A `redis-server` of a test's own, on a Unix socket, which keeps nothing on disk and ends with this.
  package final class RedisServer: Sendable {
    package static let path = "/usr/bin/redis-server"
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    private let folder: URL
    private let arguments: [String]
    private let process = Lock<Process?>(nil)

    /// - Parameter arguments: added to the command, such as `--maxmemory 1mb`.
    package init(_ arguments: String...) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "nuke-redis-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.arguments = arguments
      try start()
    }

    deinit {
      stop()
      try? FileManager.default.removeItem(at: folder)
    }

    package var socket: String { folder.appendingPathComponent("redis.sock").path }

    /// A server on the same socket, which answers when this returns.
    package func start() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.path)
      process.arguments =
        [
          "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder.path, "--logfile",
          "",
        ] + arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      self.process.withLock { $0 = process }
      var text = ""
      while !text.contains("eady to accept connections") {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { throw CocoaError(.executableLoad) }
        text += String(decoding: more, as: UTF8.self)
      }
    }

    /// Ends the server as a failing machine does.
    package func stop() {
      guard
        let process = process.withLock({ process in
          defer { process = nil }
          return process
        })
      else { return }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// Has the server accept and answer nothing.
    package func pause() { signal(SIGSTOP) }
    package func goOn() { signal(SIGCONT) }

    private func signal(_ number: CInt) {
      if let identifier = process.withLock({ $0?.processIdentifier }) { kill(identifier, number) }
    }

    package func configuration(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisConfiguration {
      var configuration = RedisConfiguration(address: .socket(socket))
      change(&configuration)
      return configuration
    }

    package func cache(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisDataCache {
      RedisDataCache(configuration(change))
    }

    /// The answer to one command, as an administrator would give it.
    @discardableResult
    package func command(_ arguments: String...) throws -> RedisReply {
      let connection = try RedisConnection(
        configuration {
          $0.connectTimeout = 5
          $0.commandTimeout = 5
        })
      var commands = RedisCommands()
      commands.add(arguments.map { .text($0) })
      return try connection.exchange(commands, seconds: 30, limit: 16 << 20)[0]
    }

    /// The number that one command gives.
    package func number(_ arguments: String...) throws -> Int? {
      let connection = try RedisConnection(configuration { $0.commandTimeout = 5 })
      var commands = RedisCommands()
      commands.add(arguments.map { .text($0) })
      if case .integer(let number) = try connection.exchange(commands, seconds: 30, limit: 4096)[0] { return number }
      return nil
    }

    /// The names of all keys.
    package func keys() throws -> [String] {
      guard case .array(let keys) = try command("KEYS", "*") else { return [] }
      return keys.compactMap { if case .bytes(let bytes) = $0 { bytes.text } else { nil } }.sorted()
    }

    /// Returns when no key with this prefix is there any more, which the server says when it has waited.
    package func waitUntilGone(_ key: String) throws {
      // A list that nobody fills: each look takes as long as its time-out, on the server.
      while try number("EXISTS", key) == 1 { try command("BLPOP", "nothing", "0.02") }
    }
  }

#endif
