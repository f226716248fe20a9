public import Foundation
public import FoundationNetworking

/// Something that can be stopped before it ends.
public protocol Cancellable: Sendable {
  /// Stops the work, from any thread. Further calls have no effect, nor has one after the end.
  func cancel()
}

/// Fetches the bytes behind a URL.
public protocol DataLoading: Sendable {
  /// Starts to fetch the body of a response.
  ///
  /// The pipeline calls this on one of its threads, or on the thread of the Swift task that awaits the image. It must
  /// not block, which would keep a thread of Swift's cooperative pool from other tasks.
  ///
  /// The closures run on any thread, one call at a time, and must return soon: other transfers may wait for them.
  /// A chunk that was on its way when `cancel()` was called may still arrive after it has returned.
  ///
  /// - Parameters:
  ///   - request: what is to be fetched.
  ///   - didReceiveData: receives each part of the body in order, as it comes, with the response it belongs to.
  ///   - completion: is called exactly once, after the last part: with `nil` if the body is complete, else with the
  ///     error. A canceled transfer completes with an error too.
  /// - Returns: a handle that stops the transfer. The transfer does not need the handle to live.
  func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable
}
