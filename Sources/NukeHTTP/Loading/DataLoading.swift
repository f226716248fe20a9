public import Foundation
public import FoundationNetworking
public import NukeBase

/// Loads the data of a URL.
public protocol DataLoading: Sendable {
  /// Starts to load the body of a response.
  ///
  /// The pipeline calls this method on one of its threads, or on the thread of the Swift task that awaits the image. It
  /// must not block, because that would block a thread of Swift's cooperative pool.
  ///
  /// The closures may be called on any thread, one call at a time. They must return soon, because other transfers may
  /// wait for them. A chunk that was already being delivered when `cancel()` was called may arrive after it has
  /// returned.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - didReceiveData: receives each chunk of the body in order, with the response.
  ///   - completion: called exactly once, after the last chunk. Receives `nil` if the body is complete; otherwise, the
  ///     error. A canceled transfer completes with an error too.
  /// - Returns: a handle that cancels the transfer. The transfer continues if the handle is released.
  func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable
}
