import Dispatch

/// A transfer that ends before it begins.
package final class FailedTransfer: Transfer {
  /// Tells the end on another thread: whoever starts a transfer may hold a lock that the observer takes.
  package static func start(_ error: any Error, observer: any StreamObserver) -> FailedTransfer {
    DispatchQueue.global().async { observer.didFinish(error) }
    return FailedTransfer()
  }

  package func cancel() {}
  package func pause() {}
  package func resume() {}
}
