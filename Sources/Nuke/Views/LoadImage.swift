public import Foundation

// MARK: A URL

/// Loads the image at `url` and shows it in `view`.
///
/// The view is first told to end what it was showing, and gives up what it was loading: nothing of an earlier load
/// reaches it any more. An image in the memory cache is shown before this returns; else the placeholder is, until the
/// image is there. The load is canceled when the view is destroyed; see ``ImageLoadingTarget/imageLoading``.
///
/// - Parameters:
///   - url: where the image is. With `nil` the failure image is shown, or the view is cleared where there is none, and
///     `completion` gets ``ImagePipeline/Error/imageRequestMissing``.
///   - options: how the view is treated; ``ImageLoadingOptions/shared`` unless they are given.
///   - view: shows the image. It is not kept alive.
///   - progress: called on the main actor with a preview, if one has come, and the bytes loaded and in all.
///   - completion: called on the main actor once the view shows the image, or what is shown in its place: before this
///     returns where that is known at once. It is not called for a load that was canceled.
/// - Returns: the load; `nil` if it is over.
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

/// Loads what `request` asks for and shows it in `view`, as
/// ``loadImage(with:options:into:progress:completion:)-(URL?,_,_,_,_)`` does.
///
/// - Parameters:
///   - request: what is wanted. Where it has no processors, those of the options are applied. `nil`, and a request
///     without a URL, are handled as a `nil` URL is.
///   - options: how the view is treated; ``ImageLoadingOptions/shared`` unless they are given.
///   - view: shows the image. It is not kept alive.
///   - progress: called on the main actor with a preview, if one has come, and the bytes loaded and in all.
///   - completion: called on the main actor once the view shows the image, or what is shown in its place: before this
///     returns where that is known at once. It is not called for a load that was canceled.
/// - Returns: the load; `nil` if it is over.
@preconcurrency @MainActor @discardableResult @_disfavoredOverload
public func loadImage(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: any ImageDisplaying,
  progress: ((_ response: ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
  completion: ((_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void)? = nil
) -> ImageTask? {
  ViewLoad.start(request, options ?? .shared, in: view, progress: progress, completion: completion)
}

/// Loads what `request` asks for, shows it in `view`, and then calls `completion`.
@preconcurrency @MainActor @discardableResult @_disfavoredOverload
public func loadImage(
  with request: ImageRequest?, options: ImageLoadingOptions? = nil, into view: any ImageDisplaying,
  completion: @escaping (_ result: Result<ImageResponse, ImagePipeline.Error>) -> Void
) -> ImageTask? {
  loadImage(with: request, options: options, into: view, progress: nil, completion: completion)
}

// MARK: Giving up

/// Gives up what is being loaded into `view`, which stays as it is. None of the load's closures is called any more.
@preconcurrency @MainActor
public func cancelRequest(for view: any ImageLoadingTarget) { view.imageLoading.vacate()?.cancel() }
