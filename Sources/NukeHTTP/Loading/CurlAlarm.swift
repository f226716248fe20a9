/// Computes how long the curl thread may sleep. A value type; times are parameters, in nanoseconds.
package struct CurlAlarm {
  /// The earliest time at which a time limit may be exceeded.
  package private(set) var deadline = UInt64.max
  /// The time until which filling slots is deferred.
  private var fillTime: UInt64 = 0
  /// The time at which filling was first deferred.
  private var deferredSince: UInt64 = 0

  package init() {}

  // MARK: Time limits

  /// Records a time at which a time limit may be exceeded.
  package mutating func expect(_ time: UInt64) { deadline = min(deadline, time) }

  /// Removes the recorded time limits.
  package mutating func forgetDeadlines() { deadline = .max }

  // MARK: Slots

  package func mayFill(now: UInt64) -> Bool { now >= fillTime }

  /// Returns `true`, once, if filling was deferred and the delay is over.
  package mutating func endsDeferral(now: UInt64) -> Bool {
    guard fillTime > 0, mayFill(now: now) else { return false }
    fillTime = 0
    return true
  }

  /// Defers filling slots.
  ///
  /// A caller that cancels many transfers cancels them one by one. If freed slots were filled at once, each
  /// cancellation would start a transfer that is canceled next. A moment later, all of them are known to be canceled.
  /// The delay is limited, even if cancellations never stop.
  package mutating func deferFilling(now: UInt64) {
    if mayFill(now: now) { deferredSince = now }
    fillTime = min(now &+ Self.delay, deferredSince &+ Self.maximumDelay)
  }

  /// The time by which a cancellation defers filling.
  package static let delay: UInt64 = 2_000_000
  /// The maximum time by which repeated cancellations defer filling.
  package static let maximumDelay: UInt64 = 20_000_000

  // MARK: Sleep

  /// Returns the maximum time to sleep, in milliseconds.
  ///
  /// - Parameters:
  ///   - hasFreeSlots: `true` if there may be slots to fill. The thread then does not sleep past the time at which
  ///     filling is due.
  ///   - mayHideBytes: `true` if libcurl may hold bytes in its buffers that no socket signals.
  package func milliseconds(now: UInt64, hasFreeSlots: Bool, mayHideBytes: Bool) -> Int32 {
    var next = deadline
    if mayHideBytes { next = min(next, now &+ 100_000_000) }
    if hasFreeSlots { next = min(next, fillTime) }
    guard next > now else { return 0 }
    // Rounded up. Otherwise, the thread would poll in a busy loop during the last fraction of a millisecond.
    return Int32(min((next - now) / 1_000_000 + 1, 60_000))
  }
}
