import NukeBase

/// Applies the decisions of ``AdmissionControl``. Requests that must wait are suspended and occupy no thread.
final class Admission: Sendable {
  private enum Outcome: Sendable { case admitted, cancelled }

  private struct State {
    var control: AdmissionControl
    var waiting: [AdmissionControl.Ticket: Deferred<Outcome>] = [:]
    /// Waits until a running request gives way to a waiting one; `nil` if none is to.
    var turn: Task<Void, Never>?
  }

  private let state: Lock<State>
  private let clock: ServiceClock

  init(_ limits: AdmissionControl.Limits, clock: ServiceClock) {
    state = Lock(State(control: AdmissionControl(limits)))
    self.clock = clock
  }

  /// The current state.
  var control: AdmissionControl { state.withLock { $0.control } }

  /// - Throws: ``ServingError/overloaded(retryAfter:)``.
  func admit() throws(ServingError) -> Permit {
    let ticket = try state.withLock { (state) throws(ServingError) in try state.control.admit() }
    return Permit(admission: self, ticket: ticket)
  }

  /// Permits one request to use the resources of the service. Call ``release()`` when the request ends, in every case.
  struct Permit: Sendable {
    fileprivate let admission: Admission
    fileprivate let ticket: AdmissionControl.Ticket

    /// - Throws: ``ServingError/overloaded(retryAfter:)`` if other requests hold too many source bytes.
    func hold(sourceBytes count: Int) throws(ServingError) {
      try admission.state.withLock { (state) throws(ServingError) in
        try state.control.hold(sourceBytes: count, ticket)
      }
    }

    /// Waits until the request has a share of `bytes` bytes in the decode budget.
    ///
    /// - Throws: ``ServingError``: the service is overloaded, the image is too large, or the request was canceled.
    func waitForBudget(bytes: Int) async throws(ServingError) {
      try await admission.waitForBudget(bytes: bytes, ticket)
    }

    /// Releases everything that this request holds.
    func release() { admission.release(ticket) }
  }

  private func waitForBudget(bytes: Int, _ ticket: AdmissionControl.Ticket) async throws(ServingError) {
    let deferred = Deferred<Outcome>()
    let now = clock.uptime()
    let isAdmitted = try state.withLock { (state) throws(ServingError) in
      let isAdmitted = try state.control.requestBudget(ticket, bytes: bytes, now: now)
      if !isAdmitted {
        state.waiting[ticket] = deferred
        awaitTurn(&state)
      }
      return isAdmitted
    }
    if !isAdmitted, await deferred.value(whenCancelled: .cancelled) == .cancelled { throw .cancelled }
  }

  private func release(_ ticket: AdmissionControl.Ticket) {
    let now = clock.uptime()
    let admitted = state.withLock { state in
      state.waiting[ticket] = nil
      // A request that is canceled at this moment calls `release` itself and returns its share then.
      defer { awaitTurn(&state) }
      return state.control.release(ticket, now: now).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for deferred in admitted { deferred.complete(.admitted) }
  }

  // MARK: Giving way

  /// Starts a timer if a request waits for others that run.
  private func awaitTurn(_ state: inout State) {
    guard state.turn == nil, let next = state.control.nextTurn else { return }
    state.turn = Task { [weak self, clock] in
      guard (try? await clock.sleep(next)) != nil else { return }
      self?.takeTurn()
    }
  }

  private func takeTurn() {
    let now = clock.uptime()
    let admitted = state.withLock { state in
      state.turn = nil
      defer { awaitTurn(&state) }
      return state.control.giveWay(now: now).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for deferred in admitted { deferred.complete(.admitted) }
  }

  deinit { state.withLock { $0.turn?.cancel() } }
}
