import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// Decides what is to be done with something that is stored: a plain value, to which the moment is handed in.
struct FreshnessCheck: Sendable {
  enum Verdict: Equatable {
    /// It is what was asked for. Nothing is said of it where nobody asked.
    case use(ImageResponse.Freshness?)
    /// The server is to be asked about it, and it may be shown meanwhile.
    case validate(isShown: Bool)
    /// It is not known what it was made of, or the original is another by now.
    case reload(isShown: Bool)
  }

  let wish: FreshnessWish
  let request: CacheRequest
  let policy = CachePolicy()

  /// - Parameter loader: what the request is sent by, where that is known.
  init(_ wish: FreshnessWish, _ request: URLRequest, of loader: DataLoader.Configuration?) {
    self.wish = wish
    self.request = wish.cacheRequest(request, sentBy: loader)
  }

  /// What is to be done with what was made of the version `representation`.
  func verdict(on representation: UInt64?, _ record: FreshnessRecord?, now: Timestamp) -> Verdict {
    guard let representation, let record, record.representation == representation else {
      return wish.isOffline ? .use(.stale(.offline)) : .reload(isShown: wish.isStaleShown)
    }
    if wish.isOffline {
      return .use(policy.freshness(of: record.response, now: now).isFresh ? .fresh : .stale(.offline))
    }
    switch policy.decide(request, stored: [record.response], now: now) {
    case .use(let reuse): return .use(.init(reuse))
    case .useStale: return .validate(isShown: true)
    case .validate, .fetch, .unavailable: return .validate(isShown: wish.isStaleShown)
    }
  }

  /// The same for a picture in memory.
  func verdict(on stamp: FreshnessStamp?, now: Timestamp) -> Verdict {
    verdict(on: stamp?.representation, stamp?.row.record, now: now)
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
  /// The head of an answer as a loader gave it; nil where it is not one of HTTP's.
  ///
  /// Of an answer whose body has come the moment is that of its end, so that it counts as older rather than newer.
  init?(_ head: ResponseHead?, sentAt requestTime: Timestamp, now: Timestamp) {
    guard let head, let status = head.status else { return nil }
    self.init(status: status, fields: head.fields, requestTime: requestTime, responseTime: now)
  }
}

extension Failure {
  /// Nil for an error that says nothing of whether the server can be reached.
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
