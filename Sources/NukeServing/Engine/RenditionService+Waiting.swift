import Foundation
import NukeBase
import NukeHTTPCaching

/// Waits for a rendition: a request subscribes to the flight of its key, or starts it, and falls back to a degraded
/// response.
extension RenditionService {
  func wait(for request: RenditionRequest) async throws(ServingError) -> Rendition {
    // One deadline for both flights.
    let (first, second) = (Deferred<Outcome>(), Deferred<Outcome>())
    let deadline = deadlines.start { for deferred in [first, second] { deferred.complete(.expired) } }
    defer { deadlines.stop(deadline) }
    return try await result(of: request, first, next: second)
  }

  /// Subscribes to the flight of a request, or starts it, and returns its result.
  ///
  /// - Parameters:
  ///   - deferred: receives the outcome of the wait.
  ///   - next: receives that of another flight, which replaces this one if it began before a purge, or before its source
  ///     changed; `nil` to send the result of this one in any case.
  private func result(
    of request: RenditionRequest, _ deferred: Deferred<Outcome>, next: Deferred<Outcome>?
  ) async throws(ServingError) -> Rendition {
    let job = RenditionJob(request, renderer)
    guard let subscription = subscribe(deferred, to: job.flightKey) else {
      throw .shuttingDown(retryAfter: Self.secondsToRestart)
    }
    if subscription.isFirst { start(subscription.flight, job) }
    switch await deferred.value(whenCancelled: .cancelled) {
    case .finished(let result, let purge, let version):
      let hasJoined = !subscription.isFirst
      if let next,
        purges.isPurged(request.source, since: purge) || hasJoined && isOutdated(result, of: version, request.source)
      {
        return try await self.result(of: request, next, next: nil)
      }
      return try rendition(of: result, request, isFirst: subscription.isFirst)
    case .expired:
      unsubscribe(subscription)
      if let rendition = degraded(request) { return rendition }
      guard let rendition = await storedDegraded(request) else { throw .deadlineExceeded }
      return rendition
    case .cancelled:
      unsubscribe(subscription)
      throw .cancelled
    case .shutDown: throw .shuttingDown(retryAfter: Self.secondsToRestart)
    }
  }

  /// Returns `true` if a source has another version than that of a result. It may have changed before a request joined
  /// the flight.
  ///
  /// - Parameter version: the version when the flight began, of which a failure or a fallback is.
  private func isOutdated(
    _ result: Result<FlightResult, ServingError>, of version: CurrentVersion, _ source: URL
  ) -> Bool {
    let current = currentVersion(of: source)
    guard case .success(let found) = result, !found.isDegraded else { return current != version }
    return !current.admits(found.record.sourceFields)
  }

  static var secondsToRestart: Int { 5 }
  /// The time limit for looking in the stores after the deadline of a request, in seconds.
  static var lastLookUpSeconds: Double { 0.25 }

  // Not inlined, since a waiting task holds the memory for all calls within its function.
  @inline(never)
  private func rendition(
    of result: Result<FlightResult, ServingError>, _ request: RenditionRequest, isFirst: Bool
  ) throws(ServingError) -> Rendition {
    switch result {
    case .success(let result): return rendition(of: result, isFirst: isFirst)
    case .failure(.overloaded(let seconds)):
      // Under overload, the stores are not queried for a smaller file.
      guard let rendition = degraded(request) else { throw .overloaded(retryAfter: seconds) }
      return rendition
    case .failure(let error): throw error
    }
  }

  private func rendition(of result: FlightResult, isFirst: Bool) -> Rendition {
    let origin: Rendition.Origin = result.origin == .made && !isFirst ? .joined : result.origin
    switch origin {
    case .memory: recorder.countMemoryHit()
    case .store: recorder.count(\.storeHits)
    case .joined: recorder.count(\.joined)
    case .made: recorder.count(\.made)
    }
    if result.isStale { recorder.count(\.stale) }
    if result.isDegraded { recorder.count(\.degraded) }
    return result.record.rendition(from: origin, isDegraded: result.isDegraded)
  }

