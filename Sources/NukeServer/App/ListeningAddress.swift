#if Server
  import NIOCore

  /// The address a server listens on.
  package struct ListeningAddress: Sendable, Hashable, CustomStringConvertible {
    /// The real port, also where any was asked for; `nil` on a socket.
    package let port: Int?
    package let description: String

    init(_ address: SocketAddress?, isTLS: Bool) {
      port = address?.port
      let scheme = isTLS ? "https" : "http"
      if let host = address?.ipAddress, let port = address?.port {
        description = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
      } else {
        description = "unix:\(address?.pathname ?? "")"
      }
    }
  }
#endif
