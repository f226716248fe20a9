#if GTK
  import Foundation
  import NukeGTK

  /// The window: a grid with a search bar, one picture by itself, and statistics beside them.
  @MainActor final class GalleryWindow {
    private enum Page: String { case grid, detail, empty }

    private let window: UnsafeMutablePointer<GtkWindow>
    private let stack: OpaquePointer
    private let back: UnsafeMutablePointer<GtkWidget>
    private let searchBar: OpaquePointer
    private let entry: UnsafeMutablePointer<GtkWidget>
    private let emptyText: UnsafeMutablePointer<GtkWidget>
    private let revealer: OpaquePointer
    private let statisticsButton: UnsafeMutablePointer<GtkWidget>
    private let statistics: GalleryStatistics
    private let grid: GalleryGrid
    private let detail: GalleryDetail
    private let total: Int
    private var opened = 0

    init(_ urls: [URL], isDark: Bool) {
      GalleryStyle.apply(isDark: isDark)
      let pipeline = ImagePipeline.shared
      var options = ImageLoadingOptions(placeholder: GalleryStyle.placeholder(isDark: isDark))
      options.pipeline = pipeline
      options.transition = .fadeIn(duration: 0.2)
      options.failureImage = GalleryStyle.failure(isDark: isDark)
      options.contentModes = .init(success: .aspectFill, failure: .center, placeholder: .fill)
      var detailOptions = ImageLoadingOptions(transition: .fadeIn(duration: 0.2))
      detailOptions.pipeline = pipeline

      var open: (@MainActor (Int) -> Void)?
      grid = GalleryGrid(urls, options: options) { open?($0) }
      detail = GalleryDetail(options: detailOptions)
      statistics = GalleryStatistics(pipeline)
      total = urls.count
      window = UnsafeMutablePointer(OpaquePointer(gtk_window_new()))
      stack = OpaquePointer(gtk_stack_new())
      back = gtk_button_new_from_icon_name("go-previous-symbolic")
      entry = gtk_search_entry_new()
      searchBar = OpaquePointer(gtk_search_bar_new())
      emptyText = gtk_label_new(nil)
      revealer = OpaquePointer(gtk_revealer_new())
      statisticsButton = gtk_toggle_button_new_with_label("Statistics")
      open = { [weak self] in self?.open(at: $0) }
      layOut()
      makeHeader()
      makeShortcuts()
      show(.grid)
    }

    /// Shows the window until it is closed.
    func run() {
      gtk_window_present(window)
      grid.focus()
      while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }

    // MARK: Parts

    private func layOut() {
      gtk_window_set_default_size(window, 1040, 720)
      gtk_window_set_title(window, "Gallery")
      gtk_widget_add_css_class(emptyText, "title-3")
      gtk_stack_set_transition_type(stack, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
      for (page, child) in [(Page.grid, grid.widget), (.detail, detail.widget), (.empty, emptyText)] {
        gtk_stack_add_named(stack, child, page.rawValue)
      }
      gtk_widget_set_hexpand(UnsafeMutablePointer(stack), 1)
      gtk_widget_set_vexpand(UnsafeMutablePointer(stack), 1)
      gtk_search_bar_set_child(searchBar, entry)
      gtk_search_bar_connect_entry(searchBar, OpaquePointer(entry))
      gtk_revealer_set_child(revealer, statistics.widget)
      gtk_revealer_set_transition_type(revealer, GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT)
      let row = box(GTK_ORIENTATION_HORIZONTAL, [UnsafeMutablePointer(stack), UnsafeMutablePointer(revealer)])
      gtk_window_set_child(window, box(GTK_ORIENTATION_VERTICAL, [UnsafeMutablePointer(searchBar), row]))
      Signal.connect(entry, "search-changed") { [weak self] in self?.didSearch() }
    }

    private func box(
      _ orientation: GtkOrientation, _ children: [UnsafeMutablePointer<GtkWidget>]
    ) -> UnsafeMutablePointer<GtkWidget> {
      let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(orientation, 0)
      for child in children { gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), child) }
      return box
    }

    private func makeHeader() {
      let header = OpaquePointer(gtk_header_bar_new())
      let search: UnsafeMutablePointer<GtkWidget> = gtk_toggle_button_new()
      gtk_button_set_icon_name(UnsafeMutablePointer(OpaquePointer(search)), "system-search-symbolic")
      for (button, help) in [(back, "Back to all pictures"), (search, "Search"), (statisticsButton, "Statistics")] {
        gtk_widget_set_tooltip_text(button, help)
      }
      gtk_header_bar_pack_start(header, back)
      gtk_header_bar_pack_start(header, search)
      gtk_header_bar_pack_end(header, statisticsButton)
      gtk_window_set_titlebar(window, UnsafeMutablePointer(header))
      g_object_bind_property(
        UnsafeMutableRawPointer(search), "active", UnsafeMutableRawPointer(searchBar), "search-mode-enabled",
        GBindingFlags(rawValue: G_BINDING_BIDIRECTIONAL.rawValue))
      g_object_bind_property(
        UnsafeMutableRawPointer(statisticsButton), "active", UnsafeMutableRawPointer(revealer), "reveal-child",
        G_BINDING_DEFAULT)
      Signal.connect(back, "clicked") { [weak self] in self?.goBack() }
    }

    private func makeShortcuts() {
      let controller: OpaquePointer = gtk_shortcut_controller_new()
      gtk_shortcut_controller_set_scope(controller, GTK_SHORTCUT_SCOPE_GLOBAL)
      let actions: [(String, @MainActor (GalleryWindow) -> Void)] = [
        ("Escape", { $0.goBack() }), ("<Control>f", { $0.toggleSearch() }),
        ("<Control>i", { $0.showStatistics(gtk_revealer_get_reveal_child($0.revealer) == 0) }),
        ("<Alt>Left", { $0.step(by: -1) }), ("<Alt>Right", { $0.step(by: 1) }),
      ]
      for (trigger, action) in actions {
        let call = Shortcut { [weak self] in
          if let self { action(self) }
        }
        gtk_shortcut_controller_add_shortcut(
          controller, gtk_shortcut_new(gtk_shortcut_trigger_parse_string(trigger), call.makeAction()))
      }
      gtk_widget_add_controller(UnsafeMutablePointer(OpaquePointer(window)), controller)
    }

    // MARK: What is shown

    private func show(_ page: Page) {
      let name = page == .grid && grid.count == 0 ? Page.empty : page
      gtk_label_set_text(
        OpaquePointer(emptyText), total == 0 ? "There are no pictures here" : "No picture matches the search")
      gtk_stack_set_visible_child_name(stack, name.rawValue)
      gtk_widget_set_visible(back, page == .detail ? 1 : 0)
      let title = page == .detail ? grid.url(at: opened)?.lastPathComponent : nil
      gtk_window_set_title(window, title ?? "Gallery — \(grid.count) pictures")
    }

    func open(at position: Int) {
      guard let url = grid.url(at: position) else { return }
      opened = position
      detail.show(url)
      show(.detail)
    }

    private var isDetailShown: Bool {
      gtk_stack_get_visible_child_name(stack).map { String(cString: $0) } == Page.detail.rawValue
    }

    private func step(by count: Int) {
      if isDetailShown { open(at: opened + count) }
    }

    private func goBack() {
      if isDetailShown {
        show(.grid)
        detail.clear()
        grid.focus()
      } else {
        gtk_search_bar_set_search_mode(searchBar, 0)
      }
    }

    // MARK: Searching and counting

    func search(for text: String) {
      gtk_search_bar_set_search_mode(searchBar, 1)
      gtk_editable_set_text(OpaquePointer(entry), text)
      didSearch()
    }

    private func toggleSearch() {
      gtk_search_bar_set_search_mode(searchBar, 1 - gtk_search_bar_get_search_mode(searchBar))
    }

    private func didSearch() {
      grid.search(for: String(cString: gtk_editable_get_text(OpaquePointer(entry))))
      show(.grid)
    }

    func showStatistics(_ isShown: Bool) {
      gtk_toggle_button_set_active(UnsafeMutablePointer(OpaquePointer(statisticsButton)), isShown ? 1 : 0)
    }
  }
#endif
