import Foundation

/// A point of the clock that never goes back.
struct Moment {
  private let nanoseconds: UInt64

  static func after(_ seconds: Double) -> Moment {
    Moment(nanoseconds: now + UInt64(max(0, min(seconds, 1e6)) * 1e9))
  }

  /// For `poll`, rounded up.
  var millisecondsLeft: CInt {
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return CInt(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
