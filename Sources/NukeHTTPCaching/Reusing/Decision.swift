/// The decision about a request. Indices refer to the stored responses that were passed in.
package enum Decision: Sendable {
  /// Answer with what is stored.
  case use(Reuse)
  /// Answer with what is stored, and send the request given in the background.
  case useStale(Reuse, revalidating: Forward)
  /// Ask the origin whether what is stored is still right, or for the rest of it, and wait for the answer.
  case validate(Forward)
  /// Load from the origin.
  case fetch(Forward)
  /// Answer 504: the request allows only what is stored, and none of it can be used (RFC 9111 §5.2.1.7).
  case unavailable(Forward.Reason)

  /// The answer from what is stored.
  package var reuse: Reuse? {
    switch self {
    case .use(let reuse), .useStale(let reuse, _): reuse
    case .validate, .fetch, .unavailable: nil
    }
  }

  /// The request that goes to the origin.
  package var forward: Forward? {
    switch self {
    case .useStale(_, let forward), .validate(let forward), .fetch(let forward): forward
    case .use, .unavailable: nil
    }
  }
}

/// The way a stored response answers a request.
package struct Reuse: Equatable, Sendable {
  package let index: Int
  package let answer: Answer
  package let freshness: Freshness
  /// Why it may be used though it is not fresh; `nil` if it is.
  package let staleness: Staleness?

  package enum Answer: Equatable, Sendable {
    /// The whole response as it is stored.
    case whole
    /// A 206 of these bytes of the whole.
    case part(ClosedRange<Int>)
    /// A 416: there are no such bytes.
    case unsatisfiable
    /// A 304: the client has it.
    case notModified
  }

  package enum Staleness: String, Equatable, Sendable {
    /// The request's `max-stale`, or a mode in which nothing is validated.
    case request = "max-stale"
    /// It is validated meanwhile.
    case whileRevalidating = "stale-while-revalidate"
    /// The origin answered with an error.
    case error = "stale-if-error"
    /// The origin cannot be reached.
    case disconnected
  }
}

/// The way a request is forwarded to the origin.
package struct Forward: Equatable, Sendable {
  package let reason: Reason
  /// The fields that replace those of the request: conditions and a range.
  package var fields = HTTPFields()
  /// The stored responses that are asked about: one, or all variants where none matches the request.
  package var validating: [Int] = []
  /// The stored response whose missing bytes are asked for.
  package var completing: Int?

  /// Creates a request as the program made it.
  package init(reason: Reason) { self.reason = reason }

  /// The same for ``Reception/Delivery/again``.
  package var unconditional: Forward { Forward(reason: reason) }

  /// By RFC 9211 §2.2.
  package enum Reason: String, Equatable, Sendable {
    /// The cache was not to be used.
    case bypass
    /// The method is none that is answered from a cache.
    case method
    case uriMiss = "uri-miss"
    case varyMiss = "vary-miss"
    /// The stored response was fresh, but the request requires validation or a newer one.
    case request
    case stale
    /// Not all bytes that are wanted are stored.
    case partial
  }
}

/// Why there is no response from the origin that could be used.
package enum Failure: Equatable, Sendable {
  case disconnected
  case status(Int)
}
