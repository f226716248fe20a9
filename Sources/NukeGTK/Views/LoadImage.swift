#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  // MARK: GtkPicture

  /// Loads the image at `url` and displays it in a `GtkPicture`.
  ///
  /// ```swift
  /// loadImage(with: url, into: picture)
  /// ```
  ///
  /// Cancels the previous load of the widget. An image in the memory cache is displayed before the function returns.
  /// Otherwise the placeholder is displayed until the image is loaded. The load is canceled when the widget is destroyed
  /// or unmapped, and starts again when it is mapped.
  ///
  /// - Parameters:
  ///   - url: the URL of the image. `nil` displays the failure image. Without one, it clears the widget, unless
  ///     `ImageLoadingOptions.isPrepareForReuseEnabled` is `false`.
  ///   - options: the loading options. The default is `ImageLoadingOptions.shared`.
  ///   - widget: a `GtkPicture`, whose paintable is replaced. Other widgets are a programming error.
  ///   - progress: called with a preview, if there is one, and the completed and total number of bytes.
  ///   - completion: called when the image or its failure is displayed, unless the load is canceled.
  /// - Returns: the task; `nil` if the load has finished.
  @MainActor @discardableResult
  public func loadImage(
    with url: URL?, options: ImageLoadingOptions? = nil, into widget: UnsafeMutablePointer<GtkWidget>,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    loadImage(
      with: url.map { ImageRequest(url: $0) }, options: options, into: widget, progress: progress,
      completion: completion)
  }

  /// Loads the image of `request` and displays it in a `GtkPicture`, like the function for a URL.
  @MainActor @discardableResult @_disfavoredOverload
  public func loadImage(
    with request: ImageRequest?, options: ImageLoadingOptions? = nil, into widget: UnsafeMutablePointer<GtkWidget>,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    PictureBinding.of(widget).load(
      .init(
        request: request, options: options ?? .shared, handlers: .init(onUpdate: progress, onCompletion: completion)))
  }

  /// Cancels the load of a `GtkPicture`, which stays unchanged.
  @MainActor public func cancelRequest(for widget: UnsafeMutablePointer<GtkWidget>) {
    PictureBinding.of(widget).cancelLoading()
  }

  // MARK: LazyImageView

  /// Loads the image at `url` and displays it in `view`. The program may release `view` while its widget exists.
  @MainActor @discardableResult
  public func loadImage(
    with url: URL?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    loadImage(
      with: url.map { ImageRequest(url: $0) }, options: options ?? view.options, into: view.picture,
      progress: progress, completion: completion)
  }

  /// Loads the image at `url`, displays it in `view`, and calls `completion`.
  @MainActor @discardableResult
  public func loadImage(
    with url: URL?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
  ) -> ImageTask? {
    loadImage(with: url, options: options, into: view, progress: nil, completion: completion)
  }

  /// Loads the image of `request` and displays it in `view`. The program may release `view` while its widget exists.
  @MainActor @discardableResult @_disfavoredOverload
  public func loadImage(
    with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    loadImage(
      with: request, options: options ?? view.options, into: view.picture, progress: progress, completion: completion)
  }

  /// Loads the image of `request`, displays it in `view`, and calls `completion`.
  @MainActor @discardableResult @_disfavoredOverload
  public func loadImage(
    with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
  ) -> ImageTask? {
    loadImage(with: request, options: options, into: view, progress: nil, completion: completion)
  }

  /// Cancels the load of `view`, which stays unchanged.
  @MainActor public func cancelRequest(for view: LazyImageView) { view.cancel() }
#endif
