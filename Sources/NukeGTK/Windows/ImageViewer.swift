#if GTK
  public import CNukeGTK
  public import Nuke

  /// A widget with one image that fits into it and can be enlarged.
  ///
  /// ```swift
  /// let viewer = ImageViewer()
  /// gtk_box_append(box, viewer.widget)
  /// viewer.show(ImageRequest(url: url), named: "A leaf")
  /// ```
  ///
  /// A spinner is shown until the image is loaded. After a failure, the reason is shown, and a button that loads the image
  /// again if that may help: see `RetryPolicy.isTransient(_:)`. The wheel of a mouse and two fingers zoom, and a drag moves
  /// the enlarged image. It is loaded at the size at which it is shown.
  ///
  /// This object retains the widget, and may be released once the widget is in a window. Use it on the main thread.
  @MainActor public final class ImageViewer {
    /// The widget to add to a container, a `GtkScrolledWindow`.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// The view in it. Its `onFailure`, `placeholderWidget` and `failureWidget` belong to the viewer.
    public let view: LazyImageView
    let failure: FailurePage
    let scaling: ImageZoom

    /// - Parameter options: the loading options, with the pipeline. The default is `ImageLoadingOptions.shared`.
    public init(options: ImageLoadingOptions? = nil) {
      view = LazyImageView()
      widget = Widgets.made(gtk_scrolled_window_new())
      g_object_ref_sink(widget)
      gtk_scrolled_window_set_child(OpaquePointer(widget), view.widget)
      scaling = ImageZoom(view.widget, in: widget)
      // The button is in the same overlay as the image, so it does not outlive it.
      failure = FailurePage(.page) { [picture = view.picture] in LazyImageView(picture: picture).retry() }
      if let options { view.options = options }
      view.contentMode = .aspectFit
      view.resizesToAllocation = true
      view.failureWidget = failure.widget
      view.placeholderWidget = Self.makeSpinner()
      view.onFailure = { [failure] in failure.set($0) }
    }

    isolated deinit { g_object_unref(widget) }

    private static func makeSpinner() -> UnsafeMutablePointer<GtkWidget> {
      let spinner = Widgets.made(gtk_spinner_new())
      gtk_widget_set_size_request(spinner, 48, 48)
      gtk_widget_set_halign(spinner, GTK_ALIGN_CENTER)
      gtk_widget_set_valign(spinner, GTK_ALIGN_CENTER)
      gtk_spinner_start(OpaquePointer(spinner))
      return spinner
    }

    /// Loads an image and shows it, without enlarging it.
    ///
    /// - Parameters:
    ///   - request: the request; `nil` clears the viewer and cancels its load.
    ///   - name: the name for screen readers.
    public func show(_ request: ImageRequest?, named name: String? = nil) {
      scaling.reset()
      view.accessibleLabel = name
      view.request = request
    }

    /// Moves the keyboard focus to the viewer, where Return and Space have no effect.
    ///
    /// Call it before the page with the focus is hidden. Otherwise, GTK moves the focus in the next frame, and if the
    /// window was not visible, to the first button of the header bar.
    package func focus() { gtk_widget_grab_focus(widget) }

    /// The size of the image in relation to the widget, from 1, where it fits, to 8.
    public var zoom: Double {
      get { scaling.scale.value }
      set { scaling.set(newValue) }
    }

    /// Enlarges the image by a quarter.
    public func zoomIn() { zoom *= ZoomScale.step }

    /// Undoes ``zoomIn()``.
    public func zoomOut() { zoom /= ZoomScale.step }
  }
#endif
