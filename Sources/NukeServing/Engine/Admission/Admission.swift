import NukeImaging

/// Lets those in whom ``AdmissionControl`` admits, and has the others wait without a thread.
final class Admission: Sendable {
  private enum Word: Sendable { case admitted, cancelled }

  private struct State {
    var control: AdmissionControl
    var waiting: [AdmissionControl.Ticket: Promise<Word>] = [:]
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

  /// To be left by whoever has arrived, however it ends.
  struct Visit: Sendable {
    fileprivate let admission: Admission
    fileprivate let ticket: AdmissionControl.Ticket

    /// - Throws: ``ServingError/overloaded(retryAfter:)`` where others hold too much.
    func hold(sourceBytes count: Int) throws(ServingError) {
      try admission.state.withLock { (state) throws(ServingError) in
        try state.control.hold(sourceBytes: count, ticket)
      }
    }

    /// Returns as soon as there is room for so many bytes of decoded images.
    ///
    /// - Throws: ``ServingError``: overloaded, too large, or canceled.
    func room(bytes: Int) async throws(ServingError) {
      try await admission.room(bytes: bytes, ticket)
    }

    /// Gives back all that was taken.
    func leave() { admission.leave(ticket) }
  }

  private func room(bytes: Int, _ ticket: AdmissionControl.Ticket) async throws(ServingError) {
    let promise = Promise<Word>()
    let now = clock.uptime()
    let isAdmitted = try state.withLock { (state) throws(ServingError) in
      let isAdmitted = try state.control.ask(ticket, bytes: bytes, now: now)
      if !isAdmitted { state.waiting[ticket] = promise }
      return isAdmitted
    }
    if !isAdmitted, await promise.value(whenCancelled: .cancelled) == .cancelled { throw .cancelled }
  }

  private func leave(_ ticket: AdmissionControl.Ticket) {
    let now = clock.uptime()
    let admitted = state.withLock { state in
      state.waiting[ticket] = nil
      // One that was canceled at this moment leaves by itself, and gives its room back then.
      return state.control.leave(ticket, now: now).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for promise in admitted { promise.give(.admitted) }
  }
}
