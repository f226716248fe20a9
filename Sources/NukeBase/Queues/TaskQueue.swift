/// A queue that runs a limited number of operations at a time, in order of priority, and first in, first out within one
/// priority.
///
/// The pipeline has one for each kind of work; see ``ImagePipeline/Configuration-swift.struct``. Operations run on a
/// few threads that all queues share, never on Swift's cooperative pool.
public final class TaskQueue: Sendable {
  private struct State {
    var waiting = WorkLanes()
    /// Slots in use, including borrowed ones.
    var running = 0
    /// Slots in use beyond the maximum; see ``HostLoads``.
    var borrowed = 0
    var hosts = HostLoads()
    var maximum: Int
    var isSuspended = false
    /// The number of workers that drain this queue, or have been requested.
    var workers = 0
    /// The number of these workers that run an operation.
    var busy = 0
    var keepsSlotForUrgentWork = false
    /// The number of threads of the pool.
    let workerLimit: Int

    /// `true` if an operation could start now.
    var hasStartable: Bool {
      guard !isSuspended, waiting.count > 0 else { return false }
      return hasSlot || mayBorrow
    }

    /// `true` if there is a slot for the most urgent operation.
    private var hasSlot: Bool {
      running - borrowed < (waiting.urgentCount > 0 ? maximum : maximumOfUnhurried)
    }

    /// `true` if a host without a slot may take one beyond the maximum. The number of such slots is limited by the
    /// number that other hosts have beyond their first.
    private var mayBorrow: Bool { hosts.idleCount > 0 && borrowed < hosts.surplus }

    /// The number of slots for operations below normal priority.
    private var maximumOfUnhurried: Int { keepsSlotForUrgentWork ? max(1, maximum - 1) : maximum }

    mutating func add(_ work: QueuedWork, for host: Substring?) {
      if let host { work.waitingHost = hosts.wait(for: host) }
      waiting.append(work)
    }

    mutating func remove(_ work: QueuedWork) -> Bool {
      guard waiting.remove(work) else { return false }
      if let host = work.waitingHost {
        work.waitingHost = nil
        hosts.leave(host)
      }
      return true
    }

    /// Takes the next operation that may start, and a slot for it.
    mutating func begin() -> QueuedWork? {
      guard hasStartable else { return nil }
      let isBorrowing = !hasSlot
      let next = isBorrowing ? waiting.popFirst { $0.waitingHost?.isIdle == true } : waiting.popFirst()
      guard let work = next else { return nil }
      if isBorrowing { borrowed += 1 }
      running += 1
      work.runningHost = work.waitingHost
      if let host = work.waitingHost {
        work.waitingHost = nil
        hosts.begin(host)
      }
      return work
    }

    /// Releases a slot, a borrowed one first.
    mutating func end(_ host: HostLoads.Host?) {
      running -= 1
      if borrowed > 0 { borrowed -= 1 }
      if let host { hosts.end(host) }
    }

    /// Reserves one more worker if there is work for it.
    ///
    /// A requested worker counts, so that a burst of additions wakes one worker, which wakes the next if there is more
    /// work. A worker that runs an operation does not count, because the operation may take long.
    ///
    /// - Parameter isHere: `true` for the calling thread, which need not wait for a requested worker.
    mutating func reserveWorker(isHere: Bool = false) -> Bool {
      guard hasStartable, isHere || workers == busy, workers < workerLimit else { return false }
      workers += 1
      return true
    }
  }

  private let state: Lock<State>
  private let pool: WorkerPool

  /// Creates a queue that runs up to one operation at a time for each processor that the process may use.
  public convenience init() { self.init(maxConcurrentOperationCount: ProcessorCount.available) }

  /// Creates a queue that runs up to `maxConcurrentOperationCount` operations at a time. Values below 1 count as 1.
  public convenience init(maxConcurrentOperationCount: Int) {
    self.init(maxConcurrentOperationCount: maxConcurrentOperationCount, pool: .shared)
  }

  /// Creates a queue that runs operations on the threads of `pool`.
  package init(maxConcurrentOperationCount: Int, pool: WorkerPool) {
    self.pool = pool
    state = Lock(State(maximum: max(1, maxConcurrentOperationCount), workerLimit: pool.limit))
  }

