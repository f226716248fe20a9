public import Nuke

/// The store in which purges are recorded, so that all nodes that share it learn of them.
///
/// ```swift
/// let service = RenditionService(
///   pipeline: pipeline, stores: [redis], leasing: redis, purges: PurgeStore(redis) { redis.flush() })
/// ```
public struct PurgeStore: Sendable {
  let cache: any DataCaching
  let flush: @Sendable () -> Void

  /// - Parameters:
  ///   - cache: a store that all nodes share.
  ///   - flush: returns when what was stored is in the store, or was dropped. It may block.
  public init(_ cache: any DataCaching, flush: @escaping @Sendable () -> Void = {}) {
    self.cache = cache
    self.flush = flush
  }
}
