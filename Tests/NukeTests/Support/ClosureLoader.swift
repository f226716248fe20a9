import Foundation
import FoundationNetworking
import Nuke

/// A loader that does what a closure says, well or badly.
struct ClosureLoader: DataLoading {
  typealias Chunk = @Sendable (Data, URLResponse) -> Void
  typealias Completion = @Sendable ((any Error)?) -> Void

  let body: @Sendable (URLRequest, @escaping Chunk, @escaping Completion) -> (@Sendable () -> Void)

  /// - Parameter body: starts the transfer and gives what cancels it.
  init(_ body: @escaping @Sendable (URLRequest, @escaping Chunk, @escaping Completion) -> (@Sendable () -> Void)) {
    self.body = body
  }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    ClosureCancellable(body: body(request, didReceiveData, completion))
  }
}

private final class ClosureCancellable: Cancellable {
  private let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
  func cancel() { body() }
}

func response(to request: URLRequest, length: Int) -> URLResponse {
  URLResponse(url: request.url!, mimeType: nil, expectedContentLength: length, textEncodingName: nil)
}
