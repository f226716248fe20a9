import Foundation
import FoundationNetworking

/// The server's answer, as Foundation spells it once somebody asks for that.
///
/// Most who load an image never look at it.
final class LazyURLResponse: Sendable {
  /// The head of the response, from which the `URLResponse` is made.
  let head: ResponseHead
  private let made = OnceReference<URLResponse>()

  init(_ head: ResponseHead) {
    // A response outlives its load, and is not to keep what the cache had to do with it.
    var head = head
    head.caching = nil
    self.head = head
  }

  /// - Parameter url: stands in where the response has none.
  convenience init(_ response: URLResponse, url: URL? = nil) {
    self.init(ResponseHead(response, url: url ?? URL(fileURLWithPath: "/")))
  }

  /// The same object at each read.
  var value: URLResponse { made.load() ?? made.storeIfNil(head.urlResponse()) }
}
