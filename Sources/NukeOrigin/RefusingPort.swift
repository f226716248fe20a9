package import Foundation

/// A port of loopback that refuses connections. Nobody else gets it as long as this is there.
package final class RefusingPort: Sendable {
  private let socket: Descriptor
  private let port: UInt16

  package init() throws { (socket, port) = try Descriptor.bound(port: 0) }

  package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
}
