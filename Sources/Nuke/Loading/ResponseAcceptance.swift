import Foundation
package import FoundationNetworking

/// Which responses are delivered. Others end the transfer.
package enum ResponseAcceptance: Sendable {
  /// The statuses 200…299. A whole `URLResponse` is not needed for that.
  case successful
  /// Those for which a closure of the program's gives no error.
  case judged(@Sendable (URLResponse) -> (any Error)?)
  case all

  package func refusal(of head: ResponseHead) -> (any Error)? {
    switch self {
    case .successful:
      guard let status = head.status, !DataLoader.isAcceptable(status) else { return nil }
      return DataLoader.Error.statusCodeUnacceptable(status)
    case .judged(let validate): return validate(head.urlResponse())
    case .all: return nil
    }
  }
}
