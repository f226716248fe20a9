import Foundation
import NukeServing

/// A thread of a pool, with the worker that it controls.
final class WorkerSlot: Sendable {
  private let wakeEvent: WakeEvent
  private let pool: SandboxPool

  init(wakeEvent: WakeEvent, pool: SandboxPool) {
    self.wakeEvent = wakeEvent
    self.pool = pool
  }

  func run() {
    var policy = RestartPolicy()
    while pool.pause(policy.delay), pool.hasSlot(wakeEvent) {
      guard let worker = start() else {
        policy.workerFailed()
        continue
      }
      pool.count(\.workers)
      let isFailure = sendJobs(to: worker, &policy)
      pool.count(\.workers, -1)
      if isFailure { policy.workerFailed() }
    }
    pool.slotEnded(wakeEvent)
  }

  private func start() -> WorkerProcess? {
    pool.count(\.starts)
    do throws(SandboxError) {
      let worker = try WorkerProcess(
        pool.settings, pixels: pool.pixels, program: pool.configuration.program, wakeEvent: wakeEvent
      ) { [pool] in pool.newStartDeadline() }
      if pool.startEnded(.success(())), let reason = worker.reasonWithoutFonts {
        pool.report("Workers of the sandbox cannot read any files, so text in drawings has no fonts: \(reason).")
      }
      return worker
    } catch {
      // A start that shutdown() aborts ends like one that takes too long.
      if !pool.startEnded(.failure(error)), !pool.isShutDown { pool.report(error.description) }
      return nil
    }
  }

  /// Sends requests to a worker until it fails or must be replaced.
  ///
  /// - Returns: `true` if the worker failed.
  private func sendJobs(to worker: WorkerProcess, _ policy: inout RestartPolicy) -> Bool {
    var idleChecks = 0
    while true {
      switch pool.nextJob(for: wakeEvent, idleChecks: idleChecks) {
      case .end:
        _ = worker.end()
        return false
      case .check:
        if !worker.connection.isIdle { return lost(worker) }
        idleChecks += 1
      case .job(let job):
        idleChecks = 0
        guard worker.connection.isIdle else {
          pool.requeue(job)
          return lost(worker)
        }
        guard perform(job, with: worker) else { return true }
        policy.workerAnswered()
        if isDone(worker) {
          pool.workerIsReplaced(wakeEvent)
          _ = worker.end()
          pool.count(\.retirements)
          return false
        }
      }
    }
  }

  /// Handles a worker that died, or sent bytes, while it had no request.
  private func lost(_ worker: WorkerProcess) -> Bool {
    pool.count(\.crashes)
    pool.report("An idle worker of the sandbox ended: \(worker.end().reason).")
    return true
  }

  /// - Returns: `true` if the worker can continue.
  private func perform(_ job: RenderJob, with worker: WorkerProcess) -> Bool {
    let number: UInt64
    worker.allow(job.memory)
    do throws(WorkerConnection.Failure) {
      number = try worker.connection.send(job.request, with: job.source)
    } catch {
      guard error == .ended else { return fail(job, error, worker) }
      pool.requeue(job)
      return !lost(worker)
    }
    do throws(WorkerConnection.Failure) {
      let reply = try worker.connection.reply(
        to: number, fileLimit: job.fileLimit, until: pool.firstDeadline(of: job), wakeEvent: wakeEvent
      ) { [pool] isLate in pool.newDeadline(of: job, isLate: isLate) }
      guard job.request.kind.isAnswered(by: reply.kind) else { throw .broken("it sent an unexpected reply") }
      if job.request.kind == .render { worker.imageCount += 1 }
      pool.end(job, .success(reply))
      return true
    } catch {
      guard error == .stale, !job.isRetry else { return fail(job, error, worker) }
      // The worker sent a second reply to the previous request: the previous image has taken control of it. This job is
      // repeated with a new worker.
      job.isRetry = true
      _ = worker.end()
      pool.count(\.crashes)
      pool.report("A worker of the sandbox was terminated because it replied twice. Another worker renders its image.")
      pool.requeue(job)
      return false
    }
  }

  private func fail(_ job: RenderJob, _ failure: WorkerConnection.Failure, _ worker: WorkerProcess) -> Bool {
    pool.end(job, .failure(error(for: failure, of: job, worker)))
    return false
  }

  /// Ends a worker that failed, and returns the error of its job.
  private func error(
    for failure: WorkerConnection.Failure, of job: RenderJob, _ worker: WorkerProcess
  ) -> ServingError {
    switch failure {
    case .ended:
      let end = worker.end(timeout: 1000)
      pool.count(\.crashes)
      job.hasEndedWorker = true
      pool.report("An image was not rendered: \(end.reason).")
      return end.isFromOutside ? .overloaded(retryAfter: 1) : .notAnImage(end.reason)
    case .late:
      _ = worker.end()
      pool.count(\.overruns)
      let error = pool.abortError(of: job)
      if error == .deadlineExceeded {
        pool.report("An image was not rendered: it took more than \(pool.configuration.timeLimit) seconds.")
      }
      return error
    case .stale: return outOfOrder("it replied twice", worker)
    case .broken(let reason): return outOfOrder(reason, worker)
    }
  }

  private func outOfOrder(_ reason: String, _ worker: WorkerProcess) -> ServingError {
    _ = worker.end()
    pool.count(\.crashes)
    pool.report("An image was not rendered, and its worker was terminated: \(reason).")
    return .notAnImage("its worker failed: \(reason)")
  }

  private func isDone(_ worker: WorkerProcess) -> Bool {
    let configuration = pool.configuration
    if worker.imageCount >= configuration.imagesPerWorker { return true }
    return worker.imageCount % 16 == 15 && worker.residentMemory > configuration.keptMemory
  }
}

extension WorkerRequest.Kind {
  fileprivate func isAnswered(by reply: WorkerReply.Kind) -> Bool {
    switch (self, reply) {
    case (.plan, .plan), (.render, .file), (.render, .source), (.facts, .facts), (_, .error): true
    default: false
    }
  }
}

/// The delay before a worker is restarted: none after the first failure, then doubled after each failure until a worker
/// has answered. Images that crash workers cost no more than a few starts a second.
struct RestartPolicy {
  private static let first = 0.1
  private static let longest = 5.0
  private var failures = 0

  /// Seconds to wait before the next start.
  var delay: Double {
    failures < 2 ? 0 : min(Self.first * Double(1 << min(failures - 2, 16)), Self.longest)
  }

  mutating func workerFailed() { failures += 1 }
  mutating func workerAnswered() { failures = 0 }
}
