/// A moment, in milliseconds since 1970. Every moment that a decision needs is handed in.
///
/// Header fields count whole seconds; a response that is fresh for one second would often not be fresh at all if the
/// moments at both ends of that second were rounded too.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int

  /// Farther away than this in both directions nothing is told apart, so that no sum or difference overflows.
  private static let limit = 1 << 53

  package init(milliseconds: Int) { self.milliseconds = min(Self.limit, max(-Self.limit, milliseconds)) }

  package init(seconds: Int) {
    self.init(milliseconds: min(Self.limit / 1000, max(-Self.limit / 1000, seconds)) * 1000)
  }

  /// As Foundation counts; a number that is none becomes 1970.
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

  /// Milliseconds since `earlier`; less than nothing before it.
  func elapsed(since earlier: Timestamp) -> Int { milliseconds - earlier.milliseconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
