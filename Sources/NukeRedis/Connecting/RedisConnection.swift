#if Redis
  import CNukeHiredis
  import Dispatch
  package import Foundation
  import Glibc
  import NukeBase

  /// A connection that is used by one thread at a time. After a failure, it cannot be used again.
  ///
  /// hiredis connects and parses the protocol. This class sends and receives, because hiredis has no limit for the
  /// duration and size of a reply.
  package final class RedisConnection: @unchecked Sendable {
    private let context: UnsafeMutablePointer<redisContext>
    private let tls: TLSSession?
    private let buffer: UnsafeMutableRawPointer
    private static let bufferSize = 64 << 10

    /// Connects and authenticates. With sentinels, use ``openPrimary(_:)``.
    ///
    /// Resolving a host name takes as long as the system's resolver needs, which no time limit covers.
    package init(_ configuration: RedisConfiguration) throws(RedisError) {
      if let failure = SystemLibrary.redis.failure { throw .notConnected(failure) }
      let time = timeval(configuration.connectTimeout)
      var tls: TLSSession?
      let connected: UnsafeMutablePointer<redisContext>?
      switch configuration.address {
      case .host(let name, let port):
        if let settings = configuration.tls { tls = try TLSSession(settings, host: name) }
        connected = redisConnectWithTimeout(name, CInt(port), time)
      case .socket(let path): connected = redisConnectUnixWithTimeout(path, time)
      case .sentinels: throw .notConnected("the address of the primary is not known yet")
      }
      guard let connected else { throw .notConnected("out of memory") }
      context = connected
      self.tls = tls
      buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
      guard context.pointee.err == 0 else {
        throw .notConnected("\(configuration.address): \(Self.text(of: &context.pointee.errstr))")
      }
      let descriptor = context.pointee.fd
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      if case .host = configuration.address {
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        redisEnableKeepAlive(context)
      }
      // The parser keeps its buffer between replies: most values fit, and allocating it again costs more than reading.
      context.pointee.reader.pointee.maxbuf = 512 << 10
      context.pointee.reader.pointee.fn = RedisReplyFunctions.limited
      if let tls { try shakeHands(tls, until: Self.now + configuration.connectTimeout) }
      try introduce(configuration)
    }

    deinit {
      buffer.deallocate()
      redisFree(context)
    }

    private func shakeHands(_ tls: TLSSession, until deadline: TimeInterval) throws(RedisError) {
      while true {
        let isComplete: Bool
        do throws(RedisError) {
          isComplete = try tls.shakeHands()
        } catch {
          // The alert that tells the server why.
          _ = try? sendEncrypted(tls)
          throw error
        }
        _ = try sendEncrypted(tls)
        if isComplete { return }
        try wait(isSending: !tls.encrypted.isEmpty, until: deadline)
        try receiveEncrypted(tls)
      }
    }

    private func introduce(_ configuration: RedisConfiguration) throws(RedisError) {
      var commands = RedisCommands()
      if let password = configuration.password {
        if let username = configuration.username {
          commands.add("AUTH", .text(username), .text(password))
        } else {
          commands.add("AUTH", .text(password))
        }
      }
      if configuration.database != 0 { commands.add("SELECT", .number(configuration.database)) }
      commands.add("PING")
      for reply in try exchange(commands, seconds: configuration.commandTimeout, limit: 4096) {
        if case .error(let text) = reply { throw .refused(text) }
      }
    }

    /// `true` if the server has closed the connection, or sent unexpected bytes.
    package var isStale: Bool {
      var descriptor = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) != 0
    }

    /// Sends commands and returns their replies.
    ///
    /// - Parameters:
    ///   - seconds: the time limit for all of them.
    ///   - limit: the maximum size of all replies, in bytes.
    package func exchange(
      _ commands: RedisCommands, seconds: TimeInterval, limit: Int
    ) throws(RedisError) -> [RedisReply] {
      let deadline = Self.now + seconds
      var unsent = Unsent(parts: commands.allParts)
      var received = 0
      var replies: [RedisReply] = []
      while true {
        try send(&unsent)
        try wait(isSending: !unsent.isEmpty || tls?.encrypted.isEmpty == false, until: deadline)
        received += try receive()
        guard received <= limit else { throw .replyTooLarge(limit: limit) }
        while replies.count < commands.count, let reply = try nextReply() { replies.append(reply) }
        if replies.count == commands.count { break }
      }
      let reader = context.pointee.reader.pointee
      guard unsent.isEmpty, reader.len == reader.pos else {
        throw .malformedReply("there are more replies than commands")
      }
      return replies
    }

    /// The parts that are not sent yet.
    private struct Unsent {
      let parts: [RedisCommands.Part]
      var index = 0
      var offset = 0

      init(parts: [RedisCommands.Part]) { self.parts = parts }

      var isEmpty: Bool { index == parts.count }

      mutating func advance(_ count: Int, of length: Int) {
        offset += count
        guard offset == length else { return }
        index += 1
        offset = 0
      }
    }

    /// Sends as many bytes as the socket accepts without blocking.
    private func send(_ unsent: inout Unsent) throws(RedisError) {
      if let tls { return try send(&unsent, tls) }
      while !unsent.isEmpty {
        let isLast = unsent.index == unsent.parts.count - 1
        let flags = CInt(MSG_NOSIGNAL) | (isLast ? 0 : CInt(MSG_MORE))
        let (count, length) = unsent.parts[unsent.index].withBytes {
          (Glibc.send(context.pointee.fd, $0.baseAddress! + unsent.offset, $0.count - unsent.offset, flags), $0.count)
        }
        if count < 0 {
          guard errno == EAGAIN || errno == EINTR else { throw .closed }
          return
        }
        unsent.advance(count, of: length)
      }
    }

    /// Encrypts a piece only when the previous one is sent, so that little memory is needed.
    private func send(_ unsent: inout Unsent, _ tls: TLSSession) throws(RedisError) {
      while try sendEncrypted(tls), !unsent.isEmpty {
        let (result, length) = unsent.parts[unsent.index].withBytes { bytes in
          let piece = UnsafeRawBufferPointer(rebasing: bytes[unsent.offset...].prefix(Self.bufferSize))
          return (Result { () throws(RedisError) in try tls.send(piece) }.map { piece.count }, bytes.count)
        }
        unsent.advance(try result.get(), of: length)
      }
    }

    /// - Returns: `true` if nothing is left to send; `false` if the socket accepts no more.
    private func sendEncrypted(_ tls: TLSSession) throws(RedisError) -> Bool {
      while !tls.encrypted.isEmpty {
        let bytes = tls.encrypted.prefix(Self.bufferSize)
        let count = Glibc.send(context.pointee.fd, bytes.base.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        if count < 0 {
          guard errno == EAGAIN || errno == EINTR else { throw .closed }
          return false
        }
        tls.removeEncrypted(count, scratch: buffer)
      }
      return true
    }

    private func wait(isSending: Bool, until deadline: TimeInterval) throws(RedisError) {
      var descriptor = pollfd(
        fd: context.pointee.fd, events: Int16(POLLIN | (isSending ? POLLOUT : 0)), revents: 0)
      while true {
        let left = deadline - Self.now
        guard left > 0 else { throw .timedOut }
        let count = poll(&descriptor, 1, CInt(min(left * 1000, 1e6).rounded(.up)))
        if count > 0 { return }
        if count < 0, errno != EINTR { throw .closed }
      }
    }

    /// - Returns: the number of received bytes; 0 if there are none yet.
    private func receive() throws(RedisError) -> Int {
      guard let tls else {
        let count = try receiveBytes()
        try feed(count)
        return count
      }
      try receiveEncrypted(tls)
      var total = 0
      while true {
        let count = try tls.read(into: buffer, size: Self.bufferSize)
        guard count > 0 else { return total }
        try feed(count)
        total += count
      }
    }

    private func receiveEncrypted(_ tls: TLSSession) throws(RedisError) {
      let count = try receiveBytes()
      if count > 0 { try tls.receive(UnsafeRawBufferPointer(start: buffer, count: count)) }
    }

    /// Receives bytes into the buffer.
    ///
    /// - Returns: their number; 0 if there are none yet.
    private func receiveBytes() throws(RedisError) -> Int {
      let count = recv(context.pointee.fd, buffer, Self.bufferSize, 0)
      if count > 0 { return count }
      guard count < 0, errno == EAGAIN || errno == EINTR else { throw .closed }
      return 0
    }

    /// Passes the first bytes of the buffer to the parser.
    private func feed(_ count: Int) throws(RedisError) {
      guard count > 0 else { return }
      guard redisReaderFeed(context.pointee.reader, buffer.assumingMemoryBound(to: CChar.self), count) == REDIS_OK
      else { throw malformed }
    }

    private func nextReply() throws(RedisError) -> RedisReply? {
      var reply: UnsafeMutableRawPointer?
      guard redisReaderGetReply(context.pointee.reader, &reply) == REDIS_OK else { throw malformed }
      guard let reply else { return nil }
      return try RedisReply(reply.assumingMemoryBound(to: redisReply.self))
    }

    private var malformed: RedisError { .malformedReply(Self.text(of: &context.pointee.reader.pointee.errstr)) }

    private static func text<Characters>(of characters: inout Characters) -> String {
      withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// A monotonic time in seconds.
    static var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }
  }

  /// hiredis's functions that create replies, with limits on the size and the nesting of arrays. From version 1,
  /// hiredis does not limit their nesting, and uses recursion to release them. An element of three bytes needs about
  /// 100 bytes of memory.
  private enum RedisReplyFunctions {
    /// The maximum number of elements of an array, multiplied by the numbers of elements of the arrays around it.
    static let elementLimit = 65_536
    static let levelLimit = 8

    nonisolated(unsafe) static let usual: UnsafeMutablePointer<redisReplyObjectFunctions> = {
      let reader = redisReaderCreate()!
      defer { redisReaderFree(reader) }
      return reader.pointee.fn
    }()

    nonisolated(unsafe) static let limited: UnsafeMutablePointer<redisReplyObjectFunctions> = {
      let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
      functions.initialize(to: usual.pointee)
      functions.pointee.createArray = { task, count in
        guard count <= RedisReplyFunctions.elementLimit else { return nil }
        var (levels, elements) = (1, Int(count))
        var outer = task?.pointee.parent
        while let task = outer {
          levels += 1
          // Both factors are below the limit, so the product does not overflow.
          elements *= Int(task.pointee.elements)
          guard levels <= RedisReplyFunctions.levelLimit, elements <= RedisReplyFunctions.elementLimit else {
            return nil
          }
          outer = task.pointee.parent
        }
        return RedisReplyFunctions.usual.pointee.createArray(task, count)
      }
      return functions
    }()
  }

  extension timeval {
    fileprivate init(_ seconds: TimeInterval) {
      let seconds = min(max(seconds, 0.001), 1e6)
      self.init(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6))
    }
  }

  extension SystemLibrary {
    fileprivate static let redis = SystemLibrary(.redis, files: nuke_redis_files())
  }
#endif
