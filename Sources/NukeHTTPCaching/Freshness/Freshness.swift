/// The freshness lifetime and the age of a stored response (RFC 9111 §4.2).
package struct Freshness: Equatable, Sendable {
  /// The freshness lifetime in seconds.
  package let lifetime: Int
  /// The current age in milliseconds.
  package let ageInMilliseconds: Int
  package let source: Source

  /// The source of the freshness lifetime.
  package enum Source: Equatable, Sendable {
    case maxAge
    case expires
    /// Heuristic freshness: a tenth of the time between `Last-Modified` and `Date` (RFC 9111 §4.2.2).
    case heuristic
    /// ``CachePolicy/negative``, for a 404 or 410.
    case negative
    /// Nothing: the lifetime is 0.
    case none
  }

  package init(lifetime: Int, ageInMilliseconds: Int, source: Source) {
    self.lifetime = lifetime
    self.ageInMilliseconds = ageInMilliseconds
    self.source = source
  }

  /// The current age in whole seconds, the value of an `Age` field.
  package var age: Int { ageInMilliseconds / 1000 }

  package var isFresh: Bool { ageInMilliseconds < lifetime * 1000 }

  /// The remaining freshness lifetime in whole seconds; negative if the response is stale.
  package var remaining: Int { lifetime - age }

  /// The time in milliseconds by which the age exceeds the freshness lifetime; 0 if the response is fresh.
  var stalenessInMilliseconds: Int { max(0, ageInMilliseconds - lifetime * 1000) }
}

extension CachePolicy {
  /// Returns the freshness of a stored response at the time `now`.
  package func freshness(of response: StoredResponse, now: Timestamp) -> Freshness {
    let (lifetime, source) = lifetime(of: response)
    return Freshness(lifetime: lifetime, ageInMilliseconds: response.age(now: now), source: source)
  }

  /// Calculates the freshness lifetime (RFC 9111 §4.2.1): `max-age`, else `Expires`, else a heuristic.
  private func lifetime(of response: StoredResponse) -> (seconds: Int, source: Freshness.Source) {
    let facts = response.facts
    switch facts.cacheControl.maxAge {
    case .seconds(let seconds): return (seconds, .maxAge)
    case .invalid: return (0, .maxAge)
    case nil: break
    }
    let date = facts.date ?? response.responseTime.seconds
    switch facts.expires {
    case .at(let moment): return (min(DeltaSeconds.limit, max(0, moment - date)), .expires)
    case .invalid: return (0, .expires)
    case nil: break
    }
    if let modified = facts.lastModified, modified < date,
      facts.cacheControl.isPublic || StatusCode.isHeuristicallyCacheable(response.status)
    {
      return (min(heuristicLimit, (date - modified) / 10), .heuristic)
    }
    if let seconds = negative.seconds(for: response.status) { return (seconds, .negative) }
    return (0, .none)
  }
}

extension StoredResponse {
  /// The current age in milliseconds (RFC 9111 §4.2.3).
  func age(now: Timestamp) -> Int {
    let resident = now.elapsed(since: responseTime)
    // If the clock was set back, the resident time is unknown: count the response as stale. Small steps back are usual
    // when a clock is synchronized.
    if resident < -Self.clockTolerance { return DeltaSeconds.limit * 1000 }
    return min(DeltaSeconds.limit * 1000, facts.initialAge + max(0, resident))
  }

  /// The largest step back of the clock that is ignored, in milliseconds.
  private static var clockTolerance: Int { 60_000 }
}
