#if GTK
  import NukeGTK

  /// The header bar: titles, buttons of the window, and buttons of the photo that is shown.
  @MainActor final class GalleryHeader {
    let widget: Widget = gtk_header_bar_new()
    let search: Widget = gtk_toggle_button_new()
    let properties: Widget = gtk_toggle_button_new()
    let statistics: Widget = gtk_toggle_button_new()
    var onBack: (@MainActor () -> Void)?
    var onKeys: (@MainActor () -> Void)?
    private let commands: [Widget]
    private let back: Widget = gtk_button_new_from_icon_name("go-previous-symbolic")
    private let keys: Widget = gtk_button_new_from_icon_name("input-keyboard-symbolic")
    private let title = Make.label(classes: "title")
    private let subtitle = Make.label(classes: "subtitle")

    /// - Parameter commands: buttons of the photo.
    init(commands: [Widget]) {
      self.commands = commands
      let bar = OpaquePointer(widget)
      let icons = [
        (search, "system-search-symbolic"), (properties, "document-properties-symbolic"),
        (statistics, "sidebar-show-right-symbolic"),
      ]
      for (button, icon) in icons { gtk_button_set_icon_name(UnsafeMutablePointer(OpaquePointer(button)), icon) }
      gtk_label_set_ellipsize(OpaquePointer(title), PANGO_ELLIPSIZE_MIDDLE)
      let titles = Make.box(GTK_ORIENTATION_VERTICAL, [title, subtitle])
      gtk_widget_set_valign(titles, GTK_ALIGN_CENTER)
      gtk_header_bar_set_title_widget(bar, titles)
      let labels = [
        (back, "Back to all images"), (search, "Search"), (properties, "Properties"), (statistics, "Statistics"),
        (keys, "Keys"),
      ]
      for (button, label) in labels { button.setLabel(label) }
      for button in [back, search] { gtk_header_bar_pack_start(bar, button) }
      for button in [keys, statistics, properties] + commands.reversed() { gtk_header_bar_pack_end(bar, button) }
      SignalHandler.connect(back, "clicked") { [weak self] in self?.onBack?() }
      SignalHandler.connect(keys, "clicked") { [weak self] in self?.onKeys?() }
    }

    /// - Parameter isPhoto: `true` if a single photo is shown.
    func show(_ name: String, _ detail: String, isPhoto: Bool) {
      title.setText(name)
      subtitle.setText(detail)
      for button in [back, properties] + commands { button.setVisible(isPhoto) }
    }
  }
#endif
