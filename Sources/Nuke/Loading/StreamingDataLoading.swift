package import Foundation
package import FoundationNetworking

/// A data loader that its consumer can slow down.
///
/// What the pipeline uses in place of ``DataLoading/loadData(with:didReceiveData:completion:)`` where the loader has it:
/// no allocation per chunk, the length of the body before its first byte, and backpressure.
package protocol StreamingDataLoading: DataLoading {
  /// Starts to fetch the body of a response.
  ///
  /// - Parameters:
  ///   - limit: the largest body in bytes; a larger one ends the transfer before the bytes past it are delivered.
  ///   - observer: is kept until the transfer has ended.
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
/// The calls come one at a time, from the loader's thread, and must return soon. They may call back into the transfer.
package protocol StreamObserver: AnyObject, Sendable {
  /// `true` if what comes is written to the disk, and many such transfers should not have much on its way to that.
  var isRecording: Bool { get }
  /// Called once redirects are followed and the response was found acceptable.
  func didReceive(_ head: ResponseHead)
  /// Called before the end where the response was found not acceptable. Nothing of its body is told.
  func didRefuse(_ head: ResponseHead)
  /// Called with each part of the body. The memory is the loader's, and is gone after the call.
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
  /// Delivers nothing further, from the next chunk on, until ``resume()``. The peer is held up once the buffers on the
  /// way are full. A paused transfer does not run into the idle time limit.
  func pause()
  func resume()
  /// Says how urgent the transfer is, which counts for as long as it waits for a connection. One that was not told is of
  /// normal priority.
  func setPriority(_ priority: ImageRequest.Priority)
}

extension Transfer {
  package func setPriority(_ priority: ImageRequest.Priority) {}
}

/// Hands a stream on to the closures of ``DataLoading``.
private final class ClosureObserver: StreamObserver, @unchecked Sendable {
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
