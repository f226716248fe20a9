import Foundation
import FoundationNetworking
import NukeHTTP
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

  /// Looks for the stale original, on a thread for reading.
  ///
  /// - Parameter completion: receives `nil` if there is nothing to show, or if the disk does not respond. Called once,
  ///   on any thread.
  func run(_ trace: TaskTrace?, completion: @escaping @Sendable (DataJob.Loaded?) -> Void) {
    let interval = pipeline.instruments?.begin(.read, of: request, trace: trace)
    cache.reads.run(read) { stale in
      interval?.end(byteCount: stale?.data.count, isHit: stale != nil, origin: stale == nil ? nil : .disk)
      completion(stale)
    }
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
