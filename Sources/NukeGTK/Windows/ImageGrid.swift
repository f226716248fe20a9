#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  /// A grid of images that scrolls, for any number of items.
  ///
  /// ```swift
  /// let grid = ImageGrid(items: photos) { photo in ImageRequest(url: photo) }
  /// grid.onOpen = { position in print(photos[position]) }
  /// gtk_window_set_child(window, grid.widget)
  /// ```
  ///
  /// Cells are reused for the items that are visible. Images are loaded at the size of the cells; loads of cells that leave
  /// the screen are canceled. See ``ListImageFactory``. Where an image could not be loaded, its cell shows the reason, and
  /// a button that loads it again if that may help.
  ///
  /// ``ImageWindow`` shows a grid in a window and opens its images.
  ///
  /// This object retains the widget, and may be released once the widget is in a window. The widget retains the closures
  /// that are passed here, but not this object; a closure that uses the grid should capture it weakly. Use it on the main
  /// thread.
  @MainActor public final class ImageGrid {
    /// The widget to add to a container, a `GtkScrolledWindow`.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// The `GtkGridView` in it. It lives as long as the widget.
    public let gridView: OpaquePointer
    /// The `GtkSingleSelection` of the grid. It lives as long as the widget.
    public let selection: OpaquePointer
    /// The factory of the cells.
    public let factory: ListImageFactory
    let options: ImageLoadingOptions
    let cells: GridCells
    private let source: GridSource
    /// The model, a `GtkStringList` with an empty string for each item. The selection retains it.
    private let model: OpaquePointer

    /// Creates a grid.
    ///
    /// - Parameters:
    ///   - items: the items, one for each image.
    ///   - imageSize: the minimum size of each image, in points. The default is 160 by 120.
    ///   - options: the loading options, with the pipeline. The default is `ImageLoadingOptions.shared`.
    ///   - name: returns the name of an item, for its tooltip and for screen readers. The default is the last part of the
    ///     URL of the request.
    ///   - request: returns the request of an item, or `nil` for an empty cell. Called when the cell is visible or near.
    public init<Item>(
      items: [Item], imageSize: CGSize = CGSize(width: 160, height: 120), options: ImageLoadingOptions? = nil,
      name: ((Item) -> String?)? = nil, request: @escaping (Item) -> ImageRequest?
    ) {
      let source = GridSource()
      let cells = GridCells(size: imageSize)
      self.source = source
      self.cells = cells
      self.options = options ?? .shared
      factory = ListImageFactory(options: options) { source.request(at: $0.position) }
      factory.pictureSize = imageSize
      factory.resizesToPictureSize = true
      factory.makeRow = { cells.make($0) }
      factory.bindRow = { cell, item in cells.bind(cell, named: source.name(at: item.position)) }
      factory.rowDidLoad = { cell, _, error in cells.end(cell, with: error) }
      model = Widgets.made(gtk_string_list_new(nil))
      // The selection takes ownership of the list, and the grid of the selection and of a reference to the factory.
      selection = Widgets.made(gtk_single_selection_new(model))
      g_object_ref(UnsafeMutableRawPointer(factory.pointer))
      let made = Widgets.made(gtk_grid_view_new(selection, factory.pointer))
      gridView = OpaquePointer(made)
      gtk_widget_add_css_class(made, "nuke-image-grid")
      gtk_grid_view_set_max_columns(gridView, 12)
      gtk_grid_view_set_single_click_activate(gridView, 1)
      widget = Widgets.made(gtk_scrolled_window_new())
      g_object_ref_sink(widget)
      gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
      gtk_scrolled_window_set_child(OpaquePointer(widget), made)
      SignalHandler.connect(made, "activate", withNumber: { source.onOpen?($0) })
      replaceItems(with: items, name: name, request: request)
    }

    isolated deinit { g_object_unref(widget) }

    // MARK: Items

    /// The number of items.
    public var count: Int { source.count }

    /// Replaces all items. The parameters are those of the initializer.
    public func replaceItems<Item>(
      with items: [Item], name: ((Item) -> String?)? = nil, request: @escaping (Item) -> ImageRequest?
    ) {
      let oldCount = source.count
      source.count = items.count
      source.requestOfItem = { request(items[$0]) }
      source.nameOfItem = name.map { name in { name(items[$0]) } }
      // All at once, since the grid updates its cells after each change. The cells ask for the names.
      "".withCString { empty in
        gtk_string_list_splice(
          model, 0, guint(oldCount), [UnsafePointer<CChar>?](repeating: empty, count: items.count) + [nil])
      }
    }

    /// Returns the request of an item; `nil` if there is none or no such item.
    public func request(at position: Int) -> ImageRequest? { source.request(at: position) }

    /// Returns the name of an item; `nil` if there is none or no such item.
    public func name(at position: Int) -> String? { source.name(at: position) }

    // MARK: Selection

    /// The position of the selected item; `nil` if there are no items. Setting it does not scroll.
    public var selectedPosition: Int? {
      get {
        let position = Int(gtk_single_selection_get_selected(selection))
        return position < count ? position : nil
      }
      set {
        guard let newValue, (0..<count).contains(newValue) else { return }
        gtk_single_selection_set_selected(selection, guint(newValue))
      }
    }

    /// Called with the position of an item that is clicked, or chosen with the Return key.
    public var onOpen: ((Int) -> Void)? {
      get { source.onOpen }
      set { source.onOpen = newValue }
    }

    /// Moves the keyboard focus to the grid.
    public func focus() { gtk_widget_grab_focus(UnsafeMutablePointer(gridView)) }
  }

  /// The items of a grid. The grid's widget retains it.
  @MainActor private final class GridSource {
    var count = 0
    var requestOfItem: ((Int) -> ImageRequest?)?
    var nameOfItem: ((Int) -> String?)?
    var onOpen: ((Int) -> Void)?

    func request(at position: Int) -> ImageRequest? {
      (0..<count).contains(position) ? requestOfItem?(position) : nil
    }

    func name(at position: Int) -> String? {
      guard (0..<count).contains(position) else { return nil }
      guard let nameOfItem else { return requestOfItem?(position)?.url?.lastPathComponent }
      return nameOfItem(position)
    }
  }
#endif
