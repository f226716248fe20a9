import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// What a request wants to know of how old a stored picture is. There is none for a request that takes what there is.
struct FreshnessWish: Hashable, Sendable {
  let policy: ImagePipeline.FreshnessPolicy
  /// Seconds.
  let maxStale: Int?
  /// Whether what is stale is shown while the server is asked.
  let isStaleShown: Bool
  let isOffline: Bool

  /// Tells wishes apart of which work cannot be shared; 0 stands for none, and takes 35 bits.
  var detail: Int { (policy == .respect ? 1 : 2) | ((maxStale.map { $0 + 1 } ?? 0) << 2) }

  /// The longest time that `max-stale` can name (RFC 9111 §1.2.2).
  private static let longest = 1 << 31

  init?(_ request: ImageRequest, default policy: ImagePipeline.FreshnessPolicy) {
    let policy = request.storage.freshnessPolicy ?? policy
    guard policy != .ignore, Self.isOfHTTP(request.url) else { return nil }
    self.policy = policy
    maxStale = request.storage.maxStale.map { Int(max(0, min($0.isNaN ? 0 : $0, TimeInterval(Self.longest)))) }
    isStaleShown = request.options.contains(.staleWhileRevalidate)
    isOffline = request.options.contains(.returnCacheDataDontLoad)
  }

  private static func isOfHTTP(_ url: URL?) -> Bool {
    guard let scheme = url?.scheme else { return false }
    return scheme == "http" || scheme == "https" || ["http", "https"].contains(scheme.lowercased())
  }

  /// The request as the rules of HTTP caching see it.
  func cacheRequest(_ request: URLRequest) -> CacheRequest {
    var fields = HTTPFields()
    for (name, value) in request.allHTTPHeaderFields ?? [:] { fields.append(name, value) }
    if let maxStale { fields.append("Cache-Control", "max-stale=\(maxStale)") }
    return CacheRequest(
      method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", fields: fields,
      mode: policy == .respect ? .respect : .revalidate)
  }
}
