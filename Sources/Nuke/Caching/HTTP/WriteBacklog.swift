import NukeImaging

/// Bytes that wait for the disk, and the transfers that bring more of them, which are held up where it does not come
/// after.
///
/// The limit is passed by what transfers bring before they notice, and by nothing else.
final class WriteBacklog: Sendable {
  private struct State {
    var count = 0
    var isHolding = false
    var transfers: [ObjectIdentifier: CachingTransfer] = [:]
  }

  /// Bytes beyond which transfers are held up until half of them are left.
  private let limit: Int
  private let hold: CachingTransfer.Holds
  private let state = Lock(State())

  init(limit: Int, hold: CachingTransfer.Holds) {
    self.limit = limit
    self.hold = hold
  }

  /// A recorder brings bytes of `transfer` from here on.
  func enter(_ recorder: BodyRecorder, of transfer: CachingTransfer) {
    state.withLock { state in
      state.transfers[ObjectIdentifier(recorder)] = transfer
      // Under the lock, here as below, so that holds and releases come in their order. They only leave notes.
      if state.isHolding { transfer.hold(hold) }
    }
  }

  func leave(_ recorder: BodyRecorder) {
    let left = state.withLock { state in
      let left = state.transfers.removeValue(forKey: ObjectIdentifier(recorder))
      if state.isHolding { left?.release(hold) }
      return left
    }
    // What it owns may have more to leave.
    withExtendedLifetime(left) {}
  }

  /// Transfers that are held up.
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
