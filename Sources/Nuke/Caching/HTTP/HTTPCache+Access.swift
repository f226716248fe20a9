import Foundation
public import FoundationNetworking
import NukeHTTPCaching

extension HTTPCache {
  /// Returns the stored response for a request, fresh or stale; `nil` if nothing matches it.
  ///
  /// What servers tell apart by `Vary` is looked for by the header fields that a loader with the default configuration sends:
  /// what one with ``DataLoader/Configuration/additionalHeaders`` or a ``DataLoader/Configuration/userAgent`` of its own has
  /// stored is found where the request has these fields itself.
  ///
  /// It is read on the calling thread.
  public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    guard let url = request.url, let asked = CacheRequest(request, mode: .ignore) else { return nil }
    let slots = slots(of: CacheURL.key(asked.url))
    guard let reuse = CachePolicy(policy).decide(asked, stored: slots.map(\.response), now: now).reuse,
      let body = body(of: slots[reuse.index])
    else { return nil }
    let answer = CachedAnswer(slots[reuse.index].response, reuse, body, url: url)
    return CachedURLResponse(response: answer.head.urlResponse(), data: Data(body[answer.range]))
  }

  /// Returns the stored response that is shown while the origin is asked about it: one with a whole body that is stale,
  /// or that the request wants validated.
  ///
  /// It is read on the calling thread.
  ///
  /// - Parameter always: also where neither the origin nor the policy allows it.
  func shownStale(_ asked: CacheRequest, always: Bool) -> (StoredResponse, Data)? {
    let slots = slots(of: CacheURL.key(asked.url))
    guard !slots.isEmpty,
      let reuse = CachePolicy(policy).staleReuse(asked, stored: slots.map(\.response), now: now, always: always),
      reuse.answer == .whole, slots[reuse.index].response.status == 200, let body = body(of: slots[reuse.index])
    else { return nil }
    return (slots[reuse.index].response, body)
  }

  /// Keeps a response, where HTTP allows that to be done with it and there is room.
  ///
  /// It can be read back at once; writing is done behind. Where `Vary` tells variants apart, it is kept for the header fields
  /// that a loader with the default configuration sends, as ``cachedResponse(for:)`` looks for it.
  public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard let response = cachedResponse.response as? HTTPURLResponse, let asked = CacheRequest(request) else { return }
    let now = now
    let received = ReceivedResponse(
      status: response.statusCode,
      fields: ResponseHead(response, url: response.url ?? URL(fileURLWithPath: "/")).fields,
      requestTime: now, responseTime: now)
    let key = CacheURL.key(asked.url)
    let slots = slots(of: key)
    let reception = CachePolicy(policy).receive(
      received, to: asked, sending: Forward(reason: .bypass), stored: slots.map(\.response))
    let count = cachedResponse.data.count
    guard let entry = reception.entry?.finished(bodyLength: count) else { return }
    let replaced = reception.removals.map { slots[$0].key }
    if stagingBacklog.hasRoom(for: count) {
      stage(.store(entry, .data(cachedResponse.data), replacing: replaced), of: key, cost: count)
    } else if !replaced.isEmpty {
      // The old is not to be taken for the new.
      stage(.remove(replaced), of: key)
    }
  }

  /// Forgets everything that is kept of a request's URL, all variants. Returns at once.
  public func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    stage(.removeURL, of: CacheURL.key(url.absoluteString))
  }

  /// Forgets everything. Returns when it is gone.
  public func removeAllCachedResponses() {
    stage(.removeAll, of: "")
    writeStaged()
  }

  /// Waits until all that was kept or removed before this call is on the disk.
  ///
  /// It then outlives the process, however that ends.
  public func flush() { writeStaged() }
}

extension CachePolicy {
  /// Returns how a stored response may be used until the origin has answered; `nil` if it can be used as it is.
  fileprivate func staleReuse(
    _ asked: CacheRequest, stored: [StoredResponse], now: Timestamp, always: Bool
  ) -> Reuse? {
    switch decide(asked, stored: stored, now: now) {
    case .useStale(let reuse, _): return reuse
    case .validate where always, .fetch where always:
      return decide(asked.unasked, stored: stored, now: now).reuse
    case .use, .validate, .fetch, .unavailable: return nil
    }
  }
}

extension CacheRequest {
  /// The same for what is stored, however old.
  var unasked: CacheRequest { CacheRequest(method: method, url: url, fields: fields, mode: .ignore) }
}
