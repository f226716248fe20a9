import Dispatch
import Foundation
import NukeBase
import Synchronization

/// A transfer that reads a `file:` or `data:` URL on a Dispatch thread.
final class LocalTransfer: Transfer {
  private let url: URL
  private let limit: Int?
  /// The observer; `nil` once the result is being delivered.
  private let observer: Lock<(any StreamObserver)?>
  private let isCancelled = Atomic<Bool>(false)

  private init(url: URL, limit: Int?, observer: any StreamObserver) {
    self.url = url
    self.limit = limit
    self.observer = Lock(observer)
  }

  static func start(_ url: URL, limit: Int?, observer: any StreamObserver) -> LocalTransfer {
    let transfer = LocalTransfer(url: url, limit: limit, observer: observer)
    DispatchQueue.global().async { transfer.run() }
    return transfer
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  // The body is read completely and delivered as one chunk, so there is nothing to pause.
  func pause() {}
  func resume() {}

  private func run() {
    guard let observer = observer.withLock({ $0.take() }) else { return }
    guard !isCancelled.load(ordering: .relaxed) else { return observer.didFinish(DataLoader.TransferError.cancelled) }
    do throws(DataLoader.TransferError) {
      let (data, response) = try LocalResource.load(url, limit: limit)
      guard !isCancelled.load(ordering: .relaxed) else { throw .cancelled }
      observer.didReceive(ResponseHead(response, url: url))
      if !data.isEmpty { data.withUnsafeBytes { observer.didReceive($0) } }
      observer.didFinish(nil)
    } catch {
      observer.didFinish(error)
    }
  }
}
