#if Server
  import NIOCore
  import NIOHTTP1

  /// Checks the heads of HTTP/1 requests while they still have their version and their `Host` fields, which the next
  /// handler drops.
  final class RequestHeadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// `true` after an invalid request. The connection closes, so nothing that follows is passed on.
    private var isRejected = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !isRejected else { return }
      guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
      if let error = head.error {
        isRejected = true
        return context.fireErrorCaught(error)
      }
      // Hummingbird closes a connection only for this field, in lower case. Clients of HTTP/1.0 expect that without it,
      // and also if they ask to keep the connection, because responses do not say that it is kept. The parser reads
      // nothing behind a request for another protocol.
      guard !head.isKeepAlive || head.version == .http1_0 || head.asksForOtherProtocol,
        head.headers["connection"] != ["close"]
      else {
        return context.fireChannelRead(data)
      }
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }
  }

  @available(*, unavailable)
  extension RequestHeadHandler: Sendable {}

  extension HTTPRequestHead {
    fileprivate var error: InvalidRequest? {
      guard hasValidHost else { return .host }
      let coding = headers[canonicalForm: "transfer-encoding"].last
      return coding.map { $0.lowercased() == "chunked" } ?? true ? nil : .transferCoding
    }

    fileprivate var asksForOtherProtocol: Bool { method == .CONNECT || headers.contains(name: "upgrade") }

    /// `true` if there is one `Host` field, or none in HTTP/1.0 (RFC 9112 §3.2).
    private var hasValidHost: Bool {
      var count = 0
      for (name, _) in headers where name.utf8.elementsEqual("host".utf8, by: { $0 | 0x20 == $1 }) { count += 1 }
      return count == 1 || count == 0 && version != .http1_1
    }
  }
#endif
