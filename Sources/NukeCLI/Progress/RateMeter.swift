package import Foundation

/// The number of bytes per second over the last few seconds. A slow start has no lasting effect, and a stall becomes
/// visible.
package struct RateMeter: Sendable {
  /// The measured time span, in seconds.
  package static let window: TimeInterval = 3
  /// The minimum time between two samples, in seconds.
  package static let spacing: TimeInterval = 0.1

  private var samples: [(time: TimeInterval, bytes: Int64)]

  package init(startedAt now: TimeInterval) { samples = [(now, 0)] }

  /// Records the total number of bytes at `now`.
  package mutating func record(_ bytes: Int64, at now: TimeInterval) {
    if samples.count > 1, now - samples[samples.count - 2].time < Self.spacing {
      samples[samples.count - 1] = (now, bytes)
    } else {
      samples.append((now, bytes))
    }
    // One sample from before the window stays, since the span is measured from it.
    if let first = samples.lastIndex(where: { now - $0.time >= Self.window }), first > 0 {
      samples.removeFirst(first)
    }
  }

  /// Returns the rate in bytes per second, or `nil` if it is unknown.
  package func rate(at now: TimeInterval) -> Double? {
    guard let last = samples.last, last.bytes > 0 else { return nil }
    let first = samples.last { now - $0.time >= Self.window } ?? samples[0]
    let span = now - first.time
    return span > 0 ? Double(last.bytes - first.bytes) / span : nil
  }
}
