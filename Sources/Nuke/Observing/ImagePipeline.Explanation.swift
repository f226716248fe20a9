extension ImagePipeline {
  /// The steps of a load that was not performed: the caches it would read, the remaining work, and what would be
  /// stored.
  ///
  /// Use ``ImagePipeline/explain(_:)-(ImageRequest)`` to create one. Print it to read it, or encode it, for example as
  /// JSON, to process it.
  public struct Explanation: Hashable, Sendable, Codable {
    /// A short description of the request.
    public let request: String
    /// The memory cache key of the image, as text with all components.
    public let memoryKey: String
    /// The disk cache key of the encoded image.
    public let diskKey: String
    /// The disk cache key of the original's data; `nil` if a closure returns a decoded image.
    public let originalDiskKey: String?
    /// The look-ups, in order. The last one succeeds, or the load fails there.
    public internal(set) var lookups: [Lookup] = []
    /// The remaining work, in order. Empty for an image in memory.
    public internal(set) var steps: [Step] = []
    /// The entries that would be stored, and those that would not, with the reason.
    public internal(set) var stores: [Store] = []
    /// How the load treats the freshness of cached images; `nil` for a source without freshness.
    public internal(set) var freshnessPolicy: ImagePipeline.FreshnessPolicy?
    /// A Boolean value that indicates whether an equal load is running, which this load would join.
    public internal(set) var isUnderWay = false
    /// The size of the encoded data to read, load or wait for, in bytes; `nil` if it is not known in advance. 0 for an
    /// image in memory.
    public internal(set) var byteCount: Int?
    /// The peak memory for decoding, in bytes; `nil` if it is not known in advance. 0 if nothing is decoded.
    public internal(set) var decodingByteCount: Int?
    /// The current state of the queues in which the steps wait for a slot.
    public internal(set) var queues: [Queue] = []
    /// The rate limit for downloads, if the load needs one.
    public internal(set) var rateLimit: RateLimit?
    /// The error with which the load would fail, if it is known in advance.
    public internal(set) var failure: String?

    /// The origin of the image; `nil` if the load would fail.
    public var origin: ImageTask.Facts.Origin? { failure == nil ? lookups.last?.place : nil }
  }
}

extension ImagePipeline.Explanation {
  /// A look-up in one place.
  public struct Lookup: Hashable, Sendable, Codable {
    /// The result of a look-up.
    public enum Finding: String, Hashable, Sendable, Codable {
      /// The image or data was found.
      case hit
      /// A preview that another load has stored. It is shown until the image is loaded.
      case preview
      /// Nothing was found, or nothing usable; see ``Lookup/reason``.
      case miss
      /// The place is not used; see ``Lookup/reason``.
      case notAsked
      /// A stale entry, which the server would validate. The following steps assume that it has not changed.
      case stale
      /// A stale entry that is delivered at once. If a look-up at the server follows, the entry is validated at the
      /// same time, as for ``stale``. Otherwise, the request ignores freshness, and the entry is the result.
      case shownStale
      /// The result is not known in advance.
      case unknown
    }

    /// The reason why a place is not used, or why its entry is not usable.
    public enum Reason: String, Hashable, Sendable, Codable {
      /// An option of the request disables it.
      case disabledByOption
      /// The request ignores cached data.
      case reload
      /// There is no such cache.
      case noCache
      /// The request may only use caches.
      case cacheOnly
      /// The entry is damaged or cannot be decoded. A load would remove it and load the image again.
      case damaged
      /// The original is in memory, but this load would decode it at a reduced size. Earlier requests must not affect
      /// the result, so it is not used.
      case decodedSmaller
      /// The entry was made from an unknown or outdated version of the original; see ``ImagePipeline/FreshnessPolicy``.
      case versionUnknown
      /// A custom cache does not store freshness.
      case freshnessNotKept
      /// The source cannot be read; see ``ImagePipeline/Explanation/failure``.
      case unreadable
      /// The entry is stale and has no validator.
      case noValidator
    }

    /// The place of the look-up.
    public let place: ImageTask.Facts.Origin
    /// The cache key, the URL, or the identifier of a closure.
    public let key: String
    /// The number of the request's processors that are applied to the image; `nil` for the data of an original.
    public let processorCount: Int?
    /// The result.
    public let finding: Finding
    /// The reason why the place is not used, or why its entry is not usable.
    public let reason: Reason?
    /// The size of the encoded data, or of an image in memory, in bytes; `nil` if there is none or it is not known.
    public let byteCount: Int?
    /// The freshness of the entry; `nil` if the request accepts any version, or the freshness is not known.
    public let freshness: Freshness?
    /// A Boolean value that indicates whether the entry is a larger image, which is resized; see
    /// ``ImagePipeline/Configuration-swift.struct/isReusingLargerImagesInDataCache``.
    public let isLargerImage: Bool
    /// A Boolean value that indicates whether this is the look-up in the loader's ``HTTPCache`` that precedes a
    /// download.
    public let isInHTTPCache: Bool
    /// The `Cache-Status` of a response from that cache, as in ``ImageTask/Facts/cacheStatus``; `nil` if the response
    /// does not come from the cache.
    public let cacheStatus: String?
  }

  /// A step of work.
  public struct Step: Hashable, Sendable, Codable {
    /// A kind of work.
    public enum Kind: String, Hashable, Sendable, Codable {
      /// Reading or downloading data, or calling the closure that returns the data or the image.
      case load
      /// Decoding an image from data.
      case decode
      /// Applying one processor, or creating the thumbnail.
      case process
      /// Encoding the image for the disk cache. The load does not wait for it.
      case encode
    }

    /// The kind of work.
    public let kind: Kind
    /// The source of the data, the decoder, or the processor; `nil` if it is not known in advance.
    public let name: String?
    /// A Boolean value that indicates whether the step is running for another load, which this load would join.
    public let isUnderWay: Bool
    /// The reduction at which the original is decoded: 1, 2, 4 or 8; `nil` for other steps, and if it is not known.
    public let scaleDenominator: Int?
    /// The width of the decoded image in pixels, after the reduction; `nil` for other steps, and if it is not known.
    public let pixelWidth: Int?
    /// The height of the decoded image in pixels, after the reduction; `nil` for other steps, and if it is not known.
    public let pixelHeight: Int?
  }

  /// A cache entry that the load would store, or the reason why it would not.
  public struct Store: Hashable, Sendable, Codable {
    /// The cache: ``ImageTask/Facts/Origin/memory`` or ``ImageTask/Facts/Origin/disk``.
    public let place: ImageTask.Facts.Origin
    /// A Boolean value that indicates whether the entry is the data of the original. Otherwise, it is the resulting
    /// image.
    public let isOriginal: Bool
    /// The cache key.
    public let key: String
    /// The reason why the entry would not be stored; `nil` if it would be stored.
    public let notCachedReason: ImageTask.Facts.NotCachedReason?
  }

  /// The current state of a queue.
  public struct Queue: Hashable, Sendable, Codable {
    /// The kind of work.
    public let work: Step.Kind
    /// The number of operations that wait for a slot.
    public let waitingCount: Int
    /// The number of running operations.
    public let runningCount: Int
    /// The maximum number of running operations.
    public let limit: Int
    /// A Boolean value that indicates whether the queue is suspended, so that no operation starts.
    public let isSuspended: Bool
  }

  /// The current state of the limit on the rate of downloads.
  public struct RateLimit: Hashable, Sendable, Codable {
    /// The number of downloads that may start at once.
    public let tokenCount: Int
    /// The number of downloads that wait.
    public let waitingCount: Int
  }
}
