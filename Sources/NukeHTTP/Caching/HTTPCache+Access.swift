package import Foundation
public import FoundationNetworking
package import NukeHTTPCaching

extension HTTPCache {
  /// Returns the stored response for a request, fresh or stale; `nil` if nothing matches it.
  ///
  /// If the server distinguishes responses by `Vary`, the look-up uses the header fields that a loader with the default
  /// configuration sends. To find what a loader with other ``DataLoader/Configuration/additionalHeaders`` or another
  /// ``DataLoader/Configuration/userAgent`` has stored, set these fields in the request.
  ///
  /// The response is read on the calling thread.
  public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    guard let url = request.url, let cacheRequest = CacheRequest(request, mode: .ignore) else { return nil }
    let slots = slots(of: CacheURL.key(cacheRequest.url))
    guard let reuse = CachePolicy(policy).decide(cacheRequest, stored: slots.map(\.response), now: now).reuse,
      let body = body(of: slots[reuse.index])
    else { return nil }
    let served = CachedResponse(slots[reuse.index].response, reuse, body, url: url)
    return CachedURLResponse(response: served.head.urlResponse(), data: Data(body[served.range]))
  }

  /// Returns the stored response to show while it is validated: one with a complete body that is stale, or that the
  /// request wants to validate.
  ///
  /// The response is read on the calling thread.
  ///
  /// - Parameter always: `true` to return it even if neither the origin nor the policy allows that.
  package func shownStale(_ cacheRequest: CacheRequest, always: Bool) -> (StoredResponse, Data)? {
    let slots = slots(of: CacheURL.key(cacheRequest.url))
    guard !slots.isEmpty,
      let reuse = CachePolicy(policy).staleReuse(cacheRequest, stored: slots.map(\.response), now: now, always: always),
      reuse.kind == .whole, slots[reuse.index].response.status == 200, let body = body(of: slots[reuse.index])
    else { return nil }
    return (slots[reuse.index].response, body)
  }

  /// Stores a response if HTTP allows it and there is enough space.
  ///
  /// The response can be read back at once. It is written in the background. If the response has a `Vary` field, it is
  /// stored for the header fields that a loader with the default configuration sends, like those that
  /// ``cachedResponse(for:)`` uses.
  public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard let response = cachedResponse.response as? HTTPURLResponse, let cacheRequest = CacheRequest(request) else {
      return
    }
    let now = now
    let received = ReceivedResponse(
      status: response.statusCode,
      fields: ResponseHead(response, url: response.url ?? URL(fileURLWithPath: "/")).fields,
      requestTime: now, responseTime: now)
    let key = CacheURL.key(cacheRequest.url)
    let slots = slots(of: key)
    let reception = CachePolicy(policy).receive(
      received, to: cacheRequest, sending: Forward(reason: .bypass), stored: slots.map(\.response))
    let count = cachedResponse.data.count
    guard let entry = reception.entry?.finished(bodyLength: count) else { return }
    let replaced = reception.removals.map { slots[$0].key }
    if stagingBacklog.hasRoom(for: count) {
      stage(.store(entry, .data(cachedResponse.data), replacing: replaced), of: key, cost: count)
    } else if !replaced.isEmpty {
      // The old response must not be served for the new one.
      stage(.remove(replaced), of: key)
    }
  }

  /// Removes all stored responses of a request's URL, with all variants. Returns at once.
  public func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    stage(.removeURL, of: CacheURL.key(url.absoluteString))
  }

  /// Removes all stored responses. Returns when they are gone.
  public func removeAllCachedResponses() {
    stage(.removeAll, of: "")
    writeStaged()
  }

  /// Waits until everything that was stored or removed before this call is on disk.
  public func flush() { writeStaged() }
}

extension CachePolicy {
  /// Returns how a stale response may be used until the origin has responded; `nil` if the stored one needs no
  /// validation.
  fileprivate func staleReuse(
    _ cacheRequest: CacheRequest, stored: [StoredResponse], now: Timestamp, always: Bool
  ) -> Reuse? {
    switch decide(cacheRequest, stored: stored, now: now) {
    case .useStale(let reuse, _): return reuse
    case .validate where always, .fetch where always:
      return decide(cacheRequest.ignoringFreshness, stored: stored, now: now).reuse
    case .use, .validate, .fetch, .unavailable: return nil
    }
  }
}

extension CacheRequest {
  /// The request, changed to accept a stored response of any age.
  package var ignoringFreshness: CacheRequest { CacheRequest(method: method, url: url, fields: fields, mode: .ignore) }
}
