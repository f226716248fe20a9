package import Foundation

extension NukeOrigin {
  /// A response to a request: a head, a body, and a script for sending them.
  package struct Response: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Data
    package var framing = Framing.contentLength
    /// `true` to close the connection after the response, with `Connection: close`.
    package var closesConnection = false
    /// The steps, in order. They must send the complete response, unless the script ends in another way.
    package var script: [Step] = [.head, .rest]

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// The framing of the body.
    package enum Framing: Sendable {
      case contentLength
      /// A `Content-Length`, which may be wrong.
      case declared(Int)
      /// Chunked coding with a chunk for each step.
      case chunked
      /// Chunked coding whose first chunk has an invalid size.
      case brokenChunked
      /// No framing in the head: the body ends with the connection.
      case untilClose
    }

    package enum Step: Sendable {
      case head
      /// Sends the next bytes of the body.
      case bytes(Int)
      /// Sends the rest of the body, and the last chunk.
      case rest
      /// Sends arbitrary bytes, such as garbage instead of a head.
      case raw(Data)
      /// Waits until the gate opens.
      case wait(ScriptGate)
      /// Waits for a number of seconds. It is for demos; tests use gates.
      case delay(TimeInterval)
      /// Sends nothing until the client or the origin closes the connection.
      case stall
      /// Closes the connection.
      case close
      /// Resets the connection, so that the client's next read fails.
      case reset
    }
  }
}

extension NukeOrigin.Response {
  /// Returns a response with status 200 and a body.
  package static func data(_ body: Data, type: String = "application/octet-stream") -> Self {
    Self(headers: [("Content-Type", type)], body: body)
  }

  /// Returns a response with a line of text.
  package static func status(_ status: Int) -> Self {
    Self(status: status, headers: [("Content-Type", "text/plain")], body: Data("\(status)\n".utf8))
  }

  package static func redirect(to location: String, status: Int = 302) -> Self {
    Self(status: status, headers: [("Location", location)])
  }

  /// Returns a response that closes the connection without sending anything.
  package static var closed: Self { Self().scripted(.close) }

  /// Returns a response that is not HTTP.
  package static func garbage(_ text: String = "what is this?\r\n\r\n") -> Self {
    Self().scripted(.raw(Data(text.utf8)), .close)
  }

  /// Returns the response to a `Range` field (RFC 9110 §14): 206 with one range, 416 if it is not satisfiable, otherwise 200.
  ///
  /// - Parameters:
  ///   - etag: the entity tag to send. An `If-Range` with another one gets the whole body.
  ///   - headers: the fields to send. An `If-Range` with their `Last-Modified` gets the range, too.
  package static func ranged(
    _ body: Data, type: String = "application/octet-stream", etag: String? = nil,
    headers: [(name: String, value: String)] = [], for request: NukeOrigin.Request
  ) -> Self {
    var response = data(body, type: type)
    response.headers.append(("Accept-Ranges", "bytes"))
    if let etag { response.headers.append(("ETag", etag)) }
    response.headers += headers
    let modified = headers.first { $0.name == "Last-Modified" }?.value
    guard let field = request.header("Range"), field.hasPrefix("bytes="), !field.contains(",") else { return response }
    if let condition = request.header("If-Range"), condition != etag, condition != modified { return response }
    let ends = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return response }
    let range: Range<Int>
    if ends[0].isEmpty, let count = Int(ends[1]) {
      range = max(0, body.count - max(0, count))..<body.count
    } else if let first = Int(ends[0]), first >= 0 {
      let last = min(Int(ends[1]) ?? body.count - 1, body.count - 1)
      range = first..<max(first, last + 1)
    } else {
      return response
    }
    guard !range.isEmpty, range.lowerBound < body.count else {
      response = status(416)
      response.headers.append(("Content-Range", "bytes */\(body.count)"))
      return response
    }
    response.status = 206
    response.headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"))
    response.body = Data(body.dropFirst(range.lowerBound).prefix(range.count))
    return response
  }

  /// Returns the response with another script.
  package func scripted(_ script: Step...) -> Self {
    var response = self
    response.script = script
    return response
  }

  /// Returns the response, held back until the gate opens.
  package func held(by gate: ScriptGate) -> Self { scripted(.wait(gate), .head, .rest) }

  /// Returns the response in chunks of `count` bytes, with a step after each except the last.
  package func trickled(_ count: Int, _ pause: Step) -> Self {
    var response = self
    response.script = [.head]
    var left = body.count
    while left > count {
      response.script += [.bytes(count), pause]
      left -= count
    }
    response.script.append(.rest)
    return response
  }

  /// Returns the response with another framing.
  package func framed(_ framing: Framing) -> Self {
    var response = self
    response.framing = framing
    if case .untilClose = framing { response.closesConnection = true }
    return response
  }

  package func closing() -> Self {
    var response = self
    response.closesConnection = true
    return response
  }

  /// `true` for responses without a body (RFC 9112 §6.3).
  var allowsBody: Bool { status != 204 && status != 304 && !(100..<200).contains(status) }

  func hasBody(for request: NukeOrigin.Request) -> Bool { allowsBody && request.method != "HEAD" }
}
