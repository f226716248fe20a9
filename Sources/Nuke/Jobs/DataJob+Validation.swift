import Foundation
import FoundationNetworking
import NukeHTTP
import NukeHTTPCaching
import NukeStore

/// Validates stored originals with the server (RFC 9111).
extension DataJob {
  /// The stored response that the server validates.
  struct ValidationContext: Sendable {
    let row: FreshnessTable.Row
    let record: FreshnessRecord
    let forward: Forward

    var stamp: FreshnessStamp { FreshnessStamp(row: row, representation: record.representation) }

    /// The conditional request; `nil` if there is no validator, or if the program has set its own conditions.
    func request(asking urlRequest: URLRequest) -> URLRequest? {
      let own = ["If-None-Match", "If-Modified-Since", "If-Range", "Range"]
      guard !forward.validating.isEmpty, !own.contains(where: { urlRequest.value(forHTTPHeaderField: $0) != nil })
      else {
        return nil
      }
      var urlRequest = urlRequest
      for field in forward.fields {
        urlRequest.setValue(
          String(decoding: field.value, as: UTF8.self),
          forHTTPHeaderField: String(decoding: field.name, as: UTF8.self))
      }
      return urlRequest
    }
  }

  private var now: Timestamp { pipeline.configuration.now() }

  // MARK: Asking

  var validation: ValidationContext? { route.validation }

  func joinValidation() {
    let key = JobKey.validation(request.storage.identity, options: request.options, evaluator?.requirement)
    GraphTransaction.run(on: pipeline) { $0.depend(self, on: key, for: request, .validation) }
  }

  func lookAtRecord() {
    guard let cache = pipeline.freshnessCache(for: request) else {
      return lookedAtRecord(pipeline.freshnessRow(of: request))
    }
    read(DiskLookup(nil, in: cache, evaluator), for: request) { [self] entry in
      if let row = entry.row { lookedAtRecord(row) }
    }
  }

  private func lookedAtRecord(_ row: FreshnessTable.Row) {
    perform(route.lookedAtRecord(row.record, in: row, evaluator, now: now))
  }

  /// Returns `true` if no other process has validated the record meanwhile. Otherwise ends the job.
  func mustStillValidate(_ cache: DataCache) -> Bool {
    guard let known = validation else { return true }
    let record = known.row.merge(cache.freshnessRecord(for: pipeline.originalDataCacheKey(for: request)))
    if record == known.record { return true }
    let action = route.lookedAtRecord(record, in: known.row, evaluator, now: now)
    if case .load = action { return true }
    perform(action)
    return false
  }

  /// Continues with the result of the validation.
  func resume(_ validation: DataJob) {
    switch validation.result! {
    case .failure(let error): finish(.failure(error), from: .waiting)
    case .success(let loaded) where loaded.isUnchanged: perform(route.notModified(loaded.freshness))
    case .success(let loaded):
      isPassedOn = true
      facts.origin = validation.facts.origin
      facts.resumedByteCount = validation.facts.resumedByteCount
      facts.notCachedOnDisk = validation.facts.notCachedOnDisk
      finish(.success(loaded), from: .waiting)
    }
  }

  // MARK: Answers

  /// Handles a 304, on a worker.
  func handleNotModified(_ head: ResponseHead?) {
    guard isLoading, let evaluator, let validation else { return }
    if let caching, caching.isFromCache, !caching.isValidated, let freshness = freshnessInHTTPCache {
      // The HTTP cache has answered for a server that failed, or that it could not reach.
      return finish(.success(.unchanged(validation.stamp, freshness)))
    }
    let (sentAt, now) = (sentAt ?? now, now)
    let received =
      ReceivedResponse(head, sentAt: sentAt, now: now)
      ?? ReceivedResponse(status: 304, fields: HTTPFields(), requestTime: sentAt, responseTime: now)
    let reception = evaluator.policy.receive(
      received, to: evaluator.request, sending: validation.forward, stored: [validation.record.response])
    guard case .stored = reception.delivery, let renewal = reception.renewals.first else {
      return perform(update { $0.restartUnconditionally() })
    }
    let isKept = reception.removals.isEmpty
    pipeline.renew(
      isKept ? validation.record.renewed(renewal.response) : nil, of: validation.stamp, for: request,
      lease: lease?.client.handOver())
    finish(.success(.unchanged(validation.stamp, .validated, mayBeStored: isKept)))
  }

