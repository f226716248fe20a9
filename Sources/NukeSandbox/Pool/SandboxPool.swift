import CNukeSandbox
import Foundation
import NukeBase
import NukeServing

/// The workers of a sandbox, and the requests that wait for them.
final class SandboxPool: Sendable {
  let configuration: SandboxConfiguration
  let settings: WorkerSettings
  let pixels: SealedFile?
  let report: @Sendable (String) -> Void
  /// The time after which a slot without a job checks whether its worker is still alive, in seconds.
  private let checkInterval: Double

  struct State {
    var jobs: [RenderJob] = []
    var isShutDown = false
    /// The wake events of all slots whose threads are running.
    var wakeEvents: [WakeEvent] = []
    /// The number of jobs that have been running for longer than a turn. For each of them, up to the number
    /// of workers, there is one more slot.
    var longJobs = 0
    /// The slots without a job, by their wake events: `true` if it waits for one, `false` if it is about to look for one.
    var idle: [ObjectIdentifier: Bool] = [:]
    /// The result of starting the first worker; `nil` until it is known.
    var firstStart: Result<Void, SandboxError>?
    var statistics = SandboxStatistics()
  }

  let state = Lock(State())
  /// Signaled when there is work.
  private let work = Signal()
  /// Signaled to end all pauses.
  private let ending = Signal()
  /// Signaled when the first start or a slot has ended.
  private let change = Signal()

  init(
    _ configuration: SandboxConfiguration, _ settings: WorkerSettings, pixels: SealedFile?,
    checkInterval: Double = 2, report: @escaping @Sendable (String) -> Void
  ) {
    self.checkInterval = checkInterval
    self.configuration = configuration
    self.settings = settings
    self.pixels = pixels
    self.report = report
  }

  /// Starts one worker. The others are started when a request finds all workers busy.
  func start() throws(SandboxError) {
    if let slot = state.withLock({ addSlot(&$0) }) { start(slot) }
    let result = state.withLock(waitingFor: change, seconds: 60) { state, _ in state.firstStart }
    do throws(SandboxError) {
      try result.get()
    } catch {
      shutdown()
      throw error
    }
  }

  /// Adds a slot, which the caller starts after the lock is released; `nil` if there are enough.
  private func addSlot(_ state: inout State) -> WakeEvent? {
    guard !state.isShutDown, state.wakeEvents.count < slotCount(state) else { return nil }
    let wakeEvent = WakeEvent()
    state.wakeEvents.append(wakeEvent)
    return wakeEvent
  }

  /// Starts the thread of a slot, which starts a worker, sends it requests, and starts another worker when that one ends.
  /// It must be a dedicated thread, because the kernel terminates a worker when the thread that started it ends.
  private func start(_ wakeEvent: WakeEvent) {
    let slot = WorkerSlot(wakeEvent: wakeEvent, pool: self)
    guard !BackgroundThread.start({ slot.run() }) else { return }
    let error = SandboxError.cannotStart("the system allows no more threads")
    if !startEnded(.failure(error)) { report("\(error)") }
    slotEnded(wakeEvent)
  }

  func shutdown() {
    let (jobs, wakeEvents) = state.withLock { state -> ([RenderJob], [WakeEvent]) in
      state.isShutDown = true
      return (exchange(&state.jobs, with: []), state.wakeEvents)
    }
    for job in jobs { finish(job, .failure(.shuttingDown(retryAfter: 1))) }
    for wakeEvent in wakeEvents {
      wakeEvent.signal()
      work.wakeOne()
      ending.wakeOne()
    }
    state.withLock(waitingFor: change, seconds: 1) { state, _ in state.wakeEvents.isEmpty ? () : nil }
  }

