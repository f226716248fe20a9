extension ImageRequest {
  /// Switches of one request.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The memory cache is not asked.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// The image is not stored in the memory cache.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// The memory cache takes no part.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]
    /// The disk cache is not asked.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Nothing is stored on disk.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// The disk cache takes no part.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]
    /// Loads the image anew, whatever is cached, and stores the new one in the caches. It is the same as
    /// ``disableMemoryCacheReads`` together with ``disableDiskCacheReads``: a request that reads neither cache does not
    /// read the HTTP cache of the loader either.
    public static let reloadIgnoringCachedData: Options = [.disableMemoryCacheReads, .disableDiskCacheReads]
    /// Only caches are asked, and what they have is used, however old; what they do not have fails with
    /// ``ImagePipeline/Error/dataMissingInCache``. It counts more than the cache policy of the request's own `URLRequest`.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 4)
    /// The delegate's `decompress` is not called.
    public static let skipDecompression = Options(rawValue: 1 << 5)
    /// The load does not wait in the data loading queue for a free slot.
    public static let skipDataLoadingQueue = Options(rawValue: 1 << 6)
    /// A stale image is delivered at once as a preview, while the server is asked, also where the server does not allow
    /// it by `stale-while-revalidate`. Of no meaning under ``ImagePipeline/FreshnessPolicy/ignore``.
    public static let staleWhileRevalidate = Options(rawValue: 1 << 7)

    /// The options that change the work. Requests that differ in them do not share it.
    var ofWork: Options { subtracting(.skipDataLoadingQueue) }

    /// The options that change where data comes from and where it is stored. Not reading the memory cache matters for
    /// data only together with not reading the disk cache, since then the HTTP cache is not read either.
    var ofData: Options {
      let options = intersection([.disableDiskCache, .returnCacheDataDontLoad])
      return contains(.reloadIgnoringCachedData) ? options.union(.reloadIgnoringCachedData) : options
    }

    var allowMemoryReads: Bool { !contains(.disableMemoryCacheReads) }
    var allowDiskReads: Bool { !contains(.disableDiskCacheReads) }
  }
}
