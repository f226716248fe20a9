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

    /// A button in a header that opens a popover.
    static func menuButton(icon: String, _ label: String) -> Widget {
      let button: Widget = gtk_menu_button_new()
      gtk_menu_button_set_icon_name(OpaquePointer(button), icon)
      if !label.isEmpty { button.setLabel(label) }
      return button
    }

    static func setPopover(_ content: Widget, of button: Widget) {
      let popover: Widget = gtk_popover_new()
      gtk_popover_set_child(UnsafeMutablePointer<GtkPopover>(OpaquePointer(popover)), content)
      gtk_menu_button_set_popover(OpaquePointer(button), popover)
    }

    /// A row of a popover.
    static func menuItem(_ title: String, _ body: @escaping @MainActor () -> Void) -> Widget {
      let label = Make.label(title)
      gtk_label_set_xalign(OpaquePointer(label), 0)
      let button: Widget = gtk_button_new()
      gtk_button_set_child(UnsafeMutablePointer<GtkButton>(OpaquePointer(button)), label)
      button.add(classes: ["flat"])
      SignalHandler.connect(button, "clicked", body)
      return button
    }
  }

  extension Widget {
    func add(classes: [String]) { for name in classes { gtk_widget_add_css_class(self, name) } }

    /// Appends children to a box.
    func append(_ children: [Widget]) {
      for child in children { gtk_box_append(UnsafeMutablePointer<GtkBox>(OpaquePointer(self)), child) }
    }

    var children: [Widget] {
      var children: [Widget] = []
      var next = gtk_widget_get_first_child(self)
      while let child = next {
        children.append(child)
        next = gtk_widget_get_next_sibling(child)
      }
      return children
    }

    /// Removes all children of a box.
    func removeChildren() {
      for child in children { gtk_box_remove(UnsafeMutablePointer<GtkBox>(OpaquePointer(self)), child) }
    }

    /// Sets the text of a label.
    func setText(_ text: String?) { gtk_label_set_text(OpaquePointer(self), text) }

    func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }

    var isLabel: Bool {
      withMemoryRebound(to: GTypeInstance.self, capacity: 1) {
        g_type_check_instance_is_a($0, gtk_label_get_type()) != 0
      }
    }

    /// `true` if a toggle button is pressed.
    var isActive: Bool { gtk_toggle_button_get_active(UnsafeMutablePointer<GtkToggleButton>(OpaquePointer(self))) != 0 }

    func setActive(_ isActive: Bool) {
      gtk_toggle_button_set_active(UnsafeMutablePointer<GtkToggleButton>(OpaquePointer(self)), isActive ? 1 : 0)
    }

    func setSensitive(_ isSensitive: Bool) { gtk_widget_set_sensitive(self, isSensitive ? 1 : 0) }

    func align(_ horizontal: GtkAlign, _ vertical: GtkAlign) {
      gtk_widget_set_halign(self, horizontal)
      gtk_widget_set_valign(self, vertical)
    }
  }
#endif
