import Foundation
import Glibc

/// A socket on loopback that takes one client, says one thing whatever it hears, and closes.
///
/// Threads that accept keep it: the number of a descriptor that is closed may be another's by the time they do so again.
package final class PlainListener: Sendable {
  package let port: UInt16
  package let descriptor: CInt

  /// - Parameter answer: `nil` to listen only, for others to accept.
  package init(answer: String?) throws {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
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
    guard let answer else { return }
    Thread.detachNewThread {
      let client = accept(descriptor, nil, nil)
      var buffer = [UInt8](repeating: 0, count: 4096)
      _ = recv(client, &buffer, buffer.count, 0)
      _ = Array(answer.utf8).withUnsafeBytes { send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      close(client)
    }
  }

  deinit { close(descriptor) }

  /// Takes no more clients, also in other processes that have it. Who waits for one is told so.
  package func stop() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}
