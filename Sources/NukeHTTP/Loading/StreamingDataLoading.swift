package import Foundation
package import FoundationNetworking
package import NukeBase

/// A data loader with back-pressure.
///
/// If a loader conforms to this protocol, the pipeline uses it instead of
/// ``DataLoading/loadData(with:didReceiveData:completion:)``. There is no allocation for each chunk, and the length of
/// the body is known before its first byte.
package protocol StreamingDataLoading: DataLoading {
  /// Starts to load the body of a response.
  ///
  /// - Parameters:
  ///   - limit: the maximum size of the body in bytes. If it is exceeded, the transfer fails before further bytes are
  ///     delivered.
  ///   - observer: retained until the transfer has ended.
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
/// The calls come one at a time, on a thread of the loader or a worker, and must return soon. They may call back into the transfer.
package protocol StreamObserver: AnyObject, Sendable {
  /// `true` if the body is written to disk. Such transfers should use small buffers, because there may be many.
  var isRecording: Bool { get }
  /// Called after redirects, if the response is accepted.
  func didReceive(_ head: ResponseHead)
  /// Called before the end if the response is not accepted. Its body is not delivered.
  func didRefuse(_ head: ResponseHead)
  /// Called with each chunk of the body. The memory is valid only during the call.
  func didReceive(_ bytes: UnsafeRawBufferPointer)
  /// Called exactly once, as the last event. `nil` means that the body is complete.
  func didFinish(_ error: (any Error)?)
}

extension StreamObserver {
  package var isRecording: Bool { false }
  package func didRefuse(_ head: ResponseHead) {}
}

/// A running transfer. It may be used from any thread.
package protocol Transfer: AnyObject, Cancellable {
  /// Stops the delivery after the current chunk, until ``resume()``. The peer stops sending when all buffers are full.
  /// The idle timeout does not apply to a paused transfer.
  func pause()
  func resume()
  /// Sets the priority, which applies while the transfer waits for a connection. The default is normal priority.
  func setPriority(_ priority: WorkPriority)
}

extension Transfer {
  package func setPriority(_ priority: WorkPriority) {}
}

/// Forwards a stream to the closures of ``DataLoading``.
private final class ClosureObserver: StreamObserver, @unchecked Sendable {
  private let url: URL?
  private let didReceiveData: @Sendable (Data, URLResponse) -> Void
  private let completion: @Sendable ((any Error)?) -> Void
  /// The response, set before the first chunk arrives. It needs no lock, because a transfer makes its calls one at a
  /// time.
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
    // A 304 response has no body, so its response is delivered with empty data.
    if head.status == 304 { didReceiveData(Data(), response) }
  }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    guard let response, let base = bytes.baseAddress else { return }
    didReceiveData(Data(bytes: base, count: bytes.count), response)
  }

  func didFinish(_ error: (any Error)?) { completion(error?.forPrograms(url: url)) }
}
