#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pool of helper threads for large images. An image is divided into bands, and each free thread takes the next band.
///
/// The caller works too, and processes all bands that no helper takes, so a call never waits for a free thread. Threads
/// are created on demand, end after they have been idle for a while, and are shared by the process.
package final class BandPool: Sendable {
  package static let shared = BandPool(helpers: min(ProcessorCount.available, 4) - 1)

  /// The number of multiplications that justify another thread: about 1.5 ms, of which waking the thread takes a
  /// fiftieth.
  static let worthwhile = 24_000_000

  /// The bands of one call. Its mutable state is guarded by the pool's lock.
  private final class Loop: @unchecked Sendable {
    let count: Int
    let body: @Sendable (Int) -> Bool
    var next = 0
    var unfinished: Int
    var isSuccess = true
    let finished = Signal()

    init(_ count: Int, _ body: @escaping @Sendable (Int) -> Bool) {
      self.count = count
      self.body = body
      unfinished = count
    }
  }

  private struct State {
    /// The loops with bands that no thread has started.
    var open: [Loop] = []
    var threads = 0
    var idle = 0
  }

  private let state = Lock(State())
  private let wakeUp = Signal()
  /// The maximum number of helper threads.
  package let helpers: Int

  package init(helpers: Int) { self.helpers = max(helpers, 0) }

  /// Returns the optimal number of bands for `work` multiplications.
  package func bands(for work: Int) -> Int { min(helpers + 1, max(work / Self.worthwhile, 1)) }

  /// The number of helper threads that exist now.
  package var threadCount: Int { state.withLock { $0.threads } }

  /// Calls `body` with each number in 0..<count, in parallel on free threads, and returns when all calls have returned.
  ///
  /// - Parameter body: called on any thread. It must not call this method.
  /// - Returns: `true` if all calls returned `true`.
  package func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Bool) -> Bool {
    guard count > 1, helpers > 0 else { return (0..<count).reduce(true) { body($1) && $0 } }
    let loop = Loop(count, body)
    let (woken, spawned) = state.withLock { state in
      state.open.append(loop)
      let woken = min(count - 1, state.idle)
      let spawned = min(count - 1 - woken, helpers - state.threads)
      state.threads += spawned
      return (woken, spawned)
    }
    for _ in 0..<woken { wakeUp.wakeOne() }
    for _ in 0..<spawned { spawn() }
    while let band = state.withLock({ Self.take(from: loop, &$0) }) { perform(band, of: loop) }
    // All bands have been taken, and the threads that took them are working.
    return state.withLock(waitingFor: loop.finished, seconds: 60) { _, _ in
      loop.unfinished == 0 ? loop.isSuccess : nil
    }
  }

  private static func take(from loop: Loop, _ state: inout State) -> Int? {
    guard loop.next < loop.count else { return nil }
    loop.next += 1
    if loop.next == loop.count { state.open.removeAll { $0 === loop } }
    return loop.next - 1
  }

  private func perform(_ band: Int, of loop: Loop) {
    let isSuccess = loop.body(band)
    let isLast = state.withLock { _ in
      if !isSuccess { loop.isSuccess = false }
      loop.unfinished -= 1
      return loop.unfinished == 0
    }
    if isLast { loop.finished.wakeOne() }
  }

  private func spawn() {
    guard !BackgroundThread.start({ self.help() }) else { return }
    // No thread could be created, so the caller processes all bands.
    state.withLock { $0.threads -= 1 }
  }

  private func help() {
    while let (loop, band) = nextBand() { perform(band, of: loop) }
  }

  private func nextBand() -> (Loop, Int)? {
    let found: (Loop, Int)?? = state.withLock(waitingFor: wakeUp, seconds: 10) { state, awakening in
      if awakening != nil { state.idle -= 1 }
      if let loop = state.open.first, let band = Self.take(from: loop, &state) {
        return .some((loop, band))
      }
      if awakening == .timedOut {
        state.threads -= 1
        return .some(nil)
      }
      state.idle += 1
      return nil
    }
    return found ?? nil
  }
}
