import NukeHTTPCaching

/// How a service treats the freshness of sources.
struct FreshnessRules: Equatable, Sendable {
  /// Seconds that count whatever the source says; `nil` for what it says.
  var fixed: Int?
  /// Seconds where the source says nothing.
  var fallback = 3600
  /// The most seconds that a source is believed.
  var limit = 365 * 86_400
  /// Seconds where the source says nothing of it.
  var staleWhileRevalidate = 60
  var staleIfError = 86_400

  /// Seconds until a source is asked again whose answer was out of date when it came: another cache has answered for it,
  /// since it cannot be reached.
  private static let pause = 5

  init() {}

  /// - Parameters:
  ///   - fields: what came with the source's data; `nil` for a source without header fields.
  ///   - askedAt: when that was sent for.
  func freshness(of fields: HTTPFields?, askedAt: Timestamp, now: Timestamp) -> RenditionFreshness {
    let stored = fields.map {
      StoredResponse(
        key: "", status: 200, fields: $0, requestTime: askedAt, responseTime: now, content: .whole(length: nil))
    }
    let control = stored?.facts.cacheControl ?? ResponseCacheControl()
    if let fixed { return freshness(seconds: fixed, control, now: now) }
    if control.noStore { return .unkept(at: now) }
    guard let stored, let lifetime = explicitLifetime(of: stored, now: now) else {
      return freshness(seconds: control.noCache ? 0 : fallback, control, now: now)
    }
    let age = CachePolicy().freshness(of: stored, now: now).ageInMilliseconds / 1000
    let seconds = control.noCache ? 0 : min(lifetime, limit) - age
    var freshness = freshness(seconds: max(0, seconds), control, now: now)
    if !control.noCache, lifetime > 0, seconds <= 0 {
      freshness.askAgainAt = Timestamp(milliseconds: now.milliseconds + Self.pause * 1000)
    }
    return freshness
  }

  private func freshness(seconds: Int, _ control: ResponseCacheControl, now: Timestamp) -> RenditionFreshness {
    let isStrict = fixed == nil && (control.mustRevalidate || control.noCache)
    var freshness = RenditionFreshness(
      checkedAt: now, freshUntil: Timestamp(milliseconds: now.milliseconds + seconds * 1000),
      staleWhileRevalidate: isStrict ? 0 : control.staleWhileRevalidate ?? staleWhileRevalidate,
      staleIfError: isStrict ? 0 : control.staleIfError ?? staleIfError)
    if fixed == nil, control.isPrivate { freshness.cacheability = .private }
    return freshness
  }

  /// Seconds from its origin on, where the source says so. `s-maxage` comes first: a server is a shared cache
  /// (RFC 9111 §4.2.1). It is about no others, and says nothing of what is for the client alone.
  private func explicitLifetime(of stored: StoredResponse, now: Timestamp) -> Int? {
    let control = stored.facts.cacheControl
    if let seconds = control.sharedMaxAge, !control.isPrivate { return seconds }
    let freshness = CachePolicy().freshness(of: stored, now: now)
    switch freshness.source {
    case .maxAge, .expires: return freshness.lifetime
    case .heuristic, .negative, .none: return nil
    }
  }
}
