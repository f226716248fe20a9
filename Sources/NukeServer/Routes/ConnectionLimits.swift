#if Server
  import Hummingbird
  import HummingbirdCore
  import NIOCore

  /// The limits of a client's connection. A connection that exceeds one is closed.
  public struct ConnectionLimits: Sendable, Hashable {
    /// The time limit for a request's head, from the start of the connection or the end of the previous response.
    public var headTime = Duration.seconds(30)
    /// The time limit for the rest of a request after its head.
    public var bodyTime = Duration.seconds(10)
    /// The maximum time in which the client receives nothing of a response.
    public var writeTime = Duration.seconds(30)
    /// The minimum rate at which a client must receive responses, in bytes per second; 0 for no minimum. The default is
    /// 8 KiB. It is an average from the first chunk on, excluding the first ``writeTime``. It bounds the time for which
    /// a response stays in memory. Slow phone connections still reach 20 KB per second.
    public var leastRate = 8 * 1024
    /// The maximum size of a request's head: the request line and all fields together. The response to a larger one is
    /// 431.
    public var maximumHeadBytes = 16 * 1024
    /// The maximum number of a request's header fields. The response to one with more is 431.
    public var maximumFieldCount = 100
    /// The maximum size of a request's body. Requests for images have none.
    public var maximumBodyBytes = 64 * 1024

    public init() {}

    /// Returns the configuration of an HTTP/1.1 connection or an HTTP/2 stream with these limits.
    ///
    /// A server that is set up differently must also provide the connection of each request; see
    /// ``HTTPServerBuilder/images(limits:)``.
    ///
    func channelConfiguration(_ dependencies: ConnectionDependencies) -> HTTP1Channel.Configuration {
      let limits = self
      return HTTP1Channel.Configuration(
        additionalChannelHandlers: limits.handlers(dependencies),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: maximumHeadBytes, maxHeaderListSize: maximumHeadBytes,
          maxHeaderFieldCount: maximumFieldCount))
    }

    private func handlers(_ dependencies: ConnectionDependencies) -> [any RemovableChannelHandler] {
      let limits = ConnectionLimitsHandler(self, dependencies)
      guard let hits = dependencies.hits else { return [limits] }
      return [limits, MemoryHitHandler(hits)]
    }
  }

  /// The objects of a server that its connections use.
  struct ConnectionDependencies: Sendable {
    /// Answers memory hits before the router is called; `nil` to call it for every request.
    var hits: MemoryHits?
    /// The budget for bytes that clients have not received, which the routes share.
    var sending = SendingBudget()
    /// The state of the server. After its shutdown began, responses announce that their connection closes. If it is
    /// `nil`, they do so only when the listener is closed.
    var state: ServerState?
    /// Counts and logs invalid requests, which the router does not see; `nil` for none.
    var reporter: RequestReporter?
  }

  /// Tracks what a connection waits for, and its deadline.
  struct ConnectionWatch {
    let headTime: TimeAmount
    let bodyTime: TimeAmount
    let writeTime: TimeAmount
    let maximumBodyBytes: Int
    let leastRate: Int

    /// The number of requests whose head was received and whose response is not complete.
    private(set) var openRequests = 0
    private var isReadingBody = false
    private var bodyBytes = 0
    /// The time at which the server began to wait for the client.
    private var readingSince: NIODeadline
    /// The number of written chunks that the client has not received.
    private(set) var unwritten = 0
    private var progressAt: NIODeadline
    /// The time at which the current sequence of responses began, and the number of bytes the client has received
    /// since; `nil` while nothing is sent.
    private var sending: (since: NIODeadline, received: Int)?
    /// `true` from the head of a response until its end is written.
    private var isWithinResponse = false

    /// `true` while the client has not received a complete response.
    var isSending: Bool { isWithinResponse || unwritten > 0 }

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
      // Each received byte extends the deadline, according to the minimum rate.
      let earned = TimeAmount.nanoseconds(Int64(min(Double(sending.received) / Double(leastRate), 1e6) * 1e9))
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
      isWithinResponse = false
      if unwritten == 0 { sending = nil }
      // The client may send the rest of its request until the deadline for that.
      if openRequests == 0, !isReadingBody { readingSince = now }
    }

    mutating func beganWriting(now: NIODeadline) {
      if unwritten == 0 { progressAt = now }
      if sending == nil { sending = (now, 0) }
      isWithinResponse = true
      unwritten += 1
    }

    /// - Parameter count: the number of bytes that the client's connection has accepted.
    mutating func endedWriting(_ count: Int, now: NIODeadline) {
      unwritten -= 1
      progressAt = now
      sending?.received += count
      if unwritten == 0, !isWithinResponse { sending = nil }
    }
  }
#endif
