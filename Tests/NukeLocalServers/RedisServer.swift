#if Redis
  import Foundation
  import NukeImaging
  import NukeLoaderSuite
  package import NukeRedis

  /// A `redis-server` of a test's own, on a Unix socket, which keeps nothing on disk and ends with this.
  package final class RedisServer: Sendable {
    package static let path = "/usr/bin/redis-server"
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    private let folder: URL
    private let arguments: [String]
    /// The configuration, if the server is a sentinel.
    private let sentinel: String?
    private let process = Lock<Process?>(nil)
    /// What it has logged, and where more is read from.
    private let log = Lock<(text: String, file: FileHandle?)>(("", nil))
    /// The port of TCP connections; 0 for none.
    package let port: Int
    /// What ``command(_:)`` and other servers authenticate with.
    private let password: String?

    /// - Parameter arguments: added to the command, such as `--maxmemory 1mb`.
    package convenience init(_ arguments: String...) throws { try self.init(arguments: arguments) }

    private init(
      arguments: [String], port: Int = 0, password: String? = nil, sentinel: String? = nil
    ) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "nuke-redis-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.arguments = arguments
      self.port = port
      self.password = password
      self.sentinel = sentinel
      try start()
    }

    /// Returns a server that also has a port on loopback.
    ///
    /// - Parameter certificates: the folder of ``TLSServer/makeCertificates(in:names:)``, for connections with TLS;
    ///   `nil` for connections without.
    package static func listening(
      certificates: String? = nil, password: String? = nil, _ arguments: String...
    ) throws -> RedisServer {
      let authentication = password.map { ["--requirepass", $0, "--masterauth", $0] } ?? []
      return try atFreePort { port in
        try RedisServer(
          arguments: listen(port, certificates) + authentication + arguments, port: port, password: password)
      }
    }

    /// Returns a sentinel that watches a server under the name `images`.
    ///
    /// - Parameters:
    ///   - quorum: the number of sentinels that must agree that the server is down.
    ///   - patience: the time after which it is down, in milliseconds.
    package static func sentinel(
      of primary: RedisServer, quorum: Int, patience: Int, certificates: String? = nil, password: String? = nil
    ) throws -> RedisServer {
      try atFreePort { port in
        let listening = listen(port, certificates)
        var lines = stride(from: 0, to: listening.count, by: 2).map {
          "\(listening[$0].dropFirst(2)) \"\(listening[$0 + 1])\""
        }
        lines += [
          "sentinel monitor images 127.0.0.1 \(primary.port) \(quorum)",
          "sentinel down-after-milliseconds images \(patience)", "sentinel failover-timeout images 5000",
        ]
        if let password { lines.append("requirepass \(password)") }
        if let password = primary.password { lines.append("sentinel auth-pass images \(password)") }
        return try RedisServer(
          arguments: [], port: port, password: password, sentinel: lines.joined(separator: "\n") + "\n")
      }
    }

    private static func listen(_ port: Int, _ certificates: String?) -> [String] {
      guard let certificates else { return ["--port", "\(port)", "--bind", "127.0.0.1"] }
      return [
        "--port", "0", "--bind", "127.0.0.1", "--tls-port", "\(port)", "--tls-replication", "yes",
        "--tls-ca-cert-file", "\(certificates)/ca.pem", "--tls-cert-file", "\(certificates)/server.pem",
        "--tls-key-file", "\(certificates)/server.key", "--tls-auth-clients", "no",
      ]
    }

    /// Another process may take a port between its choice and its use.
    private static func atFreePort(_ start: (Int) throws -> RedisServer) throws -> RedisServer {
      for _ in 0..<4 {
        let port = try PlainListener(answer: nil).port
        if let server = try? start(Int(port)) { return server }
      }
      let port = try PlainListener(answer: nil).port
      return try start(Int(port))
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
      if let sentinel {
        let file = folder.appendingPathComponent("sentinel.conf")
        try Data((sentinel + "unixsocket \"\(socket)\"\ndir \"\(folder.path)\"\n").utf8).write(to: file)
        process.arguments = [file.path, "--sentinel"]
      } else {
        process.arguments =
          [
            "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder.path,
            "--logfile", "",
          ] + arguments
      }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      self.process.withLock { $0 = process }
      log.withLock { $0 = ("", output.fileHandleForReading) }
      try waitUntilLogged(sentinel == nil ? "eady to accept connections" : "+monitor master")
    }

    /// Returns when the log has some text, from the start of the server on.
    package func waitUntilLogged(_ text: String) throws {
      while !log.withLock({ $0.text.contains(text) }) {
        let more = log.withLock { $0.file }?.availableData ?? Data()
        guard !more.isEmpty else { throw CocoaError(.executableLoad) }
        log.withLock { $0.text += String(decoding: more, as: UTF8.self) }
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
          $0.password = password
        })
      var commands = RedisCommands()
      commands.add(arguments.map { .text($0) })
      return try connection.exchange(commands, seconds: 30, limit: 16 << 20)[0]
    }

    /// The number that one command gives.
    package func number(_ arguments: String...) throws -> Int? {
      let connection = try RedisConnection(
        configuration {
          $0.commandTimeout = 5
          $0.password = password
        })
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
