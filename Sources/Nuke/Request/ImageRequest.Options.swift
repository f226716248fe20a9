extension ImageRequest {
  /// Options of a request.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Does not read the memory cache.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// Does not store the image in the memory cache.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// Does not use the memory cache.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]
    /// Does not read the disk cache.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Does not store anything in the disk cache.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// Does not use the disk cache.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]
    /// Loads the image again and replaces the cached one. Equal to ``disableMemoryCacheReads`` together with
    /// ``disableDiskCacheReads``: a request that reads neither cache does not read the HTTP cache of the loader either.
    public static let reloadIgnoringCachedData: Options = [.disableMemoryCacheReads, .disableDiskCacheReads]
    /// Uses cached images of any age, and fails with ``ImagePipeline/Error/dataMissingInCache`` if there is none. It
    /// overrides the cache policy of a `URLRequest`.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 4)
    /// Does not call the delegate's `decompress`.
    public static let skipDecompression = Options(rawValue: 1 << 5)
    /// Does not wait for a slot of the data loading queue.
    public static let skipDataLoadingQueue = Options(rawValue: 1 << 6)
    /// Delivers a stale image as a preview while it is validated, also without `stale-while-revalidate` from the
    /// server. It has no effect with ``ImagePipeline/FreshnessPolicy/ignore``.
    public static let staleWhileRevalidate = Options(rawValue: 1 << 7)

    /// The options that change the work. Requests that differ in them do not share it.
    var ofWork: Options { subtracting(.skipDataLoadingQueue) }

    /// The options that change how data is loaded. Not reading the memory cache matters for data only together with not
    /// reading the disk cache, since then the HTTP cache is not read either. Whether the data is stored depends on all
    /// requests that share the load.
    var ofData: Options {
      let options = intersection([.disableDiskCacheReads, .returnCacheDataDontLoad])
      return contains(.reloadIgnoringCachedData) ? options.union(.reloadIgnoringCachedData) : options
    }

    var allowMemoryReads: Bool { !contains(.disableMemoryCacheReads) }
    var allowDiskReads: Bool { !contains(.disableDiskCacheReads) }
  }
}
