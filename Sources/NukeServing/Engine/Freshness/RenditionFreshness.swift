import NukeHTTPCaching

/// The times until which a rendition is fresh, and how long a stale one may be used. A value type; the time is a
/// parameter.
struct RenditionFreshness: Equatable, Sendable {
  /// The time at which the source was last validated.
  var checkedAt: Timestamp
  /// The time until which the source is fresh. Responses to clients state it.
  var freshUntil: Timestamp
  /// The time until which the source is not revalidated. It is later than ``freshUntil`` if the source's response was
  /// already stale on arrival.
  var revalidateAt: Timestamp
  /// Seconds after ``revalidateAt`` for which the rendition may be sent while the source is revalidated.
  var staleWhileRevalidate: Int
  /// Seconds after ``revalidateAt`` for which the rendition may be sent if the source fails.
  var staleIfError: Int
  /// The caches that may store the rendition. The server is a shared cache, and stores what shared caches may store.
  var cacheability = Rendition.Cacheability.shared

  enum State: Equatable, Sendable {
    case fresh
    /// Stale, but may be sent while the source is revalidated in the background.
    case renewable
    /// The source must be validated before the rendition is sent.
    case stale
  }

  /// The freshness of a rendition that no cache may store.
  static func uncacheable(at now: Timestamp) -> RenditionFreshness {
    var freshness = RenditionFreshness(checkedAt: now, freshUntil: now)
    freshness.cacheability = .none
    return freshness
  }

  init(
    checkedAt: Timestamp, freshUntil: Timestamp, revalidateAt: Timestamp? = nil, staleWhileRevalidate: Int = 0,
    staleIfError: Int = 0
  ) {
    self.checkedAt = checkedAt
    self.freshUntil = freshUntil
    self.revalidateAt = revalidateAt ?? freshUntil
    self.staleWhileRevalidate = staleWhileRevalidate
    self.staleIfError = staleIfError
  }

  /// The tolerated difference between the clocks of several machines, in milliseconds.
  private static let clockTolerance = 60_000

  func state(at now: Timestamp) -> State {
    // If the clock was set back, the age of the rendition is unknown.
    if now.milliseconds < checkedAt.milliseconds - Self.clockTolerance { return .stale }
    if now < revalidateAt { return .fresh }
    return isWithin(staleWhileRevalidate, at: now) ? .renewable : .stale
  }

  /// Returns `true` if the rendition may be sent when the source fails.
  func allowsStaleIfError(at now: Timestamp) -> Bool { now < revalidateAt || isWithin(staleIfError, at: now) }

  private func isWithin(_ seconds: Int, at now: Timestamp) -> Bool {
    (now.milliseconds - revalidateAt.milliseconds) / 1000 < seconds
  }
}
