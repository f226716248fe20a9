import Foundation

/// A pool of threads that are created when needed and end after some idle seconds.
package final class WorkerPool: Sendable {
  /// The pool for all work of all pipelines except reading and writing files.
  package static let shared = WorkerPool(limit: max(4, ProcessorCount.available * 2))

  /// The pool that reads and writes files. A disk that hangs blocks these threads, but no decoding or processing. There
  /// are more threads than processors, so that one disk does not block the others.
  package static let io = WorkerPool(limit: 32)

  private struct State {
    /// The queues to drain. A queue is listed once for each worker that it has requested.
    var pending: [TaskQueue] = []
    var threads = 0
    /// Waiting threads that have not been woken. The last one, whose memory is in the caches of a processor, is woken
    /// first.
    var idle: [Worker] = []

    /// Removes `worker` from the waiting threads, if it is one.
    mutating func removeIdle(_ worker: Worker) {
      guard let index = idle.lastIndex(where: { $0 === worker }) else { return }
      idle.remove(at: index)
    }
  }

  private let shared = Lock(State())
  /// The maximum number of threads.
  package let limit: Int
  private let makeThread: @Sendable (WorkerPool) -> Bool

  /// Creates a separate pool, for work that waits for a long time and must not block the pipelines.
  ///
  /// - Parameter makeThread: starts a thread for the pool. Returns `false` if the system allows none.
  package init(limit: Int, makeThread: @escaping @Sendable (WorkerPool) -> Bool = WorkerPool.makeThread(for:)) {
    self.limit = limit
    self.makeThread = makeThread
  }

  /// The state of a thread of the pool. Other threads use the signal only.
  private final class Worker: @unchecked Sendable {
    unowned let pool: WorkerPool
    /// Exists before the thread first waits, so before another thread can wake it. A thread of the program never waits.
    private(set) lazy var wakeUp = Signal()
    /// The only queue that the thread may drain next, if it is not the pool's own.
    let only: TaskQueue?
    /// The queue that the thread drains next, after its current work.
    var next: TaskQueue?
    var keepsNext = false

    init(pool: WorkerPool, only: TaskQueue? = nil) {
      self.pool = pool
      self.only = only
    }

    func mayKeep(_ queue: TaskQueue, of pool: WorkerPool) -> Bool {
      keepsNext && self.pool === pool && (only == nil || only === queue)
    }
  }

  private static var worker: Worker? {
    pthread_getspecific(workerKey).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
  }

  /// `true` if the calling thread belongs to a pool.
  package static var isWorker: Bool { worker.map { $0.only == nil } ?? false }

  /// `true` if the calling thread is one of the program that starts a load; see ``usingCallingThread(for:_:)``.
  package static var isCallingThread: Bool { worker?.only != nil }

  /// `true` if the calling thread will run an operation of `queue` itself.
  static func callingThreadRuns(_ queue: TaskQueue) -> Bool {
    worker.map { $0.only === queue && $0.keepsNext } ?? false
  }

  /// Runs `body`, then runs one operation of `queue` on the calling thread if `body` has added one at its end.
  ///
  /// So a load begins without waking another thread. Operations of other queues run on the threads of the pool.
  package func usingCallingThread<Result>(for queue: TaskQueue, _ body: () -> Result) -> Result {
    guard Self.worker == nil else { return body() }
    let worker = Worker(pool: self, only: queue)
    pthread_setspecific(Self.workerKey, Unmanaged.passUnretained(worker).toOpaque())
    defer { pthread_setspecific(Self.workerKey, nil) }
    return withExtendedLifetime(worker) {
      let result = body()
      if worker.next.take() != nil, queue.drain(quota: 1) { drainLater(queue) }
      return result
    }
  }

  /// `true` if the calling thread has a queue to drain next.
  static var hasNext: Bool { worker?.next != nil }

  /// Sets whether ``drainNext(_:)`` keeps a queue for the calling thread. A queue kept before goes to another thread.
  ///
  /// - Returns: the previous value.
  package static func setKeepsNext(_ keeps: Bool) -> Bool {
    guard let worker else { return false }
    passOnNext()
    return exchange(&worker.keepsNext, with: keeps)
  }

  /// Restores what ``setKeepsNext(_:)`` returned. A queue kept meanwhile stays.
  package static func restoreKeepsNext(_ keeps: Bool) { worker?.keepsNext = keeps }

  private static let workerKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Lets the calling thread drain `queue` next if it is about to finish its work, or else another worker.
  ///
  /// So the stages of a load stay on one thread. Waking another takes longer than most stages do.
  func drainNext(_ queue: TaskQueue) {
    guard let worker = Self.worker, worker.mayKeep(queue, of: self) else { return drainLater(queue) }
    Self.passOnNext()
    worker.next = queue
  }

  /// Hands the queue that the calling thread has kept to another thread.
  package static func passOnNext() {
    guard let worker, let next = worker.next.take() else { return }
    worker.pool.drainLater(next)
  }

  /// Lets a worker drain `queue`.
  func drainLater(_ queue: TaskQueue) {
    enum Action { case wake(Worker), spawn, nothing }
    let action = shared.withLock { state -> Action in
      state.pending.append(queue)
      if let worker = state.idle.popLast() { return .wake(worker) }
      if state.threads < limit {
        state.threads += 1
        return .spawn
      }
      return .nothing
    }
    switch action {
    case .wake(let worker): worker.wakeUp.wakeOne()
    case .spawn: spawn()
    case .nothing: break
    }
  }

  private func spawn() {
    guard !makeThread(self) else { return }
    let isAlone = shared.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    // If the pool has another thread, that one drains the queue. Otherwise Dispatch does, as soon as it has a
    // thread. The next call tries to create a thread again.
    if isAlone { DispatchQueue.global().async { self.workOnce() } }
  }

  package static func makeThread(for pool: WorkerPool) -> Bool {
    // Codecs and filters are not recursive. The threads of Swift's own pool have 1 MiB at least.
    BackgroundThread.start(name: "nuke.worker", stackSize: 1 << 20) {
      pool.work()
    }
  }

  private func work() {
    let worker = Worker(pool: self)
    pthread_setspecific(Self.workerKey, Unmanaged.passUnretained(worker).toOpaque())
    while case .drain(let queue) = next(for: worker) { drain(queue, worker) }
    pthread_setspecific(Self.workerKey, nil)
  }

  /// Drains all queues on a thread that does not belong to the pool.
  private func workOnce() {
    let (other, worker) = (pthread_getspecific(Self.workerKey), Worker(pool: self))
    pthread_setspecific(Self.workerKey, Unmanaged.passUnretained(worker).toOpaque())
    while let queue = shared.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) { drain(queue, worker) }
    pthread_setspecific(Self.workerKey, other)
  }

  private func drain(_ queue: TaskQueue, _ worker: Worker) {
    var queue = queue
    while true {
      let isMore = queue.drain(quota: 64)
      guard let next = worker.next.take() else {
        if isMore { shared.withLock { $0.pending.append(queue) } }
        return
      }
      if isMore { drainLater(queue) }
      queue = next
    }
  }

  private enum Next {
    case drain(TaskQueue)
    /// The thread has been idle for long.
    case end
  }

  private func next(for worker: Worker) -> Next {
    shared.withLock(waitingFor: worker.wakeUp, seconds: 10) { state, awakening in
      // A thread that was not woken for a queue takes it too. The one that was waits again.
      if awakening != nil { state.removeIdle(worker) }
      if !state.pending.isEmpty { return .drain(state.pending.removeFirst()) }
      if awakening == .timedOut {
        state.threads -= 1
        return .end
      }
      state.idle.append(worker)
      return nil
    }
  }
}
