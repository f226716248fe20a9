public import Foundation
import NukeHTTPCaching

extension HTTPCache {
  /// The behavior of a cache where servers say nothing. What servers say always counts (RFC 9111).
  public struct Policy: Hashable, Sendable {
    /// Seconds for which it is remembered that a resource does not exist: a 404 or 410 without `max-age` and `Expires`.
    /// One whose body is longer than 256 KiB is not remembered, and errors of the network never are.
    public var negativeLifetime: TimeInterval = 10

    /// The most seconds for which a response is fresh that says when it was modified and nothing else: it is for a tenth
    /// of the time that had passed since (RFC 9111 §4.2.2).
    public var heuristicLifetimeLimit: TimeInterval = 7 * 86_400

    /// The seconds past their freshness for which responses are used where the server cannot be reached. A response that
    /// forbids it, by `must-revalidate` or `no-cache`, never is.
    public var staleLimitWhenDisconnected: TimeInterval = .infinity

    /// The same where the server answers 500, 502, 503 or 504. `stale-if-error` counts in any case.
    public var staleLimitOnServerError: TimeInterval = 0

    /// The same while they are validated behind the answer. `stale-while-revalidate` counts in any case.
    public var staleLimitWhileRevalidating: TimeInterval = 0

    /// A Boolean value that indicates whether responses to requests with `Authorization` are kept. If not, only those
    /// are that say they are for everybody (RFC 9111 §3.5): for programs that load with the rights of several users.
    public var storesAuthorizedResponses = true

    /// A Boolean value that indicates whether responses are kept that say that they are for one client alone
    /// (`private`). If not, what was kept of them is not used without asking: for programs that load on behalf of
    /// others, as servers do.
    public var storesPrivateResponses = true

    /// The defaults.
    public init() {}
  }
}

extension CachePolicy {
  init(_ policy: HTTPCache.Policy) {
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

  /// Not a number counts as none.
  private static func seconds(_ interval: TimeInterval) -> Int {
    interval > 0 ? Int(min(interval, 0x8000_0000)) : 0
  }
}
