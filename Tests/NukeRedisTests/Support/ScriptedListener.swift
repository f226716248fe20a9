#if Redis
  import Foundation
  import Glibc
  import NukeRedis
  import NukeTesting

  /// A server on loopback that greets as Redis does and then answers every command with the same bytes.
  final class ScriptedListener: Sendable {
    private let descriptor: CInt
    let port: UInt16
    private let connections = CallLog()

    /// - Parameters:
    ///   - answer: nil for none.
    ///   - greets: whether the PING of a new connection is answered well.
    ///   - isEndless: whether the answer is sent again and again.
    init(_ answer: [UInt8]?, greets: Bool = true, isEndless: Bool = false) throws {
      let descriptor = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0 && listen(descriptor, 64) == 0
        }
      }
      guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      self.descriptor = descriptor
      port = UInt16(bigEndian: address.sin_port)
      Thread.detachNewThread { [connections] in
        while true {
          let client = accept(descriptor, nil, nil)
          guard client >= 0 else { return }
          connections.append("connection")
          Thread.detachNewThread { Self.serve(client, answer, greets: greets, isEndless: isEndless) }
        }
      }
    }

    deinit {
      shutdown(descriptor, CInt(SHUT_RDWR))
      close(descriptor)
    }

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
