#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import FoundationNetworking
  import NIOCore
  import NIOHTTP1
  import Nuke

  /// The method, URL, header fields and body of a request as sent.
  struct Message {
    private(set) var url: URL
    private var destination: Destination
    private(set) var method: HTTPMethod
    private(set) var headers: HTTPHeaders
    private(set) var body: Data?

    init(_ request: URLRequest, _ configuration: DataLoader.Configuration) throws(DataLoader.TransferError) {
      guard let url = request.url else { throw .malformedURL("") }
      try Self.check(url)
      if request.httpBodyStream != nil {
        throw .malformedRequest(reason: "its body is a stream; only httpBody is sent")
      }
      self.url = url
      destination = Destination(url: url.absoluteString, privateFields: configuration.privateFields)
      method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
      body = request.httpBody
      headers = try Self.fields(of: request, configuration)
    }

    /// Returns the message as a request of AsyncHTTPClient.
    func request() throws(DataLoader.TransferError) -> HTTPClient.Request {
      var headers = headers
      if let user = url.user, !headers.contains(name: "Authorization") {
        let credentials = Data("\(user):\(url.password ?? "")".utf8).base64EncodedString()
        headers.add(name: "Authorization", value: "Basic \(credentials)")
      }
      do {
        return try HTTPClient.Request(url: url, method: method, headers: headers, body: body.map { .bytes($0) })
      } catch {
        throw .malformedURL(url.absoluteString)
      }
    }

    /// `true` if the response has no body, even if its header fields state a length: a response to HEAD.
    var hasNoResponseBody: Bool { method == .HEAD }

    /// `true` if the request can be sent a second time with the same effect (RFC 9110 §9.2.2): GET or HEAD without a
    /// body.
    var isRepeatable: Bool { (method == .GET || method == .HEAD) && body == nil }

    /// Returns the request to send after a redirect; `nil` if the response is not a redirect.
    func redirected(
      by head: HTTPResponseHead, _ configuration: DataLoader.Configuration
    ) throws(DataLoader.TransferError) -> Message? {
      let destination = try destination.redirected(
        status: Int(head.status.code), location: head.headers.first(name: "Location").map { Array($0.utf8) },
        method: method.rawValue, configuration: configuration)
      guard let destination, let url = destination.location else { return nil }
      var next = self
      next.destination = destination
      next.url = url
      next.method = HTTPMethod(rawValue: destination.method(method.rawValue))
      next.body = destination.body(body)
      next.headers = HTTPHeaders(headers.filter { !destination.drops($0.name) })
      return next
    }

    /// Accepts http and https only: AsyncHTTPClient also supports URLs of Unix sockets on this machine.
    private static func check(_ url: URL) throws(DataLoader.TransferError) {
      switch url.scheme?.lowercased() {
      case "http", "https":
        guard url.host?.isEmpty == false else { throw .malformedURL(url.absoluteString) }
      case let scheme?:
        throw .unsupportedScheme(scheme)
      case nil:
        throw .malformedURL(url.absoluteString)
      }
    }

    private static func fields(
      of request: URLRequest, _ configuration: DataLoader.Configuration
    ) throws(DataLoader.TransferError) -> HTTPHeaders {
      var headers = HTTPHeaders()
      for (name, value) in RequestFields.all(of: request, configuration) {
        try RequestFields.check(name, value)
        headers.add(name: name, value: value)
      }
      return headers
    }
  }
#endif
