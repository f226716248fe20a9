/// A request as the program made it, before the cache adds conditions.
package struct CacheRequest: Sendable {
  package let method: String
  package let url: String
  package let fields: HTTPFields
  package let mode: Mode
  package let directives: RequestCacheControl

  /// How the program wants the cache to be used. Applies in addition to the request's `Cache-Control`.
  package enum Mode: Hashable, Sendable {
    /// Fresh stored responses are used, stale ones are validated (RFC 9111).
    case respect
    /// Stored responses are validated before each use, except for fresh ones with `immutable` (RFC 8246).
    case revalidate
    /// Stored responses are used without validation, fresh or stale. Misses are loaded from the origin.
    case ignore
    /// Stored responses are used without validation, fresh or stale. Misses fail.
    case onlyStored
    /// The request is always sent to the origin. The new response replaces the stored one.
    case reload
  }

  package init(method: String = "GET", url: String, fields: HTTPFields = HTTPFields(), mode: Mode = .respect) {
    self.method = method
    self.url = url
    self.fields = fields
    self.mode = mode
    directives = RequestCacheControl(fields)
  }

  var isGet: Bool { method == "GET" }
  var isHead: Bool { method == "HEAD" }

  /// `true` if the program made the request conditional by `If-None-Match` or `If-Modified-Since`.
  var isConditional: Bool { fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) }

  /// The requested byte ranges. `nil` if the request is not a GET, has no `Range`, or an invalid one, which is ignored
  /// (RFC 9110 §14.2).
  var ranges: ByteRanges? {
    guard isGet, let value = fields.only(.range) else { return nil }
    return ByteRanges(value)
  }
}
