import NukeBase

/// Calls an action after a fixed time, unless the action is stopped before. One task sleeps for all actions: a sleeping
/// task that is canceled would stay in the system's timer queue until its time is over.
final class TimeoutTimer: Sendable {
  private struct State {
    var lastNumber = 0
    var actions: [Int: @Sendable () -> Void] = [:]
    /// The actions in the order in which they are due, including stopped ones.
    var due: [(number: Int, uptime: Int)] = []
    /// The index of the first pending element of ``due``.
    var first = 0
    var isSleeping = false

    /// Returns the uptime at which the next action is due; `nil` if there is none.
    mutating func next() -> Int? {
      while first < due.count, actions[due[first].number] == nil { first += 1 }
      if first * 2 > due.count {
        due.removeFirst(first)
        first = 0
      }
      return due.isEmpty ? nil : due[first].uptime
    }
  }

  private let state = Lock(State())
  private let clock: ServiceClock
  /// The time from ``start(_:)`` to the call of the action, in nanoseconds.
  private let delay: Int

  init(seconds: Double, clock: ServiceClock) {
    self.clock = clock
    delay = ServiceClock.nanoseconds(seconds)
  }

  /// - Returns: a number to pass to ``stop(_:)``.
  func start(_ action: @escaping @Sendable () -> Void) -> Int {
    let now = clock.uptime()
    let (number, isFirst) = state.withLock { state -> (Int, Bool) in
      state.lastNumber += 1
      state.actions[state.lastNumber] = action
      state.due.append((state.lastNumber, now + delay))
      defer { state.isSleeping = true }
      return (state.lastNumber, !state.isSleeping)
    }
    if isFirst { Task.detached { await self.run() } }
    return number
  }

  func stop(_ number: Int) {
    let action = state.withLock { state in
      let action = state.actions.removeValue(forKey: number)
      _ = state.next()
      return action
    }
    withExtendedLifetime(action) {}
  }

  private func run() async {
    while true {
      let now = clock.uptime()
      let (actions, uptime) = state.withLock { state -> ([@Sendable () -> Void], Int?) in
        var actions: [@Sendable () -> Void] = []
        while let uptime = state.next(), uptime <= now {
          if let action = state.actions.removeValue(forKey: state.due[state.first].number) { actions.append(action) }
        }
        let uptime = state.next()
        if uptime == nil { state.isSleeping = false }
        return (actions, uptime)
      }
      for action in actions { action() }
      guard let uptime else { return }
      try? await clock.sleep(uptime)
    }
  }
}
