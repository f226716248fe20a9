import NukeImaging

/// Runs a limited number of operations at a time, the most urgent first, and those of one priority in their order.
///
/// The pipeline has one for each kind of work; see ``ImagePipeline/Configuration-swift.struct``. Operations run on a few
/// threads that all queues share, never on Swift's cooperative pool.
public final class TaskQueue: Sendable {
  private struct State {
    var waiting = WorkLanes()
    /// Slots that are taken, those beyond the maximum among them.
    var running = 0
    /// Slots beyond the maximum: see ``HostLoads``.
    var borrowed = 0
    var hosts = HostLoads()
    var maximum: Int
    var isSuspended = false
    /// Workers that are on their way to this queue or drain it now.
    var visits = 0
    /// The number of these workers that are busy and cannot take more work until they are done.
    var busy = 0
    var keepsSlotForUrgentWork = false
    /// Threads of the pool.
    let visitLimit: Int

    /// `true` if a worker that came now would find something to do.
    var hasStartable: Bool {
      guard !isSuspended, waiting.count > 0 else { return false }
      return hasSlot || mayBorrow
    }

    /// `true` if there is a slot for the most urgent of what waits.
    private var hasSlot: Bool {
      running - borrowed < (waiting.urgentCount > 0 ? maximum : maximumOfUnhurried)
    }

    /// `true` if a host that has no slot may take one beyond the maximum. There are no more of these than others have
    /// beyond the first of each.
    private var mayBorrow: Bool { hosts.idleCount > 0 && borrowed < hosts.surplus }

    /// The number of slots that work below normal priority may take.
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

    /// Gives a slot to what may begin next.
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

    /// Takes a slot back. One that was borrowed goes first, so that there are as many as said again soon.
    mutating func end(_ host: HostLoads.Host?) {
      running -= 1
      if borrowed > 0 { borrowed -= 1 }
      if let host { hosts.end(host) }
    }

    /// Books a visit where one more worker is of use. One on its way counts, so that a burst of additions wakes one
    /// worker, which calls the next when it sees that there is more than it can do alone; one at work does not, since it
    /// may take long.
    mutating func reserveWorker() -> Bool {
      guard hasStartable, visits == busy, visits < visitLimit else { return false }
      visits += 1
      return true
    }
  }

  private let state: Lock<State>
  private let pool: WorkerPool

  /// A queue that runs as many operations at a time as this process may use processors.
  public convenience init() { self.init(maxConcurrentOperationCount: ProcessorCount.available) }

  /// A queue that runs `maxConcurrentOperationCount` operations at a time; at least one.
  public convenience init(maxConcurrentOperationCount: Int) {
    self.init(maxConcurrentOperationCount: maxConcurrentOperationCount, pool: .shared)
  }

  /// The same on threads of other work than the pipelines'.
  package init(maxConcurrentOperationCount: Int, pool: WorkerPool) {
    self.pool = pool
    state = Lock(State(maximum: max(1, maxConcurrentOperationCount), visitLimit: pool.limit))
  }

  /// The most operations that run at a time. Lowering it stops nothing that runs.
  ///
  /// Downloads may for a while be more, see ``ImagePipeline/Configuration-swift.struct/dataLoadingQueue``.
  public var maxConcurrentOperationCount: Int {
    get { state.withLock { $0.maximum } }
    set {
      let visit = state.withLock { state in
        state.maximum = max(1, newValue)
        return state.reserveWorker()
      }
      if visit { pool.visit(self) }
    }
  }

  /// `true` if one slot, where there are several, is left to work of normal priority and above, so that such work need
  /// not wait for what is only prefetched, however much of that there is.
  package var keepsSlotForUrgentWork: Bool {
    get { state.withLock { $0.keepsSlotForUrgentWork } }
    set {
      let visit = state.withLock { state in
        state.keepsSlotForUrgentWork = newValue
        return state.reserveWorker()
      }
      if visit { pool.visit(self) }
    }
  }

  /// A Boolean value that indicates whether waiting operations stay where they are. What runs goes on.
  public var isSuspended: Bool {
    get { state.withLock { $0.isSuspended } }
    set {
      let visit = state.withLock { state in
        state.isSuspended = newValue
        return state.reserveWorker()
      }
      if visit { pool.visit(self) }
    }
  }

  /// The waiting and running work of the queue.
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

  /// Lets `work` wait for a slot.
  ///
  /// - Parameter isNext: `true` if a worker that is about to finish its work may do this one next; see
  ///   ``WorkerPool/visitNext(_:)``.
  package func add(_ work: QueuedWork, isNext: Bool = false) {
    let host = work.hostName
    let visit = state.withLock { state in
      state.add(work, for: host)
      return state.reserveWorker()
    }
    guard visit else { return }
    if isNext { pool.visitNext(self) } else { pool.visit(self) }
  }

  /// Has a worker call `body` when a slot is free.
  package func add(_ body: @escaping @Sendable () -> Void) {
    add(
      WorkItem {
        body()
        return .done
      })
  }

  /// Takes out work that still waits; `false` if it runs or has run.
  @discardableResult
  package func remove(_ work: QueuedWork) -> Bool {
    state.withLock { $0.remove(work) }
  }

  /// Applies the priority the work is wanted at now, if it still waits.
  package func reprioritize(_ work: QueuedWork) {
    let visit = state.withLock { state in
      state.waiting.move(work)
      // It may now take the slot that is kept for urgent work.
      return state.reserveWorker()
    }
    if visit { pool.visit(self) }
  }

  /// Gives back the slot of work whose `run()` went on without a thread; `work` itself where it is for a host.
  package func releaseSlot(of work: QueuedWork? = nil) {
    let visit = state.withLock { state in
      state.end(work?.runningHost)
      work?.runningHost = nil
      return state.reserveWorker()
    }
    if visit { pool.visit(self) }
  }

  /// A worker's visit: runs what may run. At most `quota` operations, so that one busy queue cannot keep a worker from
  /// the others, and none after one that left the worker another queue to drain.
  ///
  /// - Returns: `true` if the worker is to come back, since there is more.
  func drain(quota: Int) -> Bool {
    var left = quota
    var outcome: QueuedWork.Outcome?
    // Work that is done may wait here again already, and be at work a second time.
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
      if help { pool.visit(self) }
      left -= 1
      outcome = work.run()
      if WorkerPool.hasNextVisit { left = 0 }
    }
    return state.withLock { state in
      // The visit goes on as another one if work is left and no other worker is on its way here.
      if state.hasStartable, state.visits - 1 <= state.busy { return true }
      state.visits -= 1
      return false
    }
  }
}
