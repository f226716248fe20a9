import Synchronization

/// One piece of shared work: loading, decoding, or one step of processing.
///
/// The graph decides when it starts and when nobody wants it any more; its result is written once, before it is
/// reported finished, and read by those who are told.
class Job: QueuedWork, @unchecked Sendable {
  typealias ID = JobGraph<JobKey, Job, ImageTask>.JobID

  let pipeline: ImagePipeline
  let id: ID
  /// The facts so far, including those of the jobs it waited for.
  var facts = ImageTask.Facts()
  /// The trace of the first task that asked for the work. Set before the job is known to others.
  var trace: TaskTrace?
  /// Asked whether the job may do work that other processes would do too. Set by the job itself, by ``hold(_:)``.
  fileprivate(set) var lease: JobLease?
  private let stopped = Atomic<Bool>(false)
  private let requested = Atomic<Bool>(false)

  init(id: ID, pipeline: ImagePipeline) {
    self.id = id
    self.pipeline = pipeline
  }

  /// `true` if nobody wants the result any more.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// `true` if a task asked for this very result, not only another job on its way to something else.
  var isRequested: Bool {
    get { requested.load(ordering: .acquiring) }
    set { requested.store(newValue, ordering: .releasing) }
  }

  /// The queue in which the work waits, if it does.
  var queue: TaskQueue? { nil }

  /// Begins the work; called once.
  func start(_ transaction: inout GraphTransaction) {}

  /// Goes on with the result of the job that was waited for.
  func resume(_ finished: Job, _ transaction: inout GraphTransaction) {}

  /// Gives the work up; called at most once, from any thread, perhaps while ``run()`` is at work.
  func stop() {
    stopped.store(true, ordering: .releasing)
    queue?.remove(self)
    if let pendingWork = takePendingWork() { pendingWork.queue.remove(pendingWork.work) }
    pipeline.state.withLock { _ in lease }?.end()
  }

  /// Has `lease` ended when the job is stopped.
  func hold(_ lease: JobLease) {
    pipeline.state.withLock { _ in self.lease = lease }
    // One that was stopped just now does not keep it.
    if isStopped { lease.end() }
  }

  /// Lets the job wait in its queue. One that was stopped just now does not stay there.
  func enqueue() {
    guard let queue else { return }
    queue.add(self, isNext: true)
    if isStopped, queue.remove(self) { leftQueue() }
  }

  /// Told when the job was stopped before its turn came.
  func leftQueue() {}

  func reprioritize() {
    queue?.reprioritize(self)
    if let pendingWork = pipeline.state.withLock({ _ in pendingWork }) {
      pendingWork.queue.reprioritize(pendingWork.work)
    }
  }

  /// Called holding the pipeline's lock.
  override package func want(_ priority: ImageRequest.Priority) {
    super.want(priority)
    pendingWork?.work.want(priority)
  }

  // MARK: Pending work

  /// Work that stands in a queue for the job, which goes on when it has run. Guarded by the pipeline's lock.
  private var pendingWork: (work: QueuedWork, queue: TaskQueue)?

  /// Lets `work` wait in `queue` for the job, as urgent as the job is meanwhile; it is dropped when the job is stopped.
  private func send(_ work: QueuedWork, to queue: TaskQueue) {
    pipeline.state.withLock { _ in
      work.wantedPriority.store(wantedPriority.load(ordering: .relaxed), ordering: .relaxed)
      pendingWork = (work, queue)
    }
    queue.add(work, isNext: true)
    // One that was stopped just now does not stay there.
    if isStopped {
      takePendingWork()
      queue.remove(work)
    }
  }

  /// Has a worker call `body`, as urgent as the job is meanwhile, unless the job is stopped before.
  func schedule(on queue: TaskQueue, _ body: @escaping @Sendable () -> Void) {
    send(
      WorkItem { [self] in
        takePendingWork()
        if !isStopped { body() }
        return .done
      }, to: queue)
  }

  @discardableResult
  private func takePendingWork() -> (work: QueuedWork, queue: TaskQueue)? {
    pipeline.state.withLock { _ in
      defer { pendingWork = nil }
      return pendingWork
    }
  }
}
