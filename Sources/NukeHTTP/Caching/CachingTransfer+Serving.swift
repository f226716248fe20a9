package import Foundation
package import NukeHTTPCaching

/// Serves stored responses, on a worker.
extension CachingTransfer {
  /// The number of bytes that are delivered between two checks for cancellation.
  private static let chunk = 128 << 10

  /// Serves a stored response.
  ///
  /// - Parameters:
  ///   - response: the response if it was renewed since the look-up.
  ///   - isKept: `false` if the response must not be stored any more.
  func serve(
    _ reuse: Reuse, _ body: Data, as response: StoredResponse? = nil, status: CacheStatus? = nil, isKept: Bool = true
  ) {
    let served = CachedResponse(
      response ?? slots[reuse.index].response, reuse, body, url: url, hasBody: !isHead, status: status, isKept: isKept)
    guard !isCancelled else { return end(DataLoader.TransferError.cancelled) }
    guard deliver(served.head) else { return }
    deliver(body[served.range]) { isWanted in
      if isWanted { self.end(nil) }
    }
  }

  /// Delivers stored bytes until the transfer is canceled.
  ///
  /// - Parameter next: called with `true` if all bytes were delivered, and with `false` before the transfer ends early.
  func deliver(_ bytes: Data, next: @escaping @Sendable (_ isWanted: Bool) -> Void) {
    var rest = bytes
    while !rest.isEmpty {
      let left = rest
      if park({ self.deliver(left, next: next) }) { return }
      let chunk = rest.prefix(Self.chunk)
      if let error = isCancelled ? .cancelled : chunk.withUnsafeBytes({ deliver($0) }) {
        next(false)
        return end(error)
      }
      rest = rest.dropFirst(Self.chunk)
    }
    next(true)
  }

  /// Fails a request that only a stored response may satisfy.
  func refuse(_ reason: Forward.Reason) {
    var status = CacheStatus()
    status.forward = reason
    status.detail = "only-if-cached"
    var head = ResponseHead.notStored(url)
    head.caching = ResponseHead.Caching(status: status, response: nil, isFromCache: true, isStale: false)
    if deliver(head) { end(nil) }
  }
}

/// A stored response to be served for a request.
package struct CachedResponse {
  package let head: ResponseHead
  /// The range of the response within the stored body.
  package let range: Range<Int>

  /// - Parameter isKept: `false` if the response must not be stored any more.
  package init(
    _ response: StoredResponse, _ reuse: Reuse, _ body: Data, url: URL, hasBody: Bool = true,
    status: CacheStatus? = nil, isKept: Bool = true
  ) {
    var (code, fields) = response.head(for: reuse)
    let range = response.bodyRange(for: reuse.kind, storedLength: body.count)
    // The length is known, even if the origin did not state it.
    if case .whole = reuse.kind, code != 204, !fields.contains(.contentLength) {
      fields.append("Content-Length", String(range.count))
    }
    self.range = hasBody ? range : 0..<0
    let expected = fields.only(.contentLength).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    var head = ResponseHead(url: url, status: code, expectedLength: expected, fields: fields)
    head.caching = ResponseHead.Caching(
      status: status ?? CacheStatus(reuse), response: isKept ? response : nil, isFromCache: true,
      isStale: reuse.staleness != nil)
    self.head = head
  }
}
