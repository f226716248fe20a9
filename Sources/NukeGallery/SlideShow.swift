#if GTK
  import Foundation
  import NukeGTK

  /// Advances to the next photo after each interval. The time of a photo begins when it is loaded.
  @MainActor final class SlideShow {
    /// Calls a closure after a delay in seconds, unless the returned object is released before.
    typealias Timer = @MainActor (TimeInterval, @escaping @MainActor () -> Void) -> AnyObject

    /// The time between two photos, in seconds.
    var interval: TimeInterval
    private(set) var isRunning = false
    private(set) var isPaused = false
    /// Shows the next photo.
    var onAdvance: (@MainActor () -> Void)?
    private var isPhotoLoaded = false
    private let makeTimer: Timer
    private var timer: AnyObject?

    static let defaultInterval = 4.0

    init(interval: TimeInterval = defaultInterval, timer: @escaping Timer = { Timeout(after: $0, $1) }) {
      self.interval = interval
      makeTimer = timer
    }

    func start() {
      isRunning = true
      isPaused = false
      restartTimer()
    }

    func stop() {
      isRunning = false
      restartTimer()
    }

    /// Stops at the photo that is shown, or continues.
    func togglePause() {
      isPaused.toggle()
      restartTimer()
    }

    /// Another photo is shown, which is not complete yet.
    func photoWillLoad() {
      isPhotoLoaded = false
      restartTimer()
    }

    /// The photo is complete, or the reason why it cannot be loaded is shown.
    func photoDidLoad() {
      isPhotoLoaded = true
      restartTimer()
    }

    private func restartTimer() {
      timer = nil
      guard isRunning, !isPaused, isPhotoLoaded else { return }
      timer = makeTimer(interval) { [weak self] in self?.onAdvance?() }
    }
  }
#endif
