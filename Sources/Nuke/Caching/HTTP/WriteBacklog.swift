import NukeImaging

/// Counts the bytes that wait for the disk, and pauses the transfers that bring more above a limit.
///
/// Bytes that arrive before a transfer has paused can exceed the limit. If the disk accepts no data for a few seconds,
/// the bodies of paused transfers are not stored, and the transfers continue.
final class WriteBacklog: Sendable {
  private struct State {
    var count = 0
    var isHolding = false
    var entries: [ObjectIdentifier: Entry] = [:]
    /// `true` if the disk has taken bytes in this period, or the pause began in it.
    var hasProgress = false
    var isTimerSet = false
  }

  private struct Entry {
    weak var recorder: BodyRecorder?
    let transfer: CachingTransfer
  }

  /// The nanoseconds between two checks while transfers are paused.
  private static let period: UInt64 = 2_000_000_000

  /// The number of bytes above which transfers are paused, until at most half of it is left.
  private let limit: Int
  private let hold: CachingTransfer.Holds
  private let state = Lock(State())
  private let timer: DiskLeases.Timer

  init(limit: Int, hold: CachingTransfer.Holds, timer: @escaping DiskLeases.Timer) {
    self.limit = limit
    self.hold = hold
    self.timer = timer
  }

  /// Records that a recorder receives bytes from `transfer`.
  func enter(_ recorder: BodyRecorder, of transfer: CachingTransfer) {
    state.withLock { state in
      state.entries[ObjectIdentifier(recorder)] = Entry(recorder: recorder, transfer: transfer)
      // Called under the lock, so that holds and releases stay in order. They only queue commands.
      if state.isHolding { transfer.hold(hold) }
    }
  }

  func leave(_ recorder: BodyRecorder) {
    let left = state.withLock { state in
      let left = state.entries.removeValue(forKey: ObjectIdentifier(recorder))?.transfer
      if state.isHolding { left?.release(hold) }
      return left
    }
    // Released outside the lock, because its recorder may leave a backlog too.
    withExtendedLifetime(left) {}
  }

  /// The number of paused transfers.
  var heldCount: Int { state.withLock { $0.isHolding ? $0.entries.count : 0 } }

  func hasRoom(for count: Int) -> Bool { state.withLock { $0.count + count <= limit } }

  func add(_ count: Int) {
    let isFirst = state.withLock { state in
      state.count += count
      guard state.count > limit, !state.isHolding else { return false }
      (state.isHolding, state.hasProgress) = (true, true)
      for entry in state.entries.values { entry.transfer.hold(hold) }
      return !exchange(&state.isTimerSet, with: true)
    }
    if isFirst { setTimer() }
  }

  private func setTimer() { timer(Self.period) { [weak self] in self?.check() } }

  private func check() {
    let (late, isAgain) = state.withLock { state -> ([BodyRecorder], Bool) in
      let hasProgress = exchange(&state.hasProgress, with: false)
      state.isTimerSet = state.isHolding
      return (state.isHolding && !hasProgress ? state.entries.values.compactMap(\.recorder) : [], state.isHolding)
    }
    if isAgain { setTimer() }
    for recorder in late { recorder.drop() }
  }

  func remove(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      state.count -= count
      state.hasProgress = true
      guard state.isHolding, state.count <= limit / 2 else { return }
      state.isHolding = false
      for entry in state.entries.values { entry.transfer.release(hold) }
    }
  }
}
