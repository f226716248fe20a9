#if Redis
  import Foundation
  import Glibc
  import NukeLoaderSuite
  import NukeRedis
  import NukeTesting

  /// A server on loopback that greets as Redis does and then answers commands by script.
  final class ScriptedListener: Sendable {
    private let listener: PlainListener
    var port: UInt16 { listener.port }
    private let connections = CallLog()
    private let received = CallLog()

    /// Returns the bytes to answer with; `nil` for none. It is called with what arrives at once: a command, or several
    /// that are sent together.
    typealias Script = @Sendable (_ commands: String) -> [UInt8]?

    /// Answers everything with the same bytes.
    convenience init(_ answer: [UInt8]?, greets: Bool = true, closes: Bool = false, isEndless: Bool = false) throws {
      try self.init(greets: greets, closes: closes, isEndless: isEndless) { _ in answer }
    }

    /// - Parameters:
    ///   - greets: whether the PING of a new connection is answered well.
    ///   - closes: whether a connection is closed after its PING was answered.
    ///   - isEndless: whether an answer is sent again and again.
    init(
      greets: Bool = true, closes: Bool = false, isEndless: Bool = false, script: @escaping Script
    ) throws {
      listener = try PlainListener(answer: nil)
      Thread.detachNewThread { [connections, received, listener] in
        while true {
          let client = accept(listener.descriptor, nil, nil)
          guard client >= 0 else { return }
          connections.append("connection")
          Thread.detachNewThread {
            Self.serve(client, greets: greets, closes: closes, isEndless: isEndless) { commands in
              received.append(commands)
              return script(commands)
            }
          }
        }
      }
    }

    deinit { listener.stop() }

    /// Connections so far.
    var connectionCount: Int { connections.entries.count }

    /// What has arrived so far after the greetings, on all connections.
    var commands: [String] { received.entries }

    func configuration(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisConfiguration {
      var configuration = RedisConfiguration(address: .host("127.0.0.1", port: Int(port)))
      configuration.connectTimeout = 5
      configuration.commandTimeout = 5
      change(&configuration)
      return configuration
    }

    private static func serve(_ client: CInt, greets: Bool, closes: Bool, isEndless: Bool, _ script: Script) {
      defer { close(client) }
      var isGreeted = !greets
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        guard isGreeted else {
          isGreeted = true
          send(client, Array("+PONG\r\n".utf8))
          if closes { return }
          continue
        }
        guard let answer = script(String(decoding: buffer[..<count], as: UTF8.self)) else { continue }
        repeat {
          guard send(client, answer) else { return }
        } while isEndless
      }
    }

    @discardableResult
    private static func send(_ client: CInt, _ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) == $0.count }
    }
  }
#endif
