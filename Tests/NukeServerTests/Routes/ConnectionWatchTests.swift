#if Server
  import HTTPTypes
  import NIOCore
  import NIOEmbedded
  import NIOHTTPTypes
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("How long a connection may wait") struct ConnectionWatchTests {
    private static let limits = {
      var limits = ConnectionLimits()
      limits.headTime = .seconds(30)
      limits.bodyTime = .seconds(10)
      limits.writeTime = .seconds(20)
      limits.maximumBodyBytes = 100
      limits.leastRate = 100
      return limits
    }()

    private func moment(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test("for a head from its beginning, for a body from its head, and not while the server is at work")
    func reading() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      #expect(watch.deadline == moment(30))
      watch.receivedHead(now: moment(5))
      #expect(watch.deadline == moment(15))
      watch.receivedEnd()
      #expect(watch.deadline == nil)
      watch.answered(now: moment(100))
      #expect(watch.deadline == moment(130))
    }

    @Test("for the next head while another is being answered, never")
    func pipelined() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      for second in 1...2 {
        watch.receivedHead(now: moment(Int64(second)))
        watch.receivedEnd()
      }
      watch.answered(now: moment(3))
      #expect(watch.openRequests == 1)
      #expect(watch.deadline == nil)
      watch.answered(now: moment(4))
      #expect(watch.deadline == moment(34))
    }

    @Test("for the rest of a body whose request is answered already")
    func lateBody() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      watch.answered(now: moment(5))
      #expect(watch.deadline == moment(10))
    }

    @Test("for a client that takes pieces, from the last one on")
    func writing() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      watch.receivedEnd()
      watch.beganWriting(now: moment(1))
      watch.beganWriting(now: moment(2))
      #expect(watch.deadline == moment(21))
      watch.endedWriting(1 << 20, now: moment(15))
      #expect(watch.deadline == moment(35))
      watch.endedWriting(1, now: moment(16))
      #expect(watch.deadline == nil)
    }

    @Test("for a client that takes pieces in time, as long as it takes enough of them")
    func rate() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      watch.receivedEnd()
      watch.beganWriting(now: moment(10))
      watch.endedWriting(500, now: moment(25))
      watch.beganWriting(now: moment(25))
      // The first 20 seconds, and 5 for 500 bytes at 100 a second.
      #expect(watch.deadline == moment(35))
      watch.endedWriting(2000, now: moment(34))
      watch.beganWriting(now: moment(34))
      #expect(watch.deadline == moment(54))
      // What it takes of an answer counts for all of it.
      watch.endedWriting(0, now: moment(53))
      watch.beganWriting(now: moment(53))
      #expect(watch.deadline == moment(55))
      watch.answered(now: moment(53))
      watch.endedWriting(0, now: moment(54))
      // The next answer is one by itself.
      watch.receivedHead(now: moment(100))
      watch.receivedEnd()
      watch.beganWriting(now: moment(100))
      #expect(watch.deadline == moment(120))
    }

    @Test("for answers that follow one upon another, at the same rate")
    func rateOfSeveral() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      for _ in 1...2 {
        watch.receivedHead(now: moment(0))
        watch.receivedEnd()
      }
      watch.beganWriting(now: moment(0))
      watch.answered(now: moment(0))
      watch.beganWriting(now: moment(0))
      watch.answered(now: moment(0))
      watch.endedWriting(100, now: moment(19))
      #expect(watch.deadline == moment(21))
    }

    @Test("bodies have a size")
    func bodies() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      let (within, beyond) = (watch.receivedBody(100), watch.receivedBody(1))
      #expect(within && !beyond)
      watch.receivedEnd()
      watch.receivedHead(now: moment(1))
      let next = watch.receivedBody(100)
      #expect(next)
    }

    // MARK: In a pipeline

    private static let head = HTTPRequestPart.head(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"))

    private func channel() throws -> EmbeddedChannel {
      let channel = EmbeddedChannel(handler: ConnectionLimitsHandler(Self.limits))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      return channel
    }

    private func answer(_ channel: EmbeddedChannel) throws {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    @Test("a client that never ends its head is sent away, whatever bytes it sends")
    func slowHead() throws {
      let channel = try channel()
      channel.embeddedEventLoop.advanceTime(by: .seconds(29))
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }

    @Test("a client that goes on asking stays, and one that has stopped does not")
    func keptAlive() throws {
      let channel = try channel()
      for _ in 0..<10 {
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        // The server takes its time.
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        try answer(channel)
      }
      #expect(channel.isActive)
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      #expect(!channel.isActive)
    }

    @Test("a body that comes too slowly, or is too large, ends the connection")
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

    @Test("a client that does not take its answer is sent away")
    func slowReader() throws {
      let channel = try channel()
      try channel.writeInbound(Self.head)
      try channel.writeInbound(HTTPRequestPart.end(nil))
      // Nothing is flushed, as if the client took nothing.
      channel.write(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil)
      channel.pipeline.flush()
      #expect(channel.isActive)
      let stalled = EmbeddedChannel(handlers: [StallingHandler(), ConnectionLimitsHandler(Self.limits)])
      try stalled.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try stalled.writeInbound(Self.head)
      try stalled.writeInbound(HTTPRequestPart.end(nil))
      stalled.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "x")), promise: nil)
      stalled.embeddedEventLoop.advanceTime(by: .seconds(19))
      #expect(stalled.isActive)
      stalled.embeddedEventLoop.advanceTime(by: .seconds(1))
      #expect(!stalled.isActive)
    }

    @Test("a client that takes all its pieces in time, and little with each, is sent away in the end")
    func dribblingReader() throws {
      let stalling = StallingHandler()
      let channel = EmbeddedChannel(handlers: [stalling, ConnectionLimitsHandler(Self.limits)])
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.writeInbound(Self.head)
      try channel.writeInbound(HTTPRequestPart.end(nil))
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

    /// Keeps what is written, as a socket does whose client does not read.
    private final class StallingHandler: ChannelOutboundHandler {
      typealias OutboundIn = HTTPResponsePart
      private var promises: [EventLoopPromise<Void>] = []

      func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { promises.append(promise) }
      }

      func release() {
        for promise in promises { promise.succeed() }
        promises = []
      }

      func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) }
        promises = []
        context.close(mode: mode, promise: promise)
      }
    }

    @Test("a client that is gone is told of once")
    func gone() throws {
      let channel = try channel()
      let connection = try #require(ClientConnection.of(channel))
      let log = CallLog()
      connection.whenGone { log.append("first") }
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      try channel.close().wait()
      #expect(log.entries == ["first"])
      connection.whenGone { log.append("late") }
      #expect(log.entries == ["first", "late"])
      #expect(ClientConnection.of(channel) == nil)
    }

    @Test("who has what it wanted is not told")
    func forgotten() throws {
      let channel = try channel()
      let connection = try #require(ClientConnection.of(channel))
      let log = CallLog()
      connection.whenGone { log.append("gone") }
      connection.forget()
      try channel.close().wait()
      #expect(log.entries == [])
    }
  }
#endif
