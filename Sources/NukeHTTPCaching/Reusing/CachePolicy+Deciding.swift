extension CachePolicy {
  /// Decides how a request is answered (RFC 9111 §4).
  ///
  /// - Parameter stored: all responses stored under the cache key of the request's URL, in any order.
  package func decide(_ request: CacheRequest, stored: [StoredResponse], now: Timestamp) -> Decision {
    guard request.isGet || request.isHead else {
      // Unsafe methods are written through to the origin, even with `only-if-cached` (RFC 9111 §4).
      return request.mode == .onlyStored ? .unavailable(.method) : .fetch(Forward(reason: .method))
    }
    if request.mode == .reload { return .fetch(Forward(reason: .bypass)) }
    if request.directives.noStore || request.fields.contains(.ifMatch)
      || request.fields.contains(.ifUnmodifiedSince)
    {
      // A cache must not evaluate If-Match and If-Unmodified-Since (RFC 9111 §4.3.2).
      return goOn(.fetch(Forward(reason: .request)), request)
    }
    switch Selection(request, stored) {
    case .none(let reason): return goOn(miss(reason, request, stored), request)
    case .incomplete(let index): return goOn(completion(of: index, request, stored), request)
    case .found(let index, let kind):
      return decide(request, about: stored[index], Reuse(index, kind, freshness(of: stored[index], now: now)))
    }
  }

  private func decide(_ request: CacheRequest, about response: StoredResponse, _ reuse: Reuse) -> Decision {
    let freshness = reuse.freshness
    switch request.mode {
    case .ignore, .onlyStored: return .use(freshness.isFresh ? reuse : reuse.stale(.request))
    case .respect, .revalidate, .reload: break
    }
    let control = response.facts.cacheControl
    var isAsked = response.isDoubtful || control.noCache || request.directives.asksForValidation(of: freshness)
    if control.isPrivate && !storesPrivate { isAsked = true }
    if request.mode == .revalidate && !(freshness.isFresh && control.immutable) { isAsked = true }
    if !isAsked {
      if freshness.isFresh { return .use(reuse) }
      let staleness = freshness.stalenessInMilliseconds
      if !control.mustRevalidate {
        if StaleAllowance(request.directives.maxStale).allows(staleness) { return .use(reuse.stale(.request)) }
        if staleWhileRevalidating.allows(staleness)
          || StaleAllowance(control.staleWhileRevalidate).allows(staleness)
        {
          return .useStale(
            reuse.stale(.whileRevalidating), revalidating: forward(.stale, validating: reuse.index, response, request))
        }
      }
    }
    let forward = forward(freshness.isFresh ? .request : .stale, validating: reuse.index, response, request)
    return goOn(forward.validating.isEmpty ? .fetch(forward) : .validate(forward), request)
  }

  /// Returns the stored response to serve after `failure`, or `nil` if none may be served (RFC 9111 §4.2.4, RFC 5861
  /// §4).
  package func fallback(
    for request: CacheRequest, stored: [StoredResponse], after failure: Failure, now: Timestamp
  ) -> Reuse? {
    if case .status(let status) = failure, !StatusCode.isError(status) { return nil }
    guard request.isGet || request.isHead, request.mode != .reload, !request.directives.noStore,
      !request.directives.noCache, case .found(let index, let kind) = Selection(request, stored)
    else { return nil }
    let response = stored[index]
    let control = response.facts.cacheControl
    let reuse = Reuse(index, kind, freshness(of: response, now: now))
    guard !response.isDoubtful, !control.noCache, storesPrivate || !control.isPrivate,
      !request.directives.asksForValidation(of: reuse.freshness)
    else { return nil }
    if reuse.freshness.isFresh { return reuse }
    let staleness = reuse.freshness.stalenessInMilliseconds
    let allowance = failure == .disconnected ? staleWhenDisconnected : staleOnServerError
    guard !control.mustRevalidate,
      allowance.allows(staleness) || StaleAllowance(control.staleIfError).allows(staleness)
        || StaleAllowance(request.directives.staleIfError).allows(staleness)
    else { return nil }
    return reuse.stale(failure == .disconnected ? .disconnected : .error)
  }

  /// Returns the decision, or `unavailable` if it needs the origin and the request forbids that: by `only-if-cached`
  /// (RFC 9111 §5.2.1.7), or by its mode.
  private func goOn(_ decision: Decision, _ request: CacheRequest) -> Decision {
    guard request.directives.onlyIfCached || request.mode == .onlyStored else { return decision }
    switch decision {
    case .fetch(let forward), .validate(let forward): return .unavailable(forward.reason)
    case .use, .useStale, .unavailable: return decision
    }
  }
}

extension RequestCacheControl {
  /// Returns `true` if the request's directives require validation of a response with this freshness (RFC 9111 §5.2.1).
  /// `max-age=0` always does.
  fileprivate func asksForValidation(of freshness: Freshness) -> Bool {
    if noCache { return true }
    if let maxAge, maxAge == 0 || freshness.ageInMilliseconds > maxAge * 1000 { return true }
    if let minFresh { return freshness.lifetime * 1000 - freshness.ageInMilliseconds < minFresh * 1000 }
    return false
  }
}

extension StaleAllowance {
  /// Creates the allowance of a directive's argument in seconds; `nil` means that there is no such directive.
  fileprivate init(_ seconds: Int?) { self = seconds.map { .upTo($0) } ?? .never }
}

extension Reuse {
  init(_ index: Int, _ kind: ResponseKind, _ freshness: Freshness) {
    self.init(index: index, kind: kind, freshness: freshness, staleness: nil)
  }

  func stale(_ staleness: Staleness) -> Reuse {
    Reuse(index: index, kind: kind, freshness: freshness, staleness: staleness)
  }
}
