import Foundation
import FoundationNetworking
import NukeHTTPCaching

extension ImagePipeline {
  /// Returns the freshness requirement of a request; `nil` if it accepts any version.
  func freshnessRequirement(of request: ImageRequest) -> FreshnessRequirement? {
    FreshnessRequirement(request, default: configuration.freshnessPolicy)
  }

  /// The same with what is needed to decide.
  func freshnessEvaluator(of request: ImageRequest) -> FreshnessEvaluator? {
    guard let requirement = freshnessRequirement(of: request), let urlRequest = request.urlRequest else { return nil }
    let loader = request.url.flatMap { streamingLoader(for: request)?.configuration(for: $0) }
    return FreshnessEvaluator(requirement, urlRequest, of: loader)
  }

  func freshnessRow(of request: ImageRequest) -> FreshnessTable.Row {
    freshnessTable.row(for: originalDataCacheKey(for: request))
  }

  /// Returns `true` if an image of the request is used however old. Hits of the memory cache go by this, so it has to
  /// be cheap.
  func ignoresFreshness(of request: ImageRequest) -> Bool {
    configuration.freshnessPolicy == .ignore && !request.storage.hasFreshnessPolicy
  }

  /// Returns `true` if an image in memory can be given at once.
  func isUsable(_ container: ImageContainer, for request: ImageRequest) -> Bool {
    if ignoresFreshness(of: request) { return true }
    if case .fresh = evaluate(container, for: request) { return true }
    return false
  }

  /// Evaluates an image in memory for a request.
  func evaluate(_ container: ImageContainer, for request: ImageRequest) -> FreshnessEvaluator.Evaluation {
    guard let evaluator = freshnessEvaluator(of: request) else { return .fresh(nil) }
    return evaluator.evaluate(knownStamp(container, of: request), now: configuration.now())
  }

  /// The stamp of an image in memory. One that another pipeline has put there is told by what both know.
  func knownStamp(_ container: ImageContainer, of request: ImageRequest) -> FreshnessStamp? {
    guard let stamp = container.stamp else { return nil }
    if stamp.row.isOf(freshnessTable) { return stamp }
    let row = freshnessRow(of: request)
    row.merge(stamp.row.record)
    return FreshnessStamp(row: row, representation: stamp.representation)
  }

  /// Our own disk cache, which can keep what is known of freshness.
  func freshnessCache(for request: ImageRequest) -> DataCache? {
    guard request.options.allowDiskReads else { return nil }
    return dataCache(for: request) as? DataCache
  }

  /// Keeps what the server says of one version of a request's original, unless another has come since; `nil` forgets
  /// it.
  ///
  /// - Parameter lease: is let go of when that is on the disk, where other processes find it.
  func renew(
    _ record: FreshnessRecord?, of stamp: FreshnessStamp, for request: ImageRequest, lease: (any DataLease)? = nil
  ) {
    if stamp.record != nil { keep(record, in: stamp.row, for: request, lease: lease) }
  }

  /// Keeps what is known of a request's original; `nil` forgets it.
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
  /// A stored image as it is shown while the server is asked about it.
  var asStalePreview: ImageResponse {
    var response = self
    response.container.isPreview = true
    response.freshness = .stale(.whileRevalidating)
    return response
  }
}

extension ImagePipeline {
  /// Returns `true` if the loader looks into an HTTP cache of ours for such a request.
  func hasHTTPCache(for request: ImageRequest) -> Bool {
    guard let url = request.url, FreshnessRequirement.isOfHTTP(url) else { return false }
    return streamingLoader(for: request)?.configuration(for: url)?.urlCache != nil
  }

  /// A request with what the pipeline wants of the HTTP cache, where the program does not say what it wants itself. Where
  /// nothing may be loaded, that counts, whatever the program's own request says.
  ///
  /// - Parameter isValidation: whether it asks about what the pipeline keeps. That is for the server, which another cache
  ///   does not stand in for.
  func withCachePolicy(
    _ urlRequest: URLRequest, of request: ImageRequest, _ requirement: FreshnessRequirement?, isValidation: Bool = false
  ) -> URLRequest {
    var urlRequest = urlRequest
    let policy: URLRequest.CachePolicy? =
      if request.options.contains(.returnCacheDataDontLoad) {
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
