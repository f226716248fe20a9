#if Server
  public import HummingbirdCore
  import HummingbirdHTTP2
  public import NIOSSL

  extension HTTPServerBuilder {
    /// A server for HTTP/1.1 that holds its clients to limits, and gives up what is made for a client that goes away.
    ///
    /// ```swift
    /// let app = Application(router: router, server: .images())
    /// ```
    ///
    /// For TLS, wrap it: `.tls(.images(), tlsConfiguration: …)`.
    public static func images(limits: ConnectionLimits = ConnectionLimits()) -> HTTPServerBuilder {
      images(limits: limits, hits: nil, sending: SendingBudget(limit: SendingBudget.defaultLimit))
    }

    /// - Parameters:
    ///   - hits: answers what it can before the server does.
    ///   - sending: room for what clients do not take.
    static func images(
      limits: ConnectionLimits = ConnectionLimits(), hits: MemoryHits?, sending: SendingBudget
    ) -> HTTPServerBuilder {
      HTTPServerBuilder { responder in
        HTTP1Channel(
          responder: ClientConnection.telling(responder), configuration: limits.channelConfiguration(hits, sending))
      }
    }

    /// The same by TLS, for HTTP/2 with clients that speak it.
    public static func images(
      http2With tlsConfiguration: TLSConfiguration, limits: ConnectionLimits = ConnectionLimits()
    ) -> HTTPServerBuilder {
      images(
        http2With: tlsConfiguration, limits: limits, hits: nil,
        sending: SendingBudget(limit: SendingBudget.defaultLimit))
    }

    static func images(
      http2With tlsConfiguration: TLSConfiguration, limits: ConnectionLimits = ConnectionLimits(), hits: MemoryHits?,
      sending: SendingBudget
    ) -> HTTPServerBuilder {
      HTTPServerBuilder { responder in
        let channel = try HTTP2UpgradeChannel(
          tlsConfiguration: tlsConfiguration,
          configuration: .init(
            idleTimeout: limits.headTime, streamConfiguration: limits.channelConfiguration(hits, sending)),
          responder: ClientConnection.telling(responder))
        return HandshakeLimitedChannel(base: channel, limit: limits.headTime)
      }
    }
  }
#endif
