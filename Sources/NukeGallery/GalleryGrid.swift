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
    static let cell = CGSize(width: 168, height: 126)

    init(
      _ urls: [URL], options: ImageLoadingOptions, observer: GalleryObserver, onOpen: @escaping @MainActor (Int) -> Void
    ) {
      let images = ImageModel(urls)
      self.images = images
      filter = GridFilter(images)
      // The model takes ownership of the filter, and the grid of the model.
      g_object_ref(UnsafeMutableRawPointer(images.list))
      model = gtk_filter_list_model_new(images.list, filter.pointer.map { UnsafeMutablePointer<GtkFilter>($0) })
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
    }

    /// The request for an image that fills its cell. It is not cropped, so that it can be the placeholder of the detail.
    static func thumbnail(_ url: URL) -> ImageRequest {
      ImageRequest(url: url, processors: [ImageProcessors.Resize(size: cell, contentMode: .aspectFill)])
    }

    // MARK: Content

    /// The number of matching images.
    var count: Int { Int(g_list_model_get_n_items(model)) }

    func url(at position: Int) -> URL? {
      guard (0..<count).contains(position), let item = g_list_model_get_item(model, guint(position)) else { return nil }
      defer { g_object_unref(item) }
      return images.url(of: item)
    }

    func search(for text: String) { filter.search(for: text) }

    func focus() { gtk_widget_grab_focus(UnsafeMutablePointer(grid)) }
  }
#endif
