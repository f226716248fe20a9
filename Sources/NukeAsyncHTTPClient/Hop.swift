#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1

  /// One request of a transfer, and what AsyncHTTPClient tells of it, on the event loop.
  ///
  /// A transfer that has done with a hop lets go of it: what AsyncHTTPClient may tell later finds nobody.
  final class Hop: HTTPClientResponseDelegate, @unchecked Sendable {
    private var transfer: EventLoopTransfer?
    private var task: HTTPClient.Task<Void>?
    /// A chunk that is held back, and the promise without which there is no further one.
    private var frozen: (bytes: ByteBuffer, promise: EventLoopPromise<Void>)?

    init(_ transfer: EventLoopTransfer) { self.transfer = transfer }

    func start(_ request: HTTPClient.Request, with transport: EventLoopTransport) {
      let task = transport.client.execute(
        request: request, delegate: self, eventLoop: .delegate(on: transport.loop), logger: nil)
      self.task = task
      // The future tells each end, while `didReceiveError` is not called for all of them.
      task.futureResult.whenComplete { result in
        guard let transfer = self.takeTransfer() else { return }
        switch result {
        case .success: transfer.didComplete()
        case .failure(let error): transfer.didFail(error)
        }
      }
    }

    var isFrozen: Bool { frozen != nil }

    /// Delivers the chunk that is held back, and lets more come.
    func thaw() {
      guard let (bytes, promise) = frozen else { return }
      frozen = nil
      transfer?.didReceive(bytes)
      promise.succeed()
    }

    /// Tells nothing further, and closes the connection where the response is not complete.
    func abandon() {
      _ = takeTransfer()
      task?.fail(reason: HTTPClientError.cancelled)
      // After the failure, or it would go on to the next chunk.
      frozen?.promise.succeed()
      frozen = nil
      task = nil
    }

    private func takeTransfer() -> EventLoopTransfer? {
      defer { transfer = nil }
      return transfer
    }

    // MARK: HTTPClientResponseDelegate

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) { transfer?.didSend() }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { transfer?.didSend() }

    func didVisitURL(task: HTTPClient.Task<Void>, _ request: HTTPClient.Request, _ head: HTTPResponseHead) {
      transfer?.didVisit(request.url)
    }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
      transfer?.didReceive(head)
      return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ bytes: ByteBuffer) -> EventLoopFuture<Void> {
      guard let transfer else { return task.eventLoop.makeSucceededVoidFuture() }
      if transfer.isPaused {
        let promise = task.eventLoop.makePromise(of: Void.self)
        frozen = (bytes, promise)
        return promise.futureResult
      }
      transfer.didReceive(bytes)
      return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
  }
#endif
