#if Server
  public import HummingbirdCore
  import HummingbirdHTTP2
  import Logging
  import NIOCore
  public import NIOSSL
  import NIOTLS

  extension HTTPServerBuilder {
    /// Returns a server for HTTP/1.1 that limits its clients, and cancels the work for clients that disconnect.
    ///
    /// ```swift
    /// let app = Application(router: router, server: .images())
    /// ```
    ///
    /// For TLS, wrap it: `.tls(.images(), tlsConfiguration: …)`.
    public static func images(limits: ConnectionLimits = ConnectionLimits()) -> HTTPServerBuilder {
      images(limits: limits, ConnectionDependencies())
    }

    /// Returns a server for HTTP/1.1 whose connections use objects of the server.
    static func images(limits: ConnectionLimits, _ dependencies: ConnectionDependencies) -> HTTPServerBuilder {
      HTTPServerBuilder { responder in
        HTTP1Channel(
          responder: ClientConnection.settingCurrent(responder),
          configuration: limits.channelConfiguration(dependencies))
      }
    }

    /// Returns a server with TLS and HTTP/2, for clients that support it.
    public static func images(
      http2With tlsConfiguration: TLSConfiguration, limits: ConnectionLimits = ConnectionLimits()
    ) -> HTTPServerBuilder {
      images(http2With: tlsConfiguration, limits: limits, ConnectionDependencies())
    }

    static func images(
      http2With tlsConfiguration: TLSConfiguration, limits: ConnectionLimits, _ dependencies: ConnectionDependencies
    ) -> HTTPServerBuilder {
      HTTPServerBuilder { responder in
        let channel = try HTTP2UpgradeChannel(
          tlsConfiguration: tlsConfiguration,
          configuration: .init(
            idleTimeout: limits.headTime, streamConfiguration: limits.channelConfiguration(dependencies)),
          responder: ClientConnection.settingCurrent(responder))
        return HandshakeLimitedChannel(base: channel, limit: limits.headTime)
      }
    }
  }

  /// A TLS connection with a time limit for the handshake. The other limits apply only after it, because the handshake
  /// selects the protocol.
  struct HandshakeLimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limit: Duration

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
      let timer = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
      channel.closeFuture.whenComplete { _ in timer.cancel() }
      return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
        let operations = channel.pipeline.syncOperations
        // The handlers after this one do not forward the event.
        let tls = try operations.handler(type: NIOSSLServerHandler.self)
        try operations.addHandler(HandshakeListener(timer), position: .after(tls))
        return value
      }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
  }

  private final class HandshakeListener: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let timer: Scheduled<Void>

    init(_ timer: Scheduled<Void>) { self.timer = timer }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case TLSUserEvent.handshakeCompleted = event { timer.cancel() }
      context.fireUserInboundEventTriggered(event)
    }
  }
#endif
