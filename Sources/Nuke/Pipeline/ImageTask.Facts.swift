public import Foundation

extension ImageTask {
  /// The origin of an image, and the time that each stage of its load took.
  ///
  /// Work that was shared counts in full for everyone who waited for it.
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

      /// The origin of a source that is read without a transport.
      init(ofLocal url: URL) { self = url.scheme?.lowercased() == "data" ? .inline : .file }
    }

    /// The origin of the data, or of the image itself; `nil` if nothing was loaded.
    public var origin: Origin?
    /// The freshness of the image; `nil` if the request accepts any version, as under
    /// ``ImagePipeline/FreshnessPolicy/ignore``, and for sources without freshness.
    public var freshness: ImageResponse.Freshness?
    /// Bytes of encoded data that were loaded; 0 from memory.
    public var byteCount = 0
    /// The number of these bytes that came from an earlier partial download.
    public var resumedByteCount = 0
    /// What the HTTP cache did, as a `Cache-Status` field (RFC 9211), such as `Nuke; hit; ttl=300`; `nil` if there is
    /// no HTTP cache, or if it was not asked.
    public var cacheStatus: String?
    /// A Boolean value that indicates whether work was shared with another request.
    public var isCoalesced = false
    /// The reduction the original was decoded at: 1, 2, 4 or 8.
    public var scaleDenominator = 1
    /// Seconds of waiting for a free slot, in all queues.
    public var queued: TimeInterval = 0
    /// Seconds of waiting for another process, or another pipeline, that was at the same work; see
    /// ``DataCache/leaseTimeout``.
    public var waitingForOthers: TimeInterval = 0
    /// Seconds of loading the data, or of reading it from disk.
    public var loading: TimeInterval = 0
    /// Seconds of decoding.
    public var decoding: TimeInterval = 0
    /// Seconds of processing.
    public var processing: TimeInterval = 0
    /// Seconds that each of the request's processors took, in their order; 0 for those whose result was cached. Those
    /// behind the last one that did work are left out.
    public var processorTimes: [TimeInterval] = []
    /// Seconds of the delegate's `decompress`.
    public var decompressing: TimeInterval = 0
    /// Seconds from the start of the task to its end.
    public var total: TimeInterval = 0
    /// Previews that came on the way.
    public var previewCount = 0
    /// Why the image was not stored in the memory cache; `nil` if it was.
    public var notCachedInMemory: NotCachedReason? = .nothingLoaded
    /// Why nothing was stored on disk, neither the original's data nor the image encoded; `nil` if something was.
    ///
    /// Images are encoded after the load has ended, so that one which the delegate refuses then counts as stored.
    public var notCachedOnDisk: NotCachedReason? = .nothingLoaded

    /// Seconds that the server wants to be left alone, which it said as it refused.
    package var retryAfter: TimeInterval?

    init() {}

    /// Takes on what an earlier step took.
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
      decoding += earlier.decoding
      processing += earlier.processing
      if let retryAfter = earlier.retryAfter { self.retryAfter = retryAfter }
      if !earlier.processorTimes.isEmpty { processorTimes = earlier.processorTimes }
      if earlier.notCachedOnDisk != .nothingLoaded { notCachedOnDisk = earlier.notCachedOnDisk }
    }
  }
}
