import CNukeSandbox
import Foundation
import NukeImaging
import NukeServing

/// The workers of a sandbox, and the orders that wait for them.
final class WorkerCrew: Sendable {
  let configuration: SandboxConfiguration
  let settings: WorkerSettings
  let pixels: SealedFile?
  let report: @Sendable (String) -> Void

  struct State {
    var jobs: [RenderJob] = []
    var isShutDown = false
    /// Of the places whose thread has not ended.
    var bells: [Bell] = []
    /// How the first start ended; `nil` while it has not.
    var firstStart: Result<Void, SandboxError>?
    var statistics = SandboxStatistics()
  }

  let state = Lock(State())
  /// There is work.
  private let work = Signal()
  /// Nobody pauses any longer.
  private let ending = Signal()
  /// The first start has ended, or a place.
  private let change = Signal()

  init(
    _ configuration: SandboxConfiguration, _ settings: WorkerSettings, pixels: SealedFile?,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.configuration = configuration
    self.settings = settings
    self.pixels = pixels
    self.report = report
  }

  /// Starts one worker, and all others when that has been locked in.
  func start() throws(SandboxError) {
    addPlace()
    let result = state.withLock(waitingFor: change, seconds: 60) { state, _ in state.firstStart }
    do throws(SandboxError) {
      try result.get()
    } catch {
      shutdown()
      throw error
    }
    for _ in 1..<max(configuration.workerCount, 1) { addPlace() }
  }

  /// A thread that starts a worker, hands it orders, and starts another when it has ended. It is a thread of its own since
  /// the kernel ends a worker with the thread that started it.
  private func addPlace() {
    let bell = Bell()
    state.withLock { $0.bells.append(bell) }
    let place = WorkerPlace(bell: bell, crew: self)
    Thread.detachNewThread { place.run() }
  }

  func shutdown() {
    let (jobs, bells) = state.withLock { state -> ([RenderJob], [Bell]) in
      state.isShutDown = true
      defer { state.jobs = [] }
      return (state.jobs, state.bells)
    }
    for job in jobs { finish(job, .failure(.shuttingDown(retryAfter: 1))) }
    for bell in bells {
      bell.ring()
      work.wakeOne()
      ending.wakeOne()
    }
    state.withLock(waitingFor: change, seconds: 1) { state, _ in state.bells.isEmpty ? () : nil }
  }

