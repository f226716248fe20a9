public import Foundation

extension ImageTask {
  /// Where a picture came from, and what each stage of loading it took.
  ///
  /// Work that was shared counts in full for everyone who waited for it.
  public struct Facts: Hashable, Sendable {
    /// A place that pictures come from.
    public enum Origin: String, Hashable, Sendable, Codable {
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

      /// That of what is read without a transport.
      init(ofLocal url: URL) { self = url.scheme?.lowercased() == "data" ? .inline : .file }
    }

    /// Where the bytes, or the picture itself, came from; nil where nothing came.
    public var origin: Origin?
    /// Bytes of encoded data that were loaded; 0 from memory.
    public var byteCount = 0
    /// Whether work was shared with another request.
    public var isCoalesced = false
    /// The reduction the original was decoded at: 1, 2, 4 or 8.
    public var scaleDenominator = 1
    /// Seconds of waiting for a free slot, in all queues.
    public var queued: TimeInterval = 0
    /// Seconds of loading the data.
    public var loading: TimeInterval = 0
    /// Seconds of decoding.
    public var decoding: TimeInterval = 0
    /// Seconds of processing.
    public var processing: TimeInterval = 0
    /// Seconds from the start of the task to its end.
    public var total: TimeInterval = 0

    init() {}

    /// Takes on what an earlier step took.
    mutating func add(_ earlier: Facts) {
      if let origin = earlier.origin { self.origin = origin }
      byteCount += earlier.byteCount
      isCoalesced = isCoalesced || earlier.isCoalesced
      scaleDenominator = max(scaleDenominator, earlier.scaleDenominator)
      queued += earlier.queued
      loading += earlier.loading
      decoding += earlier.decoding
      processing += earlier.processing
    }
  }
}
