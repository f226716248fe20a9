import Foundation
import NukeHTTPCaching

/// A stored response as the answer to a request.
struct CachedAnswer {
  let head: ResponseHead
  /// The range of its bytes in the stored body.
  let range: Range<Int>

  init(
    _ response: StoredResponse, _ reuse: Reuse, _ body: Data, url: URL, hasBody: Bool = true, status: CacheStatus? = nil
  ) {
    var (code, fields) = response.head(for: reuse)
    let range = response.bodyRange(for: reuse.answer, storedLength: body.count)
    // How much comes is known, even where the origin did not say it.
    if case .whole = reuse.answer, code != 204, !fields.contains(.contentLength) {
      fields.append("Content-Length", String(range.count))
    }
    self.range = hasBody ? range : 0..<0
    let expected = fields.only(.contentLength).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    var head = ResponseHead(url: url, status: code, expectedLength: expected, fields: fields)
    head.caching = ResponseHead.Caching(
      status: status ?? CacheStatus(reuse), response: response, isFromCache: true, isStale: reuse.staleness != nil)
    self.head = head
  }
}
