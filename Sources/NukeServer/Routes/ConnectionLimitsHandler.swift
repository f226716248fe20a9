#if Server
  import HTTPTypes
  import HummingbirdCore
  import NIOCore
  import NIOHTTP1
  import NIOHTTPTypes

  /// Closes an HTTP/1.1 connection or an HTTP/2 stream that exceeds its limits, and notifies its ``ClientConnection``
  /// when the client disconnects.
  ///
  /// Only a complete head counts. A client that sends single bytes slowly does not extend its deadline.
  final class ConnectionLimitsHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let sending: SendingBudget
    private let state: ServerState?
    private let reporter: RequestReporter?
    /// The number of written bytes that the client has not accepted.
    private var unsent = 0
    /// The reservation for these bytes in the sending budget. They are copies; the file of a long response has a
    /// separate reservation.
    private var unsentReservation: (bytes: Int, reservation: SendingBudget.Reservation)?
    private var willReserve = false
    private let connection = ClientConnection()
    private var watch: ConnectionWatch?
    private var timer: (time: NIODeadline, task: Scheduled<Void>)?
    /// The context in which the end of the client's input is reported later. If it were reported while a response is
    /// being sent, the connection would close and the response would be truncated.
    private var heldEnd: ChannelHandlerContext?
    /// `true` if the connection is shutting down, so that it closes after the response.
    private var isQuiescing = false
    /// The context in which the shutdown of the connection is reported later. The next handlers would close the
    /// connection at once, and the client would not receive the rest of its responses.
    private var heldQuiescing: ChannelHandlerContext?
    /// The reason why the last request of the connection is invalid; `nil` if it is valid.
    private var invalidRequest: InvalidRequest?
    /// The closing of the server's side, which closes the connection of a client that sends nothing more.
    private var heldClose: (context: ChannelHandlerContext, promise: EventLoopPromise<Void>?)?

    init(_ limits: ConnectionLimits, _ dependencies: ConnectionDependencies) {
      self.limits = limits
      sending = dependencies.sending
      state = dependencies.state
      reporter = dependencies.reporter
    }

    // MARK: Lifecycle

    func handlerAdded(context: ChannelHandlerContext) {
      watch = ConnectionWatch(limits, now: context.eventLoop.now)
      ClientConnection.register(connection, for: context.channel)
      setTimer(context)
      // Streams of HTTP/2 have no such handler.
      let pipeline = context.pipeline.syncOperations
      if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
        try? pipeline.addHandler(RequestHeadHandler(), position: .after(decoder))
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelInactive(context: ChannelHandlerContext) {
      end(context)
      context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) {
      timer?.task.cancel()
      timer = nil
      watch = nil
      unsentReservation = nil
      heldEnd = nil
      heldQuiescing = nil
      heldClose?.promise?.fail(ChannelError.alreadyClosed)
      heldClose = nil
      ClientConnection.unregister(context.channel)
      connection.end()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        isQuiescing = true
        if let watch, watch.openRequests > 0 || watch.isSending { return heldQuiescing = context }
      }
      // A client that has closed its side is regarded as disconnected. HTTP/2 streams always end in this way, and
      // report a disconnection differently.
      if case ChannelEvent.inputClosed = event, !Self.isStream(context.channel) {
        connection.setDisconnected()
        if watch?.isSending == true { return heldEnd = context }
      }
      context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      guard mode == .output, watch?.isSending == true, heldClose == nil else {
        return context.close(mode: mode, promise: promise)
      }
      heldClose = (context, promise)
    }

    /// Performs the events that were held back until the client has received its response.
    private func catchUp() {
      guard watch?.isSending == false else { return }
      if let (context, promise) = heldClose {
        heldClose = nil
        context.close(mode: .output, promise: promise)
      }
      if let context = heldEnd {
        heldEnd = nil
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      }
      if let context = heldQuiescing, watch?.openRequests == 0 {
        heldQuiescing = nil
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
    }

    /// Returns `true` if the connection closes after the response that begins. A server that is shutting down also closes
    /// those that are not quiescing yet, so that the clients of a load balancer move to other servers.
    private func isLastResponse(_ context: ChannelHandlerContext) -> Bool {
      guard isQuiescing || state?.phase == .stopping, !Self.isStream(context.channel) else { return false }
      if !isQuiescing { (isQuiescing, heldQuiescing) = (true, context) }
      return true
    }

    /// The parent of a stream is a connection, and the parent of a connection is the listening channel.
    private static func isStream(_ channel: any Channel) -> Bool { channel.parent?.parent != nil }

    // MARK: Reading and writing

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head:
        watch?.receivedHead(now: context.eventLoop.now)
        setTimer(context)
      case .body(let bytes):
        if watch?.receivedBody(bytes.readableBytes) == false { return context.close(promise: nil) }
      case .end: watch?.receivedEnd()
      }
      context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      invalidRequest = invalidRequest ?? InvalidRequest(error)
      // Hummingbird responds only to errors of the parser.
      context.fireErrorCaught(error is InvalidRequest ? HTTPParserError.unknown : error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      switch unwrapOutboundIn(data) {
      case .head(var head):
        // The response of Hummingbird to an error of the parser, after the responses to all valid requests, is empty.
        if let invalidRequest, watch?.openRequests == 0 { return write(invalidRequest, context, promise) }
        guard isLastResponse(context) else { return context.write(data, promise: promise) }
        // Otherwise, the client might send another request, which nobody would answer (RFC 9112 §9.6).
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
      case .body(var bytes):
        while bytes.readableBytes > Response.pieceLength, let piece = bytes.readSlice(length: Response.pieceLength) {
          write(piece, context, nil)
        }
        write(bytes, context, promise)
      case .end:
        watch?.answered(now: context.eventLoop.now)
        let reservation = connection.reservation
        guard reservation != nil || heldEnd != nil || heldQuiescing != nil else {
          return context.write(data, promise: promise)
        }
        // Earlier writes may still wait for the client.
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
          if let reservation { connection.release(reservation) }
          catchUp()
        }
        context.write(data, promise: written)
      }
    }

    private func write(
      _ request: InvalidRequest, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
      let body = ByteBuffer(string: request.message + "\n")
      var fields: HTTPFields = [
        .connection: "close", .contentLength: String(body.readableBytes), .contentType: "text/plain; charset=utf-8",
        .cacheControl: "no-store",
      ]
      RequestReporter.addProtection(to: &fields)
      reporter?.rejected(request, bytes: body.readableBytes, client: connection.address, fields: &fields)
      let head = HTTPResponse(status: request.status, headerFields: fields)
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      write(body, context, nil)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
      let count = bytes.readableBytes
      watch?.beganWriting(now: context.eventLoop.now)
      unsent += count
      let written = promise ?? context.eventLoop.makePromise()
      let loop = context.eventLoop
      written.futureResult.assumeIsolated().whenComplete { [self] _ in
        watch?.endedWriting(count, now: loop.now)
        unsent -= count
        if unsent == 0 { unsentReservation = nil } else { unsentReservation?.reservation.progressed() }
        connection.reservation?.progressed()
        catchUp()
      }
      context.write(wrapOutboundOut(.body(bytes)), promise: written)
    }

    func flush(context: ChannelHandlerContext) {
      context.flush()
      // No timer is needed for bytes that the client accepts at once.
      setTimer(context)
      guard unsent > 0, !willReserve else { return }
      willReserve = true
      // An HTTP/2 stream is written when its connection flushes, which may be later.
      context.eventLoop.assumeIsolated().execute { [self] in
        willReserve = false
        reserveUnsent(context)
      }
    }

    /// Accounts for bytes that the client has not accepted. Closes the connection if the budget is exceeded.
    private func reserveUnsent(_ context: ChannelHandlerContext) {
      guard watch != nil, unsent > unsentReservation?.bytes ?? 0 else { return }
      unsentReservation = nil
      let abort: @Sendable () -> Void = { [weak connection] in connection?.close() }
      if connection.reservation != nil {
        unsentReservation = (unsent, sending.add(unsent: unsent, abort: abort))
      } else if let reservation = sending.reserve(unsent: unsent, abort: abort) {
        unsentReservation = (unsent, reservation)
      } else {
        context.close(promise: nil)
      }
    }

    // MARK: Time

    /// Sets the timer. A timer that fires too early is set again then, so that most requests set none.
    private func setTimer(_ context: ChannelHandlerContext) {
      guard let deadline = watch?.deadline else { return }
      if let timer {
        if timer.time <= deadline { return }
        timer.task.cancel()
      }
      let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
        timer = nil
        guard let deadline = watch?.deadline else { return }
        if deadline <= context.eventLoop.now { context.close(promise: nil) } else { setTimer(context) }
      }
      timer = (deadline, task)
    }
  }

  @available(*, unavailable)
  extension ConnectionLimitsHandler: Sendable {}
#endif
