package import Foundation

/// Lets through what comes at least `interval` seconds after what was let through last.
package struct Throttle: Sendable {
  package let interval: TimeInterval
  private var last: TimeInterval?

  package init(interval: TimeInterval) { self.interval = interval }

  package mutating func passes(at now: TimeInterval) -> Bool {
    if let last, now - last < interval { return false }
    last = now
    return true
  }
}
