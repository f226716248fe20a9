import Foundation
import NukeStore

/// A look-up in the disk cache, for the data of one key and the freshness record of its original.
struct DiskLookup: Sendable {
  /// The entry in the cache.
  struct Entry: Sendable {
    /// `nil` if nothing is stored under the key.
    let data: Data?
    /// The version of the original from which the data was made; `nil` if it is not known.
    let representation: UInt64?
    /// The record of the original; `nil` if the request accepts any version, or if the cache has no records.
    let row: FreshnessTable.Row?
    /// The larger variant that was found in place of the key's own data.
    var larger: LargerVariant?

    var stamp: FreshnessStamp? {
      guard let row, let representation else { return nil }
      return FreshnessStamp(row: row, representation: representation)
    }

    /// Returns the freshness of a result made from the data; `nil` if the request accepts any version.
    func facts(_ freshness: ImageResponse.Freshness?) -> FreshnessFacts? {
      row == nil && freshness == nil ? nil : FreshnessFacts(stamp: stamp, freshness: freshness)
    }
  }

  let cache: any DataCaching
  /// The key of the data; `nil` to look up the record alone.
  let key: String?
  /// The larger variants to look up if nothing is stored for the key; `nil` for none.
  var largerVariants: LargerVariants?
  private let hasRequirement: Bool

  init(_ key: String?, in cache: any DataCaching, _ evaluator: FreshnessEvaluator?) {
    self.cache = cache
    self.key = key
    hasRequirement = evaluator != nil
  }

  /// Returns `nil` if the request does not read the disk cache, or cannot use its entries. Only a ``DataCache`` has
  /// freshness records. Other caches serve requests that accept any version, and cache-only requests.
  ///
  /// - Parameter key: evaluated only if the cache is read, because creating the key takes time and may call the
  ///   delegate.
  init?(
    _ key: @autoclosure () -> String, for request: ImageRequest, _ evaluator: FreshnessEvaluator?,
    on pipeline: ImagePipeline
  ) {
    guard request.options.allowDiskReads, let cache = pipeline.dataCache(for: request),
      evaluator.map({ $0.requirement.isOffline || cache is DataCache }) ?? true
    else { return nil }
    self.init(key(), in: cache, evaluator)
  }

  /// Reads the cache, on the calling thread.
  fileprivate func run(for request: ImageRequest, _ pipeline: ImagePipeline, _ trace: TaskTrace?) -> Entry {
    let own = hasRequirement ? cache as? DataCache : nil
    var row: FreshnessTable.Row?
    if let own {
      row = pipeline.freshnessRow(of: request)
      row?.merge(own.freshnessRecord(for: pipeline.originalDataCacheKey(for: request)))
    }
    guard let key else { return Entry(data: nil, representation: nil, row: row) }
    let interval = pipeline.instruments?.begin(.read, of: request, trace: trace)
    func read(_ key: String) -> DataCache.Stamped? {
      if let own { return own.stampedData(for: key) }
      return cache.cachedData(for: key).map { DataCache.Stamped(data: $0, representation: nil) }
    }
    var stored = read(key)
    var larger: LargerVariant?
    if stored == nil, let largerVariants {
      for variant in largerVariants.candidates(in: cache, on: pipeline) {
        stored = read(variant.key)
        larger = variant
        if stored != nil { break }
      }
    }
    interval?.end(byteCount: stored?.data.count, isHit: stored != nil, origin: stored == nil ? nil : .disk)
    return Entry(data: stored?.data, representation: stored?.representation, row: row, larger: larger)
  }
}

extension Job {
  /// Performs the look-up on a worker and calls `completion` there, unless the job is stopped before.
  func read(
    _ lookup: DiskLookup, for request: ImageRequest, completion: @escaping @Sendable (DiskLookup.Entry) -> Void
  ) {
    schedule(on: pipeline.diskQueue) { [self] in completion(lookup.run(for: request, pipeline, trace)) }
  }
}
