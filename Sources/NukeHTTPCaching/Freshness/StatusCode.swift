/// The properties of status codes that matter to a cache.
enum StatusCode {
  /// Returns `true` if responses with this status code may be stored without explicit freshness (RFC 9110 §15.1).
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Returns `true` if this cache implements the caching requirements of the status code, as `must-understand` requires
  /// (RFC 9111 §5.2.2.3).
  static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504: true
    default: false
    }
  }

  /// Returns `true` if the response applies to one request only. These are responses of a proxy, results of a
  /// precondition or a range, and status codes that RFC 6585 forbids to store.
  static func isOfOneRequest(_ status: Int) -> Bool {
    switch status {
    case 304, 407, 412, 416, 428, 429, 431, 511: true
    default: false
    }
  }

  /// Returns `true` if the status code is an error in the sense of `stale-if-error` (RFC 5861 §4).
  static func isError(_ status: Int) -> Bool {
    switch status {
    case 500, 502, 503, 504: true
    default: false
    }
  }
}
