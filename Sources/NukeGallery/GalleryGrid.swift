#if GTK
  import Foundation
  import NukeGTK

  /// The grid of images, with search.
  @MainActor final class GalleryGrid {
    let widget: Widget
    private let grid: OpaquePointer
    private let images: ImageModel
    private let filter: GridFilter
    private let model: OpaquePointer
    private let observer: GalleryObserver
    private let pipeline: ImagePipeline
    private var notice: Timeout?
    private var top: Timeout?
    private var listedHandlers: [@MainActor () -> Void] = []
    /// Called soon after ``count`` or ``isListing`` has changed.
    var onChange: (@MainActor () -> Void)?
    static let cell = CGSize(width: 168, height: 126)

    /// - Parameters:
    ///   - list: the images that are shown first, and folders, whose images appear as they are found.
    ///   - onOpen: receives the position of an image that the user opens.
    init(
      _ list: ImageList, options: ImageLoadingOptions, observer: GalleryObserver,
      onOpen: @escaping @MainActor (Int) -> Void
    ) {
      let images = ImageModel(list.urls, opensFile: list.opensFile)
      self.observer = observer
      pipeline = options.pipeline ?? .shared
      self.images = images
      filter = GridFilter(images)
      // The model takes ownership of the filter, and the grid of the model.
      g_object_ref(UnsafeMutableRawPointer(images.list))
      model = gtk_filter_list_model_new(images.list, filter.pointer.map { UnsafeMutablePointer<GtkFilter>($0) })
      // Not incremental: all 100,000 images are filtered in the time of a few frames, and GTK draws each of many steps.
      let selection = gtk_single_selection_new(model)

      let factory = ListImageFactory(options: options) {
        images.url(of: $0.object).map { GalleryGrid.thumbnail($0) }
      }
      factory.pictureSize = Self.cell
      let cells = GalleryCells(options: options, observer: observer)
      factory.makeRow = { cells.make($0) }
      factory.bindRow = { cell, item in
        cells.bind(cell, to: images.url(of: item.object), named: images.name(of: item.object))
      }
      factory.rowDidLoad = { cell, _, error in cells.end(cell, with: error) }
      g_object_ref(UnsafeMutableRawPointer(factory.pointer))
      let made: Widget = gtk_grid_view_new(selection, factory.pointer)
      grid = OpaquePointer(made)
      gtk_grid_view_set_min_columns(grid, 2)
      gtk_grid_view_set_max_columns(grid, 12)
      gtk_grid_view_set_single_click_activate(grid, 1)
      widget = gtk_scrolled_window_new()
      gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
      gtk_scrolled_window_set_child(OpaquePointer(widget), made)
      SignalHandler.connect(made, "activate", withNumber: onOpen)
      images.didLearnTimes = { [filter] in filter.refresh() }
      images.willInsert = { [weak self] in self.flatMap { $0.willInsert() } }
      images.onChange = { [weak self] in self?.didChange() }
      SignalHandler.connect(UnsafeMutableRawPointer(model), "items-changed") { [weak self] in self?.didChange() }
      images.add(list.folders, without: list.paths, listsSubfolders: !list.opensFile)
    }

    /// The request for an image that fills its cell. It is not cropped, so that it can be the placeholder of the detail.
    /// Those of files have a size that all programs share.
    static func thumbnail(_ url: URL) -> ImageRequest {
      if url.isFileURL { return SharedThumbnails.request(url, DisplayScale.current > 1.25 ? .xLarge : .large) }
      return ImageRequest(url: url, processors: [ImageProcessors.Resize(size: cell, contentMode: .aspectFill)])
    }

    // MARK: Content

    /// The number of matching images.
    var count: Int { Int(g_list_model_get_n_items(model)) }

    /// The number of images, whether they match or not.
    var total: Int { images.count }

    /// `true` while folders are listed, so that ``count`` may increase.
    var isListing: Bool { images.isListing }

    /// The subfolders that could not be read.
    var unreadableFolders: [String] { images.unreadableFolders }

    func url(at position: Int) -> URL? {
      guard let item = item(at: position) else { return nil }
      defer { g_object_unref(item) }
      return images.url(of: item)
    }

    /// Returns a matching image, which the caller owns.
    private func item(at position: Int) -> UnsafeMutableRawPointer? {
      (0..<count).contains(position) ? g_list_model_get_item(model, guint(position)) : nil
    }

    /// Calls a closure when all folders are listed and their images are shown, or at once if they are.
    func whenListed(_ body: @escaping @MainActor () -> Void) {
      if images.isListing { listedHandlers.append(body) } else { body() }
    }

    /// Returns the first image on screen, which stays there if others are inserted above. At the top, the newest images
    /// are shown instead.
    private func willInsert() -> PhotoStore.ID? {
      let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget))
      let (value, upper) = (gtk_adjustment_get_value(adjustment), gtk_adjustment_get_upper(adjustment))
      guard value >= 1, upper > value else {
        top = Timeout(after: 0) { [weak self] in self?.scrollToTop() }
        return nil
      }
      // All rows have the same height.
      guard let item = item(at: Int(Double(count) * value / upper)) else { return nil }
      defer { g_object_unref(item) }
      return PhotoItems.id(of: item)
    }

    private func scrollToTop() {
      guard count > 0 else { return }
      gtk_widget_activate_action_variant(UnsafeMutablePointer(grid), "list.scroll-to-item", g_variant_new_uint32(0))
    }

    /// Many changes come at once, so they are reported together.
    private func didChange() {
      guard notice == nil else { return }
      notice = Timeout(after: 0.05) { [weak self] in
        guard let self else { return }
        notice = nil
        onChange?()
        guard !images.isListing else { return }
        let handlers = listedHandlers
        listedHandlers = []
        for handler in handlers { handler() }
      }
    }

    func search(for text: String) { filter.search(for: text) }

    func focus() { gtk_widget_grab_focus(UnsafeMutablePointer(grid)) }

    /// `true` if the grid got the focus when it was empty, so that no image has it, and has not been scrolled since.
    var isUntouched: Bool {
      gtk_widget_is_focus(UnsafeMutablePointer(grid)) != 0
        && gtk_adjustment_get_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(widget))) < 1
    }

    // MARK: Changes

    /// Removes the matching image at a position, for example because its file was moved to the trash.
    func remove(at position: Int) {
      guard let item = item(at: position) else { return }
      defer { g_object_unref(item) }
      if let id = PhotoItems.id(of: item) { images.remove(id) }
    }

    /// Removes an image, whether it matches or not.
    func remove(_ url: URL) {
      if let id = images.id(of: url) { images.remove(id) }
    }

    /// Loads an image again whose file has changed, for example because it was rotated. Its entries in the caches, its
    /// placeholder and its shared thumbnails are removed. It keeps its position.
    func reload(_ url: URL) {
      let requests = [Self.thumbnail(url), ImageRequest(url: url)]
      let (pipeline, observer) = (pipeline, observer)
      Task { [weak self] in
        // Thumbnails and originals may be on a slow disk.
        await offMainThread {
          for request in requests { pipeline.cache.removeCachedImage(for: request) }
          observer.remove(url)
        }
        if let self, let id = images.id(of: url) { images.rebind(id) }
      }
    }
  }
#endif
