/// The cache directives of a response, as a private cache treats them (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
///
/// Directives that restrict caching apply even with an unexpected argument. Directives that permit more apply only if
/// they are valid.
package struct ResponseCacheControl: Equatable, Sendable {
  package var noStore = false
  /// `no-cache` without field names: the response must be validated before each use (RFC 9111 §5.2.2.4).
  package var noCache = false
  package var mustRevalidate = false
  /// `proxy-revalidate`: `must-revalidate` for shared caches (RFC 9111 §5.2.2.8). A private cache ignores it.
  package var proxyRevalidate = false
  package var mustUnderstand = false
  package var isPublic = false
  /// `private` without field names: the response is intended for a single user (RFC 9111 §5.2.2.7). A private cache may
  /// store it.
  package var isPrivate = false
  package var immutable = false
  /// `s-maxage` in seconds; the smallest value if several differ. It does not change the lifetime in a private cache,
  /// but shows that a response to an authenticated request may be shared (RFC 9111 §3.5).
  package var sharedMaxAge: Int?
  package var hasSharedMaxAge: Bool { sharedMaxAge != nil }
  package var maxAge: MaxAge?
  /// The maximum staleness during validation in the background, in seconds (RFC 5861 §3).
  package var staleWhileRevalidate: Int?
  /// The maximum staleness of the response as a substitute for an error, in seconds (RFC 5861 §4).
  package var staleIfError: Int?
  /// The lowercased field names in `no-cache="…"`. These fields must not be used without validation.
  package var noCacheFields: [String] = []

  package enum MaxAge: Equatable, Sendable {
    case seconds(Int)
    /// Not a number, or two different ones: the response counts as stale (RFC 9111 §4.2.1).
    case invalid
  }

  package init() {}

  package init(_ fields: HTTPFields) {
    fields.forEach(.cacheControl) { line in
      for element in FieldList(line) { add(CacheDirective(element)) }
    }
  }

  private mutating func add(_ directive: CacheDirective) {
    let name = directive.name
    switch name.count {
    case 6 where name.isSame(as: "public"): isPublic = isPublic || !directive.hasArgument
    // With field names, `private` applies to these fields only (RFC 9111 §5.2.2.7).
    case 7 where name.isSame(as: "private"): isPrivate = isPrivate || !directive.hasArgument
    case 7 where name.isSame(as: "max-age"):
      let value = directive.seconds.map { MaxAge.seconds($0) } ?? .invalid
      maxAge = maxAge.map { $0 == value ? value : .invalid } ?? value
    case 8 where name.isSame(as: "no-store"): noStore = true
    case 8 where name.isSame(as: "no-cache"): addNoCache(directive.argument)
    case 8 where name.isSame(as: "s-maxage"):
      if let seconds = directive.seconds { sharedMaxAge = min(seconds, sharedMaxAge ?? seconds) }
    case 9 where name.isSame(as: "immutable"): immutable = immutable || !directive.hasArgument
    case 14 where name.isSame(as: "stale-if-error"):
      let seconds = directive.seconds ?? 0
      staleIfError = min(seconds, staleIfError ?? seconds)
    case 15 where name.isSame(as: "must-revalidate"): mustRevalidate = true
    case 15 where name.isSame(as: "must-understand"): mustUnderstand = mustUnderstand || !directive.hasArgument
    case 16 where name.isSame(as: "proxy-revalidate"): proxyRevalidate = true
    case 22 where name.isSame(as: "stale-while-revalidate"):
      let seconds = directive.seconds ?? 0
      staleWhileRevalidate = min(seconds, staleWhileRevalidate ?? seconds)
    default: break
    }
  }

  /// Adds a `no-cache` directive. With field names it applies to these fields only, without them to the response (RFC
  /// 9111 §5.2.2.4).
  private mutating func addNoCache(_ argument: CacheDirective.Argument) {
    guard case .value(let list) = argument else {
      noCache = true
      return
    }
    let names = Array(FieldList(list))
    if names.isEmpty || !names.allSatisfy(\.isToken) {
      noCache = true
    } else {
      noCacheFields += names.map(\.lowercasedText)
    }
  }
}
