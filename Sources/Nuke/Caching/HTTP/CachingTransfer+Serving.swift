import Foundation
import NukeHTTPCaching

/// Answers from what is stored, on a worker.
extension CachingTransfer {
  /// Bytes that are delivered at a time, between two looks at whether they are still wanted.
  private static let chunk = 128 << 10

  /// Answers with a stored response.
  ///
  /// - Parameters:
  ///   - response: what it has become since it was looked up.
  ///   - before: is done before anything is delivered.
  /// - Returns: `false` if its body is gone; nothing has happened then.
  func serve(
    _ reuse: Reuse, as response: StoredResponse? = nil, status: CacheStatus? = nil, before: () -> Void = {}
  ) -> Bool {
    let slot = slots[reuse.index]
    guard let body = cache.body(of: slot) else { return false }
    before()
    let answer = CachedAnswer(
      response ?? slot.response, reuse, body, url: url, hasBody: !isHead, status: status)
    guard !isCancelled else {
      end(DataLoader.TransferError.cancelled)
      return true
    }
    guard deliver(answer.head) else { return true }
    deliver(body[answer.range]) { isWanted in
      if isWanted { self.end(nil) }
    }
    return true
  }

  /// Delivers stored bytes for as long as they are wanted.
  ///
  /// - Parameter next: is told whether they were, to the last. If not, the end was told.
  func deliver(_ bytes: Data, next: @escaping @Sendable (_ isWanted: Bool) -> Void) {
    var rest = bytes
    while !rest.isEmpty {
      let left = rest
      if park({ self.deliver(left, next: next) }) { return }
      if isCancelled { end(DataLoader.TransferError.cancelled) }
      guard !isCancelled, rest.prefix(Self.chunk).withUnsafeBytes({ deliver($0) }) else { return next(false) }
      rest = rest.dropFirst(Self.chunk)
    }
    next(true)
  }

  /// A request that only what is stored may answer.
  func refuse(_ reason: Forward.Reason) {
    var status = CacheStatus()
    status.forward = reason
    status.detail = "only-if-cached"
    var head = ResponseHead.notStored(url)
    head.caching = ResponseHead.Caching(status: status, response: nil, isFromCache: true, isStale: false)
    if deliver(head) { end(nil) }
  }
}
