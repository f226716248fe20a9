/// Computes how long the curl thread may sleep. It is a value; times are passed in, in nanoseconds.
package struct CurlAlarm {
  /// No time limit is passed before this.
  package private(set) var deadline = UInt64.max
  /// Places are not filled before this.
  private var fillTime: UInt64 = 0
  /// The time at which filling was first deferred.
  private var heldSince: UInt64 = 0

  package init() {}

  // MARK: Time limits

  /// Something may be late at `moment`.
  package mutating func expect(_ moment: UInt64) { deadline = min(deadline, moment) }

  /// Nothing is expected any more.
  package mutating func forgetDeadlines() { deadline = .max }

  // MARK: Places

  package func mayFill(now: UInt64) -> Bool { now >= fillTime }

  /// Returns `true` if a time for which filling was put off has passed; true once.
  package mutating func endsHold(now: UInt64) -> Bool {
    guard fillTime > 0, mayFill(now: now) else { return false }
    fillTime = 0
    return true
  }

  /// Puts the filling of places off.
  ///
  /// Callers cancel many transfers one by one. Were a place filled at once, each cancellation would start a transfer
  /// that is canceled next; a moment later they are known to be unwanted. Cancellations without end do not put it off
  /// for ever.
  package mutating func holdPlaces(now: UInt64) {
    if mayFill(now: now) { heldSince = now }
    fillTime = min(now &+ Self.hold, heldSince &+ Self.longestHold)
  }

  package static let hold: UInt64 = 2_000_000
  package static let longestHold: UInt64 = 20_000_000

  // MARK: Sleep

  /// Milliseconds to sleep at most.
  ///
  /// - Parameters:
  ///   - hasPlaces: there may be places to fill. That their time has come since somebody last looked is no reason to sleep
  ///     over it.
  ///   - mayHideBytes: libcurl may hold bytes that no socket tells of.
  package func milliseconds(now: UInt64, hasPlaces: Bool, mayHideBytes: Bool) -> Int32 {
    var next = deadline
    if mayHideBytes { next = min(next, now &+ 100_000_000) }
    if hasPlaces { next = min(next, fillTime) }
    guard next > now else { return 0 }
    // Rounded up, or the last fraction of a millisecond would be spent polling without a wait.
    return Int32(min((next - now) / 1_000_000 + 1, 60_000))
  }
}
