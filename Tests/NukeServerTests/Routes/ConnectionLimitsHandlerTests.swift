#if Server
  import Foundation
  import HTTPTypes
  import HummingbirdCore
  import NIOCore
  import NIOEmbedded
  import NIOHTTPTypes
  import NukeBase
  import NukeLoaderSuite
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Connection limits") struct ConnectionLimitsHandlerTests {
    private static let head = HTTPRequestPart.head(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"))

    /// A connection with these handlers, or with the limits alone.
    private func channel(_ handlers: any ChannelHandler...) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel(handlers: handlers.isEmpty ? [ConnectionLimitsHandler.strict()] : handlers)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      return channel
    }

    /// Closes a channel. A function of its own, because `wait` cannot be called in an asynchronous one.
    private func close(_ channel: EmbeddedChannel) throws { try channel.close().wait() }

    private func ask(_ channel: EmbeddedChannel) throws {
      try channel.writeInbound(Self.head)
      try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    private func respond(_ channel: EmbeddedChannel) throws {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    @Test("A client that never completes its head is disconnected, whatever bytes it sends")
    func slowHead() throws {
      let channel = try channel()
      channel.embeddedEventLoop.advanceTime(by: .seconds(29))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }

    @Test("A client that keeps sending requests stays connected, and an idle one does not")
    func keptAlive() throws {
      let channel = try channel()
      for _ in 0..<10 {
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        try ask(channel)
        // The server takes its time.
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        try respond(channel)
      }
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      #expect(!channel.isActive)
    }

    @Test("A response that is sent while the server shuts down announces that the connection closes")
    func lastResponse() throws {
      let channel = try channel()
      for isLast in [false, true] {
        try ask(channel)
        if isLast { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        try respond(channel)
        let part = try channel.readOutbound(as: HTTPResponsePart.self)
        guard case .head(let head)? = part else { throw Unexpected(part) }
        #expect(head.headerFields[.connection] == (isLast ? "close" : nil))
        _ = try channel.readOutbound(as: HTTPResponsePart.self)
      }
    }

    @Test("While the server drains, a request is served, and its connection closes after the response")
    func draining() throws {
      let (state, endings) = (ServerState(), EndingsHandler())
      let channel = try channel(ConnectionLimitsHandler.strict(state: state), endings)
      state.started()
      for isDraining in [false, true] {
        if isDraining { state.stopping() }
        // The second request is sent before the first response.
        for _ in 0..<2 { try ask(channel) }
        for number in 1...2 {
          try respond(channel)
          let part = try channel.readOutbound(as: HTTPResponsePart.self)
          guard case .head(let head)? = part else { throw Unexpected(part) }
          #expect(head.headerFields[.connection] == (isDraining ? "close" : nil))
          _ = try channel.readOutbound(as: HTTPResponsePart.self)
          #expect(endings.quiescingCount == (isDraining && number == 2 ? 1 : 0))
        }
      }
    }

    @Test("On shutdown, a connection closes after its client has received the response, and not before")
    func quiescing() throws {
      let (stalling, endings) = (StallingHandler(), EndingsHandler())
      let channel = try channel(stalling, ConnectionLimitsHandler.strict(), endings)
      try ask(channel)
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
      channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil)
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
      #expect(endings.quiescingCount == 0)
      stalling.release()
      #expect(endings.quiescingCount == 1)
      // An idle connection closes at once.
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      #expect(endings.quiescingCount == 2)
    }

    @Test("A body that is too slow or too large closes the connection")
    func body() throws {
      let slow = try channel()
      try slow.writeInbound(Self.head)
      for _ in 0..<9 {
        slow.embeddedEventLoop.advanceTime(by: .seconds(1))
        try slow.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
      }
      #expect(slow.isActive)
      slow.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!slow.isActive)
      let large = try channel()
      try large.writeInbound(Self.head)
      try large.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 101)))
      #expect(!large.isActive)
    }

    @Test("A client that does not receive its response is disconnected")
    func slowReader() throws {
      let channel = try channel()
      try ask(channel)
      // Nothing is flushed, as if the client took nothing.
      channel.write(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil)
      channel.pipeline.flush()
      #expect(channel.isActive)
      let stalled = try self.channel(StallingHandler(), ConnectionLimitsHandler.strict())
      try ask(stalled)
      stalled.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil)
      stalled.embeddedEventLoop.advanceTime(by: .seconds(19))
      #expect(stalled.isActive)
      stalled.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!stalled.isActive)
    }

    @Test("A client that receives all chunks in time, but too slowly overall, is disconnected")
    func dribblingReader() throws {
      let stalling = StallingHandler()
      let channel = try channel(stalling, ConnectionLimitsHandler.strict())
      try ask(channel)
      var seconds = 0
      while channel.isActive, seconds < 1000 {
        channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: 500)), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        seconds += 10
        stalling.release()
      }
      // The first 20 seconds, and 5 for each of the two pieces that it has taken by then.
      #expect(seconds == 30)
    }

    @Test("A client that closes its side during a response still receives all of it")
    func halfClosed() throws {
      let (stalling, endings) = (StallingHandler(), EndingsHandler())
      let channel = try channel(stalling, ConnectionLimitsHandler.strict(), endings)
      try ask(channel)
      channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil)
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      stalling.release()
      channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "y")), promise: nil)
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
      #expect(endings.count == 0)
      stalling.release()
      #expect(endings.count == 1)
      // Where nothing is sent it is told at once.
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      #expect(endings.count == 2)
    }

    /// Stands for whoever answers.
    private final class EndingsHandler: ChannelInboundHandler {
      typealias InboundIn = HTTPRequestPart
      var count = 0
      var quiescingCount = 0

      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { count += 1 }
        if event is ChannelShouldQuiesceEvent { quiescingCount += 1 }
      }
    }

    /// Keeps what is written, as a socket does whose client does not read.
    private final class StallingHandler: ChannelOutboundHandler {
      typealias OutboundIn = HTTPResponsePart
      private var promises: [EventLoopPromise<Void>] = []

      func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { promises.append(promise) }
      }

      func release(_ count: Int = .max) {
        let taken = promises.prefix(count)
        promises.removeFirst(taken.count)
        for promise in taken { promise.succeed() }
      }

      func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
        context.close(mode: mode, promise: promise)
      }
    }

    // MARK: Who waits

    /// A task that ends when it is canceled.
    private func endless() -> Task<Void, any Error> {
      Task {
        await Gate().wait(); try Task.checkCancellation()
      }
    }

    @Test("The disconnection of a client cancels the request that waits for its image", arguments: [true, false])
    func gone(isBefore: Bool) async throws {
      let channel = try channel()
      let connection = try #require(ClientConnection.of(channel))
      let request = endless()
      if isBefore { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
      connection.setRequest(request)
      #expect(!request.isCancelled, "it does not wait yet")
      try await connection.cancelingOnDisconnect {
        #expect(request.isCancelled == isBefore)
        if !isBefore { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        #expect(request.isCancelled)
      }
      try close(channel)
      #expect(ClientConnection.of(channel) == nil)
    }

    @Test("A request that waits before its task is known is canceled then, if its client has disconnected")
    func goneEarly() async throws {
      let channel = try channel()
      let connection = try #require(ClientConnection.of(channel))
      let request = endless()
      try await connection.cancelingOnDisconnect {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        connection.setRequest(request)
        #expect(request.isCancelled)
      }
      try close(channel)
    }

    @Test("The disconnection of a client does not cancel a request that has its image")
    func forgotten() async throws {
      let channel = try channel()
      let connection = try #require(ClientConnection.of(channel))
      let request = endless()
      connection.setRequest(request)
      try await connection.cancelingOnDisconnect {}
      try close(channel)
      #expect(!request.isCancelled)
      request.cancel()
    }

    // MARK: The sending budget

    /// A connection whose client takes nothing, and has asked.
    private func asking(_ budget: SendingBudget) throws -> (EmbeddedChannel, StallingHandler) {
      let stalling = StallingHandler()
      let channel = try channel(stalling, ConnectionLimitsHandler.strict(budget))
      try ask(channel)
      return (channel, stalling)
    }

    @Test("Unreceived bytes of short responses hold budget, one share for each connection")
    func roomOfShort() throws {
      let budget = SendingBudget(limit: 100)
      let (channel, stalling) = try asking(budget)
      writeResponse(channel)
      #expect(budget.statistics.responses == 0, "what is taken at once needs none")
      channel.embeddedEventLoop.run()
      #expect(budget.statistics.bytes == 10)
      writeResponse(channel)
      channel.embeddedEventLoop.run()
      #expect(budget.statistics.bytes == 20 && budget.statistics.responses == 1)
      stalling.release()
      #expect(budget.statistics.bytes == 0 && channel.isActive)
    }

    @Test("A client that receives a short response at once holds no budget")
    func roomOfTaken() throws {
      let budget = SendingBudget(limit: 5)
      let (channel, stalling) = try asking(budget)
      writeResponse(channel)
      stalling.release()
      channel.embeddedEventLoop.run()
      #expect(channel.isActive && budget.statistics.rejected == 0)
    }

    @Test("If the budget is exceeded, a client that does not receive a short response is disconnected")
    func noRoomForShort() throws {
      let budget = SendingBudget(limit: 15)
      let (first, stalling) = try asking(budget)
      let (second, _) = try asking(budget)
      for channel in [first, second] {
        writeResponse(channel)
        channel.embeddedEventLoop.run()
      }
      #expect(first.isActive && !second.isActive)
      #expect(budget.statistics.rejected == 1 && budget.statistics.bytes == 10)
      stalling.release()
      #expect(budget.statistics.bytes == 0)
    }

    @Test("A client that receives nothing of a short response is disconnected in favor of others")
    func abortedShort() throws {
      let now = Lock(0.0)
      let budget = SendingBudget(limit: 15) { now.withLock { $0 } }
      let (first, _) = try asking(budget)
      let (second, _) = try asking(budget)
      writeResponse(first)
      first.embeddedEventLoop.run()
      now.withLock { $0 = SendingTable.patience }
      writeResponse(second)
      second.embeddedEventLoop.run()
      #expect(!first.isActive && second.isActive)
      #expect(budget.statistics.aborted == 1 && budget.statistics.bytes == 10)
    }

    @Test("A client that receives a short response chunk by chunk is not disconnected")
    func slowlyTaken() throws {
      let now = Lock(0.0)
      let length = 3 * Response.pieceLength
      let budget = SendingBudget(limit: length) { now.withLock { $0 } }
      let (first, stalling) = try asking(budget)
      let (second, _) = try asking(budget)
      first.writeAndFlush(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: length)), promise: nil)
      first.embeddedEventLoop.run()
      now.withLock { $0 = SendingTable.patience }
      stalling.release(1)
      writeResponse(second)
      second.embeddedEventLoop.run()
      #expect(first.isActive && !second.isActive)
      stalling.release()
      #expect(budget.statistics.bytes == 0)
    }

    /// Returns a connection whose client receives nothing, and which holds a reservation for a response.
    private func stalled(_ budget: SendingBudget) throws -> (EmbeddedChannel, StallingHandler) {
      let (channel, stalling) = try asking(budget)
      let rendition = Rendition(data: Data(count: 10), contentType: "image/png", entityTag: "\"a\"")
      let connection = try #require(ClientConnection.of(channel))
      connection.keep(try budget.reserve(rendition) {})
      return (channel, stalling)
    }

    private func writeResponse(_ channel: EmbeddedChannel) {
      channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: 10)), promise: nil)
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    }

    @Test("The share of a response is held until its end is received")
    func reservationOfResponse() throws {
      let budget = SendingBudget(limit: 100)
      let (channel, stalling) = try stalled(budget)
      writeResponse(channel)
      channel.embeddedEventLoop.run()
      #expect(budget.statistics.responses == 2 && budget.statistics.bytes == 20, "the file, and the copy on its way")
      stalling.release()
      #expect(budget.statistics.responses == 0 && channel.isActive)
    }

    @Test("A client that has closed its side may still receive a response that was admitted", arguments: [false, true])
    func reservationOfHalfClosed(isWritten: Bool) throws {
      let budget = SendingBudget(limit: 100)
      let (channel, stalling) = try stalled(budget)
      if isWritten { writeResponse(channel) }
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      #expect(budget.statistics.responses == 1)
      if !isWritten { writeResponse(channel) }
      stalling.release()
      #expect(budget.statistics.responses == 0)
    }

    @Test("A connection that ends returns its share, whatever was written", arguments: [false, true])
    func reservationOfEnded(isWritten: Bool) throws {
      let budget = SendingBudget(limit: 100)
      let (channel, _) = try stalled(budget)
      if isWritten { writeResponse(channel) }
      let connection = try #require(ClientConnection.of(channel))
      try channel.close().wait()
      #expect(budget.statistics.responses == 0)
      let rendition = Rendition(data: Data(count: 10), contentType: "image/png", entityTag: "\"b\"")
      connection.keep(try budget.reserve(rendition) {})
      #expect(budget.statistics.responses == 0, "there is nobody to keep it for")
    }
  }

  extension ConnectionLimitsHandler {
    static func strict(
      _ sending: SendingBudget = SendingBudget(limit: 1000), state: ServerState? = nil
    ) -> ConnectionLimitsHandler {
      ConnectionLimitsHandler(.strict, ConnectionDependencies(sending: sending, state: state))
    }
  }

  extension ConnectionLimits {
    /// Round numbers, each another one.
    static let strict = {
      var limits = ConnectionLimits()
      limits.headTime = .seconds(30)
      limits.bodyTime = .seconds(10)
      limits.writeTime = .seconds(20)
      limits.maximumBodyBytes = 100
      limits.leastRate = 100
      return limits
    }()
  }
#endif
