import NukeHTTPCaching

/// How a service treats the freshness of sources.
struct FreshnessRules: Equatable, Sendable {
  /// A freshness lifetime in seconds that overrides what the source states; `nil` to use the source's.
  var fixed: Int?
  /// The freshness lifetime in seconds for sources that state none.
  var fallback = 3600
  /// The maximum freshness lifetime in seconds.
  var limit = 365 * 86_400
  /// The maximum time in seconds for which a rendition is sent before its source is validated. It does not change what
  /// clients are told. `nil` for as long as the source is fresh.
  var validationInterval: Int?
  /// Seconds for which a stale rendition may be sent while the source is revalidated, if the source states none.
  var staleWhileRevalidate = 60
  var staleIfError = 86_400

  /// Seconds until the next validation of a source whose response was already stale on arrival. Such a response comes
  /// from another cache that could not reach the origin.
  private static let pause = 5

  init() {}

  /// Returns the freshness of renditions of a source.
  ///
  /// - Parameters:
  ///   - fields: the header fields of the source's response; `nil` for a source without header fields.
  ///   - requestedAt: the time at which the source was requested.
  func freshness(of fields: HTTPFields?, requestedAt: Timestamp, now: Timestamp) -> RenditionFreshness {
    let stored = fields.map {
      StoredResponse(
        key: "", status: 200, fields: $0, requestTime: requestedAt, responseTime: now, content: .whole(length: nil))
    }
    let control = stored?.facts.cacheControl ?? ResponseCacheControl()
    if let fixed {
      let freshness = freshness(seconds: fixed, control, now: now)
      return limited(freshness, to: stored.flatMap { ownSeconds($0, now: now) }, now: now)
    }
    if control.noStore { return .uncacheable(at: now) }
    guard let stored, let lifetime = explicitLifetime(of: stored, now: now) else {
      return limited(freshness(seconds: control.noCache ? 0 : fallback, control, now: now), to: nil, now: now)
    }
    let age = CachePolicy().freshness(of: stored, now: now).ageInMilliseconds / 1000
    let seconds = control.noCache ? 0 : min(lifetime, limit) - age
    var freshness = freshness(seconds: max(0, seconds), control, now: now)
    if !control.noCache, lifetime > 0, seconds <= 0 {
      freshness.revalidateAt = Timestamp(milliseconds: now.milliseconds + Self.pause * 1000)
    }
    return limited(freshness, to: nil, now: now)
  }

  /// Returns a freshness whose source is validated in time, if there is a limit.
  ///
  /// - Parameter seconds: the lifetime that the source states, if it is not considered yet.
  private func limited(_ freshness: RenditionFreshness, to seconds: Int?, now: Timestamp) -> RenditionFreshness {
    guard let validationInterval else { return freshness }
    let limit = min(validationInterval, seconds ?? validationInterval)
    var freshness = freshness
    freshness.revalidateAt = min(freshness.revalidateAt, Timestamp(milliseconds: now.milliseconds + limit * 1000))
    freshness.staleWhileRevalidate = 0
    return freshness
  }

  /// Returns the remaining lifetime that a source states, which is 0 for a response that caches must not reuse; `nil` if
  /// it states none.
  private func ownSeconds(_ stored: StoredResponse, now: Timestamp) -> Int? {
    let control = stored.facts.cacheControl
    if control.noStore || control.noCache || control.isPrivate { return 0 }
    guard let lifetime = explicitLifetime(of: stored, now: now) else { return nil }
    let age = CachePolicy().freshness(of: stored, now: now).ageInMilliseconds / 1000
    return max(0, min(lifetime, limit) - age)
  }

  private func freshness(seconds: Int, _ control: ResponseCacheControl, now: Timestamp) -> RenditionFreshness {
    let isStrict = fixed == nil && (control.mustRevalidate || control.proxyRevalidate || control.noCache)
    // `s-maxage` has the meaning of `proxy-revalidate`, too (RFC 9111 §5.2.2.10), unless the source permits otherwise.
    let isShared = fixed == nil && control.hasSharedMaxAge
    var freshness = RenditionFreshness(
      checkedAt: now, freshUntil: Timestamp(milliseconds: now.milliseconds + seconds * 1000),
      staleWhileRevalidate: isStrict ? 0 : control.staleWhileRevalidate ?? (isShared ? 0 : staleWhileRevalidate),
      staleIfError: isStrict ? 0 : control.staleIfError ?? (isShared ? 0 : staleIfError))
    if fixed == nil, control.isPrivate { freshness.cacheability = .private }
    return freshness
  }

  /// Returns the lifetime that the source states, in seconds since its origin sent it. `s-maxage` takes precedence,
  /// because a server is a shared cache (RFC 9111 §4.2.1). It does not apply to private responses.
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
