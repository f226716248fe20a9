import Foundation
import FoundationNetworking
import NukeHTTP
import NukeHTTPCaching

/// Decides whether a stored entry can be used. The current time is a parameter. An immutable class, since the jobs of most
/// requests have none, and should not reserve the memory of a value.
final class FreshnessEvaluator: Sendable {
  enum Evaluation: Equatable {
    /// The entry can be used. The freshness is `nil` if the request accepts any version.
    case fresh(ImageResponse.Freshness?)
    /// The entry must be validated first. It can be shown in the meantime if `mayServe` is `true`.
    case stale(mayServe: Bool)
    /// The original must be loaded again, because its version has changed or the version of the entry is unknown.
    case outdated(mayServe: Bool)
  }

  let requirement: FreshnessRequirement
  let request: CacheRequest
  let policy = CachePolicy()

  /// - Parameter loader: the configuration of the loader that sends the request, if known.
  init(_ requirement: FreshnessRequirement, _ request: URLRequest, of loader: DataLoader.Configuration?) {
    self.requirement = requirement
    self.request = requirement.cacheRequest(request, sentBy: loader)
  }

  /// Evaluates an entry that was made from the version `representation`, using the record of the original.
  func evaluate(_ representation: UInt64?, _ record: FreshnessRecord?, now: Timestamp) -> Evaluation {
    guard let representation, let record, record.representation == representation else {
      return requirement.isOffline ? .fresh(.stale(.offline)) : .outdated(mayServe: requirement.isStaleShown)
    }
    if requirement.isOffline {
      return .fresh(policy.freshness(of: record.response, now: now).isFresh ? .fresh : .stale(.offline))
    }
    switch policy.decide(request, stored: [record.response], now: now) {
    case .use(let reuse): return .fresh(.init(reuse))
    case .useStale: return .stale(mayServe: true)
    case .validate, .fetch, .unavailable: return .stale(mayServe: requirement.isStaleShown)
    }
  }

  /// Evaluates an image in memory.
  func evaluate(_ stamp: FreshnessStamp?, now: Timestamp) -> Evaluation {
    evaluate(stamp?.representation, stamp?.row.record, now: now)
  }
}

extension ImageResponse.Freshness {
  init(_ reuse: Reuse) {
    switch reuse.staleness {
    case nil: self = .fresh
    case .request: self = .stale(.maxStale)
    case .whileRevalidating: self = .stale(.whileRevalidating)
    case .error: self = .stale(.serverError)
    case .disconnected: self = .stale(.disconnected)
    }
  }
}

extension ReceivedResponse {
  /// Creates the head of a response as a loader returned it; `nil` if it is not an HTTP response.
  ///
  /// `now` is the time at which the body was complete. The response therefore counts as slightly older than it is,
  /// never as newer.
  init?(_ head: ResponseHead?, sentAt requestTime: Timestamp, now: Timestamp) {
    guard let head, let status = head.status else { return nil }
    self.init(status: status, fields: head.fields, requestTime: requestTime, responseTime: now)
  }
}

extension Failure {
  /// Returns `nil` for an error that does not show whether the server can be reached.
  init?(_ error: any Error) {
    if let status = error.unacceptableStatus {
      self = .status(status)
    } else if error.isDisconnection {
      self = .disconnected
    } else {
      return nil
    }
  }
}
