public import Foundation
import NukeHTTP
import NukeHTTPCaching

extension ImageTask {
  /// The origin of an image, and the time that each stage of its load took.
  ///
  /// Shared work counts in full for each task that waited for it.
  public struct Facts: Hashable, Sendable {
    /// A place that images come from.
    public enum Origin: String, CaseIterable, Hashable, Sendable, Codable {
      /// The memory cache.
      case memory
      /// A cache on disk.
      case disk
      /// A server.
      case network
      /// A `file:` URL.
      case file
      /// A `data:` URL.
      case inline
      /// A closure of the request.
      case closure

      /// Creates the origin of a local URL.
      init(ofLocal url: URL) { self = url.scheme?.lowercased() == "data" ? .inline : .file }
    }

    /// The origin of the data, or of the image itself; `nil` if nothing was loaded.
    public var origin: Origin?
    /// The freshness of the image; `nil` if the request accepts any version, as under
    /// ``ImagePipeline/FreshnessPolicy/ignore``, and for sources without freshness.
    public var freshness: ImageResponse.Freshness?
    /// The size of the encoded data, in bytes; 0 for an image in memory.
    public var byteCount = 0
    /// The number of these bytes that came from an earlier partial download.
    public var resumedByteCount = 0
    /// The `Cache-Status` field (RFC 9211) of the HTTP cache, such as `Nuke; hit; ttl=300`; `nil` if there is no HTTP
    /// cache, or if it was not used.
    public var cacheStatus: String?
    /// A Boolean value that indicates whether the image was made from a larger one in the disk cache; see
    /// ``ImagePipeline/Configuration-swift.struct/isReusingLargerImagesInDataCache``.
    public var isMadeFromLargerImage = false
    /// A Boolean value that indicates whether work was shared with another request.
    public var isCoalesced = false
    /// The reduction at which the original was decoded: 1, 2, 4 or 8.
    public var scaleDenominator = 1
    /// The seconds in queues.
    public var queued: TimeInterval = 0
    /// The seconds of waiting for another process or pipeline that did the same work; see
    /// ``DataCache/leaseTimeout``.
    public var waitingForOthers: TimeInterval = 0
    /// The seconds for loading the data, or for reading it from disk.
    public var loading: TimeInterval = 0
    /// The seconds for opening the image before it is decoded; 0 for formats of which only a header is read, such as JPEG.
    public var opening: TimeInterval = 0
    /// The seconds for decoding.
    public var decoding: TimeInterval = 0
    /// The seconds for processing.
    public var processing: TimeInterval = 0
    /// The seconds of each processor of the request, in order; 0 for those whose result was cached. Processors after
    /// the last one that ran are left out.
    public var processorTimes: [TimeInterval] = []
    /// The seconds of the delegate's `decompress`.
    public var decompressing: TimeInterval = 0
    /// The seconds from the start of the task to its end.
    public var total: TimeInterval = 0
    /// The number of previews.
    public var previewCount = 0
    /// The reason if the image was not stored in the memory cache; `nil` if it was.
    public var notCachedInMemory: NotCachedReason? = .nothingLoaded
    /// The reason if neither the original data nor the encoded image was stored on disk; `nil` if one of them was.
    ///
    /// Images are encoded after the load has ended. An image that the delegate refuses then counts as stored.
    public var notCachedOnDisk: NotCachedReason? = .nothingLoaded

    /// The seconds of the `Retry-After` field, if the server has refused the request with one.
    package var retryAfter: TimeInterval?

    init() {}

    /// Adds the facts of an earlier step.
    mutating func add(_ earlier: Facts) {
      if let origin = earlier.origin { self.origin = origin }
      byteCount += earlier.byteCount
      resumedByteCount += earlier.resumedByteCount
      if let status = earlier.cacheStatus { cacheStatus = status }
      isCoalesced = isCoalesced || earlier.isCoalesced
      scaleDenominator = max(scaleDenominator, earlier.scaleDenominator)
      queued += earlier.queued
      waitingForOthers += earlier.waitingForOthers
      loading += earlier.loading
      opening += earlier.opening
      decoding += earlier.decoding
      processing += earlier.processing
      if let retryAfter = earlier.retryAfter { self.retryAfter = retryAfter }
      if !earlier.processorTimes.isEmpty { processorTimes = earlier.processorTimes }
      if earlier.notCachedOnDisk != .nothingLoaded { notCachedOnDisk = earlier.notCachedOnDisk }
    }
  }
}

extension ImageTask.Facts {
  /// Adds the information that the HTTP cache has about a response.
  mutating func note(_ caching: ResponseHead.Caching) {
    cacheStatus = caching.status.text
    origin = caching.status.isAnsweredHere ? .disk : .network
  }
}
