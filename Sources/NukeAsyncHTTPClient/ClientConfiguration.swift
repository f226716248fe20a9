#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOSSL
  import Nuke

  /// The configuration of a client that the loader owns.
  enum ClientConfiguration {
    static func make(from configuration: DataLoader.Configuration) -> HTTPClient.Configuration {
      var client = HTTPClient.Configuration()
      client.tlsConfiguration = tls(configuration)
      client.timeout.connect = .init(configuration.connectTimeout)
      // The transfers follow redirects and time out idle connections themselves, so that errors state which limit was
      // exceeded.
      client.redirectConfiguration = .disallow
      client.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.maximumConnectionsPerHost)
      // Retries by the client would hide the reason of a failed connection until the timeout.
      client.connectionPool.retryConnectionEstablishment = false
      if configuration.httpVersion == .http1 { client.httpVersion = .http1Only }
      if case .url(let url) = configuration.proxy { client.proxy = proxy(url) }
      return client
    }

    private static func tls(_ configuration: DataLoader.Configuration) -> TLSConfiguration {
      var tls = TLSConfiguration.makeClientConfiguration()
      let paths = [configuration.caFile, configuration.caPath].compactMap { $0 }
      if let first = paths.first {
        tls.trustRoots = .file(first)
        tls.additionalTrustRoots = paths.dropFirst().map { .file($0) }
      }
      return tls
    }

    /// `nil` for schemes that AsyncHTTPClient does not support; ``objection(to:isOwned:)`` rejects requests with such a
    /// proxy.
    private static func proxy(_ url: URL) -> HTTPClient.Configuration.Proxy? {
      guard let host = url.host else { return nil }
      switch url.scheme?.lowercased() {
      case "http":
        let credentials = url.user.map { HTTPClient.Authorization.basic(username: $0, password: url.password ?? "") }
        return .server(host: host, port: url.port ?? 1080, authorization: credentials)
      case "socks5", "socks5h":
        return .socksServer(host: host, port: url.port ?? 1080)
      default:
        return nil
      }
    }

    /// The reason why no request can be sent with this configuration.
    ///
    /// - Parameter isOwned: `true` if the client is created from it. A borrowed client has its own proxy.
    static func objection(to configuration: DataLoader.Configuration, isOwned: Bool) -> DataLoader.TransferError? {
      // The client resolves names and connects by itself, so addresses cannot be checked.
      guard configuration.addressPolicy == .any else {
        return .cannotConnect(host: "any host", reason: "AsyncHTTPClient does not support address policies")
      }
      guard isOwned else { return nil }
      guard case .url(let url) = configuration.proxy, proxy(url) == nil else { return nil }
      return .cannotConnect(
        host: url.host ?? url.absoluteString,
        reason: "AsyncHTTPClient does not support proxies with the scheme \(url.scheme ?? "")")
    }
  }

  extension TimeAmount {
    /// Clamped to the range from a millisecond to the maximum of all timers.
    init(_ seconds: TimeInterval) {
      // NaN means no limit.
      self = seconds < 1e9 ? .nanoseconds(Int64(max(seconds, 0.001) * 1e9)) : .hours(24 * 365 * 30)
    }
  }
#endif
