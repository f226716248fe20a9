#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTPCompression
  import NIOSSL
  import Nuke

  /// What a client of our own is made with.
  enum ClientConfiguration {
    static func make(from configuration: DataLoader.Configuration) -> HTTPClient.Configuration {
      var client = HTTPClient.Configuration()
      client.tlsConfiguration = tls(configuration)
      client.timeout.connect = .init(configuration.connectTimeout)
      // Redirects are followed, and idle connections given up, by the transfers themselves: they tell which limit it was.
      client.redirectConfiguration = .disallow
      client.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.maximumConnectionsPerHost)
      // It would hide why there is no connection until the time limit has passed.
      client.connectionPool.retryConnectionEstablishment = false
      client.decompression = .enabled(limit: .ratio(inflatingRatio))
      if configuration.httpVersion == .http1 { client.httpVersion = .http1Only }
      if case .url(let url) = configuration.proxy { client.proxy = proxy(url) }
      return client
    }

    /// How many times its size a body may be inflated to. Text of any sense stays far below.
    private static let inflatingRatio = 100

    private static func tls(_ configuration: DataLoader.Configuration) -> TLSConfiguration {
      var tls = TLSConfiguration.makeClientConfiguration()
      let paths = [configuration.caFile, configuration.caPath].compactMap { $0 }
      if let first = paths.first {
        tls.trustRoots = .file(first)
        tls.additionalTrustRoots = paths.dropFirst().map { .file($0) }
      }
      return tls
    }

    /// `nil` for schemes that AsyncHTTPClient does not know; ``objection(to:isOwned:)`` keeps requests from going out
    /// without.
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

    /// Why no request can be sent with this configuration.
    ///
    /// - Parameter isOwned: whether the client is made from it. One that is borrowed has its own proxy.
    static func objection(to configuration: DataLoader.Configuration, isOwned: Bool) -> DataLoader.TransferError? {
      // The client looks names up and connects out of sight.
      guard configuration.addressPolicy == .any else {
        return .cannotConnect(host: "any host", reason: "AsyncHTTPClient cannot keep a policy for addresses")
      }
      guard isOwned else { return nil }
      guard case .url(let url) = configuration.proxy, proxy(url) == nil else { return nil }
      return .cannotConnect(
        host: url.host ?? url.absoluteString,
        reason: "AsyncHTTPClient knows no proxy of the scheme \(url.scheme ?? "")")
    }
  }

  extension TimeAmount {
    /// From a millisecond up to what every timer takes.
    init(_ seconds: TimeInterval) {
      // Not a number counts as no limit.
      self = seconds < 1e9 ? .nanoseconds(Int64(max(seconds, 0.001) * 1e9)) : .hours(24 * 365 * 30)
    }
  }
#endif
