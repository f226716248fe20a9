package import Foundation
package import FoundationNetworking

/// A data loader with back-pressure.
///
/// The pipeline uses it instead of ``DataLoading/loadData(with:didReceiveData:completion:)`` if the loader has it: there is
/// no allocation per chunk, and the length of the body is known before its first byte.
package protocol StreamingDataLoading: DataLoading {
  /// Starts to fetch the body of a response.
  ///
  /// - Parameters:
  ///   - limit: the largest body in bytes; a larger one ends the transfer before further bytes are delivered.
  ///   - observer: kept until the transfer has ended.
  func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer
  /// Returns the configuration of requests for a URL, with the ``HTTPCache`` they use. The default implementation
  /// returns `nil`.
  func configuration(for url: URL) -> DataLoader.Configuration?
}

extension StreamingDataLoading {
  package func configuration(for url: URL) -> DataLoader.Configuration? { nil }

  public func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    stream(
      request, limit: nil,
      observer: ClosureObserver(url: request.url, didReceiveData: didReceiveData, completion: completion))
  }
}

/// Receives the events of a transfer: one head, then the body, then one end. A transfer that fails early reports only
/// the end, preceded by the refused response if there was one.
///
/// The calls come one at a time, on the loader's thread, and must return soon. They may call back into the transfer.
package protocol StreamObserver: AnyObject, Sendable {
  /// `true` if the body is written to the disk. Many such transfers should not buffer much.
  var isRecording: Bool { get }
  /// Called when redirects were followed and the response is acceptable.
  func didReceive(_ head: ResponseHead)
  /// Called before the end if the response is not acceptable. Nothing of its body is delivered.
  func didRefuse(_ head: ResponseHead)
  /// Called with each part of the body. The memory is valid only during the call.
  func didReceive(_ bytes: UnsafeRawBufferPointer)
  /// Called exactly once, last; `nil` means that the body is complete.
  func didFinish(_ error: (any Error)?)
}

extension StreamObserver {
  package var isRecording: Bool { false }
  package func didRefuse(_ head: ResponseHead) {}
}

/// A running transfer, used from any thread.
package protocol Transfer: AnyObject, Cancellable {
  /// Stops the delivery, from the next chunk on, until ``resume()``. The peer stops once the buffers on the way are full. A
  /// paused transfer does not reach the idle time limit.
  func pause()
  func resume()
  /// Sets the priority, which counts while the transfer waits for a connection. The default is normal priority.
  func setPriority(_ priority: ImageRequest.Priority)
}

extension Transfer {
  package func setPriority(_ priority: ImageRequest.Priority) {}
}

/// Passes a stream to the closures of ``DataLoading``.
private final class ClosureObserver: StreamObserver, @unchecked Sendable {
  private let url: URL?
  private let didReceiveData: @Sendable (Data, URLResponse) -> Void
  private let completion: @Sendable ((any Error)?) -> Void
  /// Set before the first chunk; a transfer makes its calls one at a time.
  private var response: URLResponse?

  /// - Parameter url: the requested URL.
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
    // There is no body with which it could be delivered.
    if head.status == 304 { didReceiveData(Data(), response) }
  }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    guard let response, let base = bytes.baseAddress else { return }
    didReceiveData(Data(bytes: base, count: bytes.count), response)
  }

  func didFinish(_ error: (any Error)?) { completion(error?.forPrograms(url: url)) }
}
