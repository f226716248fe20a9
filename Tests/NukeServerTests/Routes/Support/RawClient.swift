#if Server
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// A client that sends whatever bytes a test wants, and goes away as it likes.
  final class RawClient: @unchecked Sendable {
    struct Failure: Error {
      let call: String
    }

    private let descriptor: CInt
    private let queue = DispatchQueue(label: "raw client")

    /// - Parameter receiveBuffer: bytes that the system takes before anybody reads them.
    init(port: Int, receiveBuffer: CInt? = nil) throws {
      var hints = addrinfo()
      hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo("localhost", String(port), &hints, &list) == 0 else { throw Failure(call: "getaddrinfo") }
      defer { freeaddrinfo(list) }
      var next = list
      while let info = next?.pointee {
        next = info.ai_next
        let number = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
        guard number >= 0 else { continue }
        if var size = receiveBuffer {
          setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        // A test that waits for bytes that never come fails instead of hanging.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if connect(number, info.ai_addr, info.ai_addrlen) == 0 {
          descriptor = number
          return
        }
        close(number)
      }
      throw Failure(call: "connect")
    }

    deinit { close(descriptor) }

    /// Sends as much as the server takes.
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
      try await perform { [descriptor] in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
          }
          guard count > 0 else { throw Failure(call: "send") }
          rest = rest.dropFirst(count)
        }
      }
    }

    /// What comes until there is `end` among it, or the server closes.
    func receive(until end: String? = nil) async throws -> String {
      String(decoding: try await receiveBytes(until: end), as: UTF8.self)
    }

    func receiveBytes(until end: String? = nil) async throws -> [UInt8] {
      try await perform { [descriptor] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
          let count = recv(descriptor, &buffer, buffer.count, 0)
          if count == 0 || count < 0 && errno == ECONNRESET { return bytes }
          guard count > 0 else { throw Failure(call: "recv") }
          bytes += buffer[..<count]
          if let end, String(decoding: bytes, as: UTF8.self).contains(end) { return bytes }
        }
      }
    }

    /// `true` if the server has closed, as far as that can be known without waiting. What has come is left to be
    /// received.
    var isClosedByServer: Bool {
      var byte: UInt8 = 0
      let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
      return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Says that it will send nothing more.
    func endSending() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Goes away at once, as a process does that is killed: the server reads a reset.
    func reset() {
      // This ends a connection in the middle, whoever else has the descriptor: connect(2).
      var address = sockaddr()
      address.sa_family = sa_family_t(AF_UNSPEC)
      connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result(catching: body)) }
      }
    }
  }
#endif
