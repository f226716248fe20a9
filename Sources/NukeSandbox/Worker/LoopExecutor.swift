import NukeBase

/// Runs Swift tasks on the thread that waits for them, without a thread pool. Dispatch's pool would read `/proc` and
/// abort the process if it cannot.
final class LoopExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isDone = false
  }

  private let state = Lock(State())
  private let change = Signal()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    change.wakeOne()
  }

  /// Runs `body` and returns its result. Only one call at a time is allowed.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = Lock<Value?>(nil)
    state.withLock { $0.isDone = false }
    Task(executorPreference: self) {
      let value = await body()
      result.withLock { $0 = value }
      self.state.withLock { $0.isDone = true }
      self.change.wakeOne()
    }
    while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    guard let value = result.withLock({ $0 }) else { preconditionFailure("a task ended without a result") }
    return value
  }

  /// Returns the next job; `nil` when the task has ended and all of its jobs have run.
  private func nextJob() -> UnownedJob? {
    let next: UnownedJob?? = state.withLock(waitingFor: change, seconds: 60) { state, _ in
      if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
      return state.isDone ? .some(nil) : nil
    }
    return next ?? nil
  }
}
