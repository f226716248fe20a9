import Foundation
import FoundationNetworking
import NukeHTTPCaching
import NukeStore

extension ImagePipeline {
  /// Returns the freshness requirement of a request; `nil` if it accepts any version.
  func freshnessRequirement(of request: ImageRequest) -> FreshnessRequirement? {
    FreshnessRequirement(request, default: configuration.freshnessPolicy)
  }

  /// Returns the evaluator for a request; `nil` if it accepts any version.
  func freshnessEvaluator(of request: ImageRequest) -> FreshnessEvaluator? {
    guard let requirement = freshnessRequirement(of: request), let urlRequest = request.urlRequest else { return nil }
    let loader = request.url.flatMap { streamingLoader(for: request)?.configuration(for: $0) }
    return FreshnessEvaluator(requirement, urlRequest, of: loader)
  }

  func freshnessRow(of request: ImageRequest) -> FreshnessTable.Row {
    freshnessTable.row(for: originalDataCacheKey(for: request))
  }

  /// Returns `true` if the request accepts images of any age. Each memory hit calls this, so it has to be cheap.
  func ignoresFreshness(of request: ImageRequest) -> Bool {
    configuration.freshnessPolicy == .ignore && !request.storage.hasFreshnessPolicy
  }

  /// Returns `true` if an image in memory can be returned at once.
  func isUsable(_ container: ImageContainer, for request: ImageRequest) -> Bool {
    if ignoresFreshness(of: request) { return true }
    if case .fresh = evaluate(container, for: request) { return true }
    return false
  }

  /// Returns whether an image from the memory cache is fresh, stale or outdated for a request. It is always fresh if
  /// the request accepts any version.
  func evaluate(_ container: ImageContainer, for request: ImageRequest) -> FreshnessEvaluator.Evaluation {
    guard let evaluator = freshnessEvaluator(of: request) else { return .fresh(nil) }
    return evaluator.evaluate(knownStamp(container, of: request), now: configuration.now())
  }

  /// Returns the freshness stamp of an image from the memory cache, even if another pipeline has stored the image
  /// there.
  func knownStamp(_ container: ImageContainer, of request: ImageRequest) -> FreshnessStamp? {
    guard let stamp = container.stamp else { return nil }
    if stamp.row.isOf(freshnessTable) { return stamp }
    let row = freshnessRow(of: request)
    row.merge(stamp.row.record)
    return FreshnessStamp(row: row, representation: stamp.representation)
  }

  /// Returns the disk cache if it can store freshness records.
  func freshnessCache(for request: ImageRequest) -> DataCache? {
    guard request.options.allowDiskReads else { return nil }
    return dataCache(for: request) as? DataCache
  }

  /// Stores the record of one version of an original, unless a newer version has arrived; `nil` removes it.
  ///
  /// - Parameter lease: released when the record is on disk, where other processes can read it.
  func renew(
    _ record: FreshnessRecord?, of stamp: FreshnessStamp, for request: ImageRequest, lease: (any DataLease)? = nil
  ) {
    if stamp.record != nil { keep(record, in: stamp.row, for: request, lease: lease) }
  }

  /// Stores the record of an original; `nil` removes it.
  func keep(
    _ record: FreshnessRecord?, in row: FreshnessTable.Row, for request: ImageRequest, lease: (any DataLease)? = nil
  ) {
    row.set(record)
    guard case .into(let cache) = diskCacheForOriginal(request), let cache = cache as? DataCache else {
      return
    }
    cache.store(record, for: originalDataCacheKey(for: request), lease: lease as? DiskLease)
  }
}

extension ImageResponse {
  /// The response as a stale preview, to be shown while the image is validated.
  var asStalePreview: ImageResponse {
    var response = self
    response.container.isPreview = true
    response.freshness = .stale(.whileRevalidating)
    return response
  }
}

extension ImagePipeline {
  /// Returns `true` if the loader of the request uses our HTTP cache.
  func hasHTTPCache(for request: ImageRequest) -> Bool {
    guard let url = request.url, url.isHTTP else { return false }
    return streamingLoader(for: request)?.configuration(for: url)?.urlCache != nil
  }

  /// Returns the request with the cache policy of the pipeline, unless the program has set one. A cache-only request
  /// overrides the policy of the program.
  ///
  /// - Parameter isValidation: `true` if the request validates an entry of the pipeline. The response must then come
  ///   from the server, not from another cache.
  func withCachePolicy(
    _ urlRequest: URLRequest, of request: ImageRequest, _ requirement: FreshnessRequirement?, isValidation: Bool = false
  ) -> URLRequest {
    var urlRequest = urlRequest
    let policy: URLRequest.CachePolicy? =
      if request.isCacheOnly {
        .returnCacheDataDontLoad
      } else if request.options.contains(.reloadIgnoringCachedData) {
        .reloadIgnoringLocalCacheData
      } else {
        isValidation || requirement?.policy == .revalidate ? .reloadRevalidatingCacheData : nil
      }
    if let policy, policy == .returnCacheDataDontLoad || urlRequest.cachePolicy == .useProtocolCachePolicy {
      urlRequest.cachePolicy = policy
    }
    if let requirement, !isValidation, requirement.maxStale != nil, hasHTTPCache(for: request) {
      requirement.accept(in: &urlRequest)
    }
    return urlRequest
  }
}
