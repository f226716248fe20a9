import Dispatch
import Foundation
import FoundationNetworking
import Nuke

/// A request to a store, and its complete response.
final class S3Exchange: StreamObserver, @unchecked Sendable {
  struct Response: Sendable {
    var head: ResponseHead
    var body: Data
  }

  private let completion: @Sendable (Result<Response, any Error>) -> Void
  /// A transfer calls its observer from one thread at a time.
  private var head: ResponseHead?
  private var body = GrowingData()

  private init(_ completion: @escaping @Sendable (Result<Response, any Error>) -> Void) { self.completion = completion }

  /// - Parameter completion: called once, on the loader's thread; must return soon.
  static func start(
    _ request: URLRequest, by loader: any StreamingDataLoading, limit: Int,
    completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) {
    _ = loader.stream(request, limit: limit, observer: S3Exchange(completion))
  }

  /// Blocks until the response has arrived. The loader's time limit applies.
  static func perform(
    _ request: URLRequest, by loader: any StreamingDataLoading, limit: Int
  ) -> Result<Response, any Error> {
    let pending = PendingResult()
    start(request, by: loader, limit: limit) { result in
      pending.result = result
      pending.done.signal()
    }
    pending.done.wait()
    return pending.result ?? .failure(DataLoader.TransferError.cancelled)
  }

  /// Written before the semaphore is signaled, and read after it.
  private final class PendingResult: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    var result: Result<Response, any Error>?
  }

  func didReceive(_ head: ResponseHead) { self.head = head }

  func didReceive(_ bytes: UnsafeRawBufferPointer) { body.append(bytes, expected: head?.expectedLength ?? 0) }

  func didFinish(_ error: (any Error)?) {
    guard let head, error == nil else { return completion(.failure(error ?? DataLoader.TransferError.cancelled)) }
    completion(.success(Response(head: head, body: body.data)))
  }
}
