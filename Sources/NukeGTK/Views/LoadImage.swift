#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  // MARK: Into a GtkImage

  /// Loads the image at `url` and shows it in a `GtkPicture`.
  ///
  /// ```swift
  /// loadImage(with: url, into: picture)
  /// ```
  ///
  /// What the image was loading is given up. An image in the memory cache is shown before this returns; else the
  /// placeholder is, until the image is there. The load is canceled when the widget is destroyed; when the widget is
  /// unmapped it is given up, and begins anew when it is mapped again.
  ///
  /// - Parameters:
  ///   - url: where the image is. With `nil` the failure image is shown, or the widget is cleared where there is none.
  ///   - options: how the widget is treated; `ImageLoadingOptions.shared` unless they are given.
  ///   - image: a `GtkPicture`, whose paintable is taken over; other widgets are a programming error.
  ///   - progress: called with a preview, if one has come, and the bytes loaded and in all.
  ///   - completion: called once the widget shows the image, or what is shown in its place; not for a load that was
  ///     canceled.
  /// - Returns: the load; `nil` if it is over.
  @MainActor @discardableResult
  public func loadImage(
    with url: URL?, options: ImageLoadingOptions? = nil, into picture: UnsafeMutablePointer<GtkWidget>,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    loadImage(
      with: url.map { ImageRequest(url: $0) }, options: options, into: picture, progress: progress,
      completion: completion)
  }

  /// Loads what `request` asks for and shows it in a `GtkPicture`, as
  /// ``loadImage(with:options:into:progress:completion:)-(URL?,_,_,_,_)`` does.
  @MainActor @discardableResult @_disfavoredOverload
  public func loadImage(
    with request: ImageRequest?, options: ImageLoadingOptions? = nil, into picture: UnsafeMutablePointer<GtkWidget>,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    PictureBinding.of(picture).load(
      .init(
        request: request, options: options ?? .shared, handlers: .init(onProgress: progress, onCompletion: completion)))
  }

  /// Gives up what is being loaded into a `GtkPicture`, which stays as it is.
  @MainActor public func cancelRequest(for picture: UnsafeMutablePointer<GtkWidget>) {
    PictureBinding.of(picture).cancelLoading()
  }

  // MARK: Into a LazyImageView

  /// Loads the image at `url` and shows it in `view`, which need not be kept: its widget is enough.
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

  /// Loads the image at `url`, shows it in `view`, and then calls `completion`.
  @MainActor @discardableResult
  public func loadImage(
    with url: URL?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
  ) -> ImageTask? {
    loadImage(with: url, options: options, into: view, progress: nil, completion: completion)
  }

  /// Loads what `request` asks for and shows it in `view`, which need not be kept: its widget is enough.
  @MainActor @discardableResult @_disfavoredOverload
  public func loadImage(
    with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
  ) -> ImageTask? {
    loadImage(
      with: request, options: options ?? view.options, into: view.picture, progress: progress, completion: completion)
  }

  /// Loads what `request` asks for, shows it in `view`, and then calls `completion`.
  @MainActor @discardableResult @_disfavoredOverload
  public func loadImage(
    with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: LazyImageView,
    completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
  ) -> ImageTask? {
    loadImage(with: request, options: options, into: view, progress: nil, completion: completion)
  }

  /// Gives up what is being loaded into `view`, which stays as it is.
  @MainActor public func cancelRequest(for view: LazyImageView) { view.cancel() }
#endif
