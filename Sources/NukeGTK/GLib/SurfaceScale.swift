#if GTK
  import CNukeGTK
  import Glibc

  /// The scales of surfaces, which may be fractions such as 1.25.
  ///
  /// GDK reports them since version 4.12. Earlier versions have only the integers of `gtk_widget_get_scale_factor`, and
  /// images have the pixels of the next larger one.
  @MainActor enum SurfaceScale {
    typealias Function = @convention(c) (OpaquePointer) -> Double

    /// `gdk_surface_get_scale`; `nil` if this GTK does not have it. The headers of older versions lack it, too.
    static var function: Function? = dlsym(nil, "gdk_surface_get_scale").map { unsafeBitCast($0, to: Function.self) }

    /// Returns the scale of the surface that shows a widget, or `nil` if it is unknown.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> Double? {
      guard let function, let surface = surface(of: widget) else { return nil }
      let scale = function(surface)
      return scale.isFinite && scale > 0 ? scale : nil
    }

    private static func surface(of widget: UnsafeMutablePointer<GtkWidget>) -> OpaquePointer? {
      gtk_widget_get_native(widget).flatMap { gtk_native_get_surface($0) }
    }

    /// Calls a closure when the surface that shows a widget changes its scale, until it is deinitialized.
    @MainActor final class Observation {
      private let surface: UnsafeMutableRawPointer
      private let handler: gulong

      /// Returns `nil` if the widget is not in a window.
      init?(of widget: UnsafeMutablePointer<GtkWidget>, onChange: @escaping @MainActor () -> Void) {
        guard let found = SurfaceScale.surface(of: widget) else { return nil }
        surface = g_object_ref(UnsafeMutableRawPointer(found))
        handler = SignalHandler.connect(surface, "notify::scale") { (_: OpaquePointer) in onChange() }
      }

      isolated deinit {
        g_signal_handler_disconnect(surface, handler)
        g_object_unref(surface)
      }
    }
  }
#endif
