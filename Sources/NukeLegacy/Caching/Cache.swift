/// Decoded images in memory, the least recently used going first once there is no room: an `ImageCache` under version
/// 4's name.
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

  /// A cache of its own.
  ///
  /// - Parameters:
  ///   - costLimit: bytes that all images may take.
  ///   - countLimit: the most images.
  public convenience init(costLimit: Int = ImageCache.defaultCostLimit, countLimit: Int = .max) {
    let cache = ImageCache(costLimit: costLimit, countLimit: countLimit)
    // Version 4 knew no limit for one image.
    cache.entryCostLimit = 1
    self.init(cache)
  }

  /// A cache that keeps its images in `cache`, for which its limits hold.
  public init(_ cache: ImageCache) { base = cache }

  /// The image of `key`, which becomes the most recently used. Setting stores it, `nil` removes it.
  public subscript(key: AnyHashable) -> Image? {
    get {
      guard let container = base[ImageCacheKey(legacy: key)], !container.isPreview else { return nil }
      return container.image
    }
    set { base[ImageCacheKey(legacy: key)] = newValue.map { ImageContainer(image: $0) } }
  }

  /// Bytes that all images may take.
  public var costLimit: Int {
    get { base.costLimit }
    set { base.costLimit = newValue }
  }

  /// The most images.
  public var countLimit: Int {
    get { base.countLimit }
    set { base.countLimit = newValue }
  }

  /// Bytes of all images that are kept.
  public var totalCost: Int { base.totalCost }
  /// Images that are kept.
  public var totalCount: Int { base.totalCount }

  /// Removes the least recently used images until they cost `cost` bytes at most.
  public func trim(toCost cost: Int) { base.trim(toCost: cost) }

  /// Removes the least recently used images until there are `count` at most.
  public func trim(toCount count: Int) { base.trim(toCount: count) }

  /// Removes all images.
  public func removeAll() { base.removeAll() }
}
