#if GTK
  import Foundation

  /// The progress of a fade. The caller passes the time, in seconds.
  struct Fade {
    let duration: TimeInterval
    /// The time of the first frame. A delayed window does not skip the start of the fade.
    private var beginning: TimeInterval?

    init(duration: TimeInterval) { self.duration = duration }

    /// Returns a value from 0 to 1 with ease-in and ease-out.
    mutating func progress(at now: TimeInterval) -> Double {
      guard let beginning else {
        beginning = now
        return duration > 0 ? 0 : 1
      }
      let part = min(max((now - beginning) / duration, 0), 1)
      return part * part * (3 - 2 * part)
    }
  }
#endif
