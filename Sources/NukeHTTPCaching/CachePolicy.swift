/// The decisions of a private HTTP cache (RFC 9111), with settings for what the RFC leaves to the implementation.
///
/// ``decide(_:stored:now:)`` decides how to answer a request, ``receive(_:to:sending:stored:)`` what to do with a
/// response, and ``fallback(for:stored:after:now:)`` what to do after an error.
///
/// All functions are pure: the stored responses and the time are parameters, and nothing is read or written.
package struct CachePolicy: Hashable, Sendable {
  /// The upper limit of a heuristic freshness lifetime (RFC 9111 §4.2.2), in seconds. The default is 7 days.
  package var heuristicLimit = 7 * 86_400

  package var negative = NegativeCaching.off

  /// How stale a response may be when it is served because the origin is unreachable (RFC 9111 §4.2.4). Applies in
  /// addition to the `stale-if-error` directive.
  package var staleWhenDisconnected = StaleAllowance.always

  /// How stale a response may be when it is served because the origin answered with 500, 502, 503 or 504. Applies in
  /// addition to the `stale-if-error` directive.
  package var staleOnServerError = StaleAllowance.never

  /// How stale a response may be when it is served during its validation. Applies in addition to the
  /// `stale-while-revalidate` directive.
  package var staleWhileRevalidating = StaleAllowance.never

  /// `true` if responses to requests with `Authorization` are stored. If `false`, they are stored only if a shared
  /// cache may store them (RFC 9111 §3.5). Set it to `false` in programs that load with the credentials of several
  /// users.
  package var storesAuthorized = true

  /// `true` if responses marked `private` (RFC 9111 §5.2.2.7) are stored. If `false`, those that are already stored are
  /// validated before each use. Set it to `false` in programs that load for other clients.
  package var storesPrivate = true

  package init() {}

  /// Returns `true` if a response with these directives must not be stored.
  func forbidsStoring(_ control: ResponseCacheControl) -> Bool {
    control.noStore || control.isPrivate && !storesPrivate
  }
}

/// How stale a response may be when it is used without validation. Responses with `must-revalidate` or `no-cache` are
/// never used stale (RFC 9111 §4.2.4).
package enum StaleAllowance: Hashable, Sendable {
  case never
  /// The staleness in seconds.
  case upTo(Int)
  case always

  func allows(_ milliseconds: Int) -> Bool {
    switch self {
    case .never: false
    case .upTo(let seconds): milliseconds <= min(DeltaSeconds.limit, max(0, seconds)) * 1000
    case .always: true
    }
  }
}

/// The freshness lifetime of 404 and 410 responses that state none themselves.
package enum NegativeCaching: Hashable, Sendable {
  case off
  /// The freshness lifetime in seconds, for responses with neither `max-age` nor `Expires`. Network errors are never
  /// stored.
  case seconds(Int)

  func seconds(for status: Int) -> Int? {
    guard case .seconds(let seconds) = self, status == 404 || status == 410 else { return nil }
    return min(DeltaSeconds.limit, max(0, seconds))
  }
}
