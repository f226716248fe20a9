/// The freshness lifetime and the age of a stored response (RFC 9111 §4.2).
package struct Freshness: Equatable, Sendable {
  /// Seconds from its origin on.
  package let lifetime: Int
  /// Milliseconds since its origin.
  package let ageInMilliseconds: Int
  package let source: Source

  /// The source of the lifetime.
  package enum Source: Equatable, Sendable {
    case maxAge
    case expires
    /// A tenth of the time for which it had not been modified (RFC 9111 §4.2.2).
    case heuristic
    /// ``NegativeCaching``.
    case negative
    /// The response says nothing.
    case none
  }

  package init(lifetime: Int, ageInMilliseconds: Int, source: Source) {
    self.lifetime = lifetime
    self.ageInMilliseconds = ageInMilliseconds
    self.source = source
  }

  /// Whole seconds, as an `Age` field says.
  package var age: Int { ageInMilliseconds / 1000 }

  package var isFresh: Bool { ageInMilliseconds < lifetime * 1000 }

  /// Whole seconds for which it stays fresh; less than nothing where it is stale.
  package var remaining: Int { lifetime - age }

  /// Milliseconds for which it has been stale.
  var stalenessInMilliseconds: Int { max(0, ageInMilliseconds - lifetime * 1000) }
}

extension CachePolicy {
  /// The freshness of a response at a moment.
  package func freshness(of response: StoredResponse, now: Timestamp) -> Freshness {
    let (lifetime, source) = lifetime(of: response)
    return Freshness(lifetime: lifetime, ageInMilliseconds: response.age(now: now), source: source)
  }

  /// RFC 9111 §4.2.1.
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
    // A clock that was put back says nothing of how much time has passed. Small corrections are usual.
    if resident < -Self.clockTolerance { return DeltaSeconds.limit * 1000 }
    return min(DeltaSeconds.limit * 1000, facts.initialAge + max(0, resident))
  }

  /// Milliseconds.
  private static var clockTolerance: Int { 60_000 }
}
