#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1

  /// One request of a transfer, which receives AsyncHTTPClient's callbacks on the event loop.
  ///
  /// A transfer releases a request that has ended. Later callbacks are ignored.
  final class ClientRequest: HTTPClientResponseDelegate, @unchecked Sendable {
    private var transfer: EventLoopTransfer?
    private var task: HTTPClient.Task<Void>?
    /// A chunk that is not delivered to its end while the transfer is paused. The next chunk arrives after its promise
    /// is fulfilled.
    private var heldChunk: (bytes: ByteBuffer, promise: EventLoopPromise<Void>)?

    init(_ transfer: EventLoopTransfer) { self.transfer = transfer }

    func start(_ request: HTTPClient.Request, with transport: EventLoopTransport) {
      let task = transport.client.execute(
        request: request, delegate: self, eventLoop: .delegate(on: transport.loop), logger: nil)
      self.task = task
      // The future reports every end, while `didReceiveError` is not called for all of them.
      task.futureResult.whenComplete { result in
        guard let transfer = self.takeTransfer() else { return }
        switch result {
        case .success: transfer.didComplete()
        case .failure(let error): transfer.didFail(error)
        }
      }
    }

    var holdsChunk: Bool { heldChunk != nil }

    /// Delivers the chunk that was held back, and continues.
    func resume() {
      guard let (bytes, promise) = heldChunk else { return }
      heldChunk = nil
      guard transfer?.didReceive(bytes) ?? true else {
        heldChunk = (bytes, promise)
        return
      }
      promise.succeed()
    }

    /// Ends the callbacks, and closes the connection if the response is not complete.
    func abandon() {
      _ = takeTransfer()
      task?.fail(reason: HTTPClientError.cancelled)
      // Only after the failure. Otherwise the client would continue with the next chunk.
      heldChunk?.promise.succeed()
      heldChunk = nil
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
      if transfer.isPaused || !transfer.didReceive(bytes) {
        let promise = task.eventLoop.makePromise(of: Void.self)
        heldChunk = (bytes, promise)
        return promise.futureResult
      }
      return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
  }
#endif
