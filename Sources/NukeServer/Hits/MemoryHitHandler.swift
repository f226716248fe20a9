#if Server
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// Answers memory hits in the channel pipeline, before the request reaches the router with its tasks and thread
  /// switches.
  ///
  /// Passes all requests on while a response of the router is outstanding, so that responses keep the order of their
  /// requests. Also passes them on while the client does not receive its responses.
  final class MemoryHitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let hits: MemoryHits
    /// A request whose end has not been received.
    private var held: (request: HTTPRequest, path: AnsweredPath)?
    /// The number of requests that were passed on and not answered yet.
    private var passedRequests = 0
    /// `true` if the router will close the connection after the outstanding responses.
    private var isLast = false
    /// The number of this handler's responses that are being written.
    private var unwritten = 0
    private var needsFlush = false
    /// `true` if the connection is shutting down. This handler delays the shutdown until its own responses, which the
    /// router does not know about, are written.
    private var isQuiescing = false

    /// The address of the client, once it was needed.
    private var client: String?

    init(_ hits: MemoryHits) { self.hits = hits }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let request):
        if passedRequests == 0, !isLast, !isQuiescing, let path = hits.path(of: request) {
          held = (request, path)
        } else {
          pass(request, context)
        }
      case .body:
        passHeld(context)
        context.fireChannelRead(data)
      case .end:
        if let (request, path) = held, context.channel.isWritable,
          let response = hits.response(to: request, for: path, client: address(context))
        {
          held = nil
          write(response, context)
        } else {
          passHeld(context)
          context.fireChannelRead(data)
        }
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      // The request expects a response later, so the router must answer it.
      passHeld(context)
      if needsFlush {
        needsFlush = false
        context.flush()
      }
      context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      passHeld(context)
      context.fireErrorCaught(error)
    }

    private func address(_ context: ChannelHandlerContext) -> String? {
      if client == nil { client = context.channel.remoteAddress?.clientAddress }
      return client
    }

    private func passHeld(_ context: ChannelHandlerContext) {
      guard let (request, _) = held else { return }
      held = nil
      pass(request, context)
    }

    private func pass(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
      passedRequests += 1
      if let field = request.headerFields.first(where: { $0.name == .connection }), !field.keepsConnection {
        isLast = true
      }
      context.fireChannelRead(wrapInboundOut(.head(request)))
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) { passedRequests = max(0, passedRequests - 1) }
      context.write(data, promise: promise)
    }

    private func write(_ response: MemoryHits.HitResponse, _ context: ChannelHandlerContext) {
      unwritten += 1
      needsFlush = true
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenComplete { [self] _ in
        unwritten -= 1
        if isQuiescing, unwritten == 0 { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
      }
      context.write(wrapOutboundOut(.head(response.head)), promise: nil)
      if let body = response.body {
        context.write(wrapOutboundOut(.body(body)), promise: written)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
      } else {
        context.write(wrapOutboundOut(.end(nil)), promise: written)
      }
    }

    // MARK: Shutdown

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        isQuiescing = true
        // The router would at once close a connection that it regards as idle.
        if unwritten > 0 { return }
      }
      context.fireUserInboundEventTriggered(event)
    }
  }

  @available(*, unavailable)
  extension MemoryHitHandler: Sendable {}
#endif
