import Foundation
import FoundationNetworking
import NukeHTTP
import NukeHTTPCaching

/// Explains what the loader's HTTP cache would do for a download.
extension Explainer {
  /// The step that follows the look-up in the HTTP cache.
  enum AfterHTTPCache {
    /// The HTTP cache is missing, not used, or has no usable response.
    case load
    /// The stored response must be validated. Contains its data.
    case ask(Data)
    /// The stored response is used. Contains its data.
    case given(Data)
    /// The load fails.
    case fails
  }

  mutating func findInHTTPCache() -> AfterHTTPCache {
    guard let url = request.url, url.isHTTP, let urlRequest = request.urlRequest,
      let configuration = pipeline.streamingLoader(for: request)?.configuration(for: url),
      let cache = configuration.urlCache,
      let asked = CacheRequest(
        pipeline.withCachePolicy(urlRequest, of: request, requirement), configuration: configuration)
    else { return .load }
    let slots = cache.peek(asked.url)
    let policy = CachePolicy(cache.policy)
    switch policy.decide(asked, stored: slots.map(\.response), now: cache.now) {
    case .use(let reuse): return use(reuse, of: slots[reuse.index], in: cache, urlRequest, finding: .hit)
    case .useStale(let reuse, _):
      return use(reuse, of: slots[reuse.index], in: cache, urlRequest, finding: .shownStale)
    case .validate(let forward), .fetch(let forward):
      if forward.reason == .bypass {
        lookUp(.disk, asked.url, finding: .notAsked, reason: .reload, isInHTTPCache: true)
        return .load
      }
      let reuse = policy.decide(asked.ignoringFreshness, stored: slots.map(\.response), now: cache.now).reuse
      return ask(forward, about: reuse, of: slots, in: cache, asked)
    case .unavailable:
      lookUp(.disk, asked.url, finding: .miss, isInHTTPCache: true)
      // A cache-only load fails at the network look-up, which reports the reason.
      if request.isCacheOnly { return .load }
      fail(.dataLoadingFailed(error: DataLoader.Error.statusCodeUnacceptable(504)))
      return .fails
    }
  }

  /// Adds a look-up whose stored response is used.
  private mutating func use(
    _ reuse: Reuse, of slot: HTTPCache.Slot, in cache: HTTPCache, _ urlRequest: URLRequest,
    finding: Explanation.Lookup.Finding
  ) -> AfterHTTPCache {
    guard let url = urlRequest.url, let body = cache.peek(slot) else {
      lookUp(.disk, slot.response.key, finding: .miss, reason: .damaged, isInHTTPCache: true)
      return .load
    }
    let served = CachedResponse(slot.response, reuse, body, url: url)
    let bytes = Data(body[served.range])
    lookUp(
      .disk, slot.response.key, finding: finding, byteCount: bytes.count,
      freshness: .init(slot.response, reuse.freshness, cache.now), isInHTTPCache: true,
      cacheStatus: served.head.caching?.status.text)
    if let error = ResponseAcceptance.successful.refusal(of: served.head, to: urlRequest) {
      fail(.dataLoadingFailed(error: error))
      return .fails
    }
    // If the pipeline evaluates freshness, it validates the stale response itself after it was shown.
    return finding == .shownStale && evaluator != nil ? .ask(bytes) : .given(bytes)
  }

  /// Adds a look-up whose stored response must be validated.
  private mutating func ask(
    _ forward: Forward, about reuse: Reuse?, of slots: [HTTPCache.Slot], in cache: HTTPCache, _ asked: CacheRequest
  ) -> AfterHTTPCache {
    guard let reuse, reuse.kind == .whole else {
      lookUp(.disk, asked.url, finding: .miss, isInHTTPCache: true)
      return .load
    }
    let slot = slots[reuse.index]
    guard let body = cache.peek(slot) else {
      lookUp(.disk, slot.response.key, finding: .miss, reason: .damaged, isInHTTPCache: true)
      return .load
    }
    let isShown = requirement?.isStaleShown == true && slot.response.status == 200
    let isValidated = forward.validating.contains(reuse.index)
    lookUp(
      .disk, slot.response.key, finding: isShown ? .shownStale : isValidated ? .stale : .miss,
      reason: isShown || isValidated ? nil : .noValidator, byteCount: body.count,
      freshness: .init(slot.response, reuse.freshness, cache.now), isInHTTPCache: true)
    return isValidated ? .ask(body) : .load
  }
}
