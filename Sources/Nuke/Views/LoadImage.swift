public import Foundation

// MARK: A URL

/// Loads the image at `url` and shows it in `view`.
///
/// Cancels the previous load of the view; none of its closures is called anymore. An image in the memory cache is shown
/// before this function returns. Otherwise, the placeholder is shown until the image is loaded. The load is canceled
/// when the view is released; see ``ImageLoadingTarget/imageLoading``.
///
/// - Parameters:
///   - url: the URL of the image. If it is `nil`, the failure image is shown, and `completion` receives
///     ``ImagePipeline/Error/imageRequestMissing``. Without a failure image, the view is cleared, unless
///     ``ImageLoadingOptions/isPrepareForReuseEnabled`` is `false`.
///   - options: the loading options. The default is ``ImageLoadingOptions/shared``.
///   - view: the view that shows the image. It is not retained.
///   - progress: called on the main actor with a preview, if there is a new one, and the completed and total number of
///     bytes.
///   - completion: called on the main actor after the view has shown the image or the failure image. If the result is
///     known at once, it is called before this function returns. It is not called if the load is canceled.
/// - Returns: the task; `nil` if the load has already ended.
@preconcurrency @MainActor @discardableResult
public func loadImage(
  with url: URL?, options: ImageLoadingOptions? = nil, into view: any ImageDisplaying,
  progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
  completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  ViewLoad.start(
    url.map { ImageRequest(url: $0) }, options ?? .shared, in: view, progress: progress, completion: completion)
}

/// Loads the image at `url`, shows it in `view`, and then calls `completion`.
@preconcurrency @MainActor @discardableResult
public func loadImage(
  with url: URL?, options: ImageLoadingOptions? = nil, into view: any ImageDisplaying,
  completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
) -> ImageTask? {
  loadImage(with: url, options: options, into: view, progress: nil, completion: completion)
}

// MARK: A request

/// Loads the image of `request` and shows it in `view`, like
/// ``loadImage(with:options:into:progress:completion:)-(URL?,_,_,_,_)``.
///
/// - Parameters:
///   - request: the request. If it has no processors, those of the options are applied. `nil` is handled like a `nil`
///     URL. A request without a URL fails like any other, with `URLError.badURL`.
///   - options: the loading options. The default is ``ImageLoadingOptions/shared``.
///   - view: the view that shows the image. It is not retained.
///   - progress: called on the main actor with a preview, if there is a new one, and the completed and total number of
///     bytes.
///   - completion: called on the main actor after the view has shown the image or the failure image. If the result is
///     known at once, it is called before this function returns. It is not called if the load is canceled.
/// - Returns: the task; `nil` if the load has already ended.
@preconcurrency @MainActor @discardableResult @_disfavoredOverload
public func loadImage(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: any ImageDisplaying,
  progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
  completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  ViewLoad.start(request, options ?? .shared, in: view, progress: progress, completion: completion)
}

/// Loads the image of `request`, shows it in `view`, and then calls `completion`.
@preconcurrency @MainActor @discardableResult @_disfavoredOverload
public func loadImage(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: any ImageDisplaying,
  completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
) -> ImageTask? {
  loadImage(with: request, options: options, into: view, progress: nil, completion: completion)
}

// MARK: Canceling

/// Cancels the load of `view`, which stays unchanged. None of the load's closures is called anymore.
@preconcurrency @MainActor
public func cancelRequest(for view: any ImageLoadingTarget) { view.imageLoading.vacate()?.cancel() }
