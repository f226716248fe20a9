import NukeImaging

/// Room for the bytes of sources while they are being loaded. Where it is full, their servers are held up.
package final class LoadingBudget: Sendable {
  package struct Statistics: Equatable, Sendable {
    /// Bytes of sources that are not small.
    package var bytes = 0
    package var limit = 0
    /// Sources that wait for others.
    package var paused = 0
    /// Sources that were given up, since others waited for them and they brought too little.
    package var givenUp = 0
  }

  private struct State {
    var table: LoadingTable
    /// The transfers that are not small.
    var transfers: [LoadingTable.Number: BudgetedTransfer] = [:]
    var waiting: Set<LoadingTable.Number> = []
    var givenUp = 0
    /// `true` if somebody comes to judge.
    var isWatched = false

    mutating func release(_ number: LoadingTable.Number) {
      if waiting.remove(number) != nil { transfers[number]?.release(.budget) }
    }
  }

  private let state: Lock<State>
  private let clock: ServiceClock
  /// Bytes up to which a source is small: it is not counted, and never waits.
  let share: Int

  static let defaultShare = 1 << 20

  init(limit: Int, share: Int = defaultShare, clock: ServiceClock = .system) {
    self.share = share
    self.clock = clock
    state = Lock(State(table: LoadingTable(limit: limit, share: share)))
  }

  package var statistics: Statistics {
    state.withLock { state in
      Statistics(
        bytes: state.table.bytes, limit: state.table.limit, paused: state.waiting.count, givenUp: state.givenUp)
    }
  }

  func makeNumber() -> LoadingTable.Number { state.withLock { $0.table.makeNumber() } }

  /// Holds a transfer up where there is no room for more of it.
  func received(_ total: Int, _ transfer: BudgetedTransfer) {
    let now = clock.uptime()
    let isToBeWatched = state.withLock { state in
      state.transfers[transfer.number] = transfer
      guard state.table.received(total, transfer.number, now: now) else { return false }
      state.waiting.insert(transfer.number)
      // Within the lock, so that it is in the order of what is decided. It only leaves a note for the loader.
      transfer.hold(.budget)
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if isToBeWatched { watch() }
  }

  /// Makes room. One that has ended before changes nothing.
  func end(_ transfer: BudgetedTransfer) {
    let now = clock.uptime()
    let ended = state.withLock { state in
      let next = state.table.end(transfer.number, now: now)
      state.waiting.remove(transfer.number)
      for number in next { state.release(number) }
      return state.transfers.removeValue(forKey: transfer.number)
    }
    withExtendedLifetime(ended) {}
  }

  /// Looks from time to time at those that others wait for, for as long as any do.
  private func watch() {
    _ = clock.after(Double(LoadingTable.turn) / 1e9) { [weak self] in
      guard let self else { return }
      judge()
      let isOver = state.withLock { state in
        state.isWatched = !state.waiting.isEmpty
        return !state.isWatched
      }
      if !isOver { watch() }
    }
  }

  private func judge() {
    let now = clock.uptime()
    let givenUp = state.withLock { state -> BudgetedTransfer? in
      switch state.table.judge(now: now) {
      case .passes(let number, let next):
        state.waiting.insert(number)
        state.transfers[number]?.hold(.budget)
        state.release(next)
        return nil
      case .givenUp(let number): return state.transfers[number]
      case nil: return nil
      }
    }
    if givenUp?.giveUp() == true { state.withLock { $0.givenUp += 1 } }
  }
}
