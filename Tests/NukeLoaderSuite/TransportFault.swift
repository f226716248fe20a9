package import Foundation
package import Nuke
package import NukeOrigin
import Testing

/// One thing that goes wrong between a data loader and a server, and what comes of it for a loader that tries again twice.
package struct TransportFault: Sendable, CustomTestStringConvertible {
  package let name: String
  /// The error's name; `nil` for a transfer that ends well.
  package let error: String?
  /// Requests that the server received.
  package let requests: Int
  /// Bytes of the body that were delivered, of ``body``.
  package let bytes: Int
  package var configure: @Sendable (inout DataLoader.Configuration) -> Void = { _ in }
  /// What is asked for in place of the origin's path `/`.
  package var url: (@Sendable (NukeOrigin) -> URL)?
  /// - Parameter number: how many requests came before.
  package let respond: @Sendable (_ request: NukeOrigin.Request, _ number: Int) -> NukeOrigin.Response

  package var testDescription: String { name }

  /// As it stands in the article.
  package var row: String { "| \(name) | \(error.map { "`\($0)`" } ?? "–") | \(requests) | \(bytes) |" }

  package static let body = noise(4096)
  private static let tag = "\"v1\""

  /// The body or the range of it that is asked for, under a strong validator.
  private static func good(_ request: NukeOrigin.Request) -> NukeOrigin.Response {
    .ranged(body, etag: tag, for: request)
  }

  private static func raw(_ text: String) -> NukeOrigin.Response {
    NukeOrigin.Response().scripted(.raw(Data(text.utf8)), .close)
  }

  private static let impatient: @Sendable (inout DataLoader.Configuration) -> Void = { $0.idleTimeout = 0.4 }

  private static func refusing(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:1\(path)")!
  }

  // MARK: Before the answer

  package static let connecting: [TransportFault] = [
    .init(
      name: "Unknown host", error: "cannotResolveHost", requests: 0, bytes: 0,
      url: { _ in URL(string: "http://nosuchhost.invalid/")! }, respond: { request, _ in good(request) }),
    .init(
      name: "Connection refused", error: "cannotConnect", requests: 0, bytes: 0, url: { _ in refusing("/") },
      respond: { request, _ in good(request) }),
    .init(
      name: "TLS handshake timeout", error: "timedOut(.connect)", requests: 0, bytes: 0,
      configure: { $0.connectTimeout = 0.2 }, url: { URL(string: "https://127.0.0.1:\($0.port)/")! },
      respond: { request, _ in good(request) }),
    .init(
      name: "Connection closed without a response", error: "connectionLost", requests: 3, bytes: 0,
      respond: { _, _ in .closed }),
    .init(
      name: "Connection closed without a response, once", error: nil, requests: 2, bytes: 4096,
      respond: { request, number in number == 0 ? .closed : good(request) }),
    .init(
      name: "Connection reset without a response", error: "connectionLost", requests: 3, bytes: 0,
      respond: { _, _ in NukeOrigin.Response().scripted(.reset) }),
    .init(
      name: "No response", error: "timedOut(.idle)", requests: 3, bytes: 0, configure: impatient,
      respond: { _, _ in NukeOrigin.Response().scripted(.stall) }),
  ]

  // MARK: The head

  package static let heads: [TransportFault] = [
    .init(
      name: "Not an HTTP response", error: "protocolError", requests: 1, bytes: 0, respond: { _, _ in .garbage() }),
    .init(
      name: "Unknown HTTP version", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in raw("HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n") }),
    .init(
      name: "Truncated header", error: "connectionLost", requests: 3, bytes: 0,
      respond: { _, _ in raw("HTTP/1.1 200 OK\r\nContent-Ty") }),
    .init(
      name: "Stalled header", error: "timedOut(.idle)", requests: 3, bytes: 0, configure: impatient,
      respond: { _, _ in NukeOrigin.Response().scripted(.raw(Data("HTTP/1.1 200 OK\r\nContent-Ty".utf8)), .stall) }),
    .init(
      name: "Endless header", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in
        raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Padding: aaaaaaaaaaaaaaaa\r\n", count: 20_000))
      }),
    .init(
      name: "Endless early hints", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in raw(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 20_000)) }),
    .init(
      name: "Invalid Content-Length", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in raw("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nbody") }),
    .init(
      name: "Negative Content-Length", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nbody") }),
    .init(
      name: "Conflicting Content-Length fields", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nbody") }),
  ]

  // MARK: Statuses and redirects

  package static let statuses: [TransportFault] = [
    .init(
      name: "404", error: "statusCodeUnacceptable(404)", requests: 1, bytes: 0, respond: { _, _ in .status(404) }),
    .init(
      name: "500", error: "statusCodeUnacceptable(500)", requests: 3, bytes: 0, respond: { _, _ in .status(500) }),
    .init(
      name: "501", error: "statusCodeUnacceptable(501)", requests: 1, bytes: 0, respond: { _, _ in .status(501) }),
    .init(
      name: "503, once", error: nil, requests: 2, bytes: 4096,
      respond: { request, number in
        number == 0 ? .init(status: 503, headers: [("Retry-After", "0")]) : good(request)
      }),
    .init(
      name: "503 with Retry-After of a day", error: "statusCodeUnacceptable(503)", requests: 1, bytes: 0,
      respond: { _, _ in .init(status: 503, headers: [("Retry-After", "86400")]) }),
    .init(
      name: "Redirect loop", error: "tooManyRedirects", requests: 11, bytes: 0,
      respond: { request, _ in .redirect(to: request.path == "/" ? "/other" : "/") }),
    .init(
      name: "Redirect to a file URL", error: "unsupportedScheme", requests: 1, bytes: 0,
      respond: { _, _ in .redirect(to: "file:///etc/hostname") }),
    .init(
      name: "Redirect to a closed port", error: "cannotConnect", requests: 3, bytes: 0,
      respond: { _, _ in .redirect(to: refusing("/").absoluteString) }),
    .init(
      name: "Redirect to an invalid URL", error: "protocolError", requests: 1, bytes: 0,
      respond: { _, _ in .redirect(to: "http://[::g]/") }),
  ]

  // MARK: The body

  package static let bodies: [TransportFault] = [
    .init(
      name: "Truncated body, once", error: nil, requests: 2, bytes: 4096,
      respond: { request, number in
        number == 0 ? good(request).scripted(.head, .bytes(1000), .close) : good(request)
      }),
    .init(
      name: "Body truncated after 1000 bytes each time", error: "connectionLost", requests: 3, bytes: 3000,
      respond: { request, _ in good(request).scripted(.head, .bytes(1000), .close) }),
    .init(
      name: "Truncated body without a strong validator", error: "connectionLost", requests: 1, bytes: 1000,
      respond: { _, _ in .data(body).scripted(.head, .bytes(1000), .close) }),
    .init(
      name: "Truncated body that changes before the retry", error: "connectionLost", requests: 2, bytes: 1000,
      respond: { request, number in
        number == 0
          ? good(request).scripted(.head, .bytes(1000), .close) : .ranged(body, etag: "\"v2\"", for: request)
      }),
    .init(
      name: "Truncated body, ranges not supported", error: nil, requests: 2, bytes: 4096,
      respond: { request, number in
        var response = NukeOrigin.Response.data(body)
        response.headers.append(("ETag", tag))
        return number == 0 ? response.scripted(.head, .bytes(1000), .close) : response
      }),
    .init(
      name: "Truncated body, wrong range in the retry", error: "connectionLost", requests: 2, bytes: 1000,
      respond: { request, number in
        var response = good(request)
        if number == 0 { return response.scripted(.head, .bytes(1000), .close) }
        response.headers.removeAll { $0.name == "Content-Range" }
        response.headers.append(("Content-Range", "bytes 500-3595/4096"))
        return response
      }),
    .init(
      name: "Truncated body, 416 in the retry", error: "connectionLost", requests: 2, bytes: 1000,
      respond: { request, number in
        number == 0 ? good(request).scripted(.head, .bytes(1000), .close) : .status(416)
      }),
    .init(
      name: "Stalled body, once", error: nil, requests: 2, bytes: 4096, configure: impatient,
      respond: { request, number in
        number == 0 ? good(request).scripted(.head, .bytes(1000), .stall) : good(request)
      }),
    .init(
      name: "Truncated chunked body, once", error: nil, requests: 2, bytes: 4096,
      respond: { request, number in
        number == 0
          ? good(request).framed(.chunked).scripted(.head, .bytes(1000), .close) : good(request)
      }),
    .init(
      name: "Invalid chunk size", error: "protocolError", requests: 1, bytes: 0,
      respond: { request, _ in good(request).framed(.brokenChunked) }),
    .init(
      name: "Endless trailer fields", error: "protocolError", requests: 1, bytes: 1,
      respond: { _, _ in
        raw(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
            + String(repeating: "X-Padding: aaaaaaaaaaaaaaaa\r\n", count: 20_000))
      }),
    .init(
      name: "Body longer than Content-Length", error: nil, requests: 1, bytes: 1000,
      respond: { _, _ in .data(body).framed(.declared(1000)).closing() }),
    .init(
      name: "Content-Length above the limit", error: "bodyTooLarge", requests: 1, bytes: 0,
      configure: { $0.maximumBodySize = 4095 }, respond: { request, _ in good(request) }),
    .init(
      name: "Chunked body above the limit", error: "bodyTooLarge", requests: 1, bytes: 3000,
      configure: { $0.maximumBodySize = 3000 },
      respond: { _, _ in .data(body).framed(.chunked).trickled(1000, .bytes(0)) }),
    .init(
      name: "Body slower than the resource timeout", error: "timedOut(.resource)", requests: 1, bytes: 1000,
      configure: { $0.resourceTimeout = 4 },
      respond: { request, _ in good(request).scripted(.head, .bytes(1000), .stall) }),
  ]

  package static let all = connecting + heads + statuses + bodies
}
