import NukeHTTPCaching

/// For how long what was made of a source may be sent, and what then: a plain value, to which the moment is handed in.
struct RenditionFreshness: Equatable, Sendable {
  /// The time at which the source was last validated.
  var checkedAt: Timestamp
  /// Until when the source says that it stays right. Clients are told this.
  var freshUntil: Timestamp
  /// Until when it is not asked again: later than ``freshUntil`` where what it answers is out of date already.
  var askAgainAt: Timestamp
  /// Seconds past ``askAgainAt`` in which it may be sent while the source is asked.
  var staleWhileRevalidate: Int
  /// Seconds past ``askAgainAt`` in which it may be sent where the source fails.
  var staleIfError: Int
  /// The caches that may store the rendition. The server is a shared cache, and stores what shared caches may store.
  var cacheability = Rendition.Cacheability.shared

  enum State: Equatable, Sendable {
    case fresh
    /// It may be sent, and the source is to be asked behind.
    case renewable
    /// The source is to be asked first.
    case stale
  }

  /// The freshness of a rendition that nobody may store.
  static func unkept(at now: Timestamp) -> RenditionFreshness {
    var freshness = RenditionFreshness(checkedAt: now, freshUntil: now)
    freshness.cacheability = .none
    return freshness
  }

  init(
    checkedAt: Timestamp, freshUntil: Timestamp, askAgainAt: Timestamp? = nil, staleWhileRevalidate: Int = 0,
    staleIfError: Int = 0
  ) {
    self.checkedAt = checkedAt
    self.freshUntil = freshUntil
    self.askAgainAt = askAgainAt ?? freshUntil
    self.staleWhileRevalidate = staleWhileRevalidate
    self.staleIfError = staleIfError
  }

  /// Milliseconds by which clocks of several machines may differ.
  private static let clockTolerance = 60_000

  func state(at now: Timestamp) -> State {
    // A clock that was put back says nothing of how much time has passed.
    if now.milliseconds < checkedAt.milliseconds - Self.clockTolerance { return .stale }
    if now < askAgainAt { return .fresh }
    return isWithin(staleWhileRevalidate, at: now) ? .renewable : .stale
  }

  /// Returns `true` if it may be sent where the source fails.
  func mayStandIn(at now: Timestamp) -> Bool { now < askAgainAt || isWithin(staleIfError, at: now) }

  private func isWithin(_ seconds: Int, at now: Timestamp) -> Bool {
    (now.milliseconds - askAgainAt.milliseconds) / 1000 < seconds
  }
}
