import Foundation
import FoundationNetworking

/// Hands a stream on to the closures of ``DataLoading``.
final class ClosureObserver: StreamObserver, @unchecked Sendable {
  private let url: URL?
  private let didReceiveData: @Sendable (Data, URLResponse) -> Void
  private let completion: @Sendable ((any Error)?) -> Void
  /// Written before the first chunk; a transfer makes its calls one at a time.
  private var response: URLResponse?

  /// - Parameter url: what is asked for.
  init(
    url: URL?,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.url = url
    self.didReceiveData = didReceiveData
    self.completion = completion
  }

  func didReceive(_ head: ResponseHead) {
    let response = head.urlResponse()
    self.response = response
    // It has no body to come with.
    if head.status == 304 { didReceiveData(Data(), response) }
  }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    guard let response, let base = bytes.baseAddress else { return }
    didReceiveData(Data(bytes: base, count: bytes.count), response)
  }

  func didFinish(_ error: (any Error)?) { completion(error?.forPrograms(url: url)) }
}
