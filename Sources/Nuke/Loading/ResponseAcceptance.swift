import Foundation
package import FoundationNetworking

/// Decides which responses are delivered. Others end the transfer.
package enum ResponseAcceptance: Sendable {
  /// The statuses 200…299. A whole `URLResponse` is not needed for that.
  case successful
  /// Responses for which a closure of the program's returns no error.
  case judged(@Sendable (URLResponse) -> (any Error)?)
  case all

  /// - Parameter request: as it was made: whoever asks whether what he has is still right wants to hear so.
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

/// A server's word that what a request's own conditions are about has not changed (RFC 9110 §15.4.5): there are no bytes.
///
/// It comes as `ImagePipeline.Error.dataLoadingFailed(error:)` to those who ask a pipeline for data.
package struct NotModified: Error, CustomStringConvertible {
  package let head: ResponseHead

  package var description: String { "the server says that it has not changed" }
}
