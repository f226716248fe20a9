/// A request as a program makes it.
package struct CacheRequest: Sendable {
  package let method: String
  package let url: String
  package let fields: HTTPFields
  package let mode: Mode
  package let directives: RequestCacheControl

  /// What a program wants of the cache, beside what the request's fields say.
  package enum Mode: Hashable, Sendable {
    /// RFC 9111.
    case respect
    /// What is stored is validated before it is used, except where it is fresh and will never change (RFC 8246).
    case revalidate
    /// What is stored is used, however old. Nothing is validated.
    case ignore
    /// The same, and what is not stored is not loaded.
    case onlyStored
    /// What is stored is not used. The response takes its place.
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

  /// `true` if the request states conditions of its own.
  var isConditional: Bool { fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) }

  /// The ranges of a GET; `nil` if there are none, or such as are to be ignored.
  var ranges: ByteRanges? {
    guard isGet, let value = fields.only(.range) else { return nil }
    return ByteRanges(value)
  }
}
