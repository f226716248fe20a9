#if Redis
  import Foundation
  import Glibc
  import NukeLoaderSuite
  import NukeRedis
  import NukeTesting

  /// A server on loopback that greets as Redis does and then answers every command with the same bytes.
  final class ScriptedListener: Sendable {
    private let listener: PlainListener
    var port: UInt16 { listener.port }
    private let connections = CallLog()

    /// - Parameters:
    ///   - answer: `nil` for none.
    ///   - greets: whether the PING of a new connection is answered well.
    ///   - isEndless: whether the answer is sent again and again.
    init(_ answer: [UInt8]?, greets: Bool = true, isEndless: Bool = false) throws {
      listener = try PlainListener(answer: nil)
      Thread.detachNewThread { [connections, listener] in
        while true {
          let client = accept(listener.descriptor, nil, nil)
          guard client >= 0 else { return }
          connections.append("connection")
          Thread.detachNewThread { Self.serve(client, answer, greets: greets, isEndless: isEndless) }
        }
      }
    }

    deinit { listener.stop() }

    /// Connections so far.
    var connectionCount: Int { connections.entries.count }

    func configuration(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisConfiguration {
      var configuration = RedisConfiguration(address: .host("127.0.0.1", port: Int(port)))
      configuration.connectTimeout = 5
      configuration.commandTimeout = 5
      change(&configuration)
      return configuration
    }

    private static func serve(_ client: CInt, _ answer: [UInt8]?, greets: Bool, isEndless: Bool) {
      defer { close(client) }
      var isGreeted = !greets
      var buffer = [UInt8](repeating: 0, count: 65536)
      while recv(client, &buffer, buffer.count, 0) > 0 {
        guard isGreeted else {
          isGreeted = true
          send(client, Array("+PONG\r\n".utf8))
          continue
        }
        guard let answer else { continue }
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
