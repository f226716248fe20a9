import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file descriptor that is closed when it is deinitialized.
final class Descriptor: Sendable {
  let number: CInt

  init(_ number: CInt) { self.number = number }

  deinit { close(number) }
}

/// Ends a wait in `poll`. May be used repeatedly and from any thread.
final class Wakeup: Sendable {
  private let readEnd: Descriptor
  private let writeEnd: Descriptor

  var descriptor: CInt { readEnd.number }

  init() throws {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw SocketError(call: "pipe", code: errno) }
    readEnd = Descriptor(ends[0])
    writeEnd = Descriptor(ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  func signal() {
    var byte: UInt8 = 0
    // A full pipe also ends the wait.
    _ = write(writeEnd.number, &byte, 1)
  }

  func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(readEnd.number, &bytes, 16) > 0 {}
  }
}

/// A failed system call.
struct SocketError: Error, CustomStringConvertible {
  let call: String
  let code: CInt

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

extension Descriptor {
  /// Returns a socket that listens on 127.0.0.1, at `port` or a port that the system chooses.
  static func listening(port: UInt16) throws -> (Descriptor, port: UInt16) {
    let (descriptor, port) = try bound(port: port)
    guard listen(descriptor.number, 1024) == 0 else { throw SocketError(call: "listen", code: errno) }
    return (descriptor, port)
  }

  /// Returns a socket that is bound to a port of 127.0.0.1, and does not listen yet.
  static func bound(port: UInt16) throws -> (Descriptor, port: UInt16) {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = CInt(SOCK_STREAM.rawValue)
    #endif
    let number = socket(AF_INET, type, 0)
    guard number >= 0 else { throw SocketError(call: "socket", code: errno) }
    let descriptor = Descriptor(number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    descriptor.set(SOL_SOCKET, SO_REUSEADDR, CInt(1))

    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    guard isBound else { throw SocketError(call: "bind", code: errno) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  func set<Value: BitwiseCopyable>(_ level: CInt, _ option: CInt, _ value: Value) {
    var value = value
    setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }
}
