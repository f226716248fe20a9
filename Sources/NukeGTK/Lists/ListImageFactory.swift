#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  /// Makes the rows of a `GtkListView`, `GtkGridView` or `GtkColumnView` that show images, and loads what is seen.
  ///
  /// ```swift
  /// let factory = ListImageFactory(options: options) { item in
  ///   ImageRequest(url: urls[item.position])
  /// }
  /// gtk_list_view_set_factory(list, factory.pointer)
  /// ```
  ///
  /// GTK binds some two hundred rows of which a few are seen. Binding one costs next to nothing here: a row begins to
  /// load when it has been seen for ``dwell``, and gives up when it is seen no longer. What is in the memory cache is
  /// shown at once. Of rows that are bound and not seen, those of the next ``screensAhead`` screens are fetched into the
  /// disk cache at low priority, when the list rests; nothing of them is decoded. Rows that are not seen keep no pixels.
  ///
  /// This object may be let go of once a list has the factory. All of it belongs to the main thread.
  @MainActor public final class ListImageFactory {
    /// What a row is made for.
    public struct Item {
      /// The item of the list's model, a `GObject`, alive as long as the row shows it.
      public let object: UnsafeMutableRawPointer
      /// Its position in the model.
      public let position: Int
    }

    /// The `GtkListItemFactory`, alive as long as this object, or a reference of the caller's own. Functions that take
    /// over a reference, such as `gtk_list_view_new`, have to be given one by `g_object_ref`.
    public let pointer: OpaquePointer
    let images: ListImages

    /// A factory for the rows of one list.
    ///
    /// - Parameters:
    ///   - options: how rows are treated; `ImageLoadingOptions.shared` unless they are given. They name the pipeline.
    ///   - request: what a row shows; `nil` for the placeholder. It is asked when the row is seen, or near.
    public init(options: ImageLoadingOptions? = nil, request: @escaping (Item) -> ImageRequest?) {
      GTKMainLoop.attach()
      guard let made = gtk_signal_list_item_factory_new() else {
        preconditionFailure("GTK makes a factory of any kind")
      }
      let images = ListImages(options: options ?? .shared, request: request)
      pointer = made
      self.images = images
      let factory = UnsafeMutableRawPointer(made)
      Signal.connect(factory, "setup") { images.setUp($0) }
      Signal.connect(factory, "bind") { images.bind($0) }
      Signal.connect(factory, "unbind") { images.unbind($0) }
      Signal.connect(factory, "teardown") { images.tearDown($0) }
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// How images lie in their rows for which the options name no content mode.
    public var contentMode: ImageContentMode {
      get { images.contentMode }
      set { images.contentMode = newValue }
    }

    /// The size of each image, at least, in points: 96 by 96 unless it is set before a list has the factory.
    public var pictureSize: CGSize {
      get { images.pictureSize }
      set { images.pictureSize = newValue }
    }

    /// A Boolean value that indicates whether images are brought to ``pictureSize``, in pixels of the display, while
    /// they are decoded, which saves time and memory. False unless it is set; rows that grow show them enlarged.
    public var resizesToPictureSize: Bool {
      get { images.resizesToPictureSize }
      set { images.resizesToPictureSize = newValue }
    }

    /// Seconds a row is seen before it loads: 0.1 unless it is set.
    public var dwell: TimeInterval {
      get { images.schedule.dwell }
      set { images.schedule.dwell = max(0, newValue) }
    }

    /// How much is fetched ahead, in heights of what is seen: 2 unless it is set, and 0 for nothing.
    public var screensAhead: Int {
      get { images.schedule.screensAhead }
      set { images.schedule.screensAhead = max(0, newValue) }
    }

    /// Makes the widget of a row around an image, where it is more than that: it gets the view, whose widget it puts
    /// somewhere into the one that it returns. Without it the image is the row. It has to be set before a list has the
    /// factory.
    public var makeRow: ((LazyImageView) -> UnsafeMutablePointer<GtkWidget>)? {
      get { images.makeRow }
      set { images.makeRow = newValue }
    }

    /// Fills what else there is in a row: it gets the widget that ``makeRow`` made. It is called for all rows that are
    /// bound, and should be quick.
    public var bindRow: ((UnsafeMutablePointer<GtkWidget>, Item) -> Void)? {
      get { images.bindRow }
      set { images.bindRow = newValue }
    }
  }
#endif
