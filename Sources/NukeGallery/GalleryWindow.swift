#if GTK
  import Foundation
  import NukeGTK

  /// The window: a grid with a search bar, a page with a single image, and statistics. It moves between the images; commands
  /// on the file of an image are those of `PhotoCommands`.
  @MainActor final class GalleryWindow {
    private enum Page: String { case grid, detail, empty }

    private let window: UnsafeMutablePointer<GtkWindow> = UnsafeMutablePointer(OpaquePointer(gtk_window_new()))
    private let stack: OpaquePointer = OpaquePointer(gtk_stack_new())
    private let header: GalleryHeader
    private let presentation: Presentation
    private let notice = Notice()
    private let commands: PhotoCommands
    private let searchBar = SearchBar()
    private let empty = EmptyPage()
    private let revealer: OpaquePointer = OpaquePointer(gtk_revealer_new())
    private let statistics: GalleryStatistics
    private let grid: GalleryGrid
    private let selection: GridSelection
    private let detail: GalleryDetail
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver
    /// The file that stores placeholders; `nil` for the demo, whose URLs are never used again.
    private let placeholders: URL?
    private let placeholderGenerator: PlaceholderGenerator
    private var measurement: ScrollMeasurement?

    /// - Parameters:
    ///   - cache: the folder of a disk cache; `nil` for the default cache of the gallery.
    ///   - interval: the time between two photos of a slide show, in seconds.
    init(
      _ list: ImageList, cache: URL?, colors: GTKColorScheme, interval: TimeInterval = SlideShow.defaultInterval
    ) {
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
      selection = GridSelection(of: grid.widget)
      statistics = GalleryStatistics(pipeline, observer)
      commands = PhotoCommands(pipeline, notice: notice)
      header = GalleryHeader(commands: [commands.openWith.widget, commands.menu.widget])
      presentation = Presentation(window, interval: interval)
      open = { [weak self] in self?.open(at: $0) }
      grid.onChange = { [weak self] in self?.gridDidChange() }
      layOut()
      addHeader()
      connectPhoto()
      KeyCommand.add(keys, to: window)
      show(.grid)
      grid.whenListed { [weak self] in
        self?.reportFolders()
        self?.focusFirst()
      }
    }

    /// Lets Return open the first image of folders, which were empty when the grid got the focus.
    private func focusFirst() {
      guard !isDetailShown, grid.isUntouched else { return }
      selection.position = 0
      selection.focus()
    }

    private func reportFolders() {
      let folders = grid.unreadableFolders
      guard let first = folders.first else { return }
      notice.show(
        folders.count == 1
          ? "The folder \(first) could not be read."
          : "\(folders.count.grouped) folders could not be read. One of them is \(first).")
    }

    /// Shows the window until it is closed.
    func run() {
      // Timers and tasks may end in the iteration of the loop in which the window is closed, and use its widgets.
      let parts = [UnsafeMutablePointer(OpaquePointer(window)), header.widget, gtk_window_get_child(window)]
        .compactMap { $0 as Widget? }
      for part in parts { g_object_ref(part) }
      defer { for part in parts { g_object_unref(part) } }
      gtk_window_present(window)
      if !isDetailShown { grid.focus() }
      for signal in [SIGINT, SIGTERM] { g_unix_signal_add(signal, Self.close, nil) }
      while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
      placeholderGenerator.stop()
      commands.finish()
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
      gtk_stack_set_transition_type(stack, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
      for (page, child) in [(Page.grid, grid.widget), (.detail, detail.widget), (.empty, empty.widget)] {
        gtk_stack_add_named(stack, child, page.rawValue)
      }
      gtk_widget_set_hexpand(UnsafeMutablePointer(stack), 1)
      gtk_widget_set_vexpand(UnsafeMutablePointer(stack), 1)
      gtk_revealer_set_child(revealer, statistics.widget)
      gtk_revealer_set_transition_type(revealer, GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT)
      let pages: Widget = gtk_overlay_new()
      gtk_overlay_set_child(OpaquePointer(pages), UnsafeMutablePointer(stack))
      gtk_overlay_add_overlay(OpaquePointer(pages), notice.widget)
      let row = Make.box(GTK_ORIENTATION_HORIZONTAL, [pages, UnsafeMutablePointer(revealer)])
      gtk_window_set_child(window, Make.box(GTK_ORIENTATION_VERTICAL, [searchBar.widget, row]))
      searchBar.onChange = { [weak self] in self?.didSearch(for: $0) }
    }

    private func addHeader() {
      header.onBack = { [weak self] in self?.goBack() }
      header.onKeys = { [weak self] in self?.showKeys() }
      gtk_window_set_titlebar(window, header.widget)
      searchBar.bind(to: header.search)
      g_object_bind_property(
        UnsafeMutableRawPointer(header.statistics), "active", UnsafeMutableRawPointer(revealer), "reveal-child",
        G_BINDING_DEFAULT)
      SignalHandler.connect(header.properties, "toggled") { [weak self] in
        self.map { $0.detail.properties.isShown = $0.header.properties.isActive }
      }
    }

    /// Connects the parts that act on a single photo.
    private func connectPhoto() {
      detail.onLoading = { [weak self] isLoaded in
        guard let slideShow = self?.presentation.slideShow else { return }
        isLoaded ? slideShow.photoDidLoad() : slideShow.photoWillLoad()
      }
      presentation.slideShow.onAdvance = { [weak self] in self?.advance() }
      presentation.fullScreen.onChange = { [weak self] isActive in
        self?.header.widget.setVisible(!isActive)
        self?.detail.isFullScreen = isActive
      }
      commands.onRotate = { [weak self] in self?.didRotate($0) }
      commands.onTrash = { [weak self] in self?.didTrash($0) }
    }

    // MARK: Keys

    private var keys: [KeyCommand] {
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
      let ofPhoto = PhotoCommand.allCases.map { command in
        KeyCommand(command.keys, command.title) { [weak self] in
          guard let self, isDetailShown, !isTyping, !isTextSelected else { return false }
          commands.run(command)
          return true
        }
      }
      return [
        command("<Control>f", title: "Search") { $0.searchBar.isShown.toggle() },
        command("<Control>i", title: "Statistics") {
          $0.showStatistics(gtk_revealer_get_reveal_child($0.revealer) == 0)
        },
        ofImage("plus", "equal", "KP_Add", title: "Enlarge") { $0.detail.zoomIn() },
        ofImage("minus", "KP_Subtract", title: "Reduce") { $0.detail.zoomOut() },
        ofImage("0", "KP_0", title: "Fit into the window") { $0.detail.fit() },
        ofImage("Left", "<Alt>Left", title: "Previous image") { $0.step(by: -1) },
        ofImage("Right", "<Alt>Right", title: "Next image") { $0.step(by: 1) },
        ofImage("i", "<Alt>Return", title: "Properties") { $0.showProperties(!$0.header.properties.isActive) },
        command("F11", title: "Full screen") { $0.presentation.fullScreen.isActive.toggle() },
        command("F5", title: "Slide show, which space pauses, and any other key ends") { $0.startSlideShow() },
        command("Escape", title: "Back to all images") { $0.goBack() },
        command("<Control>question", "F1", title: "This list") { $0.showKeys() },
        command("<Control>w", "<Control>q", title: "Close the window") { gtk_window_close($0.window) },
      ] + ofPhoto
    }

    /// `true` if keys belong to the text of the search.
    private var isTyping: Bool { gtk_window_get_focus(window).map(searchBar.contains) ?? false }

    /// `true` if a text of the properties is selected, which Control-C copies.
    private var isTextSelected: Bool {
      guard let focus = gtk_window_get_focus(window), focus.isLabel else { return false }
      return gtk_label_get_selection_bounds(OpaquePointer(focus), nil, nil) != 0
    }

    private func showKeys() { KeyCommand.showList(of: keys, over: window) }

    // MARK: Pages

    private func show(_ page: Page) {
      let shown = page == .grid && grid.count == 0 && !grid.isListing ? Page.empty : page
      empty.show(isSearch: grid.total > 0)
      gtk_stack_set_visible_child_name(stack, shown.rawValue)
      let name = page == .detail ? grid.url(at: opened)?.displayName : nil
      let count = page == .detail ? position : Self.images(grid.count)
      gtk_window_set_title(window, name ?? "Gallery")
      header.show(name ?? "Gallery", count, isPhoto: page == .detail)
    }

    /// The position of the image that is shown, or that was shown last.
    private var opened: Int { selection.position }

    private var position: String { "\((opened + 1).grouped) of \(grid.count.grouped)" }

    /// Shows the number of images, which changes while folders are listed and images are filtered.
    private func gridDidChange() {
      show(isDetailShown ? .detail : .grid)
    }

    /// Calls a closure when all folders are listed, when the numbers of images are final.
    func whenListed(_ body: @escaping @MainActor () -> Void) { grid.whenListed(body) }

    private static func images(_ count: Int) -> String {
      count == 1 ? "1 image" : "\(count.grouped) images"
    }

    func open(at position: Int) {
      guard let url = grid.url(at: position) else { return }
      if !isDetailShown { detail.viewer.focus() }
      selection.position = position
      detail.show(url) { [weak self] in self?.neighbors ?? [] }
      commands.request = detail.request(for: url)
      show(.detail)
    }

    /// The next photo, and the previous one.
    private var neighbors: [URL] { [nextOfSlideShow, opened - 1].compactMap { grid.url(at: $0) } }

    /// After the last photo, the first one is shown.
    private var nextOfSlideShow: Int { opened + 1 < grid.count ? opened + 1 : 0 }

    private var isDetailShown: Bool {
      gtk_stack_get_visible_child_name(stack).map { String(cString: $0) } == Page.detail.rawValue
    }

    private func step(by count: Int) {
      if isDetailShown { open(at: opened + count) }
    }

    private func goBack() {
      if presentation.fullScreen.isActive {
        presentation.fullScreen.isActive = false
      } else if isDetailShown {
        closePhoto()
      } else {
        searchBar.isShown = false
      }
    }

    private func closePhoto() {
      presentation.stopSlideShow()
      show(.grid)
      detail.clear()
      commands.request = nil
      grid.focus()
      selection.focus()
    }

    // MARK: Slide show

    /// Starts with the photo that is shown or selected.
    func startSlideShow() {
      if !isDetailShown { open(at: opened) }
      if isDetailShown { presentation.startSlideShow() }
    }

    func enterFullScreen() { presentation.fullScreen.isActive = true }

    private func advance() {
      if grid.count > 1 { open(at: nextOfSlideShow) }
    }

    // MARK: Changes of files

    private func didRotate(_ url: URL) {
      detail.didChange(url)
      grid.reload(url)
      if isDetailShown, commands.request?.url == url { open(at: opened) }
    }

    /// Shows the next photo, or the grid if there is none.
    private func didTrash(_ url: URL) {
      let isShown = isDetailShown && commands.request?.url == url
      let position = opened
      grid.remove(url)
      guard isShown else { return }
      if grid.count > 0 { open(at: min(position, grid.count - 1)) } else { closePhoto() }
    }

    // MARK: Search, statistics and properties

    func search(for text: String) { searchBar.search(for: text) }

    private func didSearch(for text: String) {
      grid.search(for: text)
      show(.grid)
    }

    func showStatistics(_ isShown: Bool) { header.statistics.setActive(isShown) }

    func showProperties(_ isShown: Bool) { header.properties.setActive(isShown) }

    /// Scrolls by a script, prints measurements, and closes the window.
    func measure() {
      measurement = ScrollMeasurement(grid, pipeline: pipeline, observer: observer) { [weak self] in
        if let self { gtk_window_close(window) }
      }
    }
  }
#endif
