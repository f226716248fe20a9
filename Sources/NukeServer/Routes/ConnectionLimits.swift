#if Server
  import Hummingbird
  import HummingbirdCore
  import NIOCore

  /// The limits of a client's connection, after which it is closed.
  public struct ConnectionLimits: Sendable, Hashable {
    /// For a request's head, from when the connection was made or the answer before it was sent.
    public var headTime = Duration.seconds(30)
    /// For the rest of a request behind its head.
    public var bodyTime = Duration.seconds(10)
    /// Without a piece of an answer being taken.
    public var writeTime = Duration.seconds(30)
    /// Bytes of answers a second that a client takes at least, on average from the first piece on and not counting the
    /// first ``writeTime``: 8 KiB unless set, 0 for any. What is sent is held until then, so that this bounds for how long.
    /// The slowest phones still take 20 KB a second.
    public var leastRate = 8 * 1024
    /// The longest head: all fields together, and the request line.
    public var maximumHeadBytes = 16 * 1024
    public var maximumFieldCount = 100
    /// The longest body. Requests for images have none.
    public var maximumBodyBytes = 64 * 1024

    public init() {}

    /// The configuration of a connection of HTTP/1.1 within the limits, or of a stream of HTTP/2.
    ///
    /// A connection that is set up in another way by this has to be told its requests' connections too: see
    /// ``HTTPServerBuilder/images(limits:)``.
    ///
    /// - Parameters:
    ///   - hits: answers what it can before the server does.
    ///   - sending: room for what clients do not take.
    func channelConfiguration(_ hits: MemoryHits?, _ sending: SendingBudget) -> HTTP1Channel.Configuration {
      let limits = self
      return HTTP1Channel.Configuration(
        additionalChannelHandlers: limits.handlers(hits, sending),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: maximumHeadBytes, maxHeaderListSize: maximumHeadBytes,
          maxHeaderFieldCount: maximumFieldCount))
    }

    private func handlers(_ hits: MemoryHits?, _ sending: SendingBudget) -> [any RemovableChannelHandler] {
      let limits = ConnectionLimitsHandler(self, sending: sending)
      guard let hits else { return [limits] }
      return [limits, MemoryHitHandler(hits)]
    }
  }
#endif
