import Nuke

/// Stores decoded images in memory. Called frequently and from any thread, so it should be fast.
public protocol Caching: AnyObject, Sendable {
  /// The image of `key`. Setting it to `nil` removes the image.
  subscript(key: AnyHashable) -> Image? { get set }
}

extension Caching {
  /// The processed image of `request`, whatever its memory cache options. Setting it to `nil` removes the image.
  public subscript(request: Request) -> Image? {
    get { self[request.memoryKey] }
    set { self[request.memoryKey] = newValue }
  }
}

/// Stores decoded images in memory, and evicts the least recently used: an `ImageCache` with version 4's interface.
///
/// ```swift
/// let cache = Cache.shared
/// let image = cache[Request(url: url)]
/// ```
///
/// It may be used from any thread.
public final class Cache: Caching {
  /// The cache of ``Loader/shared``, and of pipelines by default: `ImageCache.shared`.
  public static let shared = Cache(ImageCache.shared)

  let base: ImageCache

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - costLimit: the maximum size of all images, in bytes.
  ///   - countLimit: the maximum number of images.
  public convenience init(costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max) {
    let cache = ImageCache(costLimit: costLimit, countLimit: countLimit)
    // Version 4 has no limit for a single image.
    cache.entryCostLimit = 1
    self.init(cache)
  }

  /// Creates a cache that stores its images in `cache`, and has its limits.
  public init(_ cache: ImageCache) { base = cache }

  /// The image of `key`. Reading it makes it the most recently used. Setting it to `nil` removes the image.
  public subscript(key: AnyHashable) -> Image? {
    get {
      guard let container = base[ImageCacheKey(legacy: key)], !container.isPreview else { return nil }
      return container.image
    }
    set { base[ImageCacheKey(legacy: key)] = newValue.map { ImageContainer(image: $0) } }
  }

  /// The maximum size of all images, in bytes.
  public var costLimit: Int {
    get { base.costLimit }
    set { base.costLimit = newValue }
  }

  /// The maximum number of images.
  public var countLimit: Int {
    get { base.countLimit }
    set { base.countLimit = newValue }
  }

  /// The size of all images, in bytes.
  public var totalCost: Int { base.totalCost }
  /// The number of images.
  public var totalCount: Int { base.totalCount }

  /// Removes the least recently used images until the size is at most `cost` bytes.
  public func trim(toCost cost: Int) { base.trim(toCost: cost) }

  /// Removes the least recently used images until there are at most `count`.
  public func trim(toCount count: Int) { base.trim(toCount: count) }

  /// Removes all images.
  public func removeAll() { base.removeAll() }
}

/// Adapts a ``Caching`` to `ImageCaching`.
final class LegacyImageCache: ImageCaching {
  private let base: any Caching
  init(_ base: any Caching) { self.base = base }

  subscript(key: ImageCacheKey) -> ImageContainer? {
    get { base[key.legacy].map { ImageContainer(image: $0) } }
    set { base[key.legacy] = newValue?.image }
  }

  /// Does nothing, since version 4's protocol has no equivalent. The owner of the cache can empty it.
  func removeAll() {}
}

extension ImageCacheKey {
  /// Creates a key from version 4's. A key that is an `ImageCacheKey` is used unchanged.
  init(legacy key: AnyHashable) { self = key.base as? ImageCacheKey ?? ImageCacheKey(value: key) }

  /// The key in version 4.
  var legacy: AnyHashable { value ?? AnyHashable(self) }
}
