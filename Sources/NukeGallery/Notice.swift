#if GTK
  import Foundation
  import NukeGTK

  /// A message above the content of a window, which is hidden after a while.
  @MainActor final class Notice {
    let widget: Widget = gtk_revealer_new()
    private let label = Make.label()
    private let action: Widget = gtk_button_new()
    private var onAction: (@MainActor () -> Void)?
    private var timer: Timeout?

    /// The time that a message is shown, in seconds.
    private static let duration = 8.0

    init() {
      gtk_label_set_wrap(OpaquePointer(label), 1)
      gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
      gtk_label_set_max_width_chars(OpaquePointer(label), 70)
      // One line if it fits.
      gtk_label_set_natural_wrap_mode(OpaquePointer(label), GTK_NATURAL_WRAP_NONE)
      gtk_widget_set_hexpand(label, 1)
      let close: Widget = gtk_button_new_from_icon_name("window-close-symbolic")
      close.setLabel("Close")
      for button in [action, close] {
        button.add(classes: ["flat"])
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
      }
      let box = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [label, action, close], classes: "notice", "osd")
      gtk_revealer_set_child(OpaquePointer(widget), box)
      widget.align(GTK_ALIGN_CENTER, GTK_ALIGN_END)
      // A hidden notice does not take the clicks of what is below it.
      widget.setVisible(false)
      SignalHandler.connect(close, "clicked") { [weak self] in self?.hide() }
      SignalHandler.connect(action, "clicked") { [weak self] in
        let body = self?.onAction
        self?.hide()
        body?()
      }
    }

    /// The message; `nil` if none is shown.
    var text: String? {
      gtk_widget_get_visible(widget) == 0 ? nil : String(cString: gtk_label_get_text(OpaquePointer(label)))
    }

    /// Shows a message instead of the previous one.
    ///
    /// - Parameters:
    ///   - button: the title of a button, if the message has one.
    ///   - body: called when the button is clicked.
    func show(_ text: String, button: String? = nil, _ body: (@MainActor () -> Void)? = nil) {
      label.setText(text)
      action.setVisible(button != nil)
      gtk_button_set_label(UnsafeMutablePointer(OpaquePointer(action)), button ?? "")
      onAction = body
      widget.setVisible(true)
      gtk_revealer_set_reveal_child(OpaquePointer(widget), 1)
      timer = Timeout(after: Self.duration) { [weak self] in self?.hide() }
    }

    func hide() {
      timer = nil
      onAction = nil
      gtk_revealer_set_reveal_child(OpaquePointer(widget), 0)
      widget.setVisible(false)
    }
  }
#endif
