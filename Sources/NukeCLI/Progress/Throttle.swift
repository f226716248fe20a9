import Foundation

/// Lets through what comes at least `interval` seconds after what was let through last.
struct Throttle: Sendable {
  let interval: TimeInterval
  private var last: TimeInterval?

  init(interval: TimeInterval) { self.interval = interval }

  mutating func passes(at now: TimeInterval) -> Bool {
    if let last, now - last < interval { return false }
    last = now
    return true
  }
}
