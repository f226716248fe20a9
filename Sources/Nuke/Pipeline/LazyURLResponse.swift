import Foundation
import FoundationNetworking
import NukeHTTP

/// The response as a `URLResponse`, created on first use. Most programs never use it.
final class LazyURLResponse: Sendable {
  /// The head from which the `URLResponse` is created.
  let head: ResponseHead
  private let made = OnceReference<URLResponse>()

  init(_ head: ResponseHead) {
    // A response outlives its load, and must not retain the stored response.
    var head = head
    head.caching = nil
    self.head = head
  }

  /// - Parameter url: used if the response has no URL.
  convenience init(_ response: URLResponse, url: URL? = nil) {
    self.init(ResponseHead(response, url: url ?? URL(fileURLWithPath: "/")))
  }

  /// The `URLResponse`; the same object for each access.
  var value: URLResponse { made.load() ?? made.storeIfNil(head.urlResponse()) }
}
