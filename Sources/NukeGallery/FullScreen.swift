#if GTK
  import NukeGTK

  /// The full screen of a window, in which a pointer that rests is hidden.
  @MainActor final class FullScreen {
    /// Called when the window has entered or left the full screen, also if the desktop did that.
    var onChange: (@MainActor (_ isActive: Bool) -> Void)?
    private let window: UnsafeMutablePointer<GtkWindow>
    private var pointer: (x: Double, y: Double)?
    private var timer: Timeout?

    /// The time after which a resting pointer is hidden, in seconds.
    private static let restTime = 1.5

    init(_ window: UnsafeMutablePointer<GtkWindow>) {
      self.window = window
      SignalHandler.connect(window, "notify::fullscreened") { [weak self] in self?.didChange() }
      guard let motion = gtk_event_controller_motion_new() else { return }
      gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE)
      SignalHandler.connect(
        UnsafeMutableRawPointer(motion), "motion",
        withPoint: { [weak self] x, y in
          self?.pointerDidMove(x, y)
          return false
        })
      gtk_widget_add_controller(widget, motion)
    }

    private var widget: Widget { UnsafeMutablePointer(OpaquePointer(window)) }

    var isActive: Bool {
      get { gtk_window_is_fullscreen(window) != 0 }
      set { newValue ? gtk_window_fullscreen(window) : gtk_window_unfullscreen(window) }
    }

    private func didChange() {
      pointer = nil
      hidePointer(isActive)
      onChange?(isActive)
    }

    /// Events without a movement occur when widgets change below the pointer.
    private func pointerDidMove(_ x: Double, _ y: Double) {
      defer { pointer = (x, y) }
      guard isActive, let pointer, pointer != (x, y) else { return }
      hidePointer(false)
      timer = Timeout(after: Self.restTime) { [weak self] in
        if let self, isActive { hidePointer(true) }
      }
    }

    private func hidePointer(_ isHidden: Bool) {
      timer = nil
      gtk_widget_set_cursor_from_name(widget, isHidden ? "none" : nil)
    }
  }
#endif
