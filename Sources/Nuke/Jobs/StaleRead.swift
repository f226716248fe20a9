import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// A look into the HTTP cache of a loader on a worker, for an original that is shown while the server is asked about it.
final class StaleRead: QueuedWork, @unchecked Sendable {
  private let job: ImageJob
  private let check: FreshnessCheck
  private let cache: HTTPCache
  private let asked: CacheRequest
  /// Gets nil where there is nothing to be shown.
  var completion: (DataJob.Loaded?) -> Void = { _ in }

  /// Nil where there is nothing to look into, or the request wants nothing of it.
  init?(for job: ImageJob, _ check: FreshnessCheck) {
    let request = job.request
    guard !request.options.contains(.reloadIgnoringCachedData), let urlRequest = request.urlRequest,
      let url = request.url, let configuration = job.pipeline.streamingLoader(for: request)?.configuration(for: url),
      let cache = configuration.urlCache,
      let asked = check.wish.cacheRequest(urlRequest, of: configuration)
    else { return nil }
    self.job = job
    self.check = check
    self.cache = cache
    self.asked = asked
  }

  override func run() -> Outcome {
    job.takeErrand()
    guard !job.isStopped else { return .done }
    let interval = job.pipeline.instruments?.begin(.read, of: job.request, trace: job.trace)
    let stale = read()
    interval?.end(byteCount: stale?.data.count, isHit: stale != nil, origin: stale == nil ? nil : .disk)
    completion(stale)
    return .done
  }

  private func read() -> DataJob.Loaded? {
    guard let url = job.request.url, let (response, data) = cache.shownStale(asked, always: check.wish.isStaleShown)
    else { return nil }
    let row = job.pipeline.freshnessRow(of: job.request)
    let record = FreshnessRecord(response, to: check.request)
    // The pipeline may know that the original is another by now.
    let known = row.merge(record)?.representation
    guard known == record.representation || check.wish.isStaleShown else { return nil }
    let head = ResponseHead(url: url, status: response.status, expectedLength: data.count, fields: response.fields)
    return DataJob.Loaded(
      data: data, response: LazyURLResponse(head),
      freshness: FreshnessFacts(stamp: FreshnessStamp(row: row, representation: record.representation)))
  }
}
