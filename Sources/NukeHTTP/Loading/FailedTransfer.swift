import Dispatch
import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// A transfer that fails without sending a request.
package final class FailedTransfer: Transfer {
  /// Reports the error on another thread, since the caller may hold a lock that the observer needs.
  package static func start(_ error: any Error, observer: any StreamObserver) -> FailedTransfer {
    DispatchQueue.global().async { observer.didFinish(error) }
    return FailedTransfer()
  }

  /// Responds like a cache that has no response for an `only-if-cached` request.
  static func refuse(
    _ request: URLRequest, _ url: URL, acceptance: ResponseAcceptance, observer: any StreamObserver
  ) -> FailedTransfer {
    DispatchQueue.global().async {
      let head = ResponseHead.notStored(url)
      let error = acceptance.refusal(of: head, to: request)
      if error == nil { observer.didReceive(head) } else { observer.didRefuse(head) }
      observer.didFinish(error)
    }
    return FailedTransfer()
  }

  package func cancel() {}
  package func pause() {}
  package func resume() {}
}

extension ResponseHead {
  /// Returns the response to an `only-if-cached` request without a stored response (RFC 9111 §5.2.1.7).
  static func notStored(_ url: URL) -> ResponseHead {
    var fields = HTTPFields()
    fields.append("Content-Length", "0")
    return ResponseHead(url: url, status: 504, expectedLength: 0, fields: fields)
  }
}
