#if AsyncHTTPClient
  import Foundation

  /// Whom a URL asks: its scheme, host and port.
  struct Origin: Hashable {
    private let scheme: String?
    private let host: String?
    private let port: Int?

    init(_ url: URL) {
      scheme = url.scheme?.lowercased()
      host = url.host?.lowercased()
      port = url.port ?? (scheme == "https" ? 443 : 80)
    }
  }
#endif
