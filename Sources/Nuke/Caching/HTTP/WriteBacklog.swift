import NukeImaging

/// Counts the bytes that wait for the disk, and pauses the transfers that bring more above a limit.
///
/// The limit is exceeded only by bytes that arrive before a transfer has paused.
final class WriteBacklog: Sendable {
  private struct State {
    var count = 0
    var isHolding = false
    var transfers: [ObjectIdentifier: CachingTransfer] = [:]
  }

  /// The number of bytes above which transfers are paused, until at most half of it is left.
  private let limit: Int
  private let hold: CachingTransfer.Holds
  private let state = Lock(State())

  init(limit: Int, hold: CachingTransfer.Holds) {
    self.limit = limit
    self.hold = hold
  }

  /// Records that a recorder receives bytes from `transfer`.
  func enter(_ recorder: BodyRecorder, of transfer: CachingTransfer) {
    state.withLock { state in
      state.transfers[ObjectIdentifier(recorder)] = transfer
      // Called under the lock, so that holds and releases stay in order. They only queue commands.
      if state.isHolding { transfer.hold(hold) }
    }
  }

  func leave(_ recorder: BodyRecorder) {
    let left = state.withLock { state in
      let left = state.transfers.removeValue(forKey: ObjectIdentifier(recorder))
      if state.isHolding { left?.release(hold) }
      return left
    }
    // Released outside the lock, because its recorder may leave a backlog too.
    withExtendedLifetime(left) {}
  }

  /// The number of paused transfers.
  var heldCount: Int { state.withLock { $0.isHolding ? $0.transfers.count : 0 } }

  func hasRoom(for count: Int) -> Bool { state.withLock { $0.count + count <= limit } }

  func add(_ count: Int) {
    state.withLock { state in
      state.count += count
      guard state.count > limit, !state.isHolding else { return }
      state.isHolding = true
      for transfer in state.transfers.values { transfer.hold(hold) }
    }
  }

  func remove(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      state.count -= count
      guard state.isHolding, state.count <= limit / 2 else { return }
      state.isHolding = false
      for transfer in state.transfers.values { transfer.release(hold) }
    }
  }
}