  // MARK: Degraded responses

  /// Returns a degraded response from memory: a stale version, or the largest smaller variant.
  @inline(never)
  private func degraded(_ request: RenditionRequest) -> Rendition? {
    for candidate in [request] + variants.smaller(than: request) {
      if let record = memory.record(for: candidate), maySendDegraded(record, of: request.source) {
        return degraded(record, from: .memory)
      }
    }
    return nil
  }

  /// Returns `true` if a record may be sent to a client that this node cannot serve in time. The images of a file that is
  /// known to have been replaced or deleted must not.
  private func maySendDegraded(_ record: RenditionRecord, of source: URL) -> Bool {
    record.freshness.allowsStaleIfError(at: clock.now()) && !purges.isPurged(source, since: record.purge)
      && currentVersion(of: source).admits(record.sourceFields)
  }

  /// Returns the largest smaller variant from the stores. The look-up may take ``lastLookUpSeconds``, because the
  /// request's deadline has passed.
  private func storedDegraded(_ request: RenditionRequest) async -> Rendition? {
    guard !stores.isEmpty, let largest = variants.smaller(than: request).first else { return nil }
    let key = RenditionKey(largest, renderer: renderer.identifier)
    let lookUp = Task { await stores.record(for: key) }
    let timer = lastLookUps.start { lookUp.cancel() }
    defer { lastLookUps.stop(timer) }
    let record = await withTaskCancellationHandler {
      await lookUp.value
    } onCancel: {
      lookUp.cancel()
    }
    guard let record, record.isShared, maySendDegraded(record, of: request.source) else { return nil }
    return degraded(record, from: .store)
  }

  private func degraded(_ record: RenditionRecord, from origin: Rendition.Origin) -> Rendition {
    recorder.count(\.degraded)
    return record.rendition(from: origin, isDegraded: true)
  }

  // MARK: Flights

  /// Subscribes to a flight, or begins it. Returns `nil` during shutdown.
  private func subscribe(_ deferred: Deferred<Outcome>, to key: FlightKey) -> Flights.Subscription? {
    state.withLock { state in
      if state.isShuttingDown { return nil }
      let subscription = state.flights.subscribe(deferred, to: key)
      if subscription.isFirst { pending.enter() }
      return subscription
    }
  }

  private func unsubscribe(_ subscription: Flights.Subscription) {
    let task = state.withLock { $0.flights.unsubscribe(subscription) }
    task?.cancel()
  }

  /// Revalidates a stale image in the background. Does nothing if a flight for it is running or requests wait for the
  /// decode budget.
  func renew(_ request: RenditionRequest) {
    let source = request.sourceName
    guard admission.control.waiting == 0, failures.error(of: source, after: nil, now: clock.now()) == nil else {
      return
    }
    let job = RenditionJob(request, renderer, isRenewal: true)
    let number = state.withLock { state -> Int? in
      guard !state.isShuttingDown, let number = state.flights.begin(job.flightKey) else { return nil }
      pending.enter()
      return number
    }
    guard let number else { return }
    start(number, job)
  }

  /// Starts the work of a flight. The caller must have called `pending.enter()`.
  private func start(_ number: Int, _ job: RenditionJob) {
    let task = Task {
      defer { pending.leave() }
      var job = job
      job.purge = await lastPurge(of: job.request.source)
      job.version = currentVersion(of: job.request.source)
      let result = await Result { () async throws(ServingError) in try await self.result(of: job) }
      let waiting = state.withLock { $0.flights.finish(number, for: job.flightKey) }
      for deferred in waiting { deferred.complete(.finished(result, after: job.purge, of: job.version)) }
      if case .success(let finished) = result, finished.isStale, !finished.isDegraded { renew(job.request) }
    }
    if !state.withLock({ $0.flights.setHandle(task, of: number, for: job.flightKey) }) { task.cancel() }
  }
}
