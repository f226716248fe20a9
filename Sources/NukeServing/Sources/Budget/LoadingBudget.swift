import NukeImaging

/// Room for the bytes of sources while they are being loaded. Where it is full, their servers are held up.
package final class LoadingBudget: Sendable {
  package struct Statistics: Equatable, Sendable {
    /// Bytes of sources that are not small.
    package var bytes = 0
    package var limit = 0
    /// Sources that wait for others.
    package var paused = 0
  }

  private struct State {
    var table: LoadingTable
    var waiting: [LoadingTable.Number: BudgetedTransfer] = [:]
  }

  private let state: Lock<State>
  /// Bytes up to which a source is small: it is not counted, and never waits.
  let share: Int

  static let defaultShare = 1 << 20

  init(limit: Int, share: Int = defaultShare) {
    self.share = share
    state = Lock(State(table: LoadingTable(limit: limit, share: share)))
  }

  package var statistics: Statistics {
    state.withLock { state in
      Statistics(bytes: state.table.bytes, limit: state.table.limit, paused: state.waiting.count)
    }
  }

  func makeNumber() -> LoadingTable.Number { state.withLock { $0.table.makeNumber() } }

  /// Holds a transfer up where there is no room for more of it.
  func received(_ total: Int, _ transfer: BudgetedTransfer) {
    state.withLock { state in
      guard state.table.received(total, transfer.number) else { return }
      state.waiting[transfer.number] = transfer
      // Within the lock, so that it is in the order of what is decided. It only leaves a note for the loader.
      transfer.hold(.budget)
    }
  }

  /// Makes room. One that has ended before changes nothing.
  func end(_ transfer: BudgetedTransfer) {
    state.withLock { state in
      let next = state.table.end(transfer.number)
      state.waiting[transfer.number] = nil
      for number in next { state.waiting.removeValue(forKey: number)?.release(.budget) }
    }
  }
}
