#if GTK
  import CNukeGTK
  import NukeGTK
  import XCTest

  /// - Throws: `XCTSkip` where there is no display.
  @MainActor func requireDisplay() throws {
    // GTK says no only the first time.
    guard gtk_init_check() != 0, gdk_display_get_default() != nil else {
      throw XCTSkip("there is no display; run the tests under xvfb-run")
    }
  }

  /// A window on the display that the tests were given.
  @MainActor final class TestWindow {
    let window: UnsafeMutablePointer<GtkWindow>
    private var isOpen = true

    /// - Throws: `XCTSkip` where there is no display.
    init(width: Int = 200, height: Int = 150) throws {
      try requireDisplay()
      let made = try XCTUnwrap(gtk_window_new())
      window = UnsafeMutableRawPointer(made).assumingMemoryBound(to: GtkWindow.self)
      gtk_window_set_decorated(window, 0)
      gtk_window_set_default_size(window, Int32(width), Int32(height))
    }

    var widget: UnsafeMutablePointer<GtkWidget> {
      UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWidget.self)
    }

    /// Puts a widget into the window, and takes out the one that was there.
    func show(_ child: UnsafeMutablePointer<GtkWidget>?) {
      gtk_window_set_child(window, child)
      gtk_window_present(window)
      guard let child else { return }
      runLoop { gtk_widget_get_mapped(child) != 0 && gtk_widget_get_width(child) > 0 }
    }

    func close() {
      guard isOpen else { return }
      isOpen = false
      gtk_window_destroy(window)
    }

    isolated deinit { close() }
  }

  /// What a `GtkPicture` draws, in its own size.
  @MainActor func drawing(of picture: UnsafeMutablePointer<GtkWidget>) throws -> Drawing {
    let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(picture)))
    return try draw(
      paintable, width: Int(gtk_widget_get_width(picture)), height: Int(gtk_widget_get_height(picture)))
  }

  extension Drawing {
    /// The pixel in the middle.
    var middle: Pixel { self[width / 2, height / 2] }
  }
#endif
