/// The cache directives of a request (RFC 9111 §5.2.1, RFC 5861 §4). If a directive occurs twice, the stricter value
/// applies.
package struct RequestCacheControl: Equatable, Sendable {
  package var noStore = false
  package var noCache = false
  package var onlyIfCached = false
  /// The maximum age of an acceptable response, in seconds.
  package var maxAge: Int?
  /// The minimum remaining freshness lifetime of an acceptable response, in seconds.
  package var minFresh: Int?
  /// The maximum staleness of an acceptable response, in seconds. `Int.max` for `max-stale` without an argument.
  package var maxStale: Int?
  /// The maximum staleness of a response that is acceptable instead of an error, in seconds.
  package var staleIfError: Int?

  package init() {}

  /// Parses the `Cache-Control` field. `Pragma: no-cache` applies only if there is no `Cache-Control` (RFC 9111 §5.4).
  package init(_ fields: HTTPFields) {
    var isPlain = true
    fields.forEach(.cacheControl) { line in
      isPlain = false
      for element in FieldList(line) { add(CacheDirective(element)) }
    }
    guard isPlain else { return }
    fields.forEach(.pragma) { line in
      if FieldList(line).contains(where: { $0.isSame(as: "no-cache") }) { noCache = true }
    }
  }

  private mutating func add(_ directive: CacheDirective) {
    let name = directive.name
    switch name.count {
    case 7 where name.isSame(as: "max-age"):
      let seconds = directive.seconds ?? 0
      maxAge = min(seconds, maxAge ?? seconds)
    case 8 where name.isSame(as: "no-store"): noStore = true
    case 8 where name.isSame(as: "no-cache"): noCache = true
    case 9 where name.isSame(as: "min-fresh"):
      // An invalid argument is treated as a demand that no response can meet.
      let seconds = directive.seconds ?? 2 * DeltaSeconds.limit
      minFresh = max(seconds, minFresh ?? seconds)
    case 9 where name.isSame(as: "max-stale"):
      let seconds = directive.hasArgument ? directive.seconds ?? 0 : .max
      maxStale = min(seconds, maxStale ?? seconds)
    case 14 where name.isSame(as: "only-if-cached"): onlyIfCached = true
    case 14 where name.isSame(as: "stale-if-error"):
      let seconds = directive.seconds ?? 0
      staleIfError = min(seconds, staleIfError ?? seconds)
    default: break
    }
  }
}
