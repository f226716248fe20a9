package import Foundation

/// A loopback port that refuses connections. No other process can use it until it is closed.
package final class RefusingPort: Sendable {
  private let socket: Locked<Descriptor?>
  private let port: UInt16

  package init() throws {
    let (socket, port) = try Descriptor.bound(port: 0)
    self.socket = Locked(socket)
    self.port = port
  }

  /// Releases the port, for a server that starts late.
  package func close() { socket.withLock { $0 = nil } }

  package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
}
