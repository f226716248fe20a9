#if Server
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOSSL
  import NIOTLS

  /// A connection by TLS that is closed where its client does not end the handshake in time: what limits a connection
  /// otherwise stands behind that, since the handshake says which protocol is spoken.
  struct HandshakeLimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limit: Duration

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
      let alarm = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
      channel.closeFuture.whenComplete { _ in alarm.cancel() }
      return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
        let operations = channel.pipeline.syncOperations
        // What stands behind keeps the event for itself.
        let tls = try operations.handler(type: NIOSSLServerHandler.self)
        try operations.addHandler(HandshakeListener(alarm), position: .after(tls))
        return value
      }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
  }

  private final class HandshakeListener: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let alarm: Scheduled<Void>

    init(_ alarm: Scheduled<Void>) { self.alarm = alarm }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case TLSUserEvent.handshakeCompleted = event { alarm.cancel() }
      context.fireUserInboundEventTriggered(event)
    }
  }
#endif
