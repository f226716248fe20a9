package import Foundation
import NukeBase

/// One client of a lease. Of all clients that need the same entry of a store, one holds the lease and does the work;
/// the others wait, and find the result in the store. ``LeaseStateMachine`` decides.
///
/// The caller makes the attempts and looks in the store, on threads of its choice. While the client waits, it occupies
/// no thread. Stores may be code of the program, so that none is called under the lock.
package final class LeaseClient: Sendable {
  package enum Acquisition: Sendable {
    /// The client holds the lease. The previous holder may have stored the result.
    case acquired
    /// The client does the work without a lease, since none is available, or since it has waited for long enough.
    case unavailable
    /// Another client holds the lease, and this one waits.
    case waiting
  }

  private enum Phase {
    case idle
    /// The client is registering with the holder, which may wake it before the call returns.
    case registering
    case waiting(any Cancellable)
    case holding(any DataLease)
    /// The client does the work without a lease.
    case unavailable
    case ended
  }

  private struct State {
    var phase = Phase.idle
    var machine: LeaseStateMachine
    /// The part of the waited seconds that was taken.
    var takenSeconds: TimeInterval = 0
  }

  private let state: Lock<State>

  /// - Parameter waitLimit: the maximum time to wait for other clients, in seconds; at most a day.
  package init(waitLimit: TimeInterval) { state = Lock(State(machine: LeaseStateMachine(waitLimit: waitLimit))) }

  // MARK: Acquiring

  /// The result of earlier attempts; `nil` if the client may make one. An ended client does not need a lease.
  package var acquisition: Acquisition? {
    state.withLock { state in
      switch state.phase {
      case .idle: nil
      case .registering, .waiting: .waiting
      case .holding: .acquired
      case .unavailable, .ended: .unavailable
      }
    }
  }

  /// The lease, while the client holds it.
  package var lease: (any DataLease)? {
    state.withLock { state in if case .holding(let lease) = state.phase { lease } else { nil } }
  }

  /// Continues after an attempt to acquire the lease. If another client holds it, waits for that client.
  ///
  /// - Parameter lookAgain: called after the result `waiting` when it is time to look in the store, on any thread,
  ///   perhaps before this method returns. Not called if the client ends before.
  package func take(
    _ attempt: DataLeaseAttempt, lookAgain: @escaping @Sendable () -> Void
  ) -> Acquisition {
    let (acquisition, seconds) = state.withLock { state -> (Acquisition, TimeInterval?) in
      // It was ended meanwhile, or another attempt was made. Then this one has no effect.
      guard case .idle = state.phase else { return (.waiting, nil) }
      switch attempt {
      case .taken(let lease):
        _ = state.machine.action(after: .acquired)
        state.phase = .holding(lease)
        return (.acquired, nil)
      case .held:
        guard case .wait(let seconds) = state.machine.action(after: .held) else {
          state.phase = .unavailable
          return (.unavailable, nil)
        }
        state.phase = .registering
        return (.waiting, seconds)
      case .unavailable:
        _ = state.machine.action(after: .unavailable)
        state.phase = .unavailable
        return (.unavailable, nil)
      }
    }
    if let seconds, case .held(let held) = attempt { wait(for: held, seconds: seconds, lookAgain) }
    return acquisition
  }

  private func wait(
    for held: any HeldDataLease, seconds: TimeInterval, _ lookAgain: @escaping @Sendable () -> Void
  ) {
    let waiting = held.wait(seconds: seconds) { self.wake($0, waited: $1, lookAgain) }
    let isUnwanted = state.withLock { state in
      switch state.phase {
      case .registering:
        state.phase = .waiting(waiting)
        return false
      case .ended: return true
      // It was woken before the call returned.
      default: return false
      }
    }
    if isUnwanted { waiting.cancel() }
  }

  private func wake(_ isFree: Bool, waited: TimeInterval, _ lookAgain: () -> Void) {
    // The registration is destroyed outside the lock.
    let waiting = state.withLock { state -> (any Cancellable)?? in
      let waiting: (any Cancellable)?
      switch state.phase {
      case .registering: waiting = nil
      case .waiting(let known): waiting = known
      default: return nil
      }
      _ = state.machine.action(after: .waited(isFree: isFree, seconds: waited))
      state.phase = state.machine.action(after: .foundNothing) == .acquire ? .idle : .unavailable
      return .some(waiting)
    }
    if waiting != nil { lookAgain() }
  }

  /// Returns the number of seconds waited since the last call.
  package func takeWaitedSeconds() -> TimeInterval {
    state.withLock { state in
      let taken = exchange(&state.takenSeconds, with: state.machine.waitedSeconds)
      return state.machine.waitedSeconds - taken
    }
  }

  // MARK: Ending

  /// Stops waiting, and ends the client if it was.
  ///
  /// - Returns: `true` if it was waiting.
  package func stopWaiting() -> Bool {
    let (wasWaiting, waiting) = state.withLock { state -> (Bool, (any Cancellable)?) in
      switch state.phase {
      case .registering:
        state.phase = .ended
        return (true, nil)
      case .waiting(let waiting):
        state.phase = .ended
        return (true, waiting)
      case .idle, .holding, .unavailable, .ended: return (false, nil)
      }
    }
    waiting?.cancel()
    return wasWaiting
  }

  /// Releases the lease, or stops waiting for it.
  package func end() { _ = handOver() }

  /// Ends the client, and transfers the lease to the store of the result; `nil` if it has none.
  package func handOver() -> (any DataLease)? {
    let phase = state.withLock { exchange(&$0.phase, with: .ended) }
    switch phase {
    case .holding(let lease): return lease
    case .waiting(let waiting): waiting.cancel()
    case .idle, .registering, .unavailable, .ended: break
    }
    return nil
  }
}
