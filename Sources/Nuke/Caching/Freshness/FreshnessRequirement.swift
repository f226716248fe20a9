import Foundation
import FoundationNetworking
import NukeHTTP
import NukeHTTPCaching

/// The freshness that a request requires. A request that accepts any version has none.
struct FreshnessRequirement: Hashable, Sendable {
  let policy: ImagePipeline.FreshnessPolicy
  /// The time for which a response may be stale, in seconds.
  let maxStale: Int?
  /// `true` if a stale image is shown while it is validated.
  let isStaleShown: Bool
  let isOffline: Bool

  /// Identifies requirements whose loads can be shared.
  struct Key: Hashable {
    fileprivate let policy: ImagePipeline.FreshnessPolicy
    fileprivate let maxStale: Int?
  }

  var key: Key { Key(policy: policy, maxStale: maxStale) }

  /// The maximum value of `max-stale` in seconds (RFC 9111 §1.2.2).
  private static let longest = 1 << 31

  init?(_ request: ImageRequest, default policy: ImagePipeline.FreshnessPolicy) {
    let policy = request.storage.freshnessPolicy ?? policy
    guard policy != .ignore, request.url?.isHTTP == true else { return nil }
    self.policy = policy
    maxStale = request.storage.maxStale.map { Int(max(0, min($0.isNaN ? 0 : $0, TimeInterval(Self.longest)))) }
    isStaleShown = request.options.contains(.staleWhileRevalidate)
    isOffline = request.isCacheOnly
  }

  /// Returns the request in the form that the rules of HTTP caching use. It includes the fields that the loader adds,
  /// because variants can depend on them.
  func cacheRequest(_ request: URLRequest, sentBy loader: DataLoader.Configuration?) -> CacheRequest {
    var request = request
    accept(in: &request)
    var fields = HTTPFields()
    if let loader {
      for (name, value) in RequestFields.all(of: request, loader) { fields.append(name, value) }
    } else {
      for (name, value) in request.allHTTPHeaderFields ?? [:] { fields.append(name, value) }
    }
    return CacheRequest(
      method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", fields: fields, mode: mode)
  }

  /// Returns the request as the loader's HTTP cache interprets it. Returns `nil` if the cache would not look up a
  /// stored response, or would accept one of any age.
  func cacheRequest(_ request: URLRequest, of loader: DataLoader.Configuration) -> CacheRequest? {
    let mode = request.cachePolicy == .useProtocolCachePolicy ? mode : CacheRequest.Mode(request.cachePolicy)
    guard mode == .respect || mode == .revalidate else { return nil }
    var request = request
    accept(in: &request)
    return CacheRequest(request, configuration: loader, mode: mode)
  }

  private var mode: CacheRequest.Mode { policy == .respect ? .respect : .revalidate }

  /// Adds to a request how stale a response may be.
  func accept(in request: inout URLRequest) {
    if let maxStale { request.addValue("max-stale=\(maxStale)", forHTTPHeaderField: "Cache-Control") }
  }
}
