/// How to answer a request. Indices refer to the array of stored responses passed to
/// ``CachePolicy/decide(_:stored:now:)``.
package enum Decision: Sendable {
  /// Answer with a stored response.
  case use(Reuse)
  /// Answer with a stale response, and validate it in the background (RFC 5861 §3).
  case useStale(Reuse, revalidating: Forward)
  /// Send a conditional request that validates a stored response, or a range request that completes it, and wait for
  /// the response.
  case validate(Forward)
  /// Send the request to the origin.
  case fetch(Forward)
  /// Answer with 504 (Gateway Timeout): the request may not be forwarded, and no stored response can be used (RFC 9111
  /// §5.2.1.7).
  case unavailable(Forward.Reason)

  /// The stored response to answer with, if any.
  package var reuse: Reuse? {
    switch self {
    case .use(let reuse), .useStale(let reuse, _): reuse
    case .validate, .fetch, .unavailable: nil
    }
  }

  /// The request to send to the origin, if any.
  package var forward: Forward? {
    switch self {
    case .useStale(_, let forward), .validate(let forward), .fetch(let forward): forward
    case .use, .unavailable: nil
    }
  }
}

/// A stored response to send, and the kind of response to make from it.
package struct Reuse: Equatable, Sendable {
  package let index: Int
  package let kind: ResponseKind
  package let freshness: Freshness
  /// Why the response may be used although it is stale; `nil` if it is fresh.
  package let staleness: Staleness?

  package enum ResponseKind: Equatable, Sendable {
    /// The stored response, unchanged.
    case whole
    /// A 206 (Partial Content) response with these bytes of the whole body.
    case part(ClosedRange<Int>)
    /// A 416 (Range Not Satisfiable) response: the requested range is outside of the body.
    case unsatisfiable
    /// A 304 (Not Modified) response: the request's condition matches the stored validator.
    case notModified
  }

  package enum Staleness: String, Equatable, Sendable {
    /// The request allows it by `max-stale`, or by a mode in which nothing is validated.
    case request = "max-stale"
    /// The response is validated in the background.
    case whileRevalidating = "stale-while-revalidate"
    /// The origin answered with an error.
    case error = "stale-if-error"
    /// The origin is unreachable.
    case disconnected
  }
}

/// How a request is forwarded to the origin.
package struct Forward: Equatable, Sendable {
  package let reason: Reason
  /// The header fields to set on the request: preconditions, and a range.
  package var fields = HTTPFields()
  /// The stored responses that the request validates: the selected one, or all variants if none was selected.
  package var validating: [Int] = []
  /// The incomplete stored response whose missing bytes are requested.
  package var completing: Int?

  /// Creates a request without conditions of the cache.
  package init(reason: Reason) { self.reason = reason }

  /// The request without conditions, to send after ``Reception/Delivery/again``.
  package var unconditional: Forward { Forward(reason: reason) }

  /// The reason for which a request is forwarded (RFC 9211 §2.2).
  package enum Reason: String, Equatable, Sendable {
    /// The request bypasses the cache.
    case bypass
    /// The request's method is not answered from a cache.
    case method
    case uriMiss = "uri-miss"
    case varyMiss = "vary-miss"
    /// The stored response is fresh, but the request's directives do not allow its use.
    case request
    case stale
    /// The stored response does not contain all requested bytes.
    case partial
  }
}

/// Why the origin did not send a usable response.
package enum Failure: Equatable, Sendable {
  case disconnected
  case status(Int)
}
