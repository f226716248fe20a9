#if GTK
  package import CNukeGTK
  package import Foundation

  /// Calls a closure for each frame of a widget. The frame clock stops while the widget is not visible.
  ///
  /// Cancel it before the widget is destroyed.
  @MainActor package final class FrameTicks {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var id: guint = 0

    /// - Parameters:
    ///   - isObserved: `false` for a measurement, which should not measure itself; see ``CallObserver``.
    ///   - body: receives the time of the frame in seconds, on the clock of `g_get_monotonic_time`. Returns `false` to end
    ///     the calls.
    package init(
      _ widget: UnsafeMutablePointer<GtkWidget>, isObserved: Bool = true,
      _ body: @escaping @MainActor (TimeInterval) -> Bool
    ) {
      self.widget = widget
      let closure = RetainedClosure<@MainActor (TimeInterval) -> Bool> { [weak self] time in
        guard let self, id != 0 else { return false }
        let goesOn = isObserved ? Calls.observe { body(time) } : body(time)
        if !goesOn { id = 0 }
        return goesOn
      }
      id = gtk_widget_add_tick_callback(
        widget,
        { _, clock, closure in
          guard let clock, let closure else { return G_SOURCE_REMOVE }
          let time = TimeInterval(gdk_frame_clock_get_frame_time(clock)) / 1_000_000
          let body = RetainedClosure<@MainActor (TimeInterval) -> Bool>.body(of: closure)
          return MainActor.assumeIsolated { body(time) } ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE
        }, Unmanaged.passRetained(closure).toOpaque(), { releaseRetained($0) })
    }

    package func cancel() {
      guard id != 0 else { return }
      let canceled = id
      id = 0
      gtk_widget_remove_tick_callback(widget, canceled)
    }
  }
#endif
