// A custom data loader that wraps a client with async and await.
import Foundation
import Nuke

/// Loads with any client that returns a response and its body in chunks.
struct ClientLoader<Body: AsyncSequence & Sendable>: DataLoading where Body.Element == Data {
  /// Sends a request.
  let send: @Sendable (URLRequest) async throws -> (URLResponse, Body)

  func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    let task = Task {
      do {
        let (response, body) = try await send(request)
        if let error = DataLoader.validate(response: response) { throw error }
        for try await part in body { didReceiveData(part, response) }
        try Task.checkCancellation()
        completion(nil)
      } catch {
        completion(error)
      }
    }
    return TaskCancellable(task)
  }
}

final class TaskCancellable: Cancellable {
  private let task: Task<Void, Never>
  init(_ task: Task<Void, Never>) { self.task = task }
  func cancel() { task.cancel() }
}

/// A client that returns data in memory.
struct Shelf: Sendable {
  struct Missing: Error {}

  let bodies: [String: Data]

  func send(_ request: URLRequest) async throws -> (URLResponse, AsyncStream<Data>) {
    guard let url = request.url, let body = bodies[url.path] else { throw Missing() }
    let response = URLResponse(url: url, mimeType: nil, expectedContentLength: body.count, textEncodingName: nil)
    let (parts, continuation) = AsyncStream<Data>.makeStream()
    for part in [body.prefix(1000), body.dropFirst(1000)] where !part.isEmpty { continuation.yield(part) }
    continuation.finish()
    return (response, parts)
  }
}

func ownLoader() async throws {
  let client = Shelf(bodies: ["/logo.png": Data("not an image".utf8)])
  let pipeline = ImagePipeline { $0.dataLoader = ClientLoader { try await client.send($0) } }
  print(try await pipeline.data(for: ImageRequest(url: URL(string: "https://example.com/logo.png")!)).0.count, "bytes")
  do {
    print(try await pipeline.image(for: "https://example.com/missing.png"))
  } catch {
    print(error)
  }
}
