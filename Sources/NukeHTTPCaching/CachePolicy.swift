/// What a private cache does where RFC 9111 leaves it open. Its functions are the decisions: what to do with a request
/// (``decide(_:stored:now:)``), with a response (``receive(_:to:sending:stored:)``), and with an error
/// (``fallback(for:stored:after:now:)``).
///
/// Everything is handed in, nothing is kept: the same values give the same decision.
package struct CachePolicy: Hashable, Sendable {
  /// The longest lifetime in seconds of a response that says when it was modified and nothing else: 7 days.
  package var heuristicLimit = 7 * 86_400

  package var negative = NegativeCaching.off

  /// Past their freshness, whether responses may be used where the origin cannot be reached (RFC 9111 §4.2.4), even if
  /// they do not allow it by `stale-if-error`.
  package var staleWhenDisconnected = StaleAllowance.always

  /// The same where the origin answers 500, 502, 503 or 504.
  package var staleOnServerError = StaleAllowance.never

  /// Past their freshness, whether responses may be used while they are validated, even if they do not allow it by
  /// `stale-while-revalidate`.
  package var staleWhileRevalidating = StaleAllowance.never

  /// `true` if responses to requests with `Authorization` are kept. If not, only those are that a shared cache might
  /// keep (RFC 9111 §3.5): for programs that load with the rights of several users.
  package var storesAuthorized = true

  /// `true` if responses are kept that are for the client alone that asked (`private`, RFC 9111 §5.2.2.7). If not, what
  /// is stored of them already is not used before it is validated: for programs that load for others.
  package var storesPrivate = true

  package init() {}

  /// Returns `true` if such a response must not be stored.
  func forbidsStoring(_ control: ResponseCacheControl) -> Bool {
    control.noStore || control.isPrivate && !storesPrivate
  }
}

/// How stale a response may be. Never is one used that forbids it: by `must-revalidate` or `no-cache`.
package enum StaleAllowance: Hashable, Sendable {
  case never
  /// Seconds.
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

/// For how long it is remembered that a resource does not exist, where the origin does not say.
package enum NegativeCaching: Hashable, Sendable {
  case off
  /// Seconds for a 404 and a 410 that have neither `max-age` nor `Expires`. Errors of the network are never remembered.
  case seconds(Int)

  func seconds(for status: Int) -> Int? {
    guard case .seconds(let seconds) = self, status == 404 || status == 410 else { return nil }
    return min(DeltaSeconds.limit, max(0, seconds))
  }
}
