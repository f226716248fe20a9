#if GTK
  import CNukeGTK
  import Nuke

  /// The widgets that are shown instead of an image. Their parent retains them.
  @MainActor struct FallbackWidgets {
    /// The widget to show until the image is loaded.
    var placeholder: UnsafeMutablePointer<GtkWidget>?
    /// The widget to show after a failure.
    var failure: UnsafeMutablePointer<GtkWidget>?
    private(set) var shown = Shown.none

    enum Shown { case none, placeholder, failure }

    nonisolated init() {}

    /// Shows the widget of a phase. Hides both widgets if there is an image.
    ///
    /// - Parameter isEmpty: `true` if no image is shown.
    mutating func show(_ phase: ImagePresentation.Phase, isEmpty: Bool) {
      switch phase {
      case .placeholder: show(isEmpty ? .placeholder : .none)
      case .failure: show(isEmpty ? .failure : .none)
      case .preview, .success: show(.none)
      }
    }

    mutating func show(_ shown: Shown) {
      self.shown = shown
      update()
    }

    /// Updates the visibility of the widgets.
    func update() {
      if let placeholder { gtk_widget_set_visible(placeholder, shown == .placeholder ? 1 : 0) }
      if let failure { gtk_widget_set_visible(failure, shown == .failure ? 1 : 0) }
    }
  }
#endif
