import Nuke

/// Loads images with one of today's pipelines, which shares what is the same, limits what is done at once, and keeps
/// images in memory.
///
/// ```swift
/// let source = CancellationTokenSource()
/// Loader.shared.loadImage(with: url, token: source.token)
///   .then { image in show(image) }
///   .catch { error in print("no image: \(error)") }
/// ```
///
/// It may be used from any thread. Promises fail with an `ImagePipeline.Error`, with `.cancelled` where the token was
/// canceled.
public final class Loader: Loading {
  /// Loads with the pipeline that is `ImagePipeline.shared` when it is asked.
  public static let shared = Loader(chosen: nil)

  private let chosen: ImagePipeline?
  private let joins = SharedLoads()

  private init(chosen: ImagePipeline?) { self.chosen = chosen }

  /// A loader that loads with `pipeline`.
  ///
  /// What version 4's processors make is not found again on disk, since they have no names: a policy that stores the data
  /// of originals is the one to choose.
  public convenience init(pipeline: ImagePipeline) { self.init(chosen: pipeline) }

  /// A loader made of version 4's parts. They get all requests, also those for local files.
  ///
  /// - Parameters:
  ///   - loader: fetches the data.
  ///   - decoder: makes images of it.
  ///   - cache: is asked for data first, and gets what was loaded.
  ///   - imageCache: keeps images in memory; `nil` for none. One of the program's own is not emptied by the pipeline's
  ///     `cache.removeAll()`, since version 4's protocol has no word for it.
  public convenience init(
    loader: any DataLoading = DataLoader(), decoder: any DataDecoding = DataDecoder(),
    cache: (any DataCaching)? = nil, imageCache: (any Caching)? = Cache.shared
  ) {
    self.init(
      pipeline: ImagePipeline {
        $0.dataLoader =
          if cache == nil, let loader = loader as? DataLoader {
            loader.base
          } else {
            LegacyDataLoader(loader: loader, cache: cache)
          }
        if !(decoder is DataDecoder) { $0.makeImageDecoder = { LegacyDecoder(decoder, for: $0) } }
        $0.imageCache = (imageCache as? Cache)?.base ?? imageCache.map { LegacyImageCache($0) }
        $0.isLocalResourcesSupportEnabled = false
      })
  }

  /// The pipeline of the loader.
  public var pipeline: ImagePipeline { chosen ?? .shared }

  @discardableResult
  public func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    loadImage(with: request, token: token, priority: .normal)
  }

  func loadImage(
    with request: Request, token: CancellationToken?, priority: ImageRequest.Priority
  ) -> Promise<Image> {
    if token?.isCancelling == true { return Promise(error: ImagePipeline.Error.cancelled) }
    let pipeline = pipeline
    guard request.cacheKey != nil || request.loadKey != nil else {
      return load(request, pipeline, token, priority)
    }
    // Under a key of the program's the pipeline does not look, nor does it know that it is about to be joined.
    let memory = MemoryPlace(of: request, in: pipeline)
    if let image = memory.image { return Promise(value: image) }
    let promise =
      if let loadKey = request.loadKey {
        joins.join(loadKey, token: token) { [self] token in load(request, pipeline, token, .normal) }
      } else {
        load(request, pipeline, token, priority)
      }
    promise.observe { outcome in
      if case .success(let image) = outcome { memory.store(image) }
    }
    return promise
  }

  private func load(
    _ request: Request, _ pipeline: ImagePipeline, _ token: CancellationToken?, _ priority: ImageRequest.Priority
  ) -> Promise<Image> {
    var imageRequest = request.imageRequest
    imageRequest.priority = priority
    let promise = Promise<Image>()
    // Not by a closure of the pipeline's, which is not called once the task has been canceled.
    let task = pipeline.startTask(with: imageRequest, kind: .image) { _, event in
      if case .finished(let result) = event { promise.settle(result.map(\.image).mapError { $0 }) }
    }
    if let registration = token?.registration({ task.cancel() }) { promise.observe { _ in registration.remove() } }
    return promise
  }
}

/// Where the image of a request with keys of its own is kept in memory.
private struct MemoryPlace: Sendable {
  private let cache: (any ImageCaching)?
  private let key: ImageCacheKey
  private let options: Request.MemoryCacheOptions

  init(of request: Request, in pipeline: ImagePipeline) {
    cache = pipeline.configuration.imageCache
    key =
      request.cacheKey.map { ImageCacheKey(legacy: $0) } ?? pipeline.cache.makeImageCacheKey(for: request.imageRequest)
    options = request.memoryCacheOptions
  }

  var image: Image? {
    guard options.readAllowed, let container = cache?[key], !container.isPreview else { return nil }
    return container.image
  }

  /// Stores the image of a load that may have been another's, who has stored it under another key.
  func store(_ image: Image) {
    guard options.writeAllowed, let cache, cache[key]?.image !== image else { return }
    cache[key] = ImageContainer(image: image)
  }
}
