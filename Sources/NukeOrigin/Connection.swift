import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection of a client: reads requests, and performs the responses on its own thread.
final class Connection: Sendable {
  private let socket: Descriptor
  private let wakeup: Wakeup
  private let number: Int
  private let journal: Journal
  private let respond: @Sendable (NukeOrigin.Request) -> NukeOrigin.Response
  private let isStopped = Locked(false)

  /// `true` if the client has closed the connection, or the origin stops.
  private struct Disconnected: Error { let byClient: Bool }

  init(
    socket: Descriptor, number: Int, journal: Journal,
    respond: @escaping @Sendable (NukeOrigin.Request) -> NukeOrigin.Response
  ) throws {
    self.socket = socket
    self.number = number
    self.journal = journal
    self.respond = respond
    wakeup = try Wakeup()
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    _ = fcntl(socket.number, F_SETFD, FD_CLOEXEC)
    socket.set(CInt(IPPROTO_TCP), CInt(TCP_NODELAY), CInt(1))
  }

  /// Ends `run()`. May be called from any thread.
  func stop() {
    isStopped.withLock { $0 = true }
    wakeup.signal()
  }

  func run() {
    var input = Data()
    while var request = try? readRequest(&input) {
      request.connection = number
      let received = request
      let response = respond(received)
      // Last: who sees the request in the log knows that its response is decided, before any later request's.
      journal.record { $0.requests.append(received) }
      do {
        var progress = ScriptProgress(response: response, hasBody: response.hasBody(for: request))
        for step in response.script { try perform(step, &progress) }
        journal.record { $0.responsesCompleted += 1 }
        if response.closesConnection || request.header("Connection")?.lowercased() == "close" { break }
      } catch let error as Disconnected {
        if error.byClient { journal.record { $0.closedEarly += 1 } }
        break
      } catch {
        // The script closed the connection.
        journal.record { $0.responsesCompleted += 1 }
        break
      }
    }
    shutdown(socket.number, CInt(SHUT_RDWR))
  }

  // MARK: Requests

  private static let headLimit = 64 * 1024

  /// Returns the next request, or `nil` at the end of the connection and for data that is not HTTP.
  private func readRequest(_ input: inout Data) throws -> NukeOrigin.Request? {
    let end: Range<Data.Index>
    while true {
      if let found = input.range(of: Data("\r\n\r\n".utf8)) {
        end = found
        break
      }
      guard input.count < Self.headLimit, try receive(&input) else { return nil }
    }
    guard var request = NukeOrigin.Request(head: input[input.startIndex..<end.lowerBound]) else { return nil }
    input = Data(input[end.upperBound...])
    if request.header("Expect")?.lowercased() == "100-continue" {
      try send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if let length = request.header("Content-Length").flatMap({ Int($0) }), length > 0 {
      while input.count < length { guard try receive(&input) else { return nil } }
      request.body = Data(input.prefix(length))
      input = Data(input.dropFirst(length))
    }
    return request
  }

  /// Waits for bytes and reads them. Returns `false` at the end of the stream.
  private func receive(_ input: inout Data) throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = recv(socket.number, &buffer, buffer.count, 0)
      if count > 0 {
        input.append(contentsOf: buffer[..<count])
        return true
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
      try wait(for: POLLIN)
    }
  }

  // MARK: Responses

  /// Thrown if the script ends the connection.
  private struct Closed: Error {}

  private struct ScriptProgress {
    let response: NukeOrigin.Response
    let hasBody: Bool
    var sent = 0
    var hasBrokenChunk = false
  }

