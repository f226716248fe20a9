/// A histogram of durations.
public struct Histogram: Sendable, Hashable {
  /// The upper ends of the buckets in seconds, but for the last, which has none.
  public static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  /// The number of values in each bucket; one more than there are ``bounds``.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// Seconds of all of them.
  public private(set) var sum = 0.0
  /// The number of values.
  public var count: Int { counts.reduce(0, +) }

  /// One of nothing.
  public init() {}

  /// Adds a duration in seconds. One that is a bound falls into the bucket that ends with it.
  public mutating func note(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += seconds
  }
}
