package import Foundation
internal import Nuke
internal import NukeImaging

/// Plays the frames of an animated image, each for its delay.
@MainActor struct TerminalPlayback {
  let image: AnimatedImage
  /// The maximum number of times it plays; `nil` to use the image's own.
  let passLimit: Int?
  let clock: TerminalClock

  /// The minimum delay of a frame in seconds, which is sufficient for terminals.
  private static let shortestDelay = 0.01

  /// Plays until the end of the last loop, until no frame can be shown, or until the task is canceled.
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
      // The next frame is due and not decoded yet.
      let next = last.map { $0 + 1 < image.playableFrameCount ? $0 + 1 : 0 } ?? 0
      do throws(AnimatedImage.Error) {
        _ = try await image.loadFrame(at: next)
      } catch {
        // After a damaged frame, the next loop starts.
        guard case .frameFailed = error else { return last != nil }
      }
    }
    return last != nil
  }
}

/// A clock for frames, in seconds.
package struct TerminalClock: Sendable {
  package let now: @Sendable () -> TimeInterval
  /// Returns at the given time, or when the task is canceled.
  package let sleep: @Sendable (_ deadline: TimeInterval) async -> Void

  package init(
    now: @escaping @Sendable () -> TimeInterval, sleep: @escaping @Sendable (_ deadline: TimeInterval) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The monotonic clock of the system.
  package static let system = TerminalClock(
    now: { ProcessInfo.processInfo.systemUptime },
    sleep: { try? await Task.sleep(for: .seconds(max(0, $0 - ProcessInfo.processInfo.systemUptime))) })
}
