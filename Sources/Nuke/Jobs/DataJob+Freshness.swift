import Foundation
import FoundationNetworking
import NukeHTTPCaching

/// Whether what is stored of an original may be used, and how the server is asked (RFC 9111).
extension DataJob {
  /// What the server is asked about.
  struct Question: Sendable {
    let row: FreshnessTable.Row
    let record: FreshnessRecord
    let forward: Forward

    var stamp: FreshnessStamp { FreshnessStamp(row: row, representation: record.representation) }

    /// The request with conditions; nil where there is nothing to ask by, or where the program has conditions of its own.
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

  // MARK: The route

  func start(_ check: FreshnessCheck) {
    switch purpose {
    case .data:
      let key = pipeline.originalDataCacheKey(for: request)
      if let cache = pipeline.freshnessCache(for: request) {
        send(
          FreshnessRead(key, in: cache, for: self, request) { [self] in useStored($0, check) }, to: pipeline.diskQueue)
      } else if check.wish.isOffline, request.options.allowDiskReads, let cache = pipeline.dataCache(for: request) {
        send(DiskRead(key, in: cache, for: self, request) { [self] in useUnknown($0) }, to: pipeline.diskQueue)
      } else {
        load()
      }
    case .download: load()
    case .validation:
      guard let cache = pipeline.freshnessCache(for: request) else {
        return ask(about: pipeline.freshnessRow(of: request), check)
      }
      send(
        FreshnessRead(nil, in: cache, for: self, request) { [self] in ask(about: $0.row, check) },
        to: pipeline.diskQueue)
    }
  }

  private func useStored(_ found: FreshnessRead.Found, _ check: FreshnessCheck) {
    guard !isStopped else { return }
    guard let stored = found.stored else { return load() }
    switch check.verdict(on: stored.representation, found.row.record, now: now) {
    case .use(let freshness):
      facts.origin = .disk
      finish(
        .success(Loaded(data: stored.data, cacheType: .disk, freshness: found.facts(freshness))), from: .waiting)
    case .validate:
      held = found
      let key = JobKey.validation(request.storage.identity, options: request.options, check.wish)
      Turn.run(on: pipeline) { turn in
        turn.depend(self, on: key) { [pipeline, request] in
          DataJob(id: $0, request: request, pipeline: pipeline, purpose: .validation)
        }
      }
    case .reload: load()
    }
  }

  /// What a cache of the program's own has, of which nothing is known.
  private func useUnknown(_ data: Data?) {
    guard !isStopped else { return }
    guard let data else { return load() }
    facts.origin = .disk
    let freshness = FreshnessFacts(freshness: .stale(.offline))
    finish(.success(Loaded(data: data, cacheType: .disk, freshness: freshness)), from: .waiting)
  }

  private func ask(about row: FreshnessTable.Row, _ check: FreshnessCheck) {
    guard !isStopped else { return }
    guard let record = row.record else { return load() }
    let decision = check.policy.decide(check.request, stored: [record.response], now: now)
    if let forward = decision.forward {
      question = Question(row: row, record: record, forward: forward)
      return load()
    }
    guard let reuse = decision.reuse else { return load() }
    // It has been validated since it was found stale.
    let stamp = FreshnessStamp(row: row, representation: record.representation)
    finish(.success(.unchanged(stamp, .init(reuse))), from: .waiting)
  }

  /// Goes on with what the server says.
  func resume(_ validation: DataJob) {
    switch validation.result! {
    case .failure(let error): finish(.failure(error), from: .waiting)
    case .success(var loaded) where loaded.isUnchanged:
      guard let stored = held?.stored, stored.representation == loaded.freshness?.stamp?.representation else {
        return load()
      }
      facts.origin = .disk
      loaded.data = stored.data
      loaded.cacheType = .disk
      loaded.isUnchanged = false
      finish(.success(loaded), from: .waiting)
    case .success(let loaded):
      isPassedOn = true
      facts.origin = validation.facts.origin
      facts.resumedByteCount = validation.facts.resumedByteCount
      facts.notCachedOnDisk = validation.facts.notCachedOnDisk
      finish(.success(loaded), from: .waiting)
    }
  }

  /// Looks at what another process may have stored or been told meanwhile.
  func lookAgain(_ cache: DataCache, _ check: FreshnessCheck) {
    let key = purpose == .data ? pipeline.originalDataCacheKey(for: request) : nil
    send(
      FreshnessRead(key, in: cache, for: self, request) { [self] found in
        if purpose == .validation { return ask(about: found.row, check) }
        if case .use = check.verdict(on: found.stored?.representation, found.row.record, now: now) {
          useStored(found, check)
        } else {
          enqueue()
        }
      }, to: pipeline.diskQueue)
  }

