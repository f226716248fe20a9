#if Server
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// Answers what ``MemoryHits`` can before it comes to the server's own way, which goes through tasks and other threads.
  ///
  /// All of it is passed on while an answer of the server's is due, so that answers come in the order of their requests, and
  /// while the client does not take what it was sent.
  final class MemoryHitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let hits: MemoryHits
    /// A request whose end has not come yet.
    private var held: (request: HTTPRequest, path: AnsweredPaths.Entry)?
    /// Requests that were passed on and whose answer was not written.
    private var passedRequests = 0
    /// `true` if the server will close the connection when what was passed on is answered.
    private var isLast = false
    /// Answers of this handler's on their way.
    private var unwritten = 0
    private var needsFlush = false
    /// Told to end, which waits for answers of which the server knows nothing.
    private var isQuiescing = false

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
        if let (request, path) = held, context.channel.isWritable, let answer = hits.answer(to: request, for: path) {
          held = nil
          write(answer, context)
        } else {
          passHeld(context)
          context.fireChannelRead(data)
        }
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      // What is to come of it may take its time.
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

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) { passedRequests = max(0, passedRequests - 1) }
      context.write(data, promise: promise)
    }

    private func write(_ answer: MemoryHits.Answer, _ context: ChannelHandlerContext) {
      unwritten += 1
      needsFlush = true
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenComplete { [self] _ in
        unwritten -= 1
        if isQuiescing, unwritten == 0 { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
      }
      context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
      if let body = answer.body {
        context.write(wrapOutboundOut(.body(body)), promise: written)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
      } else {
        context.write(wrapOutboundOut(.end(nil)), promise: written)
      }
    }

    // MARK: The end

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        isQuiescing = true
        // The server would close at once a connection that is idle as far as it knows.
        if unwritten > 0 { return }
      }
      context.fireUserInboundEventTriggered(event)
    }
  }

  @available(*, unavailable)
  extension MemoryHitHandler: Sendable {}
#endif