  var statistics: SandboxStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.waiting = state.jobs.count
      return statistics
    }
  }

  // MARK: Orders

  /// Returns the reply of a worker. After the task is canceled, it returns when the worker has abandoned the image or was
  /// ended, so that the memory is accounted for as long as it is in use.
  func reply(to job: RenderJob) async throws(ServingError) -> WorkerReply {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let refusal = state.withLock { state -> ServingError? in
          if job.isCancelled { return .cancelled }
          if state.isShutDown { return .shuttingDown(retryAfter: 1) }
          job.continuation = continuation
          job.phase = .waiting
          state.jobs.append(job)
          return nil
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) } else { work.wakeOne() }
      }
    } onCancel: {
      cancel(job)
    }
    return try result.get()
  }

  private func cancel(_ job: RenderJob) {
    let (isWaiting, bell) = state.withLock { state -> (Bool, Bell?) in
      job.isCancelled = true
      switch job.phase {
      case .new, .done: return (false, nil)
      case .waiting:
        state.jobs.removeAll { $0 === job }
        return (true, nil)
      case .running(let bell): return (false, bell)
      }
    }
    bell?.ring()
    if isWaiting { finish(job, .failure(.cancelled)) }
  }

  private func finish(_ job: RenderJob, _ result: Result<WorkerReply, ServingError>) {
    let continuation = state.withLock { _ in
      job.phase = .done
      defer { job.continuation = nil }
      return job.continuation
    }
    continuation?.resume(returning: result)
  }

  // MARK: For places

  enum Next {
    case job(RenderJob)
    /// Time to see whether the worker is still there.
    case check
    case end
  }

  func nextJob(for bell: Bell) -> Next {
    state.withLock(waitingFor: work, seconds: 2) { state, awakening in
      if state.isShutDown { return .end }
      if !state.jobs.isEmpty {
        let job = state.jobs.removeFirst()
        job.phase = .running(bell)
        state.statistics.busy += 1
        return .job(job)
      }
      return awakening == .timedOut ? .check : nil
    }
  }

  /// The job has ended: with an answer, or without.
  func end(_ job: RenderJob, _ result: Result<WorkerReply, ServingError>) {
    state.withLock { state in
      state.statistics.busy -= 1
      if case .success = result { state.statistics.answers += 1 }
    }
    if case .success(.error(let error)) = result { return finish(job, .failure(error)) }
    finish(job, result)
  }

  /// The job has not been begun, or is to be made anew, and is the next one.
  func giveBack(_ job: RenderJob) {
    let isOver = state.withLock { state in
      state.statistics.busy -= 1
      if job.isCancelled || state.isShutDown { return true }
      job.phase = .waiting
      state.jobs.insert(job, at: 0)
      return false
    }
    if isOver { finish(job, .failure(.cancelled)) } else { work.wakeOne() }
  }

  /// Since when a job that runs is to be given up; `nil` if nothing has changed.
  func newEnd(of job: RenderJob) -> Moment? {
    state.withLock { state in
      if state.isShutDown { return .after(0) }
      return job.isCancelled ? .after(configuration.cancellationGrace) : nil
    }
  }

  /// The same for a worker that is about to start.
  func newEndOfStart() -> Moment? { state.withLock { $0.isShutDown ? .after(0) : nil } }

  /// Why a job that was given up has no file.
  func reasonToGiveUp(_ job: RenderJob) -> ServingError {
    state.withLock { state in
      state.isShutDown ? .shuttingDown(retryAfter: 1) : job.isCancelled ? .cancelled : .deadlineExceeded
    }
  }

  func count(_ counter: any WritableKeyPath<SandboxStatistics, Int> & Sendable, _ number: Int = 1) {
    state.withLock { $0.statistics[keyPath: counter] += number }
  }

  /// Returns `true` if the sandbox goes on after so many seconds.
  func pause(_ seconds: Double) -> Bool {
    let end = Moment.after(seconds)
    return state.withLock(waitingFor: ending, seconds: max(seconds, 0.001)) { state, _ in
      if state.isShutDown { return false }
      return end.millisecondsLeft == 0 ? true : nil
    }
  }

  /// - Returns: `true` if this was the first start, whose outcome is not to be reported but thrown.
  func startEnded(_ result: Result<Void, SandboxError>) -> Bool {
    let isFirst = state.withLock { state in
      defer { if state.firstStart == nil { state.firstStart = result } }
      return state.firstStart == nil
    }
    if isFirst { change.wakeOne() }
    return isFirst
  }

  func placeEnded(_ bell: Bell) {
    state.withLock { state in state.bells.removeAll { $0 === bell } }
    change.wakeOne()
  }
}

/// An order that waits for a worker, or that one works on.
final class RenderJob: @unchecked Sendable {
  enum Phase {
    /// Not yet given to the workers.
    case new
    case waiting
    /// A worker's place works on it, and is woken by its bell.
    case running(Bell)
    case done
  }

  let order: WorkerOrder
  let source: SealedFile
  /// The most bytes of a file.
  let fileLimit: Int
  /// Another worker had it before, which was out of order. Used by the place that works on it.
  var isAnew = false
  // Guarded by the sandbox's lock.
  var phase = Phase.new
  var isCancelled = false
  var continuation: CheckedContinuation<Result<WorkerReply, ServingError>, Never>?

  init(_ order: WorkerOrder, _ source: SealedFile, fileLimit: Int) {
    self.order = order
    self.source = source
    self.fileLimit = fileLimit
  }
}