  /// Whether the server is still to be asked, and not another process has been told since. Otherwise this is the end.
  func isStillInQuestion(_ cache: DataCache, _ check: FreshnessCheck) -> Bool {
    guard let known = question else { return true }
    let record = known.row.merge(cache.freshnessRecord(for: pipeline.originalDataCacheKey(for: request)))
    guard let record, record != known.record else { return true }
    let decision = check.policy.decide(check.request, stored: [record.response], now: now)
    if let forward = decision.forward {
      question = Question(row: known.row, record: record, forward: forward)
      return true
    }
    guard let reuse = decision.reuse else { return true }
    let stamp = FreshnessStamp(row: known.row, representation: record.representation)
    finish(.success(.unchanged(stamp, .init(reuse))), from: .waiting)
    return false
  }

  // MARK: Answers

  /// The server says that nothing has changed. On a worker.
  func believe(_ head: ResponseHead?) {
    guard isLoading, let check, let question else { return }
    if caching?.isStale == true, let freshness = freshnessInHTTPCache {
      // The HTTP cache stands in for a server that it could not reach.
      return finish(.success(.unchanged(question.stamp, freshness)))
    }
    let (sentAt, now) = (sentAt ?? now, now)
    let received =
      ReceivedResponse(head, sentAt: sentAt, now: now)
      ?? ReceivedResponse(status: 304, fields: HTTPFields(), requestTime: sentAt, responseTime: now)
    let reception = check.policy.receive(
      received, to: check.request, sending: question.forward, stored: [question.record.response])
    guard case .stored = reception.delivery, let renewal = reception.renewals.first else {
      return perform(update { $0.disbelieve() })
    }
    let isKept = reception.removals.isEmpty
    pipeline.renew(
      isKept ? question.record.renewed(renewal.response) : nil, of: question.stamp, for: request,
      lease: lease?.handOver())
    finish(.success(.unchanged(question.stamp, .validated, mayBeStored: isKept)))
  }

  /// What an error says of the server. Of one with which a program's own judge has refused an answer, the answer says it.
  func failure(by error: any Error) -> Failure? { refusedStatus.map { .status($0) } ?? Failure(error) }

  /// What is stored, where it may stand in for what could not be loaded.
  func fallback(after error: any Error) -> Loaded? {
    guard let check, let question, let failure = failure(by: error),
      let reuse = check.policy.fallback(
        for: check.request, stored: [question.record.response], after: failure, now: now)
    else { return nil }
    return .unchanged(question.stamp, .init(reuse))
  }

  /// Notes what the end says of the original, before it is stored. On a worker.
  func noteFreshness() {
    guard !isPassedOn else { return }
    guard let check else {
      guard let freshness = freshnessInHTTPCache, case .success(var loaded) = result else { return }
      loaded.freshness = FreshnessFacts(freshness: freshness)
      result = .success(loaded)
      facts.freshness = freshness
      return
    }
    switch result! {
    case .success(let loaded) where loaded.cacheType == nil && !loaded.isUnchanged:
      result = .success(noted(loaded, check))
    case .success: break
    case .failure(.dataLoadingFailed(let error)):
      guard case .status(let status) = failure(by: error), status == 404 || status == 410 else { break }
      pipeline.keep(nil, in: pipeline.freshnessRow(of: request), for: request)
    case .failure: break
    }
    facts.freshness = (try? result.get())?.freshness?.freshness
  }

  private func noted(_ loaded: Loaded, _ check: FreshnessCheck) -> Loaded {
    var loaded = loaded
    let now = now
    var facts = FreshnessFacts(freshness: freshnessInHTTPCache ?? .fresh)
    if !loaded.isPart, let received = ReceivedResponse(loaded.response?.head, sentAt: sentAt ?? now, now: now) {
      let row = pipeline.freshnessRow(of: request)
      // As the HTTP cache has it, so that both know it for the same version.
      if let response = responseInHTTPCache ?? (try? check.policy.entry(for: received, to: check.request)) {
        let record = FreshnessRecord(response, to: check.request)
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
}

extension DataJob.Loaded {
  /// What is stored of the version `stamp` may be used.
  fileprivate static func unchanged(
    _ stamp: FreshnessStamp, _ freshness: ImageResponse.Freshness, mayBeStored: Bool = true
  ) -> Self {
    Self(
      data: Data(), freshness: FreshnessFacts(stamp: stamp, freshness: freshness, mayBeStored: mayBeStored),
      isUnchanged: true)
  }
}
