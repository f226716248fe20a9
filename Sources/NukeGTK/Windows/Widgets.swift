#if GTK
  import CNukeGTK

  /// Creates the widgets of the windows.
  @MainActor enum Widgets {
    static func label(_ text: String? = nil, classes: String...) -> UnsafeMutablePointer<GtkWidget> {
      let label = made(gtk_label_new(text))
      for name in classes { gtk_widget_add_css_class(label, name) }
      return label
    }

    static func icon(_ name: String, size: Int32) -> UnsafeMutablePointer<GtkWidget> {
      let icon = made(gtk_image_new_from_icon_name(name))
      gtk_image_set_pixel_size(OpaquePointer(icon), size)
      return icon
    }

    /// Creates a box with children, one below the other.
    static func column(spacing: Int32 = 0, _ children: [UnsafeMutablePointer<GtkWidget>])
      -> UnsafeMutablePointer<GtkWidget>
    {
      let box = made(gtk_box_new(GTK_ORIENTATION_VERTICAL, spacing))
      for child in children { gtk_box_append(UnsafeMutablePointer<GtkBox>(OpaquePointer(box)), child) }
      return box
    }

    /// A button with an icon, and its purpose as a tooltip and for screen readers.
    static func button(icon: String, _ label: String, _ body: @escaping @MainActor () -> Void)
      -> UnsafeMutablePointer<GtkWidget>
    {
      let button = made(gtk_button_new_from_icon_name(icon))
      button.setLabel(label)
      SignalHandler.connect(button, "clicked", body)
      return button
    }

    /// Unwraps what a constructor of GTK returns, which is `nil` only before `gtk_init`.
    static func made<Made>(_ widget: Made?) -> Made {
      guard let widget else { preconditionFailure("call gtk_init before creating widgets") }
      return widget
    }
  }
#endif
