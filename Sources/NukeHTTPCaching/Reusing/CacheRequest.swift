/// A request as a program makes it.
package struct CacheRequest: Sendable {
  package let method: String
  package let url: String
  package let fields: HTTPFields
  package let mode: Mode
  package let directives: RequestCacheControl

  /// The program's cache mode, beside the request's fields.
  package enum Mode: Hashable, Sendable {
    /// RFC 9111.
    case respect
    /// Stored responses are validated before use, except fresh ones that never change (RFC 8246).
    case revalidate
    /// Stored responses of any age are used. Nothing is validated.
    case ignore
    /// The same, and what is not stored is not loaded.
    case onlyStored
    /// Stored responses are not used. The new response replaces them.
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