  var statistics: SandboxStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.waiting = state.jobs.count
      return statistics
    }
  }

  // MARK: Requests

  /// Returns the reply of a worker. If the task is canceled, this method returns only after the worker has abandoned
  /// the image or was terminated. The memory is therefore counted for as long as it is in use.
  func reply(to job: RenderJob) async throws(ServingError) -> WorkerReply {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Result<WakeEvent?, ServingError> in
          if job.isCancelled { return .failure(.cancelled) }
          if state.isShutDown { return .failure(.shuttingDown(retryAfter: 1)) }
          job.continuation = continuation
          job.phase = .waiting
          state.jobs.append(job)
          // Slots without a job take the first ones soon, also those that are starting. A pool that was not started has
          // no slots.
          let free = state.wakeEvents.count - state.statistics.busy
          return .success(state.jobs.count > free && !state.wakeEvents.isEmpty ? addSlot(&state) : nil)
        }
        switch result {
        case .success(let slot):
          work.wakeOne()
          if let slot { start(slot) }
        case .failure(let refusal): continuation.resume(returning: .failure(refusal))
        }
      }
    } onCancel: {
      cancel(job)
    }
    return try result.get()
  }

  private func cancel(_ job: RenderJob) {
    let (isWaiting, wakeEvent) = state.withLock { state -> (Bool, WakeEvent?) in
      job.isCancelled = true
      switch job.phase {
      case .new, .done: return (false, nil)
      case .waiting:
        state.jobs.removeAll { $0 === job }
        return (true, nil)
      case .running(let wakeEvent): return (false, wakeEvent)
      }
    }
    wakeEvent?.signal()
    if isWaiting { finish(job, .failure(.cancelled)) }
  }

  private func finish(_ job: RenderJob, _ result: Result<WorkerReply, ServingError>) {
    let continuation = state.withLock { _ in
      job.phase = .done
      return job.continuation.take()
    }
    continuation?.resume(returning: result)
  }

  // MARK: Called by slots

  enum Next {
    case job(RenderJob)
    /// Time to check whether the worker is still alive.
    case check
    case end
  }

  /// - Parameter idleChecks: the number of checks since the last job of the slot.
  func nextJob(for wakeEvent: WakeEvent, idleChecks: Int) -> Next {
    let isSpare = Double(idleChecks) * checkInterval >= configuration.idleTimeout
    return state.withLock(waitingFor: work, seconds: checkInterval) { state, awakening in
      let next = next(for: wakeEvent, &state, isLate: awakening == .timedOut, isSpare: isSpare)
      state.idle[ObjectIdentifier(wakeEvent)] = next == nil ? true : nil
      return next
    }
  }

  private func next(for wakeEvent: WakeEvent, _ state: inout State, isLate: Bool, isSpare: Bool) -> Next? {
    if state.isShutDown { return .end }
    // One that has had nothing to do, and not the one whose worker has an image open.
    if isLate, state.jobs.isEmpty, state.wakeEvents.count > (isSpare ? 1 : slotCount(state)) {
      state.wakeEvents.removeAll { $0 === wakeEvent }
      return .end
    }
    guard let job = state.jobs.first else { return isLate ? .check : nil }
    // The worker that has opened the file does not have to open it again.
    if let opener = job.source.opener, opener !== wakeEvent, let isWaiting = state.idle[ObjectIdentifier(opener)] {
      if isWaiting { work.wakeOne() }
      return nil
    }
    state.jobs.removeFirst()
    // A slot that was woken for the next job may have left this one to the worker that has its image open, and waits again.
    if !state.jobs.isEmpty { work.wakeOne() }
    if job.isSlowToOpen { job.source.opener = wakeEvent }
    job.phase = .running(wakeEvent)
    state.statistics.busy += 1
    return .job(job)
  }

  /// Ends a job with its result.
  func end(_ job: RenderJob, _ result: Result<WorkerReply, ServingError>) {
    state.withLock { state in
      state.statistics.busy -= 1
      countEnd(of: job, &state)
      guard case .success = result else { return }
      state.statistics.answers += 1
      if case .running(let wakeEvent) = job.phase { state.idle[ObjectIdentifier(wakeEvent)] = false }
    }
    if case .success(.error(let error)) = result { return finish(job, .failure(error)) }
    finish(job, result)
  }

  /// Records that the worker of a slot is replaced before the slot looks for a job.
  func workerIsReplaced(_ wakeEvent: WakeEvent) {
    state.withLock { $0.idle[ObjectIdentifier(wakeEvent)] = nil }
    // Others may have left a job to it.
    work.wakeOne()
  }

  private func countEnd(of job: RenderJob, _ state: inout State) {
    if job.isLong { state.longJobs -= 1 }
    job.isLong = false
  }

  /// Puts a job at the front of the queue, because it was not started or must be repeated.
  func requeue(_ job: RenderJob) {
    let isOver = state.withLock { state in
      state.statistics.busy -= 1
      countEnd(of: job, &state)
      if job.isCancelled || state.isShutDown { return true }
      job.phase = .waiting
      state.jobs.insert(job, at: 0)
      return false
    }
    if isOver { finish(job, .failure(.cancelled)) } else { work.wakeOne() }
  }

  /// Sets the deadline of a job that begins. Returns it, or the end of the job's turn if that is earlier; see
  /// ``SandboxConfiguration/turn``.
  func firstDeadline(of job: RenderJob) -> Deadline {
    let deadline = Deadline.after(configuration.timeLimit)
    state.withLock { _ in job.deadline = deadline }
    return configuration.turn < configuration.timeLimit ? .after(configuration.turn) : deadline
  }

  /// Returns a new deadline of a running job; `nil` if nothing has changed. If its turn is over, adds a slot for other
  /// jobs.
  func newDeadline(of job: RenderJob, isLate: Bool) -> Deadline? {
    let (deadline, slot) = state.withLock { state -> (Deadline?, WakeEvent?) in
      if state.isShutDown { return (.after(0), nil) }
      if job.isCancelled { return (isLate ? nil : .after(configuration.cancellationGrace), nil) }
      guard isLate, !job.isLong, let deadline = job.deadline, deadline.millisecondsLeft > 0 else { return (nil, nil) }
      job.isLong = true
      state.longJobs += 1
      // Not all slots may have been added yet, but other jobs add them.
      return (deadline, state.jobs.isEmpty ? nil : addSlot(&state))
    }
    if let slot { start(slot) }
    return deadline
  }

  /// The maximum number of slots, including one more for each long job.
  private func slotCount(_ state: State) -> Int {
    let count = max(configuration.workerCount, 1)
    return count + min(state.longJobs, count)
  }

  /// Returns a new deadline for a worker that is starting; `nil` if nothing has changed.
  func newStartDeadline() -> Deadline? { isShutDown ? .after(0) : nil }

  var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// Returns the error of a job that was aborted.
  func abortError(of job: RenderJob) -> ServingError {
    state.withLock { state in
      state.isShutDown ? .shuttingDown(retryAfter: 1) : job.isCancelled ? .cancelled : .deadlineExceeded
    }
  }

  func count(_ counter: any WritableKeyPath<SandboxStatistics, Int> & Sendable, _ number: Int = 1) {
    state.withLock { $0.statistics[keyPath: counter] += number }
  }

  /// Waits for a number of seconds. Returns `false` if the sandbox is shutting down.
  func pause(_ seconds: Double) -> Bool {
    let deadline = Deadline.after(seconds)
    return state.withLock(waitingFor: ending, seconds: max(seconds, 0.001)) { state, _ in
      if state.isShutDown { return false }
      return deadline.millisecondsLeft == 0 ? true : nil
    }
  }

  /// - Returns: `true` if this was the first start, whose error is thrown and not reported.
  func startEnded(_ result: Result<Void, SandboxError>) -> Bool {
    let isFirst = state.withLock { state in
      defer { if state.firstStart == nil { state.firstStart = result } }
      return state.firstStart == nil
    }
    if isFirst { change.wakeOne() }
    return isFirst
  }

  /// Returns `false` if the slot was removed, because the long job for which it was added has ended.
  func hasSlot(_ wakeEvent: WakeEvent) -> Bool {
    state.withLock { state in state.wakeEvents.contains { $0 === wakeEvent } }
  }

  func slotEnded(_ wakeEvent: WakeEvent) {
    state.withLock { state in state.wakeEvents.removeAll { $0 === wakeEvent } }
    change.wakeOne()
  }
}

