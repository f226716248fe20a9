extension ImageTask.Facts {
  /// Why a cache was not given what a load brought.
  public enum NotCachedReason: String, Hashable, Sendable, Codable {
    /// Nothing was loaded: the load has not ended, or it failed or was canceled.
    case nothingLoaded
    /// The result came from this cache, or from the memory cache, which is asked first.
    case cameFromCache
    /// The request's options forbid it.
    case disabledByOption
    /// There is no such cache.
    case noCache
    /// The image is larger than what the memory cache takes of one; see ``ImageCache/entryCostLimit``.
    case tooLarge
    /// The ``ImagePipeline/DataCachePolicy`` does not ask for it.
    case policy
    /// Local files and `data:` URLs are never copied to the disk cache.
    case localSource
    /// The delegate gave nothing to be stored.
    case refusedByDelegate
    /// The program asked for a range, so that what came is not the original.
    case partOfOriginal
    /// The server does not allow that the answer is kept.
    case forbiddenByServer
    /// The bytes of an original are not kept in memory.
    case bytesAlone
  }
}

extension ImageTask.Facts.NotCachedReason: CustomStringConvertible {
  /// A few words for a person.
  public var description: String {
    switch self {
    case .nothingLoaded: "nothing was loaded"
    case .cameFromCache: "it comes from a cache"
    case .disabledByOption: "the request's options forbid it"
    case .noCache: "there is no such cache"
    case .tooLarge: "it is larger than the cache takes of one image"
    case .policy: "the policy does not ask for it"
    case .localSource: "the source is local"
    case .refusedByDelegate: "the delegate gave nothing to be stored"
    case .partOfOriginal: "it is a part of the original"
    case .forbiddenByServer: "the server does not allow it"
    case .bytesAlone: "bytes alone are not kept in memory"
    }
  }
}
