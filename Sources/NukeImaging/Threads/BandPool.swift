#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A few threads that help with images too large for one: the image is cut into bands, which whoever is free takes.
///
/// The caller works too, and takes all bands that no helper comes for, so that a call never waits for a thread to be
/// free. Threads are made when they are first needed, end when they have been idle for a while, and are shared by the
/// process.
package final class BandPool: Sendable {
  package static let shared = BandPool(helpers: min(ProcessorCount.available, 4) - 1)

  /// Products of a weight and a pixel that are worth a thread of their own: about 1.5 ms, of which waking takes a
  /// fiftieth.
  static let worthwhile = 24_000_000

  /// One call's bands. What changes is guarded by the pool's lock.
  private final class Work: @unchecked Sendable {
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
    /// The work items with bands that no thread has started.
    var open: [Work] = []
    var threads = 0
    var idle = 0
  }

  private let state = Lock(State())
  private let wakeUp = Signal()
  /// The most threads beside those that call.
  package let helpers: Int

  package init(helpers: Int) { self.helpers = max(helpers, 0) }

  /// How many bands `work` products are best cut into.
  package func bands(for work: Int) -> Int { min(helpers + 1, max(work / Self.worthwhile, 1)) }

  /// Threads that the pool has now.
  package var threadCount: Int { state.withLock { $0.threads } }

  /// Calls `body` with 0..<count, several at the same time where threads are free, and returns when all are done.
  ///
  /// - Parameter body: called on any thread; it must not call this again.
  /// - Returns: `true` if all bodies gave true.
  package func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Bool) -> Bool {
    guard count > 1, helpers > 0 else { return (0..<count).reduce(true) { body($1) && $0 } }
    let work = Work(count, body)
    let (woken, spawned) = state.withLock { state in
      state.open.append(work)
      let woken = min(count - 1, state.idle)
      let spawned = min(count - 1 - woken, helpers - state.threads)
      state.threads += spawned
      return (woken, spawned)
    }
    for _ in 0..<woken { wakeUp.wakeOne() }
    for _ in 0..<spawned { spawn() }
    while let band = state.withLock({ Self.take(from: work, &$0) }) { perform(band, of: work) }
    // Those who have taken a band are at work on it.
    return state.withLock(waitingFor: work.finished, seconds: 60) { _, _ in
      work.unfinished == 0 ? work.isSuccess : nil
    }
  }

  private static func take(from work: Work, _ state: inout State) -> Int? {
    guard work.next < work.count else { return nil }
    work.next += 1
    if work.next == work.count { state.open.removeAll { $0 === work } }
    return work.next - 1
  }

  private func perform(_ band: Int, of work: Work) {
    let isSuccess = work.body(band)
    let isLast = state.withLock { _ in
      if !isSuccess { work.isSuccess = false }
      work.unfinished -= 1
      return work.unfinished == 0
    }
    if isLast { work.finished.wakeOne() }
  }

  private func spawn() {
    var thread: pthread_t = 0
    let pool = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { pointer in
        // Signals belong to the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Unmanaged<BandPool>.fromOpaque(pointer!).takeRetainedValue().help()
        return nil
      }, pool.toOpaque())
    if failure == 0 {
      pthread_detach(thread)
    } else {
      // The caller does it all.
      pool.release()
      state.withLock { $0.threads -= 1 }
    }
  }

  private func help() {
    while let (work, band) = nextBand() { perform(band, of: work) }
  }

  private func nextBand() -> (Work, Int)? {
    let found: (Work, Int)?? = state.withLock(waitingFor: wakeUp, seconds: 10) { state, awakening in
      if awakening != nil { state.idle -= 1 }
      if let work = state.open.first, let band = Self.take(from: work, &state) {
        return .some((work, band))
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
