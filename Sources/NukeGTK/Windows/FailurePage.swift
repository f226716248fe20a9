#if GTK
  package import CNukeGTK
  package import Nuke
  import NukeHTTP

  /// The widget that is shown instead of an image that could not be loaded: the reason, and a button that loads it again
  /// if that may help. It has no references to its widgets, so use it while they exist.
  @MainActor package struct FailurePage {
    package let widget: UnsafeMutablePointer<GtkWidget>
    package let retryButton: UnsafeMutablePointer<GtkWidget>
    private let reason: UnsafeMutablePointer<GtkWidget>
    private let size: Size

    package enum Size {
      /// A page of a window.
      case page
      /// A cell of a grid, which has room for a few short lines.
      case cell
    }

    /// - Parameter retry: called when the button is clicked. The widget retains it.
    package init(_ size: Size, retry: @escaping @MainActor () -> Void) {
      self.size = size
      reason = Widgets.label(classes: "dim-label", "caption")
      retryButton = Widgets.made(gtk_button_new_with_label("Try Again"))
      gtk_widget_set_halign(retryButton, GTK_ALIGN_CENTER)
      gtk_label_set_wrap(OpaquePointer(reason), 1)
      gtk_label_set_wrap_mode(OpaquePointer(reason), PANGO_WRAP_WORD_CHAR)
      gtk_label_set_justify(OpaquePointer(reason), GTK_JUSTIFY_CENTER)
      switch size {
      case .page:
        gtk_widget_remove_css_class(reason, "caption")
        gtk_label_set_max_width_chars(OpaquePointer(reason), 60)
        gtk_label_set_selectable(OpaquePointer(reason), 1)
        widget = Widgets.column(
          spacing: 12,
          [
            Widgets.icon("image-missing-symbolic", size: 96),
            Widgets.label("The image could not be loaded", classes: "title-3"), reason, retryButton,
          ])
      case .cell:
        gtk_label_set_max_width_chars(OpaquePointer(reason), 18)
        gtk_label_set_lines(OpaquePointer(reason), 3)
        gtk_label_set_ellipsize(OpaquePointer(reason), PANGO_ELLIPSIZE_END)
        widget = Widgets.column(
          spacing: 4, [Widgets.icon("image-missing-symbolic", size: 24), reason, retryButton])
      }
      gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
      gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
      SignalHandler.connect(retryButton, "clicked", retry)
    }

    /// Sets the reason, with the complete error as the tooltip of a page, and hides the button after errors that would occur
    /// again.
    ///
    /// - Parameter name: the name of the image, which a cell shows before the reason.
    package func set(_ error: ImagePipeline.Error, of name: String? = nil) {
      let lines = size == .cell ? [name, error.cause] : [error.cause]
      gtk_label_set_text(OpaquePointer(reason), lines.compactMap { $0 }.joined(separator: "\n"))
      if size == .page { gtk_widget_set_tooltip_text(reason, "\(error)") }
      gtk_widget_set_visible(retryButton, RetryPolicy.isTransient(error) ? 1 : 0)
    }

    package var isShown: Bool {
      get { gtk_widget_get_visible(widget) != 0 }
      nonmutating set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }

    package var text: String { String(cString: gtk_label_get_text(OpaquePointer(reason))) }
  }

  extension ImagePipeline.Error {
    /// The reason alone, as a sentence: without the stage and the URL of the image.
    fileprivate var cause: String {
      let text =
        switch self {
        case .dataLoadingFailed(let error): error.reason
        case .decodingFailed(_, _, let error): "\(error)"
        default: "\(self)"
        }
      return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
  }
#endif
