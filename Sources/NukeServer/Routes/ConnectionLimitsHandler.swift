#if Server
  import HummingbirdCore
  import NIOCore
  import NIOHTTPTypes

  /// Closes a connection, or a stream of HTTP/2, whose client takes more time or sends more bytes than it may, and tells
  /// its ``ClientConnection`` when the client has gone away.
  ///
  /// A head of which a part has come is none yet, so that a client that sends a byte from time to time gains no time.
  final class ConnectionLimitsHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let sending: SendingBudget
    /// Bytes of answers that were written and not taken.
    private var untaken = 0
    /// Room for them, where they were not taken at once. They are copies: a long answer's file has room of its own.
    private var room: (bytes: Int, place: SendingBudget.Place)?
    private var willMakeRoom = false
    private let connection = ClientConnection()
    private var watch: ConnectionWatch?
    private var alarm: (time: NIODeadline, task: Scheduled<Void>)?
    /// The context in which the end of the client's input is reported later. The client has closed its side while it
    /// receives a response, and reporting that at once would close the connection and cut the response off.
    private var heldEnd: ChannelHandlerContext?
    /// The closing of the server's side, which closes the connection of a client that sends nothing more.
    private var heldClose: (context: ChannelHandlerContext, promise: EventLoopPromise<Void>?)?

    init(_ limits: ConnectionLimits, sending: SendingBudget) {
      self.limits = limits
      self.sending = sending
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
      watch = ConnectionWatch(limits, now: context.eventLoop.now)
      ClientConnection.register(connection, for: context.channel)
      setAlarm(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelInactive(context: ChannelHandlerContext) {
      end(context)
      context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) {
      alarm?.task.cancel()
      alarm = nil
      watch = nil
      room = nil
      heldEnd = nil
      heldClose?.promise?.fail(ChannelError.alreadyClosed)
      heldClose = nil
      ClientConnection.unregister(context.channel)
      connection.end()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      // A client that will send nothing more has gone away, as far as anybody can know. Streams of HTTP/2 end so always,
      // and tell otherwise.
      if case ChannelEvent.inputClosed = event, !Self.isStream(context.channel) {
        connection.setGone()
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

    /// Does what was put off until the client has taken its answer.
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
    }

    /// A stream's parent is a connection, whose parent is what it was accepted by.
    private static func isStream(_ channel: any Channel) -> Bool { channel.parent?.parent != nil }

    // MARK: Reading and writing

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head:
        watch?.receivedHead(now: context.eventLoop.now)
        setAlarm(context)
      case .body(let bytes):
        if watch?.receivedBody(bytes.readableBytes) == false { return context.close(promise: nil) }
      case .end: watch?.receivedEnd()
      }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      switch unwrapOutboundIn(data) {
      case .head: context.write(data, promise: promise)
      case .body(var bytes):
        while bytes.readableBytes > Response.pieceLength, let piece = bytes.readSlice(length: Response.pieceLength) {
          write(piece, context, nil)
        }
        write(bytes, context, promise)
      case .end:
        watch?.answered(now: context.eventLoop.now)
        let place = connection.place
        guard place != nil || heldEnd != nil else { return context.write(data, promise: promise) }
        // What was written before may still wait for the client.
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
          if let place { connection.release(place) }
          catchUp()
        }
        context.write(data, promise: written)
      }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
      let count = bytes.readableBytes
      watch?.beganWriting(now: context.eventLoop.now)
      untaken += count
      let written = promise ?? context.eventLoop.makePromise()
      let loop = context.eventLoop
      written.futureResult.assumeIsolated().whenComplete { [self] _ in
        watch?.endedWriting(count, now: loop.now)
        untaken -= count
        if untaken == 0 { room = nil } else { room?.place.progressed() }
        connection.place?.progressed()
        catchUp()
      }
      context.write(wrapOutboundOut(.body(bytes)), promise: written)
    }

    func flush(context: ChannelHandlerContext) {
      context.flush()
      // What a client takes at once needs no alarm.
      setAlarm(context)
      guard untaken > 0, !willMakeRoom else { return }
      willMakeRoom = true
      // A stream of HTTP/2 writes when its connection does, which may be a moment later.
      context.eventLoop.assumeIsolated().execute { [self] in
        willMakeRoom = false
        makeRoom(context)
      }
    }

    /// Has what the client has not taken be counted, or ends the connection where too much is held for others.
    private func makeRoom(_ context: ChannelHandlerContext) {
      guard watch != nil, untaken > room?.bytes ?? 0 else { return }
      room = nil
      let giveUp: @Sendable () -> Void = { [weak connection] in connection?.close() }
      if connection.place != nil {
        room = (untaken, sending.add(untaken: untaken, giveUp: giveUp))
      } else if let place = sending.admit(untaken: untaken, giveUp: giveUp) {
        room = (untaken, place)
      } else {
        context.close(promise: nil)
      }
    }

    // MARK: Time

    /// An alarm that comes too early is set anew then, so that most requests set none.
    private func setAlarm(_ context: ChannelHandlerContext) {
      guard let deadline = watch?.deadline else { return }
      if let alarm {
        if alarm.time <= deadline { return }
        alarm.task.cancel()
      }
      let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
        alarm = nil
        guard let deadline = watch?.deadline else { return }
        if deadline <= context.eventLoop.now { context.close(promise: nil) } else { setAlarm(context) }
      }
      alarm = (deadline, task)
    }
  }

  @available(*, unavailable)
  extension ConnectionLimitsHandler: Sendable {}
#endif
