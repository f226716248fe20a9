#if Server
  import NIOCore

  /// Knows what a connection waits for, and until when it may.
  struct ConnectionWatch {
    let headTime: TimeAmount
    let bodyTime: TimeAmount
    let writeTime: TimeAmount
    let maximumBodyBytes: Int

    /// Requests of which the head is here and the answer is not sent.
    private(set) var openRequests = 0
    private var isReadingBody = false
    private var bodyBytes = 0
    /// When it began to wait for what comes next from the client.
    private var readingSince: NIODeadline
    /// Pieces of answers on their way.
    private(set) var unwritten = 0
    private var progressAt: NIODeadline

    init(_ limits: ConnectionLimits, now: NIODeadline) {
      headTime = TimeAmount(limits.headTime)
      bodyTime = TimeAmount(limits.bodyTime)
      writeTime = TimeAmount(limits.writeTime)
      maximumBodyBytes = limits.maximumBodyBytes
      readingSince = now
      progressAt = now
    }

    /// When the connection is to be closed if nothing happens; nil while the server is at work.
    var deadline: NIODeadline? {
      let write = unwritten > 0 ? progressAt + writeTime : nil
      guard let read = readDeadline else { return write }
      return write.map { min($0, read) } ?? read
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

    /// Whether the body is still within its limit.
    mutating func receivedBody(_ count: Int) -> Bool {
      bodyBytes += count
      return bodyBytes <= maximumBodyBytes
    }

    mutating func receivedEnd() { isReadingBody = false }

    mutating func answered(now: NIODeadline) {
      openRequests = max(0, openRequests - 1)
      // The client may send the rest of its request until the time for that is over.
      if openRequests == 0, !isReadingBody { readingSince = now }
    }

    mutating func beganWriting(now: NIODeadline) {
      if unwritten == 0 { progressAt = now }
      unwritten += 1
    }

    mutating func endedWriting(now: NIODeadline) {
      unwritten -= 1
      progressAt = now
    }
  }
#endif
