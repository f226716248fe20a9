import Foundation
package import FoundationNetworking

/// Decides which responses are delivered. All others fail the transfer.
package enum ResponseAcceptance: Sendable {
  /// The statuses 200…299. No `URLResponse` needs to be created.
  case successful
  /// Responses for which the program's closure returns `nil`.
  case judged(@Sendable (URLResponse) -> (any Error)?)
  case all

  /// Returns the error for a response that is not accepted; `nil` if it is.
  ///
  /// - Parameter request: the program's request. If it is conditional, 304 is accepted.
  package func refusal(of head: ResponseHead, to request: URLRequest) -> (any Error)? {
    switch self {
    case .successful:
      guard let status = head.status, !DataLoader.isAcceptable(status) else { return nil }
      if status == 304, DataLoader.isConditional(request) { return nil }
      return DataLoader.Error.statusCodeUnacceptable(status)
    case .judged(let validate): return validate(head.urlResponse())
    case .all: return nil
    }
  }
}

/// The error for a 304 response to a conditional request of the program (RFC 9110 §15.4.5), which has no body.
///
/// A pipeline reports it as `ImagePipeline.Error.dataLoadingFailed(error:)`.
package struct NotModified: Error, CustomStringConvertible {
  package let head: ResponseHead

  package init(head: ResponseHead) { self.head = head }

  package var description: String { "the server answered that it has not changed" }
}
