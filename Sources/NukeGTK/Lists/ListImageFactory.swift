#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  /// Creates rows with images for a `GtkListView`, `GtkGridView` or `GtkColumnView`, and loads the visible images.
  ///
  /// ```swift
  /// let factory = ListImageFactory(options: options) { item in
  ///   ImageRequest(url: urls[item.position])
  /// }
  /// gtk_list_view_set_factory(list, factory.pointer)
  /// ```
  ///
  /// GTK binds about two hundred rows, and a few of them are visible. Binding a row is fast: it starts to load after it
  /// has been visible for ``dwell``, and cancels the load when it becomes invisible. Images in the memory cache are
  /// displayed immediately. When scrolling stops, the images of the next ``screensAhead`` screens are prefetched into the
  /// disk cache at low priority, without decoding. Invisible rows retain no pixels.
  ///
  /// This object may be released once a list has the factory. Use it on the main thread.
  @MainActor public final class ListImageFactory {
    /// The item of a row.
    public struct Item {
      /// The item of the list's model, a `GObject`. It lives as long as the row shows it.
      public let object: UnsafeMutableRawPointer
      /// The position in the model.
      public let position: Int
    }

    /// The `GtkListItemFactory`. It lives as long as this object, or a reference of the caller. Functions that take
    /// ownership, such as `gtk_list_view_new`, need a reference from `g_object_ref`.
    public let pointer: OpaquePointer
    let images: ListImages

    /// Creates a factory for one list.
    ///
    /// - Parameters:
    ///   - options: the loading options, with the pipeline. The default is `ImageLoadingOptions.shared`.
    ///   - request: returns the request of a row, or `nil` for the placeholder. Called when the row is visible or near.
    public init(options: ImageLoadingOptions? = nil, request: @escaping (Item) -> ImageRequest?) {
      GTKMainLoop.attach()
      guard let made = gtk_signal_list_item_factory_new() else {
        preconditionFailure("gtk_signal_list_item_factory_new failed")
      }
      let images = ListImages(options: options ?? .shared, request: request)
      pointer = made
      self.images = images
      let factory = UnsafeMutableRawPointer(made)
      SignalHandler.connect(factory, "setup") { images.setUp($0) }
      SignalHandler.connect(factory, "bind") { images.bind($0) }
      SignalHandler.connect(factory, "unbind") { images.unbind($0) }
      SignalHandler.connect(factory, "teardown") { images.tearDown($0) }
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// The content mode of images, unless the options have one.
    public var contentMode: ImageContentMode {
      get { images.contentMode }
      set { images.contentMode = newValue }
    }

    /// The minimum size of each image, in points. The default is 96 by 96. Set it before a list has the factory.
    public var pictureSize: CGSize {
      get { images.pictureSize }
      set { images.pictureSize = newValue }
    }

    /// A Boolean value that indicates whether images are resized to ``pictureSize``, in pixels of the display, which saves
    /// time and memory. Rows that grow enlarge their images. The default is `false`.
    public var resizesToPictureSize: Bool {
      get { images.resizesToPictureSize }
      set { images.resizesToPictureSize = newValue }
    }

    /// The time a row is visible before it loads, in seconds. The default is 0.1.
    public var dwell: TimeInterval {
      get { images.schedule.dwell }
      set { images.schedule.dwell = max(0, newValue) }
    }

    /// The number of screens to prefetch. The default is 2.
    public var screensAhead: Int {
      get { images.schedule.screensAhead }
      set { images.schedule.screensAhead = max(0, newValue) }
    }

    /// Creates the widget of a row that contains more than an image. It receives the view, and returns a widget that
    /// contains the view's. Set it before a list has the factory.
    public var makeRow: ((LazyImageView) -> UnsafeMutablePointer<GtkWidget>)? {
      get { images.makeRow }
      set { images.makeRow = newValue }
    }

    /// Binds the rest of a row, in the widget that ``makeRow`` returned. Called for all bound rows, so it should be fast.
    public var bindRow: ((UnsafeMutablePointer<GtkWidget>, Item) -> Void)? {
      get { images.bindRow }
      set { images.bindRow = newValue }
    }

    /// Called when the image of a visible row is displayed, with `nil`, or when its load has failed, with the error. The
    /// row is the widget that ``makeRow`` returned. Canceled loads are not reported.
    public var rowDidLoad: ((UnsafeMutablePointer<GtkWidget>, Item, ImagePipeline.Error?) -> Void)? {
      get { images.rowDidLoad }
      set { images.rowDidLoad = newValue }
    }
  }
#endif
