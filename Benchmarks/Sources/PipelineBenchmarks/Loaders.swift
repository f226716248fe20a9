import Foundation
import FoundationNetworking
import Nuke
import Synchronization

final class NothingToCancel: Cancellable { func cancel() {} }

/// Responds at once, on the caller's thread, with one shared body of 20,480 bytes.
final class InstantLoader: DataLoading {
  private let data = Data(count: 20 * 1024)
  private let response = URLResponse(
    url: URL(string: "http://test.com/x")!, mimeType: "image/jpeg", expectedContentLength: 20 * 1024,
    textEncodingName: nil)
  private let nothing = NothingToCancel()
  private let calls = Atomic<Int>(0)

  var callCount: Int { calls.load(ordering: .relaxed) }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    calls.add(1, ordering: .relaxed)
    didReceiveData(data, response)
    completion(nil)
    return nothing
  }
}

/// Responds on an operation queue with six threads, as loaders on `URLSession` do.
final class QueueLoader: DataLoading {
  private let loader = InstantLoader()
  private let queue = OperationQueue()

  init() { queue.maxConcurrentOperationCount = 6 }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    queue.addOperation { [loader] in
      _ = loader.loadData(with: request, didReceiveData: didReceiveData, completion: completion)
    }
    return NothingToCancel()
  }
}

/// Never responds until it is canceled.
final class SilentLoader: DataLoading {
  private struct State {
    /// The loads that were started and not canceled.
    var running = 0
    var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      guard let waiter, waiter.count == running else { return nil }
      self.waiter = nil
      return waiter.continuation
    }
  }

  private let state = Mutex(State())

  private final class Waiting: Cancellable {
    let loader: SilentLoader
    let completion: @Sendable ((any Error)?) -> Void

    init(_ loader: SilentLoader, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
      self.loader = loader
      self.completion = completion
    }

    func cancel() {
      completion(CancellationError())
      loader.change(by: -1)
    }
  }

  private func change(by difference: Int) {
    state.withLock { state in
      state.running += difference
      return state.takeWaiter()
    }?.resume()
  }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    change(by: 1)
    return Waiting(self, completion)
  }

  /// Waits until `count` loads are running.
  func waitUntilRunning(_ count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.waiter = (count, continuation)
        return state.takeWaiter()
      }?.resume()
    }
  }
}

/// Delivers 1 MiB in 64 chunks, at once.
final class ChunkLoader: DataLoading {
  private let chunk = Data(count: 16 * 1024)
  private let response = URLResponse(
    url: URL(string: "http://test.com/x")!, mimeType: "image/jpeg", expectedContentLength: 1024 * 1024,
    textEncodingName: nil)
  private let nothing = NothingToCancel()

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    for _ in 0..<64 { didReceiveData(chunk, response) }
    completion(nil)
    return nothing
  }
}

/// Returns the same container for all data.
struct ConstantDecoder: ImageDecoding {
  let container: ImageContainer
  var isAsynchronous = false
  func decode(_ data: Data) throws -> ImageContainer { container }
}

/// Returns each image unchanged.
struct Unchanged: ImageProcessing, Hashable {
  let number: Int
  var identifier: String { "unchanged/\(number)" }
  func process(_ image: PlatformImage) -> PlatformImage? { image }
}
