#if GTK
  import Foundation
  import NukeGTK

  /// The window: a grid with a search bar, a page with a single image, and statistics.
  @MainActor final class GalleryWindow {
    private enum Page: String { case grid, detail, empty }

    private let window: UnsafeMutablePointer<GtkWindow> = UnsafeMutablePointer(OpaquePointer(gtk_window_new()))
    private let stack: OpaquePointer = OpaquePointer(gtk_stack_new())
    private let back: Widget = gtk_button_new_from_icon_name("go-previous-symbolic")
    private let searchBar: OpaquePointer = OpaquePointer(gtk_search_bar_new())
    private let entry: Widget = gtk_search_entry_new()
    private let emptyTitle = Make.label(classes: "title-3")
    private let emptyText = Make.label(classes: "dim-label")
    private let emptyIcon = Make.icon(size: 96)
    private let title = Make.label(classes: "title")
    private let subtitle = Make.label(classes: "subtitle")
    private let revealer: OpaquePointer = OpaquePointer(gtk_revealer_new())
    private let statisticsButton: Widget = gtk_toggle_button_new()
    private let statistics: GalleryStatistics
    private let grid: GalleryGrid
    private let detail: GalleryDetail
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver
    /// The file that stores placeholders; `nil` for the demo, whose URLs are never used again.
    private let placeholders: URL?
    private let placeholderGenerator: PlaceholderGenerator
    private var measurement: ScrollMeasurement?
    private var opened = 0

    /// - Parameters:
    ///   - cache: the folder of a disk cache; `nil` for the default cache of the gallery.
    init(_ list: ImageList, cache: URL?, colors: GTKColorScheme) {
      GalleryStyle.apply(colors)
      // The disk cache is sufficient.
      var loading = DataLoader.defaultConfiguration
      loading.urlCache = nil
      var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
      configuration.dataCache = cache.map { try? DataCache(path: $0) } ?? (try? DataCache(name: "nuke-gallery"))
      // Originals for the detail, and thumbnails for the grid.
      configuration.dataCachePolicy = .storeAll
      configuration.isProgressiveDecodingEnabled = true
      placeholders =
        cache == nil ? (configuration.dataCache as? DataCache)?.path.appendingPathExtension("placeholders") : nil
      let observer = GalleryObserver(
        placeholders.map { Placeholders(contentsOf: $0) } ?? Placeholders(), thumbnails: SharedThumbnails())
      self.observer = observer
      pipeline = ImagePipeline(configuration: configuration, delegate: observer)
      let generator = PlaceholderGenerator(list.urls) {
        observer.placeholder(of: $0) != nil
      } store: { url, placeholder in
        observer.store(placeholder, for: url)
      }
      placeholderGenerator = generator
      observer.onFetch = { generator.add($0, $1) }
      var options = ImageLoadingOptions(transition: .fadeIn(duration: 0.2))
      options.pipeline = pipeline
      detail = GalleryDetail(options: options)
      // Cells show placeholders themselves, and keep them until the image is loaded.
      options.isPrepareForReuseEnabled = false
      options.contentModes = .init(success: .aspectFill, failure: .fill, placeholder: .fill)
      var open: (@MainActor (Int) -> Void)?
      grid = GalleryGrid(list, options: options, observer: observer) { open?($0) }
      statistics = GalleryStatistics(pipeline, observer)
      open = { [weak self] in self?.open(at: $0) }
      grid.onChange = { [weak self] in self?.gridDidChange() }
      layOut()
      addHeader()
      KeyCommand.add(commands, to: window)
      show(.grid)
    }

    /// Shows the window until it is closed.
    func run() {
      gtk_window_present(window)
      grid.focus()
      for signal in [SIGINT, SIGTERM] { g_unix_signal_add(signal, Self.close, nil) }
      while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
      placeholderGenerator.stop()
      if let placeholders { try? observer.placeholders.write(to: placeholders) }
    }

    /// Closes all windows, which ends the program.
    private static let close: GSourceFunc = { _ in
      while let window = g_list_model_get_item(gtk_window_get_toplevels(), 0) {
        gtk_window_destroy(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)))
        g_object_unref(window)
      }
      return 1
    }

    // MARK: Widgets

    private func layOut() {
      gtk_window_set_default_size(window, 1040, 720)
      let emptyPage = Make.box(
        GTK_ORIENTATION_VERTICAL, spacing: 12, [emptyIcon, emptyTitle, emptyText], classes: "empty")
      gtk_widget_set_valign(emptyPage, GTK_ALIGN_CENTER)
      gtk_stack_set_transition_type(stack, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
      for (page, child) in [(Page.grid, grid.widget), (.detail, detail.widget), (.empty, emptyPage)] {
        gtk_stack_add_named(stack, child, page.rawValue)
      }
      gtk_widget_set_hexpand(UnsafeMutablePointer(stack), 1)
      gtk_widget_set_vexpand(UnsafeMutablePointer(stack), 1)
      gtk_search_bar_set_child(searchBar, entry)
      gtk_search_bar_connect_entry(searchBar, OpaquePointer(entry))
      gtk_revealer_set_child(revealer, statistics.widget)
      gtk_revealer_set_transition_type(revealer, GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT)
      let row = Make.box(GTK_ORIENTATION_HORIZONTAL, [UnsafeMutablePointer(stack), UnsafeMutablePointer(revealer)])
      gtk_window_set_child(window, Make.box(GTK_ORIENTATION_VERTICAL, [UnsafeMutablePointer(searchBar), row]))
      entry.setLabel("Words of the path, and dates such as 2024-05, 2024-05..2024-08, today")
      SignalHandler.connect(entry, "search-changed") { [weak self] in self?.didSearch() }
    }

    private func addHeader() {
      let header = OpaquePointer(gtk_header_bar_new())
      let search: Widget = gtk_toggle_button_new()
      gtk_button_set_icon_name(UnsafeMutablePointer(OpaquePointer(search)), "system-search-symbolic")
      gtk_button_set_icon_name(UnsafeMutablePointer(OpaquePointer(statisticsButton)), "sidebar-show-right-symbolic")
      gtk_label_set_ellipsize(OpaquePointer(title), PANGO_ELLIPSIZE_MIDDLE)
      let titles = Make.box(GTK_ORIENTATION_VERTICAL, [title, subtitle])
      gtk_widget_set_valign(titles, GTK_ALIGN_CENTER)
      gtk_header_bar_set_title_widget(header, titles)
      for (button, help) in [(back, "Back to all images"), (search, "Search"), (statisticsButton, "Statistics")] {
        button.setLabel(help)
      }
      gtk_header_bar_pack_start(header, back)
      gtk_header_bar_pack_start(header, search)
      let keys: Widget = gtk_button_new_from_icon_name("input-keyboard-symbolic")
      keys.setLabel("Keys")
      gtk_header_bar_pack_end(header, keys)
      gtk_header_bar_pack_end(header, statisticsButton)
      gtk_window_set_titlebar(window, UnsafeMutablePointer(header))
      g_object_bind_property(
        UnsafeMutableRawPointer(search), "active", UnsafeMutableRawPointer(searchBar), "search-mode-enabled",
        GBindingFlags(rawValue: G_BINDING_BIDIRECTIONAL.rawValue))
      g_object_bind_property(
        UnsafeMutableRawPointer(statisticsButton), "active", UnsafeMutableRawPointer(revealer), "reveal-child",
        G_BINDING_DEFAULT)
      SignalHandler.connect(back, "clicked") { [weak self] in self?.goBack() }
      SignalHandler.connect(keys, "clicked") { [weak self] in self?.showKeys() }
    }

    // MARK: Keys

    private var commands: [KeyCommand] {
      func command(_ keys: String..., title: String, _ body: @escaping @MainActor (GalleryWindow) -> Void) -> KeyCommand
      {
        KeyCommand(keys, title) { [weak self] in
          self.map { body($0) }
          return self != nil
        }
      }
      func ofImage(_ keys: String..., title: String, _ body: @escaping @MainActor (GalleryWindow) -> Void) -> KeyCommand
      {
        KeyCommand(keys, title) { [weak self] in
          guard let self, isDetailShown, !isTyping else { return false }
          body(self)
          return true
        }
      }
      return [
        command("<Control>f", title: "Search") { $0.toggleSearch() },
        command("<Control>i", title: "Statistics") {
          $0.showStatistics(gtk_revealer_get_reveal_child($0.revealer) == 0)
        },
        ofImage("plus", "equal", "KP_Add", title: "Enlarge") { $0.detail.zoomIn() },
        ofImage("minus", "KP_Subtract", title: "Reduce") { $0.detail.zoomOut() },
        ofImage("0", "KP_0", title: "Fit into the window") { $0.detail.fit() },
        ofImage("Left", "<Alt>Left", title: "Previous image") { $0.step(by: -1) },
        ofImage("Right", "<Alt>Right", title: "Next image") { $0.step(by: 1) },
        command("Escape", title: "Back to all images") { $0.goBack() },
        command("<Control>question", "F1", title: "This list") { $0.showKeys() },
        command("<Control>w", "<Control>q", title: "Close the window") { gtk_window_close($0.window) },
      ]
    }

    /// `true` if keys belong to the text of the search.
    private var isTyping: Bool {
      guard let focus = gtk_window_get_focus(window) else { return false }
      return focus == entry || gtk_widget_is_ancestor(focus, entry) != 0
    }

    private func showKeys() { KeyCommand.showList(of: commands, over: window) }

    // MARK: Pages

    private func show(_ page: Page) {
      let shown = page == .grid && grid.count == 0 && !grid.isBusy ? Page.empty : page
      let isSearch = grid.total > 0
      gtk_image_set_from_icon_name(
        OpaquePointer(emptyIcon), isSearch ? "system-search-symbolic" : "image-x-generic-symbolic")
      emptyTitle.setText(isSearch ? "No Results Found" : "No Images")
      emptyText.setText(
        isSearch
          ? "Try a different search."
          : "There are no images here. Pass another folder, an image, a URL or a list of these.")
      gtk_stack_set_visible_child_name(stack, shown.rawValue)
      back.setVisible(page == .detail)
      let name = page == .detail ? grid.url(at: opened)?.lastPathComponent : nil
      let count = page == .detail ? position : Self.images(grid.count)
      gtk_window_set_title(window, name ?? "Gallery")
      title.setText(name ?? "Gallery")
      subtitle.setText(count)
    }

    private var position: String { "\((opened + 1).grouped) of \(grid.count.grouped)" }

    /// Shows the number of images, which changes while folders are listed and images are filtered.
    private func gridDidChange() {
      if isDetailShown { subtitle.setText(position) } else { show(.grid) }
    }

    /// The subfolders that could not be read.
    var unreadableFolders: [String] { grid.unreadableFolders }

    /// Calls a closure when all folders are listed, when the numbers of images are final.
    func whenListed(_ body: @escaping @MainActor () -> Void) { grid.whenListed(body) }

    private static func images(_ count: Int) -> String {
      count == 1 ? "1 image" : "\(count.grouped) images"
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

    // MARK: Search and statistics

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

    /// Scrolls by a script, prints measurements, and closes the window.
    func measure() {
      measurement = ScrollMeasurement(grid, pipeline: pipeline, observer: observer) { [weak self] in
        if let self { gtk_window_close(window) }
      }
    }
  }
#endif
