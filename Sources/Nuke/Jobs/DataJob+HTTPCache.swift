import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// What an HTTP cache below the loader is asked to do, and what it says.
extension DataJob {
  /// The request with what the pipeline wants of the HTTP cache, where the program does not say what it wants itself.
  func withCachePolicy(_ urlRequest: URLRequest) -> URLRequest {
    pipeline.withCachePolicy(urlRequest, of: request, check?.wish, isQuestion: question != nil)
  }

  /// Whether the HTTP cache has refused, since it has nothing and nothing may be loaded.
  func isRefusal(_ error: any Error) -> Bool {
    request.options.contains(.returnCacheDataDontLoad) && failure(by: error) == .status(504)
  }

  /// The response as the HTTP cache keeps it, where that has all of the body or will have it.
  var responseInHTTPCache: StoredResponse? {
    guard let response = caching?.response, case .whole = response.content else { return nil }
    return response
  }

  /// What the HTTP cache says of how current its answer is; nil where there is none.
  var freshnessInHTTPCache: ImageResponse.Freshness? {
    guard let caching else { return nil }
    guard caching.isStale else { return caching.isFromCache && !caching.status.isAnsweredHere ? .validated : .fresh }
    switch caching.status.detail.flatMap(Reuse.Staleness.init(rawValue:)) {
    case .whileRevalidating: return .stale(.whileRevalidating)
    case .error: return .stale(.serverError)
    case .disconnected: return .stale(.disconnected)
    case .request, nil: return .stale(request.options.contains(.returnCacheDataDontLoad) ? .offline : .maxStale)
    }
  }
}

extension ImagePipeline {
  /// Whether the loader looks into an HTTP cache of ours for such a request.
  func hasHTTPCache(for request: ImageRequest) -> Bool {
    guard let url = request.url, FreshnessWish.isOfHTTP(url) else { return false }
    return streamingLoader(for: request)?.configuration(for: url)?.urlCache != nil
  }

  /// A request with what the pipeline wants of the HTTP cache, where the program does not say what it wants itself. Where
  /// nothing may be loaded, that counts, whatever the program's own request says.
  ///
  /// - Parameter isQuestion: whether it asks about what the pipeline keeps. That is for the server, which another cache
  ///   does not stand in for.
  func withCachePolicy(
    _ urlRequest: URLRequest, of request: ImageRequest, _ wish: FreshnessWish?, isQuestion: Bool = false
  ) -> URLRequest {
    var urlRequest = urlRequest
    let policy: URLRequest.CachePolicy? =
      if request.options.contains(.returnCacheDataDontLoad) {
        .returnCacheDataDontLoad
      } else if request.options.contains(.reloadIgnoringCachedData) {
        .reloadIgnoringLocalCacheData
      } else {
        isQuestion || wish?.policy == .revalidate ? .reloadRevalidatingCacheData : nil
      }
    if let policy, policy == .returnCacheDataDontLoad || urlRequest.cachePolicy == .useProtocolCachePolicy {
      urlRequest.cachePolicy = policy
    }
    if let wish, !isQuestion, wish.maxStale != nil, hasHTTPCache(for: request) { wish.accept(in: &urlRequest) }
    return urlRequest
  }
}
