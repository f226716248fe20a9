import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// The freshness that a request requires. `nil` stands for a request that accepts any version.
struct FreshnessRequirement: Hashable, Sendable {
  let policy: ImagePipeline.FreshnessPolicy
  /// Seconds.
  let maxStale: Int?
  /// `true` if what is stale is shown while the server is asked.
  let isStaleShown: Bool
  let isOffline: Bool

  /// Distinguishes requirements whose loads cannot be shared.
  struct Key: Hashable {
    fileprivate let policy: ImagePipeline.FreshnessPolicy
    fileprivate let maxStale: Int?
  }

  var key: Key { Key(policy: policy, maxStale: maxStale) }

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

  static func isOfHTTP(_ url: URL?) -> Bool {
    guard let scheme = url?.scheme else { return false }
    return scheme == "http" || scheme == "https" || ["http", "https"].contains(scheme.lowercased())
  }

  /// The request as the rules of HTTP caching see it: with the fields that the loader adds, since servers may tell variants
  /// apart by them.
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

  /// The same as the HTTP cache of a loader sees it; `nil` if it would not look at what is stored, or take it however
  /// old.
  func cacheRequest(_ request: URLRequest, of loader: DataLoader.Configuration) -> CacheRequest? {
    let mode = request.cachePolicy == .useProtocolCachePolicy ? mode : CacheRequest.Mode(request.cachePolicy)
    guard mode == .respect || mode == .revalidate else { return nil }
    var request = request
    accept(in: &request)
    return CacheRequest(request, configuration: loader, mode: mode)
  }

  private var mode: CacheRequest.Mode { policy == .respect ? .respect : .revalidate }

  /// Says in a request how stale an answer may be.
  func accept(in request: inout URLRequest) {
    if let maxStale { request.addValue("max-stale=\(maxStale)", forHTTPHeaderField: "Cache-Control") }
  }
}
