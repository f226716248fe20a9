public import Foundation
import NukeHTTPCaching

extension HTTPCache {
  /// The behavior of a cache for responses whose header fields do not specify it. The fields of a response take
  /// precedence (RFC 9111).
  public struct Policy: Hashable, Sendable {
    /// The number of seconds for which a 404 or 410 response without `max-age` and `Expires` is stored. A response with a
    /// body over 256 KiB is not stored, and network errors never are.
    public var negativeLifetime: TimeInterval = 10

    /// The maximum number of seconds for which a response with only a `Last-Modified` date is fresh: its lifetime is a
    /// tenth of its age at the time of the response (RFC 9111 §4.2.2).
    public var heuristicLifetimeLimit: TimeInterval = 7 * 86_400

    /// The number of seconds past their freshness for which responses are used while the server cannot be reached. A
    /// response with `must-revalidate` or `no-cache` is never used then.
    public var staleLimitWhenDisconnected: TimeInterval = .infinity

    /// The number of seconds past their freshness for which responses are used if the server responds with 500, 502,
    /// 503 or 504. `stale-if-error` takes precedence.
    public var staleLimitOnServerError: TimeInterval = 0

    /// The number of seconds past their freshness for which responses are used while they are validated in the
    /// background. `stale-while-revalidate` takes precedence.
    public var staleLimitWhileRevalidating: TimeInterval = 0

    /// A Boolean value that indicates whether responses to requests with `Authorization` are stored. If it is `false`,
    /// only responses that are meant for all users are stored (RFC 9111 §3.5). Use `false` in programs that load with
    /// the credentials of several users.
    public var storesAuthorizedResponses = true

    /// A Boolean value that indicates whether responses for a single client (`private`) are stored. If it is `false`,
    /// responses that were stored before are validated before use. Use `false` in programs that load on behalf of
    /// others, such as servers.
    public var storesPrivateResponses = true

    /// Creates the default policy.
    public init() {}
  }
}

extension CachePolicy {
  package init(_ policy: HTTPCache.Policy) {
    self.init()
    negative = policy.negativeLifetime > 0 ? .seconds(Self.seconds(policy.negativeLifetime)) : .off
    heuristicLimit = Self.seconds(policy.heuristicLifetimeLimit)
    staleWhenDisconnected = Self.allowance(policy.staleLimitWhenDisconnected)
    staleOnServerError = Self.allowance(policy.staleLimitOnServerError)
    staleWhileRevalidating = Self.allowance(policy.staleLimitWhileRevalidating)
    storesAuthorized = policy.storesAuthorizedResponses
    storesPrivate = policy.storesPrivateResponses
  }

  private static func allowance(_ limit: TimeInterval) -> StaleAllowance {
    if limit == .infinity { return .always }
    return limit > 0 ? .upTo(seconds(limit)) : .never
  }

  /// Converts to whole seconds. NaN counts as 0.
  private static func seconds(_ interval: TimeInterval) -> Int {
    interval > 0 ? Int(min(interval, 0x8000_0000)) : 0
  }
}
