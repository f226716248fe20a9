#if GTK
  import NukeGTK

  /// A bar with the text of a search, which slides in above the images.
  @MainActor final class SearchBar {
    let widget: Widget = gtk_search_bar_new()
    /// Called with a text that differs from the last one.
    var onChange: (@MainActor (String) -> Void)?
    private let entry: Widget = gtk_search_entry_new()
    private var text = ""

    init() {
      gtk_search_bar_set_child(bar, entry)
      gtk_search_bar_connect_entry(bar, OpaquePointer(entry))
      entry.setLabel("Words of the path, and dates such as 2024-05, 2024-05..2024-08, today")
      SignalHandler.connect(entry, "search-changed") { [weak self] in self?.didChange() }
    }

    private var bar: OpaquePointer { OpaquePointer(widget) }

    var isShown: Bool {
      get { gtk_search_bar_get_search_mode(bar) != 0 }
      set { gtk_search_bar_set_search_mode(bar, newValue ? 1 : 0) }
    }

    /// Shows the bar while a toggle button is pressed.
    func bind(to button: Widget) {
      g_object_bind_property(
        UnsafeMutableRawPointer(button), "active", UnsafeMutableRawPointer(widget), "search-mode-enabled",
        GBindingFlags(rawValue: G_BINDING_BIDIRECTIONAL.rawValue))
    }

    /// Returns `true` if a widget is the entry or a part of it.
    func contains(_ widget: Widget) -> Bool { widget == entry || gtk_widget_is_ancestor(widget, entry) != 0 }

    /// Shows the bar with a text, and reports the text at once.
    func search(for text: String) {
      isShown = true
      gtk_editable_set_text(OpaquePointer(entry), text)
      didChange()
    }

    /// GTK reports a text after a delay, also one that was set by a call. A second report would close an image that was
    /// opened in between.
    private func didChange() {
      let text = String(cString: gtk_editable_get_text(OpaquePointer(entry)))
      guard text != self.text else { return }
      self.text = text
      onChange?(text)
    }
  }
#endif
