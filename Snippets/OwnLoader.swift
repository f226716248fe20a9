// A data loader of one's own: gives what a program has in memory in place of asking servers.
import Foundation
import Nuke

final class Shelf: DataLoading {
  struct Missing: Error {}

  private final class Done: Cancellable {
    func cancel() {}
  }

  private let bodies: [String: Data]
  init(_ bodies: [String: Data]) { self.bodies = bodies }

  func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    if let url = request.url, let body = bodies[url.path] {
      didReceiveData(
        body, URLResponse(url: url, mimeType: nil, expectedContentLength: body.count, textEncodingName: nil))
      completion(nil)
    } else {
      completion(Missing())
    }
    return Done()
  }
}

let pipeline = ImagePipeline { $0.dataLoader = Shelf(["/logo.png": Data()]) }
do {
  print(try await pipeline.image(for: "https://example.com/logo.png"))
} catch {
  // The source is empty: it has no bytes.
  print(error)
}
