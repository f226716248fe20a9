import NukeBase

/// A series of changes to the graph, and the actions that follow from them, in order.
///
/// Actions are performed outside the lock, in the order in which they were appended. So when data has arrived, all its
/// subscribers choose their scale and join the decode job before it starts.
struct GraphTransaction {
  typealias Graph = JobGraph<JobKey, Job, ImageTask>

  let pipeline: ImagePipeline
  private var actions = Graph.Actions()

  private init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// Makes the changes of `body` and performs all actions that follow.
  ///
  /// - Parameter isTail: `true` if the caller has nothing left to do afterwards. A worker then runs the work that the
  ///   last action has queued.
  static func run<Result>(
    on pipeline: ImagePipeline, isTail: Bool = false, _ body: (inout GraphTransaction) -> Result
  ) -> Result {
    let kept = WorkerPool.setKeepsNext(isTail)
    defer { WorkerPool.restoreKeepsNext(kept) }
    var transaction = GraphTransaction(pipeline)
    let result = body(&transaction)
    while let action = transaction.actions.next() {
      // Queued work must not wait for other actions, which may call user code.
      WorkerPool.passOnNext()
      transaction.perform(action)
    }
    return result
  }

  private mutating func perform(_ action: Graph.Action) {
    switch action {
    case .start(let job, _): job.start(&self)
    case .stop(let job): job.stop()
    case .prioritize(let job, _): job.reprioritize()
    case .resume(let job, let finished): job.resume(finished, &self)
    case .complete(let task, let finished): task.complete(with: finished)
    }
  }

  /// Changes a graph under its lock, and stores the new priorities in the order of the decisions.
  private mutating func change<Result>(
    _ shard: JobShard, _ body: (inout JobShard.State, inout Graph.Actions) -> Result
  ) -> Result {
    shard.state.withLock { state in
      let before = actions.end
      let result = body(&state, &actions)
      for place in before..<actions.end {
        switch actions[place] {
        case .start(let job, let priority), .prioritize(let job, let priority):
          job.setPriority(priority)
        case .stop, .resume, .complete: break
        }
      }
      return result
    }
  }

  /// Subscribes a task to the job of `key`, unless the task has ended.
  ///
  /// - Returns: `false` if the pipeline has been invalidated.
  mutating func join(_ task: ImageTask, to key: JobKey, make: (Job.ID) -> Job) -> Bool {
    let pipeline = pipeline
    var shared: (by: TaskTrace, owner: TaskTrace)?
    let isValid = change(pipeline.shard(of: task.request)) { state, actions in
      guard !state.isInvalidated else { return false }
      task.guarded.withLock { guarded in
        let trace = guarded.trace
        guarded.subscribe { priority in
          let (token, job, joined) = state.graph.join(
            task, to: pipeline.configuration.isTaskCoalescingEnabled ? key : nil, priority: priority,
            actions: &actions, make: make)
          job.isRequested = true
          if joined {
            pipeline.counters.countJoin()
            if let trace, let owner = job.trace { shared = (trace, owner) }
          } else {
            job.key = key
            job.trace = trace
          }
          return (token, joined)
        }
      }
      return true
    }
    // A tracer is user code, so it is called outside the lock.
    if let shared { shared.by.link(to: shared.owner) }
    return isValid
  }

  /// Subscribes `job` to the job of `key`, or to one that no other job joins if `key` is `nil`.
  mutating func depend(_ job: Job, on key: JobKey?, make: (Job.ID) -> Job) {
    let pipeline = pipeline
    let trace = job.trace
    var owner: TaskTrace?
    change(job.shard) { state, actions in
      let joined = state.graph.depend(
        job.id, on: pipeline.configuration.isTaskCoalescingEnabled ? key : nil, actions: &actions,
        make: { id in
          let made = make(id)
          made.key = key
          made.trace = trace
          return made
        })
      if joined == true {
        job.facts.isCoalesced = true
        pipeline.counters.countJoin()
        if trace != nil, let key { owner = state.graph.job(of: key)?.trace }
      }
    }
    if let trace, let owner, owner !== trace { trace.link(to: owner) }
  }

  /// Reports that the job has finished.
  mutating func finish(_ job: Job) {
    change(job.shard) { state, actions in state.graph.finish(job.id, actions: &actions) }
  }

  /// Ends a task's subscription. Returns `false` if it had ended.
  mutating func leave(_ token: Graph.Token, of task: ImageTask) -> Bool {
    change(pipeline.shard(of: task.request)) { state, actions in state.graph.leave(token, actions: &actions) }
  }

  /// Stores a task's priority and applies it in one step, so that of two threads the last one wins in both places.
  mutating func setPriority(_ priority: ImageRequest.Priority, of task: ImageTask) {
    change(pipeline.shard(of: task.request)) { state, actions in
      let token = task.guarded.withLock { guarded in
        guarded.priority = priority
        return guarded.token
      }
      if let token { state.graph.setPriority(priority.workPriority, of: token, actions: &actions) }
    }
  }

  /// Stops all jobs. No job can be added afterwards.
  ///
  /// - Returns: the tasks that were subscribed.
  mutating func invalidate() -> [ImageTask] {
    pipeline.shards.flatMap { shard in
      change(shard) { state, actions in
        state.isInvalidated = true
        return state.graph.removeAll(actions: &actions)
      }
    }
  }
}
