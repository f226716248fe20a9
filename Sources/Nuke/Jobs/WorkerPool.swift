import CNukeCurl
import Foundation
import NukeImaging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Threads that are made when they are needed and gone when they have been idle for a while.
///
/// All work of all pipelines runs on those of ``shared``, as many as the processors this process may use ask for.
package final class WorkerPool: Sendable {
  package static let shared = WorkerPool(limit: max(4, ProcessorCount.available * 2))

  private struct State {
    /// Queues to go to, each as often as it asked for a worker.
    var visits: [TaskQueue] = []
    var threads = 0
    /// Threads that wait and have not been woken.
    var idle = 0
    /// Wake-ups that no thread has taken yet.
    var wakeUps = 0
  }

  private let shared = Lock(State())
  private let wakeUp = Signal()
  /// The most threads.
  package let limit: Int

  /// Threads of their own for what waits long, such as on other machines, so that it takes none from the pipelines.
  package init(limit: Int) { self.limit = limit }

  /// Whether the calling thread belongs to the pool.
  package static var isWorker: Bool { pthread_getspecific(workerKey) != nil }

  private static let workerKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Has a worker drain `queue`.
  func visit(_ queue: TaskQueue) {
    enum Next { case wake, spawn, nothing }
    let next = shared.withLock { state -> Next in
      state.visits.append(queue)
      if state.idle > 0 {
        state.idle -= 1
        state.wakeUps += 1
        return .wake
      }
      if state.threads < limit {
        state.threads += 1
        return .spawn
      }
      return .nothing
    }
    switch next {
    case .wake: wakeUp.wakeOne()
    case .spawn: spawn()
    case .nothing: break
    }
  }

  private func spawn() {
    var thread: pthread_t = 0
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Codecs and filters are not recursive; 1 MiB is what Swift's own pool takes at least.
    pthread_attr_setstacksize(&attributes, 1 << 20)
    let pool = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, &attributes,
      { pointer in
        nuke_curl_name_thread("nuke.worker")
        // Signals belong to the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        pthread_setspecific(WorkerPool.workerKey, pointer)
        Unmanaged<WorkerPool>.fromOpaque(pointer!).takeRetainedValue().work()
        return nil
      }, pool.toOpaque())
    pthread_attr_destroy(&attributes)
    if failure != 0 {
      pool.release()
      // Other threads will come to the visit; without any the process cannot go on in a useful way.
      let threads = shared.withLock { state in
        state.threads -= 1
        return state.threads
      }
      precondition(threads > 0, "the system allows no thread: \(String(cString: strerror(failure)))")
    }
  }

  private func work() {
    while case .go(let queue) = nextVisit() {
      if queue.drain(quota: 64) { shared.withLock { $0.visits.append(queue) } }
    }
  }

  private enum Visit {
    case go(TaskQueue)
    /// The thread has been idle for long.
    case end
  }

  private func nextVisit() -> Visit {
    shared.withLock(waitingFor: wakeUp, seconds: 10) { state, awakening in
      if let awakening {
        // One that wakes without having been woken takes itself out of the idle ones, from which whoever wakes a
        // thread would have taken it.
        if state.wakeUps > 0 {
          state.wakeUps -= 1
        } else {
          state.idle -= 1
          if awakening == .timedOut, state.visits.isEmpty {
            state.threads -= 1
            return .end
          }
        }
      }
      // Another thread may have come first; then this one waits again.
      if !state.visits.isEmpty { return .go(state.visits.removeFirst()) }
      state.idle += 1
      return nil
    }
  }
}
