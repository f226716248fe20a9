import Foundation

/// Rounds delays to milliseconds, at least one, so that rounding errors do not add up.
struct MillisecondClock {
  /// The exact time in seconds.
  private var exact: TimeInterval = 0
  /// The time at which the next frame is shown, in milliseconds.
  private(set) var time: Int32 = 0

  /// Moves the clock to the end of a frame. Returns how long the frame is shown, in milliseconds.
  ///
  /// - Parameters:
  ///   - delay: the delay in seconds.
  ///   - longest: the longest delay of the format, in milliseconds.
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` if the delay is longer than that, or all delays together are
  ///   longer than 24 days: many readers add them up in 31 bits.
  mutating func advance(
    by delay: TimeInterval, _ format: ImageFormat, longest: Int32 = .max
  ) throws(CodecError) -> Int32 {
    exact += delay
    let wanted = (exact * 1000).rounded()
    guard wanted < Double(Int32.max), wanted - Double(time) <= Double(longest), time < Int32.max else {
      throw .encodingFailed(format, reason: "it is longer than the format allows")
    }
    let start = time
    time = max(Int32(max(wanted, 0)), start + 1)
    return time - start
  }
}
