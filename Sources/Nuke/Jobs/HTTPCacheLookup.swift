import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// A look-up in the HTTP cache of a loader, for a stale original to show while it is validated.
struct HTTPCacheLookup: Sendable {
  private let request: ImageRequest
  private let pipeline: ImagePipeline
  private let evaluator: FreshnessEvaluator
  private let cache: HTTPCache
  private let cacheRequest: CacheRequest

  /// Returns `nil` if the loader has no HTTP cache, or if the request does not use it.
  init?(for request: ImageRequest, _ evaluator: FreshnessEvaluator, on pipeline: ImagePipeline) {
    guard !request.options.contains(.reloadIgnoringCachedData), let urlRequest = request.urlRequest,
      let url = request.url, let configuration = pipeline.streamingLoader(for: request)?.configuration(for: url),
      let cache = configuration.urlCache,
      let cacheRequest = evaluator.requirement.cacheRequest(urlRequest, of: configuration)
    else { return nil }
    self.request = request
    self.pipeline = pipeline
    self.evaluator = evaluator
    self.cache = cache
    self.cacheRequest = cacheRequest
  }

  /// Returns the stale original; `nil` if there is nothing to show. Reads from disk on the calling thread.
  func run(_ trace: TaskTrace?) -> DataJob.Loaded? {
    let interval = pipeline.instruments?.begin(.read, of: request, trace: trace)
    let stale = read()
    interval?.end(byteCount: stale?.data.count, isHit: stale != nil, origin: stale == nil ? nil : .disk)
    return stale
  }

  private func read() -> DataJob.Loaded? {
    guard let url = request.url,
      let (response, data) = cache.shownStale(cacheRequest, always: evaluator.requirement.isStaleShown)
    else { return nil }
    let row = pipeline.freshnessRow(of: request)
    let record = FreshnessRecord(response, to: evaluator.request)
    // The pipeline may know a newer version of the original.
    let known = row.merge(record)?.representation
    guard known == record.representation || evaluator.requirement.isStaleShown else { return nil }
    let head = ResponseHead(url: url, status: response.status, expectedLength: data.count, fields: response.fields)
    return DataJob.Loaded(
      data: data, response: LazyURLResponse(head),
      freshness: FreshnessFacts(stamp: FreshnessStamp(row: row, representation: record.representation)))
  }
}
