#if GTK
  package import CNukeGTK
  package import Foundation

  /// Calls a closure at each beat of a widget's frame clock, which stands still where the widget is not to be seen.
  ///
  /// It has to be canceled before the widget is destroyed.
  @MainActor package final class FrameTicks {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var id: guint = 0

    /// - Parameters:
    ///   - isCounted: whether it counts as ``MainThreadWork``, as all does but a script that measures.
    ///   - body: gets the time of the frame in seconds, as `g_get_monotonic_time` counts; says whether it goes on.
    package init(
      _ widget: UnsafeMutablePointer<GtkWidget>, isCounted: Bool = true,
      _ body: @escaping @MainActor (TimeInterval) -> Bool
    ) {
      self.widget = widget
      let box = Box<@MainActor (TimeInterval) -> Bool> { [weak self] time in
        guard let self, id != 0 else { return false }
        let goesOn = isCounted ? MainThreadWork.count { body(time) } : body(time)
        if !goesOn { id = 0 }
        return goesOn
      }
      id = gtk_widget_add_tick_callback(
        widget,
        { _, clock, box in
          guard let clock, let box else { return G_SOURCE_REMOVE }
          let time = TimeInterval(gdk_frame_clock_get_frame_time(clock)) / 1_000_000
          let body = Unmanaged<Box<@MainActor (TimeInterval) -> Bool>>.fromOpaque(box).takeUnretainedValue().body
          return MainActor.assumeIsolated { body(time) } ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE
        }, Unmanaged.passRetained(box).toOpaque(),
        { box in
          if let box { Unmanaged<AnyObject>.fromOpaque(box).release() }
        })
    }

    package func cancel() {
      guard id != 0 else { return }
      let cancelled = id
      id = 0
      gtk_widget_remove_tick_callback(widget, cancelled)
    }
  }
#endif
