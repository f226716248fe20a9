extension ImageTask.Facts {
  /// The reason why the result of a load was not stored in a cache.
  public enum NotCachedReason: String, Hashable, Sendable, Codable {
    /// Nothing was loaded: the load has not ended, has failed, or was canceled.
    case nothingLoaded
    /// The result came from this cache, or from the memory cache, which precedes it.
    case cameFromCache
    /// An option of the request disables it.
    case disabledByOption
    /// There is no such cache.
    case noCache
    /// The image is larger than the memory cache allows for one image; see ``ImageCache/entryCostLimit``.
    case tooLarge
    /// The ``ImagePipeline/DataCachePolicy`` excludes it.
    case policy
    /// Local files and `data:` URLs are never copied to the disk cache.
    case localSource
    /// The delegate has returned nothing to store.
    case refusedByDelegate
    /// The request had a `Range` field, so the result is not the whole original.
    case partOfOriginal
    /// The server does not allow storing the response.
    case forbiddenByServer
    /// The image is damaged; see ``ImageContainer/damage``.
    case damaged
    /// The bytes of an original are not cached in memory.
    case bytesAlone
  }
}

extension ImageTask.Facts.NotCachedReason: CustomStringConvertible {
  /// A short description.
  public var description: String {
    switch self {
    case .nothingLoaded: "nothing was loaded"
    case .cameFromCache: "it was read from a cache"
    case .disabledByOption: "the request's options disable it"
    case .noCache: "there is no such cache"
    case .tooLarge: "it is larger than the cache's limit for one image"
    case .policy: "the policy does not include it"
    case .localSource: "the source is local"
    case .refusedByDelegate: "the delegate returned nothing to store"
    case .partOfOriginal: "it is a part of the original"
    case .forbiddenByServer: "the server forbids it"
    case .damaged: "it is damaged"
    case .bytesAlone: "the memory cache stores images only"
    }
  }
}
