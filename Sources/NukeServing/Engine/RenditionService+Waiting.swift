import Foundation
import NukeBase
import NukeHTTPCaching

/// Waiting for a rendition: a request joins the flight of its key, or starts it, and falls back to a degraded response.
extension RenditionService {
  func wait(for request: RenditionRequest) async throws(ServingError) -> Rendition {
    // One deadline for both flights.
    let (first, second) = (Promise<Outcome>(), Promise<Outcome>())
    let deadline = deadlines.start { for promise in [first, second] { promise.give(.expired) } }
    defer { deadlines.stop(deadline) }
    return try await landing(of: request, first, next: second)
  }

  /// Joins the flight of a request, or starts it, and returns its result.
  ///
  /// - Parameters:
  ///   - promise: receives the end of the wait.
  ///   - next: the promise for another flight, which replaces this one if it began before a purge; `nil` to send its
  ///     result in any case.
  private func landing(
    of request: RenditionRequest, _ promise: Promise<Outcome>, next: Promise<Outcome>?
  ) async throws(ServingError) -> Rendition {
    let order = Order(request, renderer)
    guard let seat = join(order.key, promise) else { throw .shuttingDown(retryAfter: Self.secondsToRestart) }
    if seat.isFirst { start(seat.flight, order) }
    switch await promise.value(whenCancelled: .cancelled) {
    case .landed(let result, let purge):
      if let next, purges.isPurged(request.source, since: purge) {
        return try await landing(of: request, next, next: nil)
      }
      return try rendition(of: result, request, isFirst: seat.isFirst)
    case .expired:
      leave(seat)
      if let rendition = degraded(request) { return rendition }
      guard let rendition = await storedDegraded(request) else { throw .deadlineExceeded }
      return rendition
    case .cancelled:
      leave(seat)
      throw .cancelled
    case .shutDown: throw .shuttingDown(retryAfter: Self.secondsToRestart)
    }
  }

  static var secondsToRestart: Int { 5 }
  /// The maximum time that a request takes after its deadline, in seconds.
  static var secondsToLook: Double { 0.25 }

  // Not inlined, since a waiting task holds the memory for all calls within its function.
  @inline(never)
  private func rendition(
    of result: Result<Answer, ServingError>, _ request: RenditionRequest, isFirst: Bool
  ) throws(ServingError) -> Rendition {
    switch result {
    case .success(let answer): return rendition(of: answer, isFirst: isFirst)
    case .failure(.overloaded(let seconds)):
      // Under overload, the stores are not queried for a smaller file.
      guard let rendition = degraded(request) else { throw .overloaded(retryAfter: seconds) }
      return rendition
    case .failure(let error): throw error
    }
  }

  private func rendition(of answer: Answer, isFirst: Bool) -> Rendition {
    let origin: Rendition.Origin = answer.origin == .made && !isFirst ? .joined : answer.origin
    switch origin {
    case .memory: recorder.countMemoryHit()
    case .store: recorder.count(\.storeHits)
    case .joined: recorder.count(\.joined)
    case .made: recorder.count(\.made)
    }
    if answer.isStale { recorder.count(\.stale) }
    if answer.isDegraded { recorder.count(\.degraded) }
    return answer.record.rendition(from: origin, isDegraded: answer.isDegraded)
  }

  // MARK: Degraded responses

  /// Returns a degraded response from memory: a stale version, or the largest smaller variant.
  @inline(never)
  private func degraded(_ request: RenditionRequest) -> Rendition? {
    for candidate in [request] + variants.smaller(than: request) {
      if let record = memory.record(for: candidate), record.freshness.allowsStaleIfError(at: clock.now()),
        !purges.isPurged(request.source, since: record.purge)
      {
        return degraded(record, from: .memory)
      }
    }
    return nil
  }

  /// Returns the largest smaller variant from the stores. Gives them ``secondsToLook``, because the request's deadline
  /// has passed.
  private func storedDegraded(_ request: RenditionRequest) async -> Rendition? {
    guard !stores.isEmpty, let largest = variants.smaller(than: request).first else { return nil }
    let key = RenditionKey(largest, renderer: renderer.identifier)
    let look = Task { await stores.record(for: key) }
    let timer = lastLooks.start { look.cancel() }
    defer { lastLooks.stop(timer) }
    let record = await withTaskCancellationHandler {
      await look.value
    } onCancel: {
      look.cancel()
    }
    guard let record, record.isShared, record.freshness.allowsStaleIfError(at: clock.now()),
      !purges.isPurged(request.source, since: record.purge)
    else { return nil }
    return degraded(record, from: .store)
  }

  private func degraded(_ record: RenditionRecord, from origin: Rendition.Origin) -> Rendition {
    recorder.count(\.degraded)
    return record.rendition(from: origin, isDegraded: true)
  }

  // MARK: Flights

  /// Joins or begins a flight. Returns `nil` during shutdown.
  private func join(_ key: RenditionKey, _ promise: Promise<Outcome>) -> Flights.Seat? {
    state.withLock { state in
      if state.isShuttingDown { return nil }
      let seat = state.flights.join(key, promise)
      if seat.isFirst { pending.enter() }
      return seat
    }
  }

  private func leave(_ seat: Flights.Seat) {
    let task = state.withLock { $0.flights.leave(seat) }
    task?.cancel()
  }

  /// Revalidates a stale image in the background. Does nothing if a flight for it is running or requests wait for the
  /// decode budget.
  func renew(_ request: RenditionRequest) {
    let source = request.sourceName
    guard admission.control.waiting == 0, failures.error(of: source, after: nil, now: clock.now()) == nil else {
      return
    }
    let order = Order(request, renderer, isRenewal: true)
    let number = state.withLock { state -> Int? in
      guard !state.isShuttingDown, let number = state.flights.begin(order.key) else { return nil }
      pending.enter()
      return number
    }
    guard let number else { return }
    start(number, order)
  }

  /// Starts the work of a flight. The caller must have called `pending.enter()`.
  private func start(_ number: Int, _ order: Order) {
    let task = Task {
      defer { pending.leave() }
      var order = order
      order.purge = await lastPurge(of: order.request.source)
      let result = await Result { () async throws(ServingError) in try await answer(order) }
      let waiting = state.withLock { $0.flights.land(number, of: order.key) }
      for promise in waiting { promise.give(.landed(result, after: order.purge)) }
      if case .success(let answer) = result, answer.isStale, !answer.isDegraded { renew(order.request) }
    }
    if !state.withLock({ $0.flights.attach(task, to: number, of: order.key) }) { task.cancel() }
  }
}
