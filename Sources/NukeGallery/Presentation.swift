#if GTK
  import Foundation
  import NukeGTK

  /// The full screen and the slide show of a window.
  @MainActor final class Presentation {
    let fullScreen: FullScreen
    let slideShow: SlideShow
    /// `true` if the slide show has entered the full screen, which it leaves at its end.
    private var hasEnteredFullScreen = false

    init(_ window: UnsafeMutablePointer<GtkWindow>, interval: TimeInterval) {
      fullScreen = FullScreen(window)
      slideShow = SlideShow(interval: interval)
      guard let keys = gtk_event_controller_key_new() else { return }
      gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
      SignalHandler.connect(
        UnsafeMutableRawPointer(keys), "key-pressed",
        withKey: { [weak self] in
          self?.press($0) ?? false
        })
      gtk_widget_add_controller(UnsafeMutablePointer(OpaquePointer(window)), keys)
    }

    func startSlideShow() {
      hasEnteredFullScreen = !fullScreen.isActive
      fullScreen.isActive = true
      slideShow.start()
    }

    func stopSlideShow() {
      guard slideShow.isRunning else { return }
      slideShow.stop()
      if hasEnteredFullScreen { fullScreen.isActive = false }
    }

    /// Handles a key during a slide show: the arrows keep their effect, space pauses, and all others end it.
    private func press(_ key: SlideShow.Key) -> Bool {
      guard slideShow.isRunning else { return false }
      switch key {
      case .step: return false
      case .pause: slideShow.togglePause()
      case .other: stopSlideShow()
      }
      return true
    }

    private func press(_ value: UInt32) -> Bool { press(SlideShow.Key(value)) }
  }

  extension SlideShow {
    /// A key by its effect on a slide show.
    enum Key: Equatable {
      case step, pause, other

      /// - Parameter value: the number of the key in GDK.
      init(_ value: UInt32) {
        switch Int32(bitPattern: value) {
        // Modifiers belong to the key that follows.
        case GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Shift_L...GDK_KEY_Hyper_R: self = .step
        case GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_KEY_KP_Up, GDK_KEY_KP_Down, GDK_KEY_ISO_Level3_Shift: self = .step
        case GDK_KEY_space, GDK_KEY_KP_Space: self = .pause
        default: self = .other
        }
      }
    }
  }
#endif
