public import Dispatch
public import Foundation
public import FoundationNetworking

// The API of versions 9 to 12 that has other names or types in the current version.

/// A task that has been started.
@available(*, deprecated, renamed: "ImageTask")
public typealias AsyncImageTask = ImageTask

/// Overrides the configuration of the pipeline for individual requests.
@available(*, deprecated, renamed: "ImagePipeline.Delegate")
public typealias ImagePipelineDelegate = ImagePipeline.Delegate

extension ImageRequest {
  /// The identifier of the original image in caches and for coalescing.
  @available(*, deprecated, renamed: "imageID")
  public var imageId: String? {
    get { imageID }
    set { imageID = newValue }
  }
}

extension ImageRequest.UserInfoKey {
  /// The key for a `String` that has the effect of ``ImageRequest/imageID``.
  @available(*, deprecated, message: "Set the request's imageID")
  public static var imageIdKey: Self { .imageID }

  /// The key for a `Float` that has the effect of ``ImageRequest/scale``.
  @available(*, deprecated, message: "Set the request's scale")
  public static var scaleKey: Self { .scale }

  /// The key for an ``ImageRequest/ThumbnailOptions`` that has the effect of ``ImageRequest/thumbnail``.
  @available(*, deprecated, message: "Set the request's thumbnail")
  public static var thumbnailKey: Self { .thumbnail }
}

extension ImagePipeline {
  /// Returns the encoded data at `url`, unchanged.
  ///
  /// - Throws: ``Error``; ``Error/cancelled`` if the calling task was canceled.
  @available(*, deprecated, message: "Use data(for: ImageRequest(url: url))")
  public func data(for url: URL) async throws(Error) -> (Data, URLResponse?) {
    try await data(for: ImageRequest(url: url))
  }

  /// Loads the data at `url`; `completion` is called on the main actor, once.
  @available(*, deprecated, message: "Use loadData(with: ImageRequest(url: url), completion:)")
  @discardableResult
  public func loadData(
    with url: URL,
    completion: @escaping @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    loadData(with: ImageRequest(url: url), completion: completion)
  }

  /// Loads the data at `url` and reports progress, both on the main actor.
  @available(*, deprecated, message: "Use loadData(with: ImageRequest(url: url), progress:completion:)")
  @discardableResult
  public func loadData(
    with url: URL,
    progress: (@MainActor @Sendable (_ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    loadData(with: ImageRequest(url: url), progress: progress, completion: completion)
  }

  // MARK: Closures on a queue

  /// Loads an image. The closures are called on `queue`; on the main queue if it is `nil`.
  @available(*, deprecated, renamed: "loadImage(with:on:progress:completion:)")
  @discardableResult
  public func loadImage(
    with request: ImageRequest, queue: DispatchQueue?,
    progress: (@Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: request, on: queue ?? .main, progress: progress, completion: completion)
  }

  /// Loads the image at `url`. The closures are called on `queue`; on the main queue if it is `nil`.
  @available(*, deprecated, message: "Use loadImage(with: ImageRequest(url: url), on:progress:completion:)")
  @discardableResult
  public func loadImage(
    with url: URL, queue: DispatchQueue?,
    progress: (@Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), on: queue ?? .main, progress: progress, completion: completion)
  }

  /// Loads the data of an original. The closures are called on `queue`; on the main queue if it is `nil`.
  @available(*, deprecated, renamed: "loadData(with:on:progress:completion:)")
  @discardableResult
  public func loadData(
    with request: ImageRequest, queue: DispatchQueue?,
    progress: (@Sendable (_ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    loadData(with: request, on: queue ?? .main, progress: progress, completion: completion)
  }

  /// Loads the data at `url`. The closures are called on `queue`; on the main queue if it is `nil`.
  @available(*, deprecated, message: "Use loadData(with: ImageRequest(url: url), on:progress:completion:)")
  @discardableResult
  public func loadData(
    with url: URL, queue: DispatchQueue?,
    progress: (@Sendable (_ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    loadData(with: ImageRequest(url: url), on: queue ?? .main, progress: progress, completion: completion)
  }
}
