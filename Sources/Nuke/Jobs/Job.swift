import NukeBase
import Synchronization

/// A unit of work that several requests can share: loading data, decoding, or applying one processor.
///
/// The graph starts a job, and stops it when its last subscriber leaves. The result is written once, before the job
/// reports that it has finished, and subscribers read it after that.
class Job: QueuedWork, @unchecked Sendable {
  typealias ID = JobGraph<JobKey, Job, ImageTask>.JobID

  let pipeline: ImagePipeline
  /// The shard of the pipeline that the job belongs to.
  let shard: JobShard
  let id: ID
  /// The key of the job. Its processors are objects of the program, which the graph must not release under its lock.
  var key: JobKey?
  /// The facts so far, including those of its dependencies.
  var facts = ImageTask.Facts()
  /// The trace of the first task that needed the work. Set before other threads know the job.
  var trace: TaskTrace?
  /// The lease of work that other processes might do too. The job sets it with ``hold(_:)``.
  fileprivate(set) var lease: JobLease?
  private let stopped = Atomic<Bool>(false)
  private let requested = Atomic<Bool>(false)

  init(id: ID, request: ImageRequest, pipeline: ImagePipeline) {
    self.id = id
    self.pipeline = pipeline
    shard = pipeline.shard(of: request)
  }

  /// `true` if the job has no subscribers any more.
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// `true` if a task, and not only another job, has subscribed.
  var isRequested: Bool {
    get { requested.load(ordering: .acquiring) }
    set { requested.store(newValue, ordering: .releasing) }
  }

  /// The queue for ``run()``; `nil` if the job is never in a queue.
  var queue: TaskQueue? { nil }

  /// Starts the work. Called at most once, outside the lock of the graph.
  func start(_ transaction: inout GraphTransaction) {}

  /// Continues when the job that this one waited for has finished. Called outside the lock of the graph.
  func resume(_ finished: Job, _ transaction: inout GraphTransaction) {}

  /// Cancels the work. Called at most once, from any thread, perhaps during ``run()``.
  func stop() {
    stopped.store(true, ordering: .releasing)
    queue?.remove(self)
    if let pendingWork = takePendingWork() { pendingWork.queue.remove(pendingWork.work) }
    shard.state.withLock { _ in lease }?.client.end()
  }

  /// Keeps `lease`, which ends when the job is stopped.
  func hold(_ lease: JobLease) {
    shard.state.withLock { _ in self.lease = lease }
    // The job may have been stopped before it was stored.
    if isStopped { lease.client.end() }
  }

  /// Adds the job to its queue, unless it has been stopped.
  func enqueue() {
    guard let queue else { return }
    queue.add(self, isNext: true)
    if isStopped, queue.remove(self) { leftQueue() }
  }

  /// Called if ``enqueue()`` has removed the job from its queue again, because another thread stopped it meanwhile.
  func leftQueue() {}

  func reprioritize() {
    queue?.reprioritize(self)
    if let pendingWork = shard.state.withLock({ _ in pendingWork }) {
      pendingWork.queue.reprioritize(pendingWork.work)
    }
  }

  /// Called with the lock of ``shard`` held.
  func setPriority(_ priority: WorkPriority) {
    want(priority)
    pendingWork?.work.want(priority)
  }

  // MARK: Pending work

  /// Work in a queue after which the job continues. Guarded by the lock of ``shard``.
  private var pendingWork: (work: QueuedWork, queue: TaskQueue)?

  /// Adds a closure to `queue` with the priority of the job. It is not called if the job is stopped before.
  func schedule(on queue: TaskQueue, _ body: @escaping @Sendable () -> Void) {
    let work = WorkItem { [self] in
      takePendingWork()
      if !isStopped { body() }
      return .done
    }
    shard.state.withLock { _ in
      work.wantedPriority.store(wantedPriority.load(ordering: .relaxed), ordering: .relaxed)
      pendingWork = (work, queue)
    }
    queue.add(work, isNext: true)
    // The job may have been stopped before the work was stored.
    if isStopped {
      takePendingWork()
      queue.remove(work)
    }
  }

  @discardableResult
  private func takePendingWork() -> (work: QueuedWork, queue: TaskQueue)? {
    shard.state.withLock { _ in pendingWork.take() }
  }
}
