import NukeBase

/// Calls an action after a fixed time, unless the action is stopped before. One task sleeps for all actions: a sleeping
/// task that is canceled would stay in the system's timer queue until its time is over.
final class Alarm: Sendable {
  private struct State {
    var lastNumber = 0
    var actions: [Int: @Sendable () -> Void] = [:]
    /// The actions in the order in which they are due, including stopped ones.
    var due: [(number: Int, moment: Int)] = []
    /// The index of the first pending element of ``due``.
    var first = 0
    var isSleeping = false

    /// Returns the uptime of the next alarm; `nil` if there is none.
    mutating func next() -> Int? {
      while first < due.count, actions[due[first].number] == nil { first += 1 }
      if first * 2 > due.count {
        due.removeFirst(first)
        first = 0
      }
      return due.isEmpty ? nil : due[first].moment
    }
  }

  private let state = Lock(State())
  private let clock: ServiceClock
  /// The time from ``start(_:)`` to the call of the action, in nanoseconds.
  private let time: Int

  init(seconds: Double, clock: ServiceClock) {
    self.clock = clock
    time = ServiceClock.nanoseconds(seconds)
  }

  /// - Returns: a number to pass to ``stop(_:)``.
  func start(_ action: @escaping @Sendable () -> Void) -> Int {
    let now = clock.uptime()
    let (number, isFirst) = state.withLock { state -> (Int, Bool) in
      state.lastNumber += 1
      state.actions[state.lastNumber] = action
      state.due.append((state.lastNumber, now + time))
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
      let (actions, moment) = state.withLock { state -> ([@Sendable () -> Void], Int?) in
        var actions: [@Sendable () -> Void] = []
        while let moment = state.next(), moment <= now {
          if let action = state.actions.removeValue(forKey: state.due[state.first].number) { actions.append(action) }
        }
        let moment = state.next()
        if moment == nil { state.isSleeping = false }
        return (actions, moment)
      }
      for action in actions { action() }
      guard let moment else { return }
      try? await clock.sleep(moment)
    }
  }
}
