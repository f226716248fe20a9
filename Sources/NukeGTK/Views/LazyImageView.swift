#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  /// Shows an image that is loaded when it is needed, in a widget to be put anywhere in a window.
  ///
  /// ```swift
  /// let view = LazyImageView()
  /// view.options.transition = .fadeIn(duration: 0.25)
  /// view.contentMode = .aspectFill
  /// view.accessibleLabel = "A leaf"
  /// gtk_box_append(box, view.widget)
  /// view.url = url
  /// ```
  ///
  /// An image in the memory cache is shown at once. Any other load is canceled when the widget is destroyed; when it is
  /// no longer mapped it is given up as well, and begins anew when the widget is mapped again. Animated images move
  /// while the widget is mapped.
  ///
  /// The widget keeps all that is set here. This object keeps the widget alive, and may be let go of once the widget is
  /// in a window. An image has one pixel for each of the display's: see ``resizesToAllocation``. All of it belongs to
  /// the main thread.
  @MainActor public final class LazyImageView: ImageDisplaying {
    /// The widget to be put into a container: a `GtkOverlay`, or the image that the view was made for.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// The `GtkPicture` that draws.
    public var picture: UnsafeMutablePointer<GtkWidget> { binding.picture }
    let binding: PictureBinding
    private let overlay: OpaquePointer?

    /// A view with a widget of its own.
    public init() {
      guard let overlay = gtk_overlay_new(), let picture = gtk_picture_new() else {
        preconditionFailure("gtk_init has to be called before widgets are made")
      }
      gtk_overlay_set_child(OpaquePointer(overlay), picture)
      widget = overlay
      self.overlay = OpaquePointer(overlay)
      binding = .of(picture)
      takeReferences()
    }

    /// A view that shows images in an existing `GtkPicture`. All those of one widget show and load the same.
    ///
    /// Stand-in widgets are not possible there, and its paintable is taken over.
    public init(picture: UnsafeMutablePointer<GtkWidget>) {
      widget = picture
      overlay = nil
      binding = .of(picture)
      takeReferences()
    }

    private func takeReferences() {
      g_object_ref_sink(widget)
      g_object_ref(picture)
    }

    isolated deinit {
      g_object_unref(picture)
      g_object_unref(widget)
    }

    // MARK: What is shown

    /// Where the image is. Setting it loads it; `nil` empties the view.
    public var url: URL? {
      get { request?.url }
      set { request = newValue.map { ImageRequest(url: $0) } }
    }

    /// What is shown. Setting it loads it; `nil` empties the view.
    public var request: ImageRequest? {
      get { binding.order?.request }
      set {
        guard let newValue else { return reset() }
        load(newValue)
      }
    }

    /// Loads an image and shows it.
    ///
    /// - Returns: the load; `nil` if it is over, or has to wait for the size of the widget.
    @discardableResult
    public func load(_ request: ImageRequest) -> ImageTask? {
      binding.load(.init(request: request, options: options, handlers: binding.handlers))
    }

    /// Loads once more what failed, or was canceled. What failed is asked of its source anew, also where a cache
    /// remembers that there was nothing.
    public func retry() { binding.startLoading() }

    /// Gives the load up. What is shown stays.
    public func cancel() { binding.cancelLoading() }

    /// Gives the load up and shows nothing.
    public func reset() {
      binding.forgetLoading()
      binding.display(ImagePresentation(container: nil, phase: .success))
    }

    /// A Boolean value that indicates whether an image is being loaded, or will be as soon as the widget is to be seen,
    /// or its size is known.
    public var isLoading: Bool { binding.progress != .idle && binding.progress != .loaded }

    // MARK: How

    /// Placeholder, failure image, transition, processors, pipeline and more. They count for loads that begin later.
    public var options: ImageLoadingOptions {
      get { binding.options ?? .shared }
      set { binding.options = newValue }
    }

    /// How images lie for which the ``options`` name no content mode.
    public var contentMode: ImageContentMode {
      get { binding.contentMode }
      set { binding.contentMode = newValue }
    }

    /// A Boolean value that indicates whether images are brought to the size of the widget, in pixels of its display,
    /// while they are decoded, which saves time and memory. False unless it is set.
    ///
    /// The load then begins when the widget has been drawn for the first time, so that it needs a size of its own, or one
    /// by its surroundings; it is repeated when the widget has grown, or has come to a finer display.
    public var resizesToAllocation: Bool {
      get { binding.sizing.isEnabled }
      set { binding.sizing.isEnabled = newValue }
    }

    /// A Boolean value that indicates whether animated images move. True unless it is set.
    public var isAnimationPlaybackEnabled: Bool {
      get { binding.isPlaybackEnabled }
      set { binding.isPlaybackEnabled = newValue }
    }

    /// A widget that is shown until there is an image, instead of a placeholder of the ``options``. A view of an
    /// existing `GtkPicture` has none.
    public var placeholderWidget: UnsafeMutablePointer<GtkWidget>? {
      get { binding.stand.placeholder }
      set {
        exchange(binding.stand.placeholder, for: newValue)
        binding.stand.placeholder = overlay == nil ? nil : newValue
        binding.stand.update()
      }
    }

    /// A widget that is shown where an image could not be loaded, instead of a failure image of the ``options``: with a
    /// button that calls ``retry()``, say. A view of an existing `GtkPicture` has none.
    public var failureWidget: UnsafeMutablePointer<GtkWidget>? {
      get { binding.stand.failure }
      set {
        exchange(binding.stand.failure, for: newValue)
        binding.stand.failure = overlay == nil ? nil : newValue
        binding.stand.update()
      }
    }

    private func exchange(_ old: UnsafeMutablePointer<GtkWidget>?, for new: UnsafeMutablePointer<GtkWidget>?) {
      guard let overlay, !binding.isDestroyed else { return }
      if let old { gtk_overlay_remove_overlay(overlay, old) }
      if let new { gtk_overlay_add_overlay(overlay, new) }
    }

    /// What the image shows, for those who do not see it. Assistive technologies are told as well that an image is
    /// being loaded.
    public var accessibleLabel: String? {
      get { gtk_picture_get_alternative_text(OpaquePointer(picture)).map { String(cString: $0) } }
      set { gtk_picture_set_alternative_text(OpaquePointer(picture), newValue) }
    }

    // MARK: What happens

    /// Is called when a load begins that is not over at once.
    ///
    /// The widget keeps the closure, and this object the widget: a closure that uses the view captures it weakly. Like the
    /// ``options``, it counts for loads that begin later.
    public var onStart: ((ImageTask) -> Void)? {
      get { binding.handlers.onStart }
      set { binding.handlers.onStart = newValue }
    }

    /// Is called with a preview, if one has come, and the bytes loaded and in all. It is kept as ``onStart`` is.
    public var onProgress: ((ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? {
      get { binding.handlers.onProgress }
      set { binding.handlers.onProgress = newValue }
    }

    /// Is called once an image is shown, or what takes its place. Not for loads that are canceled. It is kept as
    /// ``onStart`` is.
    public var onCompletion: ((Result<ImageResponse, ImagePipeline.Error>) -> Void)? {
      get { binding.handlers.onCompletion }
      set { binding.handlers.onCompletion = newValue }
    }

    // MARK: ImageDisplaying

    public func display(_ presentation: ImagePresentation) { binding.display(presentation) }
    public var imageLoading: ImageLoadingSlot { binding.imageLoading }
  }
#endif
