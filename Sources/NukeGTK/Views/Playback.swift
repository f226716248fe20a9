#if GTK
  import CNukeGTK
  import Foundation
  import Nuke
  import NukeImaging

  /// Plays an animated image in a widget.
  ///
  /// It sleeps between frames, and then waits for the frame clock, so that nothing is decoded for an invisible window.
  @MainActor final class Playback {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let image: AnimatedImage
    private var player: AnimatedImage.Player
    private let show: @MainActor (Bitmap) -> Void
    private var ticks: FrameTicks?
    private var sleep: Timeout?

    /// The minimum pause for which a timer is used, in seconds.
    private static let shortestSleep = 0.03

    init(
      _ image: AnimatedImage, on widget: UnsafeMutablePointer<GtkWidget>, show: @escaping @MainActor (Bitmap) -> Void
    ) {
      self.widget = widget
      self.image = image
      self.show = show
      player = AnimatedImage.Player(image)
    }

    /// `true` if the animation is running.
    var isPlaying: Bool { ticks != nil || sleep != nil }

    /// Continues from the current frame.
    func play() {
      guard !isPlaying, !player.isFinished else { return }
      ticks = FrameTicks(widget) { [weak self] now in self?.advance(to: now) ?? false }
    }

    /// Pauses, and releases all frames. Call it before the widget is destroyed.
    func pause() {
      ticks?.cancel()
      ticks = nil
      sleep = nil
      image.stop()
    }

    private func advance(to now: TimeInterval) -> Bool {
      if let frame = player.advance(to: now) { show(frame.image) }
      if player.isFinished {
        pause()
        return false
      }
      guard let next = player.nextChange, next - now > Self.shortestSleep else { return true }
      ticks = nil
      sleep = Timeout(after: next - now - Self.shortestSleep / 2) { [weak self] in
        self?.sleep = nil
        self?.play()
      }
      return false
    }
  }
#endif
