#if GTK
  import CNukeGTK
  import Nuke

  /// Widgets that lie over an image as long as there is none. Their parent keeps them.
  @MainActor struct StandIns {
    /// Shown until an image is there.
    var placeholder: UnsafeMutablePointer<GtkWidget>?
    /// Shown where it could not be loaded.
    var failure: UnsafeMutablePointer<GtkWidget>?
    private(set) var shown = Shown.none

    enum Shown { case none, placeholder, failure }

    nonisolated init() {}

    /// - Parameter isEmpty: whether no image is shown.
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

    /// Makes what is to be seen visible, and the others not.
    func update() {
      if let placeholder { gtk_widget_set_visible(placeholder, shown == .placeholder ? 1 : 0) }
      if let failure { gtk_widget_set_visible(failure, shown == .failure ? 1 : 0) }
    }
  }
#endif
