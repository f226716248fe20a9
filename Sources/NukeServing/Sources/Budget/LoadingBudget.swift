import NukeBase

/// Limits the bytes of sources while they are loading. Transfers that exceed the budget are paused.
package final class LoadingBudget: Sendable {
  package struct Statistics: Equatable, Sendable {
    /// The bytes of sources that are not small.
    package var bytes = 0
    package var limit = 0
    /// The number of paused sources.
    package var paused = 0
    /// The number of sources that were aborted, because others waited for them and they were too slow.
    package var aborted = 0
  }

  private struct State {
    var table: LoadingTable
    /// The transfers of sources that are not small.
    var transfers: [LoadingTable.Number: BudgetedTransfer] = [:]
    var waiting: Set<LoadingTable.Number> = []
    var aborted = 0
    /// `true` if a timer that checks for slow transfers is running.
    var isWatched = false

    mutating func release(_ number: LoadingTable.Number) {
      if waiting.remove(number) != nil { transfers[number]?.resume(from: .budget) }
    }
  }

  private let state: Lock<State>
  private let clock: ServiceClock
  /// The maximum size of a small source, in bytes. Small sources are not counted and never wait.
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
        bytes: state.table.bytes, limit: state.table.limit, paused: state.waiting.count, aborted: state.aborted)
    }
  }

  func makeNumber() -> LoadingTable.Number { state.withLock { $0.table.makeNumber() } }

  /// Accounts for received bytes. Pauses the transfer if the budget is exceeded.
  func received(_ total: Int, _ transfer: BudgetedTransfer) {
    let now = clock.uptime()
    let isToBeWatched = state.withLock { state in
      state.transfers[transfer.number] = transfer
      guard state.table.received(total, transfer.number, now: now) else { return false }
      state.waiting.insert(transfer.number)
      // Called under the lock, so that pauses and resumes stay in the order of the decisions. `pause`
      // only queues a command for the loader.
      transfer.pause(for: .budget)
      return !exchange(&state.isWatched, with: true)
    }
    if isToBeWatched { watch() }
  }

  /// Releases the transfer's bytes and resumes others. Does nothing if the transfer has already ended.
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

  /// Checks periodically, while transfers are paused, whether the transfer that they wait for is fast enough.
  private func watch() {
    _ = clock.after(Double(LoadingTable.turn) / 1e9) { [weak self] in
      guard let self else { return }
      checkSpeed()
      let isOver = state.withLock { state in
        state.isWatched = !state.waiting.isEmpty
        return !state.isWatched
      }
      if !isOver { watch() }
    }
  }

  private func checkSpeed() {
    let now = clock.uptime()
    let aborted = state.withLock { state -> BudgetedTransfer? in
      switch state.table.checkSpeed(now: now) {
      case .switches(let number, let next):
        state.waiting.insert(number)
        state.transfers[number]?.pause(for: .budget)
        state.release(next)
        return nil
      case .aborts(let number): return state.transfers[number]
      case nil: return nil
      }
    }
    if aborted?.abort() == true { state.withLock { $0.aborted += 1 } }
  }
}
