#if Server
  import Foundation
  import NIOCore

  /// The address that a server listens on.
  package struct ListeningAddress: Sendable, Hashable, CustomStringConvertible {
    /// The actual port, also if the configured port was 0; `nil` for a socket.
    package let port: Int?
    package let description: String

    init(_ address: SocketAddress?, isTLS: Bool) {
      port = address?.port
      let scheme = isTLS ? "https" : "http"
      if let host = address?.ipAddress, let port = address?.port {
        description = "\(scheme)://\(Self.text(host: host, port: port))"
      } else {
        description = "unix:\(address?.pathname ?? "")"
      }
    }
  }

  extension ListeningAddress {
    /// Returns the host and the port as in a URL.
    static func text(host: String, port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Returns the host to listen on. `::` stands for all addresses of IPv6 and IPv4, or on a machine without IPv6 for
    /// those of IPv4.
    static func host(_ host: String, hasIPv6: () -> Bool = Self.hasIPv6) -> String {
      host == "::" && !hasIPv6() ? "0.0.0.0" : host
    }

    /// Returns `true` if this machine can listen on addresses of IPv6. Its kernel may have none.
    static func hasIPv6() -> Bool {
      let descriptor = socket(AF_INET6, CInt(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      return withUnsafeBytes(of: &address) {
        bind(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
      }
    }
  }

  extension SocketAddress {
    /// The address of a client. A client that connects over IPv4 to a server on `::` has a mapped address, such as
    /// `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2), of which the last part is returned.
    var clientAddress: String? {
      guard let text = ipAddress, text.hasPrefix("::ffff:"), text.contains(".") else { return ipAddress }
      return String(text.dropFirst("::ffff:".count))
    }
  }
#endif
