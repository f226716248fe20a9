#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  /// A view that loads and displays an image.
  ///
  /// ```swift
  /// let view = LazyImageView()
  /// view.transition = .fadeIn(duration: 0.25)
  /// view.contentMode = .aspectFill
  /// view.accessibleLabel = "A leaf"
  /// gtk_box_append(box, view.widget)
  /// view.url = url
  /// ```
  ///
  /// An image in the memory cache is displayed immediately. Other loads are canceled when the widget is destroyed or
  /// unmapped, and start again when it is mapped. Animated images play while the widget is mapped.
  ///
  /// The widget retains everything that is set here. This object retains the widget, and may be released once the widget
  /// is in a window. To load an image at the size of the widget, see ``resizesToAllocation``. Use it on the main thread.
  @MainActor public final class LazyImageView: ImageDisplaying {
    /// The widget to add to a container: a `GtkOverlay`, or the existing `GtkPicture`.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// The `GtkPicture` that draws.
    public var picture: UnsafeMutablePointer<GtkWidget> { binding.picture }
    let binding: PictureBinding
    private let overlay: OpaquePointer?

    /// Creates a view with a new widget.
    public init() {
      guard let overlay = gtk_overlay_new(), let picture = gtk_picture_new() else {
        preconditionFailure("call gtk_init before creating widgets")
      }
      gtk_overlay_set_child(OpaquePointer(overlay), picture)
      widget = overlay
      self.overlay = OpaquePointer(overlay)
      binding = .of(picture)
      takeReferences()
    }

    /// Creates a view for an existing `GtkPicture`. All views of a widget share their state.
    ///
    /// Placeholder and failure widgets are not supported, and the paintable of the widget is replaced.
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

    // MARK: Image

    /// The URL of the image. Setting it loads the image; `nil` clears the view.
    public var url: URL? {
      get { request?.url }
      set { request = newValue.map { ImageRequest(url: $0) } }
    }

    /// The request of the image. Setting it loads the image; `nil` clears the view.
    public var request: ImageRequest? {
      get { binding.loadRequest?.request }
      set {
        guard let newValue else { return reset() }
        load(newValue)
      }
    }

    /// Loads an image and displays it.
    ///
    /// - Returns: the task; `nil` if the load has finished, or waits for the size of the widget.
    @discardableResult
    public func load(_ request: ImageRequest) -> ImageTask? {
      binding.load(.init(request: request, options: options, handlers: binding.handlers))
    }

    /// Repeats a failed or canceled load. After a failure, caches are ignored, since they may have recorded it.
    public func retry() { binding.startLoading() }

    /// Cancels the load. The view stays unchanged.
    public func cancel() { binding.cancelLoading() }

    /// Cancels the load and clears the view.
    public func reset() {
      binding.forgetLoading()
      binding.display(ImagePresentation(container: nil, phase: .success))
    }

    /// A Boolean value that indicates whether an image is being loaded, or will be when the widget is visible or its size
    /// is known.
    public var isLoading: Bool { binding.progress != .idle && binding.progress != .loaded }

    /// The running load; `nil` if there is none, or if it waits for the size of the widget.
    public var imageTask: ImageTask? { binding.task }

    // MARK: Options

    /// The loading options. They apply to later loads. The properties below are those of the options with the names that
    /// they have in Nuke's views.
    public var options: ImageLoadingOptions {
      get { binding.options ?? .shared }
      set { binding.options = newValue }
    }

    /// The image to show while the image is loading: the `placeholder` of the ``options``.
    public var placeholderImage: PlatformImage? {
      get { options.placeholder }
      set { options.placeholder = newValue }
    }

    /// The image to show after a failure: the `failureImage` of the ``options``.
    public var failureImage: PlatformImage? {
      get { options.failureImage }
      set { options.failureImage = newValue }
    }

    /// A Boolean value that indicates whether the placeholder, an image or a widget, is shown after a failure if there is
    /// neither a failure image nor a ``failureWidget``. The default is `false`.
    public var showPlaceholderOnFailure: Bool {
      get { binding.showsPlaceholderOnFailure }
      set { binding.showsPlaceholderOnFailure = newValue }
    }

    /// The transition of a loaded image: the `transition` of the ``options``.
    public var transition: ImageLoadingOptions.Transition? {
      get { options.transition }
      set { options.transition = newValue }
    }

    /// The processors of requests that have none: the `processors` of the ``options``.
    public var processors: [any ImageProcessing]? {
      get { options.processors.isEmpty ? nil : options.processors }
      set { options.processors = newValue ?? [] }
    }

    /// The pipeline that loads the images: the `pipeline` of the ``options``. The default is `ImagePipeline.shared`.
    public var pipeline: ImagePipeline {
      get { options.pipeline ?? .shared }
      set { options.pipeline = newValue }
    }

    /// The priority of the running load and of later loads; `nil` for that of the requests, which is the default.
    public var priority: ImageRequest.Priority? {
      get { binding.priority }
      set { binding.priority = newValue }
    }

    /// A Boolean value that indicates whether a new request clears the previous image: `isPrepareForReuseEnabled` of the
    /// ``options``. The default is `true`.
    public var isResetEnabled: Bool {
      get { options.isPrepareForReuseEnabled }
      set { options.isPrepareForReuseEnabled = newValue }
    }

    /// A Boolean value that indicates whether previews are shown: `isProgressiveRenderingEnabled` of the ``options``. The
    /// default is `true`.
    public var isProgressiveImageRenderingEnabled: Bool {
      get { options.isProgressiveRenderingEnabled }
      set { options.isProgressiveRenderingEnabled = newValue }
    }

    /// The content mode of images, unless the ``options`` have one.
    public var contentMode: ImageContentMode {
      get { binding.contentMode }
      set { binding.contentMode = newValue }
    }

    /// A Boolean value that indicates whether images are resized to the size of the widget, in pixels of its display, which
    /// saves time and memory. The default is `false`.
    ///
    /// The load then starts when the widget has been drawn, so the widget needs a size of its own or from its container. It
    /// is repeated when the widget grows or moves to a display with a higher scale.
    public var resizesToAllocation: Bool {
      get { binding.sizing.isEnabled }
      set { binding.sizing.isEnabled = newValue }
    }

    /// A Boolean value that indicates whether animated images play. The default is `true`.
    public var isAnimationPlaybackEnabled: Bool {
      get { binding.isPlaybackEnabled }
      set { binding.isPlaybackEnabled = newValue }
    }

    /// The widget to show until the image is loaded, instead of the placeholder of the ``options``. Not supported for an
    /// existing `GtkPicture`.
    public var placeholderWidget: UnsafeMutablePointer<GtkWidget>? {
      get { binding.fallbackWidgets.placeholder }
      set {
        exchange(binding.fallbackWidgets.placeholder, for: newValue)
        binding.fallbackWidgets.placeholder = overlay == nil ? nil : newValue
        binding.fallbackWidgets.update()
      }
    }

    /// The widget to show after a failure, instead of the failure image of the ``options``. It can contain a button that
    /// calls ``retry()``. Not supported for an existing `GtkPicture`.
    public var failureWidget: UnsafeMutablePointer<GtkWidget>? {
      get { binding.fallbackWidgets.failure }
      set {
        exchange(binding.fallbackWidgets.failure, for: newValue)
        binding.fallbackWidgets.failure = overlay == nil ? nil : newValue
        binding.fallbackWidgets.update()
      }
    }

    private func exchange(_ old: UnsafeMutablePointer<GtkWidget>?, for new: UnsafeMutablePointer<GtkWidget>?) {
      guard let overlay, !binding.isDestroyed else { return }
      if let old { gtk_overlay_remove_overlay(overlay, old) }
      if let new { gtk_overlay_add_overlay(overlay, new) }
    }

    /// The label for assistive technologies, which are also notified while an image is loading.
    public var accessibleLabel: String? {
      get { gtk_picture_get_alternative_text(OpaquePointer(picture)).map { String(cString: $0) } }
      set { gtk_picture_set_alternative_text(OpaquePointer(picture), newValue) }
    }

    // MARK: Events

    /// Called when a load starts that does not finish immediately.
    ///
    /// The widget retains the closure, so capture the view weakly. It applies to later loads.
    public var onStart: ((ImageTask) -> Void)? {
      get { binding.handlers.onStart }
      set { binding.handlers.onStart = newValue }
    }

    /// Called with the number of bytes that have arrived. See ``onStart``.
    public var onProgress: ((ImageTask.Progress) -> Void)? {
      get { binding.handlers.onProgress }
      set { binding.handlers.onProgress = newValue }
    }

    /// Called with each preview, also if previews are not shown. See ``onStart``.
    public var onPreview: ((ImageResponse) -> Void)? {
      get { binding.handlers.onPreview }
      set { binding.handlers.onPreview = newValue }
    }

    /// Called when the image is displayed, before ``onCompletion``. See ``onStart``.
    public var onSuccess: ((ImageResponse) -> Void)? {
      get { binding.handlers.onSuccess }
      set { binding.handlers.onSuccess = newValue }
    }

    /// Called when the failure is displayed, before ``onCompletion``, unless the load is canceled. See ``onStart``.
    public var onFailure: ((ImagePipeline.Error) -> Void)? {
      get { binding.handlers.onFailure }
      set { binding.handlers.onFailure = newValue }
    }

    /// Called when the image or its failure is displayed, unless the load is canceled. If ``onSuccess`` or ``onFailure``
    /// start another load, it is not called for the previous one. See ``onStart``.
    public var onCompletion: ((Result<ImageResponse, ImagePipeline.Error>) -> Void)? {
      get { binding.handlers.onCompletion }
      set { binding.handlers.onCompletion = newValue }
    }

    // MARK: ImageDisplaying

    public func display(_ presentation: ImagePresentation) { binding.display(presentation) }
    public var imageLoading: ImageLoadingSlot { binding.imageLoading }
  }

  // A second property with the same name must be in a protocol.
  extension ImageDisplaying where Self == LazyImageView {
    /// Called with a preview, if there is one, and the completed and total number of bytes.
    @available(*, deprecated, message: "Use a closure with one parameter, an ImageTask.Progress, and onPreview")
    public var onProgress: ((ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? {
      get { self.binding.handlers.onUpdate }
      set { self.binding.handlers.onUpdate = newValue }
    }
  }
#endif
