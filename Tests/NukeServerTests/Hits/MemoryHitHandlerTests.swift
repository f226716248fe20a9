#if Server
  import HTTPTypes
  import NIOCore
  import NIOEmbedded
  import NIOHTTPTypes
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("The channel handler for memory hits") struct MemoryHitHandlerTests {
    private static let path = ImageURL.signed()
    private let renditions = RenditionsInMemory()

    /// A connection of which the server sees what is passed on.
    private func channel(below handlers: [any ChannelHandler] = []) throws -> EmbeddedChannel {
      let routes = ImageRoutes.images(renditions)
      let resolved = try ResolvedURL(
        path: Self.path, URLVerifier(signer: ImageRoutes.signer), URLRules(), now: ImageRoutes.now)
      routes.urls.noteAnswered(Self.path, resolved, prefix: "")
      let channel = EmbeddedChannel(handlers: handlers + [MemoryHitHandler(try #require(.silent(routes)))])
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      return channel
    }

    private func head(_ path: String = path, _ fields: HTTPFields = [:]) -> HTTPRequestPart {
      .head(HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path, headerFields: fields))
    }

    /// Parts that are read together.
    private func read(_ channel: EmbeddedChannel, _ parts: HTTPRequestPart...) {
      for part in parts { channel.pipeline.fireChannelRead(part) }
      channel.pipeline.fireChannelReadComplete()
    }

    /// What the server was given.
    private func passed(_ channel: EmbeddedChannel) throws -> [String] {
      var names: [String] = []
      while let part = try channel.readInbound(as: HTTPRequestPart.self) {
        switch part {
        case .head: names.append("head")
        case .body: names.append("body")
        case .end: names.append("end")
        }
      }
      return names
    }

    /// What was sent.
    private func sent(_ channel: EmbeddedChannel) throws -> [String] {
      var names: [String] = []
      while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
        switch part {
        case .head(let head): names.append("\(head.status.code)")
        case .body(let bytes): names.append(String(buffer: bytes))
        case .end: names.append("end")
        }
      }
      return names
    }

    private func respond(_ channel: EmbeddedChannel) {
      channel.write(HTTPResponsePart.head(HTTPResponse(status: .noContent)), promise: nil)
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    }

    private static let image = ["200", "<0>", "end"]

    @Test("A memory hit is sent as soon as its request has ended")
    func hit() throws {
      let channel = try channel()
      read(channel, head(), .end(nil), head(), .end(nil))
      #expect(try sent(channel) == Self.image + Self.image)
      #expect(try passed(channel) == [])
    }

    @Test("Nothing is sent before an outstanding response of the server")
    func order() throws {
      let channel = try channel()
      read(channel, head("/other"), .end(nil))
      read(channel, head(), .end(nil))
      #expect(try passed(channel) == ["head", "end", "head", "end"])
      #expect(try sent(channel) == [])
      respond(channel)
      read(channel, head(), .end(nil))
      #expect(try passed(channel) == ["head", "end"])
      respond(channel)
      respond(channel)
      #expect(try sent(channel) == ["204", "end", "204", "end", "204", "end"])
      read(channel, head(), .end(nil))
      #expect(try sent(channel) == Self.image)
    }

    @Test("A client that receives nothing is sent nothing more")
    func unwritable() throws {
      let channel = try channel()
      channel.isWritable = false
      read(channel, head(), .end(nil))
      #expect(try passed(channel) == ["head", "end"])
      #expect(renditions.log.entries == [])
    }

    @Test("A request with a body, or an incomplete one, is passed to the server")
    func bodies() throws {
      let channel = try channel()
      read(channel, head(), .body(ByteBuffer(string: "x")), .end(nil))
      #expect(try passed(channel) == ["head", "body", "end"])
      respond(channel)
      read(channel, head())
      #expect(try passed(channel) == ["head"])
      read(channel, .end(nil))
      #expect(try passed(channel) == ["end"])
      #expect(renditions.log.entries == [])
    }

    @Test("Requests after one that closes the connection are not answered")
    func closing() throws {
      let channel = try channel()
      read(channel, head(Self.path, [.connection: "close"]), .end(nil))
      respond(channel)
      read(channel, head(), .end(nil))
      #expect(try passed(channel) == ["head", "end", "head", "end"])
      #expect(try sent(channel) == ["204", "end"])
    }

    @Test("Requests after a client error are not held back")
    func error() throws {
      struct Failure: Error {}
      let channel = try channel()
      channel.pipeline.fireChannelRead(head())
      channel.pipeline.fireErrorCaught(Failure())
      #expect(try passed(channel) == ["head"])
      #expect(throws: Failure.self) { try channel.throwIfErrorCaught() }
    }

    @Test("On shutdown, the connection closes after the client has received its responses, and not before")
    func quiescing() throws {
      let holding = HoldingHandler()
      let channel = try channel(below: [holding])
      let log = CallLog()
      try channel.pipeline.syncOperations.addHandler(EventListener(log))
      read(channel, head(), .end(nil))
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      #expect(log.entries == [])
      // From now on all is the server's.
      read(channel, head(), .end(nil))
      #expect(try passed(channel) == ["head", "end"])
      holding.release()
      #expect(log.entries == ["end"])
    }

    @Test("On shutdown, an idle connection closes at once")
    func quiescingIdle() throws {
      let channel = try channel()
      let log = CallLog()
      try channel.pipeline.syncOperations.addHandler(EventListener(log))
      read(channel, head(), .end(nil))
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      #expect(log.entries == ["end"])
    }

    /// Keeps what is written, as a socket does whose client does not read.
    private final class HoldingHandler: ChannelOutboundHandler {
      typealias OutboundIn = HTTPResponsePart
      private var promises: [EventLoopPromise<Void>] = []

      func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { promises.append(promise) }
      }

      func release() {
        for promise in promises { promise.succeed() }
        promises = []
      }
    }

    /// Writes down when the connection is told to end.
    private final class EventListener: ChannelInboundHandler {
      typealias InboundIn = HTTPRequestPart
      private let log: CallLog

      init(_ log: CallLog) { self.log = log }

      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { log.append("end") }
      }
    }
  }
#endif