  private func perform(_ step: NukeOrigin.Response.Step, _ progress: inout ScriptProgress) throws {
    switch step {
    case .head: try send(head(of: progress.response))
    case .bytes(let count): try sendBody(count, &progress)
    case .rest:
      try sendBody(.max, &progress)
      if case .chunked = progress.response.framing, progress.hasBody { try send(Data("0\r\n\r\n".utf8)) }
    case .raw(let bytes): try send(bytes)
    case .wait(let gate):
      gate.watch(wakeup)
      defer { gate.unwatch(wakeup) }
      while !gate.isOpen { try wait(for: 0) }
    case .delay(let seconds):
      let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
      while true {
        let now = DispatchTime.now().uptimeNanoseconds
        guard now < end else { break }
        try wait(for: 0, milliseconds: CInt((end - now) / 1_000_000 + 1))
      }
    case .stall: while true { try wait(for: 0) }
    case .close: throw Closed()
    case .reset:
      socket.set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
      // A shutdown would end the connection normally, so the descriptor is closed.
      let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
      dup2(null, socket.number)
      close(null)
      throw Closed()
    }
  }

  private func head(of response: NukeOrigin.Response) -> Data {
    var text = "HTTP/1.1 \(response.status) \(HTTPStatus.phrase(response.status))\r\n"
    for (name, value) in response.headers { text += "\(name): \(value)\r\n" }
    switch response.framing {
    case .contentLength where !response.allowsBody: break
    case .contentLength: text += "Content-Length: \(response.body.count)\r\n"
    case .declared(let count): text += "Content-Length: \(count)\r\n"
    case .chunked, .brokenChunked: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: break
    }
    if response.closesConnection { text += "Connection: close\r\n" }
    return Data((text + "\r\n").utf8)
  }

  private func sendBody(_ count: Int, _ progress: inout ScriptProgress) throws {
    guard progress.hasBody else { return }
    let bytes = progress.response.body.dropFirst(progress.sent).prefix(count)
    progress.sent += bytes.count
    switch progress.response.framing {
    case .chunked:
      guard !bytes.isEmpty else { return }
      try send(Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8))
    case .brokenChunked where !progress.hasBrokenChunk:
      progress.hasBrokenChunk = true
      try send(Data("zebra\r\n".utf8) + bytes)
    default:
      try send(bytes)
    }
  }

  private func send(_ bytes: Data) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.send(socket.number, buffer.baseAddress! + offset, buffer.count - offset, CInt(MSG_NOSIGNAL))
        #elseif canImport(Musl)
          Musl.send(socket.number, buffer.baseAddress! + offset, buffer.count - offset, CInt(MSG_NOSIGNAL))
        #else
          Darwin.send(socket.number, buffer.baseAddress! + offset, buffer.count - offset, 0)
        #endif
      }
      if count >= 0 {
        offset += count
        journal.record { $0.bytesSent += count }
      } else if errno == EAGAIN {
        journal.record { $0.blockedSends += 1 }
        try wait(for: POLLOUT)
      } else if errno != EINTR {
        throw Disconnected(byClient: true)
      }
    }
  }

  // MARK: Waiting

  /// Returns when the socket is ready for `events`, the connection was woken, or the time has passed.
  private func wait(for events: CInt, milliseconds: CInt = -1) throws {
    #if os(Linux)
      // POLLRDHUP, which glibc declares only for GNU sources: the client has closed its side.
      let hangUp: Int16 = 0x2000
    #else
      let hangUp = Int16(POLLHUP)
    #endif
    var sockets = [
      pollfd(fd: socket.number, events: Int16(events) | hangUp, revents: 0),
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&sockets, 2, milliseconds)
    // Drained before the reason is checked. A later signal ends the next wait.
    if sockets[1].revents != 0 { wakeup.drain() }
    if isStopped.withLock({ $0 }) { throw Disconnected(byClient: false) }
    let ended = Int16(POLLHUP) | Int16(POLLERR) | hangUp
    // A reader reads to the end of the stream first.
    if events != POLLIN, sockets[0].revents & ended != 0 { throw Disconnected(byClient: true) }
  }
}

/// Returns the reason phrase of a status.
enum HTTPStatus {
  static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 404: "Not Found"
    case 410: "Gone"
    case 416: "Range Not Satisfiable"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}
