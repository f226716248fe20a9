internal import Nuke
internal import NukeImaging

/// Shows the frames of an animated image one after the other, each for its delay.
@MainActor struct TerminalPlayback {
  let image: AnimatedImage
  /// The maximum number of times it plays; `nil` to use the image's own.
  let passLimit: Int?
  let clock: TerminalClock

  /// Seconds from one frame to the next at least: no terminal shows more.
  private static let shortestDelay = 0.01

  /// Plays until the last frame of the last pass is shown, no frame can be, or the task is canceled.
  ///
  /// - Parameter show: returns once the frame is on the terminal, with `false` to stop.
  /// - Returns: `true` if a frame was shown.
  func run(_ show: (Animation.Frame) async -> Bool) async -> Bool {
    var player = AnimatedImage.Player(image)
    var last: Int?
    var passes = 0
    while !Task.isCancelled {
      let now = clock.now()
      if let frame = player.advance(to: now) {
        if let last, frame.index <= last { passes += 1 }
        last = frame.index
        guard await show(frame) else { break }
        if let passLimit, frame.index + 1 >= image.playableFrameCount, passes + 1 >= passLimit { break }
        guard !player.isFinished else { break }
        await clock.sleep(max(player.nextChange ?? now, now + Self.shortestDelay))
        continue
      }
      guard !player.isFinished else { break }
      if let change = player.nextChange, change > now {
        await clock.sleep(change)
        continue
      }
      // It is time for the next frame, which is not decoded yet.
      let next = last.map { $0 + 1 < image.playableFrameCount ? $0 + 1 : 0 } ?? 0
      do throws(AnimatedImage.Error) {
        _ = try await image.loadFrame(at: next)
      } catch {
        // Behind a damaged frame it begins anew, if it does.
        guard case .frameFailed = error else { return last != nil }
      }
    }
    return last != nil
  }
}
