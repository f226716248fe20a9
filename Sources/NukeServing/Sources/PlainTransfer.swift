import Foundation
import FoundationNetworking
import Nuke

/// A transfer of a loader that implements only `DataLoading`.
final class PlainTransfer: Transfer {
  private struct State {
    var task: (any Cancellable)?
    var hasHead = false
    var count = 0
    /// `nil` after the end was reported.
    var observer: (any StreamObserver)?
  }

  private let state: Lock<State>
  private let limit: Int?
  private let url: URL

  private init(url: URL, limit: Int?, observer: any StreamObserver) {
    self.url = url
    self.limit = limit
    state = Lock(State(observer: observer))
  }

  static func start(
    _ request: URLRequest, by loader: any DataLoading, limit: Int?, observer: any StreamObserver
  ) -> PlainTransfer {
    let transfer = PlainTransfer(url: request.url ?? URL(fileURLWithPath: "/"), limit: limit, observer: observer)
    let task = loader.loadData(
      with: request, didReceiveData: { transfer.receive($0, $1) }, completion: { transfer.finish($0) })
    let isOver = transfer.state.withLock { state in
      if state.observer != nil { state.task = task }
      return state.observer == nil
    }
    if isOver { task.cancel() }
    return transfer
  }

  func cancel() { state.withLock { $0.task }?.cancel() }

  // Such a loader cannot be paused.
  func pause() {}
  func resume() {}

  private func receive(_ data: Data, _ response: URLResponse) {
    let (observer, isFirst, isTooLarge) = state.withLock { state in
      defer {
        state.hasHead = true
        state.count += data.count
      }
      return (state.observer, !state.hasHead, limit.map { state.count + data.count > $0 } ?? false)
    }
    if isTooLarge, let limit {
      finish(DataLoader.TransferError.bodyTooLarge(limit: limit))
      return cancel()
    }
    if isFirst { observer?.didReceive(ResponseHead(response, url: url)) }
    if !data.isEmpty { data.withUnsafeBytes { observer?.didReceive($0) } }
  }

  private func finish(_ error: (any Error)?) {
    state.withLock { $0.observer.take() }?.didFinish(error)
  }
}