  /// Returns the server fault that an error represents. If the loader rejected a response, the status code of the
  /// response determines the fault.
  func failure(by error: any Error) -> Failure? { refusedStatus.map { .status($0) } ?? Failure(error) }

  /// Returns the stored data if it may be served instead of the data that could not be loaded.
  func fallback(after error: any Error) -> Loaded? {
    guard let evaluator, let validation, let failure = failure(by: error),
      let reuse = evaluator.policy.fallback(
        for: evaluator.request, stored: [validation.record.response], after: failure, now: now)
    else { return nil }
    return .unchanged(validation.stamp, .init(reuse))
  }

  /// Records the freshness of the response, before it is stored. On a worker.
  func noteFreshness() {
    guard !isPassedOn else {
      facts.freshness = (try? result.get())?.freshness?.freshness
      return
    }
    guard let evaluator else {
      guard let freshness = freshnessInHTTPCache, case .success(var loaded) = result else { return }
      loaded.freshness = FreshnessFacts(freshness: freshness)
      result = .success(loaded)
      facts.freshness = freshness
      return
    }
    switch result! {
    case .success(let loaded) where loaded.cacheType == nil && !loaded.isUnchanged:
      result = .success(noted(loaded, evaluator))
    case .success: break
    case .failure(.dataLoadingFailed(let error)):
      guard case .status(let status) = failure(by: error), status == 404 || status == 410 else { break }
      pipeline.keep(nil, in: pipeline.freshnessRow(of: request), for: request)
    case .failure: break
    }
    facts.freshness = (try? result.get())?.freshness?.freshness
  }

  private func noted(_ loaded: Loaded, _ evaluator: FreshnessEvaluator) -> Loaded {
    var loaded = loaded
    let now = now
    var facts = FreshnessFacts(freshness: freshnessInHTTPCache ?? .fresh)
    if !loaded.isPart, let received = ReceivedResponse(loaded.response?.head, sentAt: sentAt ?? now, now: now) {
      let row = pipeline.freshnessRow(of: request)
      // The response as the HTTP cache stores it, so that both have the same version.
      if let response = responseInHTTPCache ?? (try? evaluator.policy.entry(for: received, to: evaluator.request)) {
        let record = FreshnessRecord(response, to: evaluator.request)
        facts.stamp = FreshnessStamp(row: row, representation: record.representation)
        pipeline.keep(record, in: row, for: request)
      } else {
        facts.mayBeStored = false
        pipeline.keep(nil, in: row, for: request)
      }
    }
    loaded.freshness = facts
    return loaded
  }

  // MARK: The HTTP cache below the loader

  /// Returns `true` if the HTTP cache has no response for a cache-only request.
  func isRefusal(_ error: any Error) -> Bool {
    request.isCacheOnly && failure(by: error) == .status(504)
  }

  /// The response as the HTTP cache stores it, if it stores the whole body.
  var responseInHTTPCache: StoredResponse? {
    guard let response = caching?.response, case .whole = response.content else { return nil }
    return response
  }

  /// The freshness of the HTTP cache's answer; `nil` if there is no HTTP cache.
  var freshnessInHTTPCache: ImageResponse.Freshness? {
    guard let caching else { return nil }
    guard caching.isStale else { return caching.isFromCache && caching.isValidated ? .validated : .fresh }
    switch caching.status.detail.flatMap(Reuse.Staleness.init(rawValue:)) {
    case .whileRevalidating: return .stale(.whileRevalidating)
    case .error: return .stale(.serverError)
    case .disconnected: return .stale(.disconnected)
    case .request, nil: return .stale(request.isCacheOnly ? .offline : .maxStale)
    }
  }
}