  /// The maximum number of operations that run at a time. Lowering it does not stop running operations.
  ///
  /// Downloads may exceed it for a while; see ``ImagePipeline/Configuration-swift.struct/dataLoadingQueue``.
  public var maxConcurrentOperationCount: Int {
    get { state.withLock { $0.maximum } }
    set { change { $0.maximum = max(1, newValue) } }
  }

  /// `true` if one slot of several is kept for operations of normal priority and above, so that they do not wait for
  /// prefetching.
  package var keepsSlotForUrgentWork: Bool {
    get { state.withLock { $0.keepsSlotForUrgentWork } }
    set { change { $0.keepsSlotForUrgentWork = newValue } }
  }

  /// A Boolean value that indicates whether waiting operations are held back. Running operations continue.
  public var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set { change { $0.isSuspended = newValue } }
  }

  /// Makes a change after which waiting work may start, and requests a worker if there is work for one.
  private func change(_ body: (inout State) -> Void) {
    let needsWorker = state.withLock { state in
      body(&state)
      return state.reserveWorker()
    }
    if needsWorker { pool.drainLater(self) }
  }

  /// The state of a queue, for metrics and explanations.
  package struct Status: Sendable {
    package var waiting: Int
    package var running: Int
    package var limit: Int
    package var isSuspended: Bool
  }

  /// The state of the queue at this moment.
  package var status: Status {
    state.withLock {
      Status(waiting: $0.waiting.count, running: $0.running, limit: $0.maximum, isSuspended: $0.isSuspended)
    }
  }

  /// Adds `work` to the queue.
  ///
  /// - Parameter isNext: `true` if a worker that is about to finish may run it next; see
  ///   ``WorkerPool/drainNext(_:)``.
  package func add(_ work: QueuedWork, isNext: Bool = false) {
    let host = work.hostName
    let isHere = isNext && WorkerPool.callingThreadRuns(self)
    let needsWorker = state.withLock { state in
      state.add(work, for: host)
      return state.reserveWorker(isHere: isHere)
    }
    guard needsWorker else { return }
    if isNext { pool.drainNext(self) } else { pool.drainLater(self) }
  }

  /// Adds a closure to the queue.
  package func add(_ body: @escaping @Sendable () -> Void) {
    add(
      WorkItem {
        body()
        return .done
      })
  }

  /// Removes work that is waiting. Returns `false` if the work is running, has run, or was never added.
  @discardableResult
  package func remove(_ work: QueuedWork) -> Bool {
    state.withLock { $0.remove(work) }
  }

  /// Moves waiting work to its place in the queue after its priority has changed.
  package func reprioritize(_ work: QueuedWork) {
    // It may take the slot that is kept for urgent work now.
    change { $0.waiting.move(work) }
  }

  /// Releases the slot of work that continues after `run()` has returned. `work` is needed if it has a host.
  package func releaseSlot(of work: QueuedWork? = nil) {
    change { state in
      state.end(work?.runningHost)
      work?.runningHost = nil
    }
  }

  /// Runs operations on the calling thread until none may start.
  ///
  /// It runs at most `quota` of them, so that a busy queue does not keep a worker from other queues, and none after one
  /// that has left the worker another queue to drain.
  ///
  /// - Returns: `true` if there is more work, for which a worker must return.
  func drain(quota: Int) -> Bool {
    var left = quota
    var outcome: QueuedWork.Outcome?
    // Finished work may be in the queue again already, or even run a second time.
    var host: HostLoads.Host?
    while true {
      let (work, help) = state.withLock { state -> (QueuedWork?, Bool) in
        if let outcome {
          state.busy -= 1
          if outcome == .done { state.end(host) }
        }
        guard left > 0, let work = state.begin() else { return (nil, false) }
        state.busy += 1
        host = work.runningHost
        return (work, state.reserveWorker())
      }
      guard let work else { break }
      if help { pool.drainLater(self) }
      left -= 1
      outcome = work.run()
      if WorkerPool.hasNext { left = 0 }
    }
    return state.withLock { state in
      // If work is left and no other worker has been requested, this worker counts as requested again.
      if state.hasStartable, state.workers - 1 <= state.busy { return true }
      state.workers -= 1
      return false
    }
  }
}
