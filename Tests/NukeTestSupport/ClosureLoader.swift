package import Foundation
package import FoundationNetworking
package import Nuke

/// A loader that does what a closure says, well or badly.
package struct ClosureLoader: DataLoading {
  package typealias Chunk = @Sendable (Data, URLResponse) -> Void
  package typealias Completion = @Sendable ((any Error)?) -> Void

  package let body: @Sendable (URLRequest, @escaping Chunk, @escaping Completion) -> (@Sendable () -> Void)

  /// - Parameter body: starts the transfer and gives what cancels it.
  package init(
    _ body: @escaping @Sendable (URLRequest, @escaping Chunk, @escaping Completion) -> (@Sendable () -> Void)
  ) {
    self.body = body
  }

  package func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    ClosureCancellable(body: body(request, didReceiveData, completion))
  }
}

private final class ClosureCancellable: Cancellable {
  private let body: @Sendable () -> Void
  package init(body: @escaping @Sendable () -> Void) { self.body = body }
  package func cancel() { body() }
}

package func response(to request: URLRequest, length: Int) -> URLResponse {
  URLResponse(url: request.url!, mimeType: nil, expectedContentLength: length, textEncodingName: nil)
}
