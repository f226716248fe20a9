import NukeBase
import NukeStore

/// Counts the bytes that wait for the disk, and pauses the transfers that bring more above a limit.
///
/// Bytes that arrive before a transfer has paused can exceed the limit. If the disk accepts no data for a few seconds,
/// the bodies of paused transfers are not stored, and the transfers continue.
/// Until the disk accepts data again, further bodies are not stored either, so that no transfer pauses for them.
final class WriteBacklog: Sendable {
  private struct State {
    var count = 0
    var isPausing = false
    var entries: [ObjectIdentifier: Entry] = [:]
    /// `true` if the disk has taken bytes in this period, or the pause began in it.
    var hasProgress = false
    /// `true` if paused transfers have stopped storing their bodies, until the disk accepts data.
    var isStuck = false
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
  private let pauseReason: CachingTransfer.PauseReasons
  private let state = Lock(State())
  private let timer: DiskLeases.Timer

  init(limit: Int, pauseReason: CachingTransfer.PauseReasons, timer: @escaping DiskLeases.Timer) {
    self.limit = limit
    self.pauseReason = pauseReason
    self.timer = timer
  }

  /// Records that a recorder receives bytes from `transfer`.
  ///
  /// - Returns: `false` if the disk takes no bytes, and the body must not be stored.
  func enter(_ recorder: BodyRecorder, of transfer: CachingTransfer) -> Bool {
    state.withLock { state in
      guard !state.isStuck else { return false }
      state.entries[ObjectIdentifier(recorder)] = Entry(recorder: recorder, transfer: transfer)
      // Called under the lock, so that pauses and resumes stay in order. They only queue commands.
      if state.isPausing { transfer.addPauseReason(pauseReason) }
      return true
    }
  }

  func leave(_ recorder: BodyRecorder) {
    let left = state.withLock { state in
      let left = state.entries.removeValue(forKey: ObjectIdentifier(recorder))?.transfer
      if state.isPausing { left?.removePauseReason(pauseReason) }
      return left
    }
    // Released outside the lock, because its recorder may leave a backlog too.
    withExtendedLifetime(left) {}
  }

  /// The number of paused transfers.
  var heldCount: Int { state.withLock { $0.isPausing ? $0.entries.count : 0 } }

  /// `true` while further bodies are not stored, because the disk takes no bytes.
  var isStuck: Bool { state.withLock { $0.isStuck } }

  func hasRoom(for count: Int) -> Bool { state.withLock { $0.count + count <= limit } }

  func add(_ count: Int) {
    let isFirst = state.withLock { state in
      state.count += count
      guard state.count > limit, !state.isPausing else { return false }
      (state.isPausing, state.hasProgress) = (true, true)
      for entry in state.entries.values { entry.transfer.addPauseReason(pauseReason) }
      return !exchange(&state.isTimerSet, with: true)
    }
    if isFirst { setTimer() }
  }

  private func setTimer() { timer(Self.period) { [weak self] in self?.check() } }

  private func check() {
    let (late, isAgain) = state.withLock { state -> ([BodyRecorder], Bool) in
      let isLate = state.isPausing && !exchange(&state.hasProgress, with: false)
      state.isStuck = state.isStuck || isLate
      state.isTimerSet = state.isPausing
      return (isLate ? state.entries.values.compactMap(\.recorder) : [], state.isPausing)
    }
    if isAgain { setTimer() }
    for recorder in late { recorder.drop() }
  }

  /// Records that the disk has taken bytes, or that it takes bytes again.
  func removeWritten(_ count: Int) {
    state.withLock { state in
      (state.hasProgress, state.isStuck) = (true, false)
      remove(count, &state)
    }
  }

  /// Records that bytes are not written after all.
  func removeDropped(_ count: Int) { state.withLock { remove(count, &$0) } }

  private func remove(_ count: Int, _ state: inout State) {
    state.count -= count
    guard state.isPausing, state.count <= limit / 2 else { return }
    state.isPausing = false
    for entry in state.entries.values { entry.transfer.removePauseReason(pauseReason) }
  }
}
