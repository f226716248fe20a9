import Foundation

/// A look into the disk cache on a worker, for data and for what is known of its freshness.
final class FreshnessRead: QueuedWork, @unchecked Sendable {
  struct Found {
    var stored: DataCache.Stamped?
    /// Holds what is known of the original.
    let row: FreshnessTable.Row

    func facts(_ freshness: ImageResponse.Freshness?) -> FreshnessFacts {
      FreshnessFacts(stamp: stamp, freshness: freshness)
    }

    var stamp: FreshnessStamp? { stored?.representation.map { FreshnessStamp(row: row, representation: $0) } }
  }

  private let key: String?
  private let cache: DataCache
  private let job: Job
  private let request: ImageRequest
  private let completion: (Found) -> Void

  /// - Parameter key: of the data; nil for what is known of the original alone.
  init(
    _ key: String?, in cache: DataCache, for job: Job, _ request: ImageRequest, completion: @escaping (Found) -> Void
  ) {
    self.key = key
    self.cache = cache
    self.job = job
    self.request = request
    self.completion = completion
  }

  override func run() -> Outcome {
    job.takeErrand()
    guard !job.isStopped else { return .done }
    let pipeline = job.pipeline
    let row = pipeline.freshnessRow(of: request)
    row.merge(cache.freshnessRecord(for: pipeline.originalDataCacheKey(for: request)))
    guard let key else {
      completion(Found(row: row))
      return .done
    }
    let interval = pipeline.instruments?.begin(.read, of: request, trace: job.trace)
    let stored = cache.stampedData(for: key)
    interval?.end(byteCount: stored?.data.count, isHit: stored != nil, origin: stored == nil ? nil : .disk)
    completion(Found(stored: stored, row: row))
    return .done
  }
}
