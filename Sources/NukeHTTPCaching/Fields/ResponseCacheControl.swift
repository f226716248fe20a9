/// The `Cache-Control` of a response, for a private cache (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
///
/// What forbids is heard in every form, what allows only where it is well formed. `proxy-revalidate` is for shared caches.
package struct ResponseCacheControl: Equatable, Sendable {
  package var noStore = false
  /// Without field names: the response is used after validation alone.
  package var noCache = false
  package var mustRevalidate = false
  package var mustUnderstand = false
  package var isPublic = false
  /// Without field names: nobody but the client that asked may store it. Means nothing to a private cache.
  package var isPrivate = false
  package var immutable = false
  /// `s-maxage`, which means nothing to a private cache, but tells what may be stored (RFC 9111 §3.5). The least, where
  /// several differ.
  package var sharedMaxAge: Int?
  package var hasSharedMaxAge: Bool { sharedMaxAge != nil }
  package var maxAge: MaxAge?
  /// Seconds past freshness in which it may be used while it is validated.
  package var staleWhileRevalidate: Int?
  /// Seconds past freshness in which it may be used in place of an error.
  package var staleIfError: Int?
  /// The fields, in lower case, that `no-cache` names: they are not used without validation.
  package var noCacheFields: [String] = []

  package enum MaxAge: Equatable, Sendable {
    case seconds(Int)
    /// Not a number of seconds, or two that differ: the response counts as stale (RFC 9111 §4.2.1).
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
    // With field names it is about these alone (RFC 9111 §5.2.2.7).
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
    case 22 where name.isSame(as: "stale-while-revalidate"):
      let seconds = directive.seconds ?? 0
      staleWhileRevalidate = min(seconds, staleWhileRevalidate ?? seconds)
    default: break
    }
  }

  /// RFC 9111 §5.2.2.4: with field names it is about these fields alone; without, about the response.
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
