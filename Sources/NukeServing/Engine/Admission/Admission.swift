import NukeBase

/// Applies the decisions of ``AdmissionControl``. Requests that must wait are suspended and occupy no thread.
final class Admission: Sendable {
  private enum Outcome: Sendable { case admitted, cancelled }

  private struct State {
    var control: AdmissionControl
    var waiting: [AdmissionControl.Ticket: Promise<Outcome>] = [:]
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
  func arrive() throws(ServingError) -> Visit {
    let ticket = try state.withLock { (state) throws(ServingError) in try state.control.arrive() }
    return Visit(admission: self, ticket: ticket)
  }

  /// The admission of one request. Call ``leave()`` when the request ends, in every case.
  struct Visit: Sendable {
    fileprivate let admission: Admission
    fileprivate let ticket: AdmissionControl.Ticket

    /// - Throws: ``ServingError/overloaded(retryAfter:)`` if other requests hold too many source bytes.
    func hold(sourceBytes count: Int) throws(ServingError) {
      try admission.state.withLock { (state) throws(ServingError) in
        try state.control.hold(sourceBytes: count, ticket)
      }
    }

    /// Waits until the decode budget has room for `bytes` bytes of decoded images.
    ///
    /// - Throws: ``ServingError``: the service is overloaded, the image is too large, or the request was canceled.
    func room(bytes: Int) async throws(ServingError) {
      try await admission.room(bytes: bytes, ticket)
    }

    /// Releases everything that this request holds.
    func leave() { admission.leave(ticket) }
  }

  private func room(bytes: Int, _ ticket: AdmissionControl.Ticket) async throws(ServingError) {
    let promise = Promise<Outcome>()
    let now = clock.uptime()
    let isAdmitted = try state.withLock { (state) throws(ServingError) in
      let isAdmitted = try state.control.ask(ticket, bytes: bytes, now: now)
      if !isAdmitted {
        state.waiting[ticket] = promise
        awaitTurn(&state)
      }
      return isAdmitted
    }
    if !isAdmitted, await promise.value(whenCancelled: .cancelled) == .cancelled { throw .cancelled }
  }

  private func leave(_ ticket: AdmissionControl.Ticket) {
    let now = clock.uptime()
    let admitted = state.withLock { state in
      state.waiting[ticket] = nil
      // A visit that is canceled at this moment calls `leave` itself and returns its share then.
      defer { awaitTurn(&state) }
      return state.control.leave(ticket, now: now).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for promise in admitted { promise.give(.admitted) }
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
    for promise in admitted { promise.give(.admitted) }
  }

  deinit { state.withLock { $0.turn?.cancel() } }
}
