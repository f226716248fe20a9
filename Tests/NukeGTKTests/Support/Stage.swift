#if GTK
  import CNukeGTK
  import XCTest

  /// A `GtkPicture` that is shown in a window, what may be loaded into it, and the end of that.
  @MainActor struct Stage {
    let window: TestWindow
    let picture: UnsafeMutablePointer<GtkWidget>
    let loads: Loads
    let ending = Ending()

    /// - Throws: `XCTSkip` where there is no display.
    init(_ loads: Loads = Loads()) throws {
      self.loads = loads
      window = try TestWindow()
      picture = try XCTUnwrap(gtk_picture_new())
      window.show(picture)
    }
  }
#endif
