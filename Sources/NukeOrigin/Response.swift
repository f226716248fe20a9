package import Foundation

extension NukeOrigin {
  /// What the origin does with a request: a head, a body, and a script of when which part of it is sent.
  package struct Response: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Data
    package var framing = Framing.contentLength
    /// The connection is closed after the response, and the response says so.
    package var closesConnection = false
    /// What is done, in order. Unless it ends otherwise, all of the response has to be in it.
    package var script: [Step] = [.head, .rest]

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// How the head tells where the body ends.
    package enum Framing: Sendable {
      case contentLength
      /// A `Content-Length` that need not be true.
      case declared(Int)
      /// Chunked coding, a chunk for each step.
      case chunked
      /// Chunked coding whose first chunk says nonsense in place of its size.
      case brokenChunked
      /// Nothing in the head; the end of the connection ends the body.
      case untilClose
    }

    package enum Step: Sendable {
      case head
      /// The next bytes of the body.
      case bytes(Int)
      /// What is left of the body, and the end of a chunked one.
      case rest
      /// Bytes as they are, such as garbage in place of a head.
      case raw(Data)
      /// Nothing further until the gate opens.
      case wait(Gate)
      /// Nothing for so many seconds. For demonstrations: tests use gates.
      case delay(TimeInterval)
      /// Nothing further, until the client or the origin closes the connection.
      case stall
      /// Closes the connection.
      case close
      /// Closes the connection with a TCP reset, so that the client's next read fails.
      case reset
    }
  }
}

extension NukeOrigin.Response {
  /// 200 with a body.
  package static func data(_ body: Data, type: String = "application/octet-stream") -> Self {
    Self(headers: [("Content-Type", type)], body: body)
  }

  /// A status with a line of text for a body.
  package static func status(_ status: Int) -> Self {
    Self(status: status, headers: [("Content-Type", "text/plain")], body: Data("\(status)\n".utf8))
  }

  package static func redirect(to location: String, status: Int = 302) -> Self {
    Self(status: status, headers: [("Location", location)])
  }

  /// The connection is closed without an answer.
  package static var closed: Self { Self().scripted(.close) }

  /// Something that is not HTTP.
  package static func garbage(_ text: String = "what is this?\r\n\r\n") -> Self {
    Self().scripted(.raw(Data(text.utf8)), .close)
  }

  /// What a `Range` field asks for (RFC 9110 §14): 206 with one part, 416 where there is none, else 200 with all.
  ///
  /// - Parameters:
  ///   - etag: is sent along; an `If-Range` with another one gets the whole.
  ///   - headers: are sent along; an `If-Range` with the `Last-Modified` among them gets the range too.
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

  /// The same response with another script.
  package func scripted(_ script: Step...) -> Self {
    var response = self
    response.script = script
    return response
  }

  /// The same response, held back whole until the gate opens.
  package func held(by gate: Gate) -> Self { scripted(.wait(gate), .head, .rest) }

  /// The same response in parts of `count` bytes, with a step after each but the last.
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

  /// The same response with another framing.
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

  /// These end with their head (RFC 9112 §6.3).
  var allowsBody: Bool { status != 204 && status != 304 && !(100..<200).contains(status) }

  func hasBody(for request: NukeOrigin.Request) -> Bool { allowsBody && request.method != "HEAD" }
}
