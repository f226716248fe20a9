#if Server
  import HTTPTypes
  import NIOHTTP1

  /// The reason why what a client sent over HTTP/1.1 is not a request that can be routed. The connection closes after the
  /// response.
  enum InvalidRequest: Error {
    /// The request line and the fields exceed the limits of ``ConnectionLimits``.
    case headTooLarge
    /// The request has no `Host` field, or several (RFC 9112 §3.2).
    case host
    /// The last transfer coding of the body is not `chunked`, so that its end is not known (RFC 9112 §6.3).
    case transferCoding
    /// The bytes are not a request of HTTP/1.1, or its method is unknown to the parser.
    case syntax

    /// Returns `nil` for an error that no request has caused.
    init?(_ error: any Error) {
      switch error {
      case let error as InvalidRequest: self = error
      case HTTPParserError.headerOverflow: self = .headTooLarge
      case is HTTPParserError: self = .syntax
      default: return nil
      }
    }

    var status: HTTPResponse.Status {
      switch self {
      case .headTooLarge: .requestHeaderFieldsTooLarge
      case .host, .transferCoding, .syntax: .badRequest
      }
    }

    /// A sentence for the client and for the log.
    var message: String {
      switch self {
      case .headTooLarge: "The request line and the header fields are too long, or the fields are too many."
      case .host: "The request has no Host field, or several."
      case .transferCoding: "The Transfer-Encoding of the request does not end with chunked."
      case .syntax: "The request is not valid HTTP, or its method is unknown."
      }
    }
  }
#endif
