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

  /// Knows what a connection waits for, and until when it may.
  struct ConnectionWatch {
    let headTime: TimeAmount
    let bodyTime: TimeAmount
    let writeTime: TimeAmount
    let maximumBodyBytes: Int
    let leastRate: Int

    /// Requests of which the head is here and the answer is not sent.
    private(set) var openRequests = 0
    private var isReadingBody = false
    private var bodyBytes = 0
    /// The time at which the server began to wait for the client.
    private var readingSince: NIODeadline
    /// Pieces of answers on their way.
    private(set) var unwritten = 0
    private var progressAt: NIODeadline
    /// Since when answers are sent without a pause, and how much of them was taken; `nil` while none is.
    private var sending: (since: NIODeadline, taken: Int)?
    /// `true` if an answer was begun whose end is yet to be written.
    private var isWithinAnswer = false

    /// `true` if an answer is on its way of which the client has not taken all.
    var isSending: Bool { isWithinAnswer || unwritten > 0 }

    init(_ limits: ConnectionLimits, now: NIODeadline) {
      headTime = TimeAmount(limits.headTime)
      bodyTime = TimeAmount(limits.bodyTime)
      writeTime = TimeAmount(limits.writeTime)
      maximumBodyBytes = limits.maximumBodyBytes
      leastRate = limits.leastRate
      readingSince = now
      progressAt = now
    }

    /// The time at which the connection is closed if nothing happens; `nil` while the server is working.
    var deadline: NIODeadline? {
      guard let write = writeDeadline else { return readDeadline }
      return readDeadline.map { min(write, $0) } ?? write
    }

    private var writeDeadline: NIODeadline? {
      guard unwritten > 0 else { return nil }
      let next = progressAt + writeTime
      guard let sending, leastRate > 0 else { return next }
      // Each byte that was taken is worth some time.
      let earned = TimeAmount.nanoseconds(Int64(min(Double(sending.taken) / Double(leastRate), 1e6) * 1e9))
      return min(next, sending.since + writeTime + earned)
    }

    private var readDeadline: NIODeadline? {
      if isReadingBody { return readingSince + bodyTime }
      return openRequests == 0 ? readingSince + headTime : nil
    }

    mutating func receivedHead(now: NIODeadline) {
      openRequests += 1
      isReadingBody = true
      bodyBytes = 0
      readingSince = now
    }

    /// Returns `true` if the body is still within its limit.
    mutating func receivedBody(_ count: Int) -> Bool {
      bodyBytes += count
      return bodyBytes <= maximumBodyBytes
    }

    mutating func receivedEnd() { isReadingBody = false }

    mutating func answered(now: NIODeadline) {
      openRequests = max(0, openRequests - 1)
      isWithinAnswer = false
      if unwritten == 0 { sending = nil }
      // The client may send the rest of its request until the time for that is over.
      if openRequests == 0, !isReadingBody { readingSince = now }
    }

    mutating func beganWriting(now: NIODeadline) {
      if unwritten == 0 { progressAt = now }
      if sending == nil { sending = (now, 0) }
      isWithinAnswer = true
      unwritten += 1
    }

    /// - Parameter count: bytes of the piece, which the client's connection has taken.
    mutating func endedWriting(_ count: Int, now: NIODeadline) {
      unwritten -= 1
      progressAt = now
      sending?.taken += count
      if unwritten == 0, !isWithinAnswer { sending = nil }
    }
  }
#endif
