#if GTK
  import NukeGTK

  typealias Widget = UnsafeMutablePointer<GtkWidget>

  /// Creates the widgets of the gallery.
  @MainActor enum Make {
    static func box(
      _ orientation: GtkOrientation, spacing: Int32 = 0, _ children: [Widget] = [], classes: String...
    ) -> Widget {
      let box: Widget = gtk_box_new(orientation, spacing)
      box.append(children)
      box.add(classes: classes)
      return box
    }

    static func label(_ text: String? = nil, classes: String...) -> Widget {
      let label: Widget = gtk_label_new(text)
      label.add(classes: classes)
      return label
    }

    static func icon(_ name: String? = nil, size: Int32) -> Widget {
      let icon: Widget = gtk_image_new_from_icon_name(name)
      gtk_image_set_pixel_size(OpaquePointer(icon), size)
      return icon
    }
  }

  extension Widget {
    func add(classes: [String]) { for name in classes { gtk_widget_add_css_class(self, name) } }

    /// Appends children to a box.
    func append(_ children: [Widget]) {
      for child in children { gtk_box_append(UnsafeMutablePointer<GtkBox>(OpaquePointer(self)), child) }
    }

    /// Sets the text of a label.
    func setText(_ text: String?) { gtk_label_set_text(OpaquePointer(self), text) }

    func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }

    func align(_ horizontal: GtkAlign, _ vertical: GtkAlign) {
      gtk_widget_set_halign(self, horizontal)
      gtk_widget_set_valign(self, vertical)
    }
  }
#endif
