#if GTK
  import Foundation

  /// How far an image has faded in. Time is handed in, in seconds since some moment.
  struct Fade {
    let duration: TimeInterval
    /// The first beat counts as the beginning, so that a window which is late does not leap into the middle.
    private var beginning: TimeInterval?

    init(duration: TimeInterval) { self.duration = duration }

    /// From 0 to 1, slowly at both ends.
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
