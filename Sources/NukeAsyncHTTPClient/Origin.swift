#if AsyncHTTPClient
  import Foundation

  /// The scheme, host and port of a URL.
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
