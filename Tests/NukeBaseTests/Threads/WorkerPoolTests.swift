import Foundation
import NukeBase
import NukeTesting
import Testing

@Suite("Worker pools", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
  private func work(_ name: String, _ log: CallLog) -> WorkItem {
    WorkItem {
      log.append("\(name), worker: \(WorkerPool.isWorker)")
      return .done
    }
  }

  @Test("Work runs elsewhere if no thread can be created, and on threads afterwards")
  func noThreads() async {
    let system = System()
    let queue = TaskQueue(maxConcurrentOperationCount: 2, pool: WorkerPool(limit: 2) { system.makeThread(for: $0) })
    let log = CallLog()
    for name in ["a", "b"] { queue.add(work(name, log)) }
    #expect(Set(await log.entries(count: 2)) == ["a, worker: true", "b, worker: true"])
    #expect(system.refusals > 0)
    system.allow()
    queue.add(work("c", log))
    #expect(await log.entries(count: 3).last == "c, worker: true")
    #expect(system.threads == 1)
  }

  private final class System: Sendable {
    private let state = Lock((isAllowing: false, refusals: 0, threads: 0))
    var refusals: Int { state.withLock { $0.refusals } }
    var threads: Int { state.withLock { $0.threads } }
    func allow() { state.withLock { $0.isAllowing = true } }

    func makeThread(for pool: WorkerPool) -> Bool {
      let isAllowed = state.withLock { state in
        if state.isAllowing { state.threads += 1 } else { state.refusals += 1 }
        return state.isAllowing
      }
      return isAllowed && WorkerPool.makeThread(for: pool)
    }
  }
}
