extension ImagePipeline {
  /// The steps of a load, without performing them: the caches it would read, the remaining work, and what would be
  /// stored.
  ///
  /// Made by ``ImagePipeline/explain(_:)-(ImageRequest)``. Print it for a person; encode it, as JSON say, for a
  /// program.
  public struct Explanation: Hashable, Sendable, Codable {
    /// A short description of the request.
    public let request: String
    /// The name of the image in the memory cache, all that tells it from others spelled out.
    public let memoryKey: String
    /// The name on disk of the image encoded, as it would be looked for and stored.
    public let diskKey: String
    /// The name on disk of the original's data; `nil` if a closure gives the image decoded, so that there is none.
    public let originalDiskKey: String?
    /// The look-ups, in order. The last one answers, or the load fails there; later ones are not made.
    public internal(set) var lookups: [Lookup] = []
    /// The remaining work, in order. Empty for an image in memory.
    public internal(set) var steps: [Step] = []
    /// The entries that would be stored, and those that would not, with the reason.
    public internal(set) var stores: [Store] = []
    /// How the load treats the freshness of cached images; `nil` for a source without freshness.
    public internal(set) var freshnessPolicy: ImagePipeline.FreshnessPolicy?
    /// A Boolean value that indicates whether a load of the very same image is under way, which this one would wait
    /// for.
    public internal(set) var isUnderWay = false
    /// Bytes of encoded data to be read, loaded or waited for; `nil` if only the load can tell. 0 from memory.
    public internal(set) var byteCount: Int?
    /// Bytes of memory that decoding takes at one time; `nil` if only the load can tell, 0 without any decoding.
    public internal(set) var decodingByteCount: Int?
    /// The queues that the steps have to pass, as they are now.
    public internal(set) var queues: [Queue] = []
    /// The limit on the rate of downloads, if the load needs one.
    public internal(set) var rateLimit: RateLimit?
    /// The error with which the load would fail, if that can be known beforehand.
    public internal(set) var failure: String?

    /// The place that answers; `nil` if the load fails before.
    public var origin: ImageTask.Facts.Origin? { failure == nil ? lookups.last?.place : nil }
  }
}

extension ImagePipeline.Explanation {
  /// One place where a load looks.
  public struct Lookup: Hashable, Sendable, Codable {
    /// The result of a look-up.
    public enum Finding: String, Hashable, Sendable, Codable {
      /// The image or data was found.
      case hit
      /// A preview that another load left. It is shown until the image is there.
      case preview
      /// Nothing, or nothing of use; see ``Lookup/reason``.
      case miss
      /// The place is not asked; see ``Lookup/reason``.
      case notAsked
      /// Something that may be out of date: the server would be asked about it, and what follows is told for the case
      /// that it says so, that nothing has changed.
      case stale
      /// A stale entry that is delivered at once. If a look-up at the server follows, it is validated meanwhile, as for
      /// ``stale``. Otherwise the request ignores freshness, and the entry is the result.
      case shownStale
      /// Only the load can tell.
      case unknown
    }

    /// Why a place is not asked, or why what is there is of no use.
    public enum Reason: String, Hashable, Sendable, Codable {
      /// The request's options forbid it.
      case disabledByOption
      /// The request wants everything loaded anew.
      case reload
      /// There is no such cache.
      case noCache
      /// The request's options allow caches only.
      case cacheOnly
      /// The entry is damaged or cannot be decoded. A load would remove it and load the image again.
      case damaged
      /// The original is there, but would be decoded smaller, and what was asked for before must not change a result.
      case decodedSmaller
      /// The entry was made of an unknown version of the original, or of one that is no longer current; see
      /// ``ImagePipeline/FreshnessPolicy``.
      case versionUnknown
      /// A cache of the program's own does not keep what is to be known of freshness.
      case freshnessNotKept
      /// The source cannot be read; see ``ImagePipeline/Explanation/failure``.
      case unreadable
      /// It is out of date, and there is nothing to ask the server by.
      case noValidator
    }

    /// Where.
    public let place: ImageTask.Facts.Origin
    /// Under which name: a cache's key, a URL, or the identifier of a closure.
    public let key: String
    /// The number of the request's processors that are applied to the image; `nil` for the data of an original.
    public let processorCount: Int?
    /// The result.
    public let finding: Finding
    /// Why it is not asked, or of no use.
    public let reason: Reason?
    /// Bytes of encoded data, or of an image in memory; `nil` if there are none or they are not known.
    public let byteCount: Int?
    /// The freshness of the entry; `nil` if the request accepts any version, or if nothing is known.
    public let freshness: Freshness?
    /// A Boolean value that indicates whether this is the look into the loader's ``HTTPCache``, through which a
    /// download goes.
    public let isInHTTPCache: Bool
    /// The `Cache-Status` of that cache's answer, as in ``ImageTask/Facts/cacheStatus``; `nil` if it does not answer by
    /// itself.
    public let cacheStatus: String?
  }

  /// One step of work.
  public struct Step: Hashable, Sendable, Codable {
    /// A kind of work.
    public enum Kind: String, Hashable, Sendable, Codable {
      /// Reading or downloading data, or having it or the image given by a closure.
      case load
      /// Making an image of data.
      case decode
      /// One processor, or making the thumbnail.
      case process
      /// Encoding the image for the disk. Nobody waits for it.
      case encode
    }

    /// The kind of work.
    public let kind: Kind
    /// The place that data comes from, the decoder, the processor; `nil` if only the load can tell.
    public let name: String?
    /// A Boolean value that indicates whether it is under way for another load, and this one would wait for it.
    public let isUnderWay: Bool
    /// The reduction at which the original is decoded: 1, 2, 4 or 8; `nil` for other steps and where not known.
    public let scaleDenominator: Int?
    /// Pixels of the decoded image from left to right, after the reduction; `nil` as above.
    public let pixelWidth: Int?
    /// Pixels of the decoded image from top to bottom, after the reduction; `nil` as above.
    public let pixelHeight: Int?
  }

  /// Something that is stored, or is not.
  public struct Store: Hashable, Sendable, Codable {
    /// The cache.
    public let place: ImageTask.Facts.Origin
    /// A Boolean value that indicates whether it is the original's data as it came, and not the image.
    public let isOriginal: Bool
    /// Under which name.
    public let key: String
    /// Why it is not stored; `nil` if it is.
    public let notCachedReason: ImageTask.Facts.NotCachedReason?
  }

  /// A queue as it is now.
  public struct Queue: Hashable, Sendable, Codable {
    /// The kind of work.
    public let work: Step.Kind
    /// Work that waits for a slot.
    public let waitingCount: Int
    /// Slots that are taken.
    public let runningCount: Int
    /// The most slots.
    public let limit: Int
    /// A Boolean value that indicates whether what waits stays where it is.
    public let isSuspended: Bool
  }

  /// A limit of how often downloads begin, as it is now.
  public struct RateLimit: Hashable, Sendable, Codable {
    /// Downloads that may begin at once.
    public let tokenCount: Int
    /// Downloads that wait for their turn.
    public let waitingCount: Int
  }
}
