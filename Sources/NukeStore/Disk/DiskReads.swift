import NukeBase

/// Reads from a disk on a few threads, and abandons reads that take too long.
///
/// The caller of an abandoned read continues as after a cache miss. The thread of the read stays blocked until the disk
/// responds. An unreachable network mount can therefore block these threads, but nothing else. While all of them are
/// blocked, new reads are abandoned at once.
package final class DiskReads: Sendable {
  private struct Read {
    /// Continues without a result.
    let giveUp: @Sendable () -> Void
    /// `false` while it waits for a thread.
    var isRunning = false
    /// `true` if it has waited, or run, since the last period.
    var isOld = false
  }

  private struct State {
    /// The reads that wait or run, and have not been abandoned.
    var reads: [UInt64: Read] = [:]
    var lastNumber: UInt64 = 0
    /// `true` if a read, or the delivery of its result, has ended in this period.
    var hasProgress = false
    /// The number of threads that deliver a result. Programs may take long to receive it, which is not the disk's fault.
    var delivering = 0
    /// `true` if a waiting read was abandoned, until a thread is free.
    var isStuck = false
    var isTimerSet = false
  }

  /// The nanoseconds between two checks. A read is abandoned at the second check that finds it.
  private static let period: UInt64 = 2_000_000_000

  private let queue = TaskQueue(maxConcurrentOperationCount: 4, pool: .io)
  private let state = Lock(State())
  private let timer: DiskLeases.Timer

  package init(timer: @escaping DiskLeases.Timer) { self.timer = timer }

  /// `true` while new reads are abandoned at once.
  package var isStuck: Bool { state.withLock { $0.isStuck } }

  /// Calls `read` on a thread for reading, and then `completion` with the result.
  ///
  /// - Parameter completion: receives the result, or `nil` on the thread of the timer if the read was abandoned. It is
  ///   called once, and never on the calling thread before this method returns.
  package func run<Value: Sendable>(
    _ read: @escaping @Sendable () -> Value?, completion: @escaping @Sendable (Value?) -> Void
  ) {
    let (number, isFirst) = state.withLock { state -> (UInt64?, Bool) in
      guard !state.isStuck else { return (nil, false) }
      state.lastNumber += 1
      state.reads[state.lastNumber] = Read { completion(nil) }
      return (state.lastNumber, !exchange(&state.isTimerSet, with: true))
    }
    guard let number else { return timer(0) { completion(nil) } }
    if isFirst { setTimer() }
    queue.add { [self] in
      guard begin(number) else { return }
      let value = read()
      guard end(number) else { return }
      completion(value)
      state.withLock { ($0.hasProgress, $0.delivering) = (true, $0.delivering - 1) }
    }
  }

  /// Returns `false` if the read was abandoned while it waited.
  private func begin(_ number: UInt64) -> Bool {
    state.withLock { state in
      state.isStuck = false
      state.reads[number]?.isRunning = true
      state.reads[number]?.isOld = false
      return state.reads[number] != nil
    }
  }

  /// Returns `false` if the read was abandoned while it ran.
  private func end(_ number: UInt64) -> Bool {
    let read = state.withLock { state in
      state.hasProgress = true
      let read = state.reads.removeValue(forKey: number)
      if read != nil { state.delivering += 1 }
      return read
    }
    return read != nil
  }

  private func setTimer() { timer(Self.period) { [weak self] in self?.check() } }

  private func check() {
    let (late, isAgain) = state.withLock { state in
      let hasProgress = exchange(&state.hasProgress, with: false)
      // A queue that moves is busy, so its waiting reads are not abandoned.
      let isMoving = hasProgress || state.delivering > 0
      let late = state.reads.filter { $1.isOld && ($1.isRunning || !isMoving) }
      for (number, read) in late {
        state.reads[number] = nil
        if !read.isRunning { state.isStuck = true }
      }
      for number in state.reads.keys { state.reads[number]?.isOld = true }
      state.isTimerSet = !state.reads.isEmpty
      return (late, state.isTimerSet)
    }
    if isAgain { setTimer() }
    for (_, read) in late.sorted(by: { $0.key < $1.key }) { read.giveUp() }
  }
}