/// A request that waits for a worker or is being processed.
final class RenderJob: @unchecked Sendable {
  enum Phase {
    /// The job has not been queued yet.
    case new
    case waiting
    /// A slot processes the job. The wake event wakes its thread.
    case running(WakeEvent)
    case done
  }

  let request: WorkerRequest
  let source: SealedFile
  /// The maximum size of a file, in bytes.
  let fileLimit: Int
  /// The memory that the worker may allocate for the job, in bytes.
  let memory: Int
  /// `true` if opening the source takes long.
  let isSlowToOpen: Bool
  /// `true` if a worker has crashed or was killed while it processed the job. Set before the job is finished.
  var hasEndedWorker = false
  /// `true` if an earlier attempt failed because the worker was already broken. Used only by the slot that processes
  /// the job.
  var isRetry = false
  // Guarded by the pool's lock.
  var phase = Phase.new
  var isCancelled = false
  /// `true` while the job has been running for longer than a turn.
  var isLong = false
  /// The time at which the job is aborted; `nil` before it begins.
  var deadline: Deadline?
  var continuation: CheckedContinuation<Result<WorkerReply, ServingError>, Never>?

  /// The memory for everything that is not predicted: buffers of codecs, and the encoded file.
  static let spareMemory = 256 << 20

  /// - Parameter decodedBytes: the predicted memory for decoded pixels. A quarter is added to it.
  init(
    _ request: WorkerRequest, _ source: SealedFile, fileLimit: Int, isSlowToOpen: Bool = false, decodedBytes: Int = 0
  ) {
    self.isSlowToOpen = isSlowToOpen
    self.request = request
    self.source = source
    self.fileLimit = fileLimit
    memory = Self.spareMemory + min(decodedBytes, .max / 4) / 4 * 5
  }
}
