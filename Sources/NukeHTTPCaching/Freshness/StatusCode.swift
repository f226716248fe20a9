/// What is known of status codes.
enum StatusCode {
  /// RFC 9110 §15.1.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Returns `true` if this cache does what the status asks of a cache, as `must-understand` wants to know (RFC 9111
  /// §5.2.2.3).
  static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504: true
    default: false
    }
  }

  /// Answers to one request and no other: what a proxy, a condition or a range made of it, and what RFC 6585 forbids to
  /// keep.
  static func isOfOneRequest(_ status: Int) -> Bool {
    switch status {
    case 304, 407, 412, 416, 428, 429, 431, 511: true
    default: false
    }
  }

  /// What `stale-if-error` is about (RFC 5861 §4).
  static func isError(_ status: Int) -> Bool {
    switch status {
    case 500, 502, 503, 504: true
    default: false
    }
  }
}
