public import Foundation
import Nuke

/// Loads images.
public protocol Loading: Sendable {
  /// Starts to load an image, and returns immediately. May be called from any thread.
  ///
  /// - Parameters:
  ///   - request: the image to load.
  ///   - token: cancels the load, in which case the promise fails.
  @discardableResult
  func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image>
}

extension Loading {
  /// Starts to load an image that cannot be canceled.
  @discardableResult
  public func loadImage(with request: Request) -> Promise<Image> { loadImage(with: request, token: nil) }

  /// Starts to load the image at `url`.
  ///
  /// - Parameters:
  ///   - url: the URL of the image.
  ///   - token: cancels the load, in which case the promise fails.
  @discardableResult
  public func loadImage(with url: URL, token: CancellationToken? = nil) -> Promise<Image> {
    loadImage(with: Request(url: url), token: token)
  }
}

/// Loads images with an `ImagePipeline`, which coalesces equal requests, limits concurrency, and caches images in memory.
///
/// ```swift
/// let source = CancellationTokenSource()
/// Loader.shared.loadImage(with: url, token: source.token)
///   .then { image in show(image) }
///   .catch { error in print("No image: \(error)") }
/// ```
///
/// It may be used from any thread. Promises fail with an `ImagePipeline.Error`, which is `.cancelled` after the token was
/// canceled.
public final class Loader: Loading {
  /// A loader that uses the `ImagePipeline.shared` of each moment.
  public static let shared = Loader(chosen: nil)

  private let chosen: ImagePipeline?
  private let joins = SharedLoads()

  private init(chosen: ImagePipeline?) { self.chosen = chosen }

  /// Creates a loader that uses `pipeline`.
  ///
  /// Results of version 4's processors are never found on disk, since these have no identifiers. Use a policy that stores
  /// the data of originals.
  public convenience init(pipeline: ImagePipeline) { self.init(chosen: pipeline) }

  /// Creates a loader with custom parts, which receive all requests, including those for local files.
  ///
  /// - Parameters:
  ///   - loader: fetches the data.
  ///   - decoder: decodes it.
  ///   - cache: stores the data, and is read first.
  ///   - imageCache: stores images in memory. The pipeline's `cache.removeAll()` does not empty a custom cache, since
  ///     version 4's protocol has no equivalent.
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
    // The pipeline ignores custom keys, both for its memory cache and for coalescing.
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
    // A closure of the pipeline would not be called after the task was canceled.
    let task = pipeline.startTask(with: imageRequest, kind: .image) { _, event in
      if case .finished(let result) = event { promise.settle(result.map(\.image).mapError { $0 }) }
    }
    if let registration = token?.registration({ task.cancel() }) { promise.observe { _ in registration.remove() } }
    return promise
  }
}

/// The place of an image with custom keys in the memory cache.
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

  /// Stores the image. A shared load may have stored it under the key of another request.
  func store(_ image: Image) {
    guard options.writeAllowed, let cache, cache[key]?.image !== image else { return }
    cache[key] = ImageContainer(image: image)
  }
}

/// Loads an image once for concurrent equal requests.
///
/// Requests are equal if their ``Request/loadKey``s are. All receive the same outcome. The load is canceled when the last
/// of them has been canceled. A ``Loader`` coalesces requests itself; this class is for other types of ``Loading``.
public final class Deduplicator: Loading {
  private let loader: any Loading
  private let loads = SharedLoads()

  /// Creates a loader that coalesces the requests to `loader`.
  public init(loader: any Loading) { self.loader = loader }

  /// Joins the load of an equal request, or starts one. The promise fails with `ImagePipeline.Error.cancelled` after the
  /// token was canceled, even if others still wait.
  @discardableResult
  public func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    if token?.isCancelling == true { return Promise(error: ImagePipeline.Error.cancelled) }
    return loads.join(request.joinKey, token: token) { token in loader.loadImage(with: request, token: token) }
  }
}

/// The running loads, each shared by all requests with the same key.
final class SharedLoads: Sendable {
  /// A key that closures capture. It is immutable; see ``Request``.
  private struct Key: Hashable, @unchecked Sendable {
    let value: AnyHashable
  }

  private final class Load: Sendable {
    let source = CancellationTokenSource()
  }

  private struct Entry {
    let load: Load
    var members: [Int: Promise<Image>]
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var lastMember = 0
  }

  private let state = Lock(State())

  /// The number of loads that are under way.
  var count: Int { state.withLock { $0.entries.count } }

  /// Joins the load of `key`, or starts it.
  ///
  /// - Parameters:
  ///   - token: leaves the load, which is canceled when the last one leaves it.
  ///   - start: starts the load where there is none.
  func join(
    _ key: AnyHashable, token: CancellationToken?, start: (CancellationToken) -> Promise<Image>
  ) -> Promise<Image> {
    let key = Key(value: key)
    let promise = Promise<Image>()
    let (load, member, isFirst) = state.withLock { state in
      state.lastMember += 1
      let isFirst = state.entries[key] == nil
      let load = state.entries[key]?.load ?? Load()
      state.entries[key, default: Entry(load: load, members: [:])].members[state.lastMember] = promise
      return (load, state.lastMember, isFirst)
    }
    if let registration = token?.registration({ [self] in leave(load, key: key, member: member) }) {
      promise.observe { _ in registration.remove() }
    }
    if isFirst {
      start(load.source.token).observe { [self] outcome in end(load, key: key, outcome) }
    }
    return promise
  }

  private func end(_ load: Load, key: Key, _ outcome: Result<Image, any Error>) {
    let entry: Entry? = state.withLock { state in
      // All may have left, and another load begun.
      guard state.entries[key]?.load === load else { return nil }
      return state.entries.removeValue(forKey: key)
    }
    for (_, promise) in (entry?.members ?? [:]).sorted(by: { $0.key < $1.key }) { promise.settle(outcome) }
  }

  private func leave(_ load: Load, key: Key, member: Int) {
    let (promise, isLast): (Promise<Image>?, Bool) = state.withLock { state in
      guard state.entries[key]?.load === load else { return (nil, false) }
      let promise = state.entries[key]?.members.removeValue(forKey: member)
      let isLast = state.entries[key]?.members.isEmpty == true
      if isLast { state.entries[key] = nil }
      return (promise, isLast)
    }
    promise?.settle(.failure(ImagePipeline.Error.cancelled))
    if isLast { load.source.cancel() }
  }
}
