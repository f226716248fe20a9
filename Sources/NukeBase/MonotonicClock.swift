package import Foundation

/// A monotonic clock for measuring durations.
package enum MonotonicClock {
  /// The nanoseconds since an arbitrary moment.
  package static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  package static func seconds(from start: UInt64, to end: UInt64) -> TimeInterval { TimeInterval(end &- start) / 1e9 }
}
