/// A point in time, in milliseconds since 1970. All times that a decision needs are parameters: this module reads no
/// clock.
///
/// Header fields have a resolution of one second. Milliseconds are needed because a lifetime of one second could round
/// to nothing if both its ends were rounded.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int

  /// The limit in both directions. Values are clamped to it, so that sums and differences cannot overflow.
  private static let limit = 1 << 53

  package init(milliseconds: Int) { self.milliseconds = min(Self.limit, max(-Self.limit, milliseconds)) }

  package init(seconds: Int) {
    self.init(milliseconds: min(Self.limit / 1000, max(-Self.limit / 1000, seconds)) * 1000)
  }

  /// Creates a timestamp from a Foundation time interval. NaN becomes 1970.
  package init(secondsSince1970 seconds: Double) {
    let milliseconds = (seconds * 1000).rounded(.down)
    guard !milliseconds.isNaN else {
      self.init(milliseconds: 0)
      return
    }
    self.init(milliseconds: Int(min(Double(Self.limit), max(-Double(Self.limit), milliseconds))))
  }

  /// Whole seconds since 1970.
  package var seconds: Int { milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000) }

  /// Returns the milliseconds since `earlier`; negative if `earlier` is later.
  func elapsed(since earlier: Timestamp) -> Int { milliseconds - earlier.milliseconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
