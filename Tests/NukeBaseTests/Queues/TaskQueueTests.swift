import Foundation
import NukeBase
import NukeTesting
import Testing

/// What runs and what has run, counted.
private final class Counting: Sendable {
  private let state = Lock((running: 0, most: 0, done: 0))

  var most: Int { state.withLock { $0.most } }
  var done: Int { state.withLock { $0.done } }

  func begin() {
    state.withLock {
      $0.running += 1
      $0.most = max($0.most, $0.running)
    }
  }

  func end() {
    state.withLock {
      $0.running -= 1
      $0.done += 1
    }
  }
}

@Suite("A task queue", .timeLimit(.minutes(1)))
struct TaskQueueTests {
  private let log = CallLog()

  /// Work that writes its name into a log.
  private func work(_ name: String, _ log: CallLog, _ priority: WorkPriority = .normal) -> WorkItem {
    let work = WorkItem {
      log.append(name)
      return .done
    }
    work.want(priority)
    return work
  }

  /// Work that writes its name into a log and keeps its slot.
  private func beginning(_ name: String, _ log: CallLog) -> WorkItem {
    WorkItem {
      log.append(name)
      return .goesOn
    }
  }

  @Test("Work runs one at a time, by priority, and in order within a priority")
  func order() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let names: [(String, WorkPriority)] = [
      ("a", .low), ("b", .normal), ("c", .veryHigh), ("d", .normal), ("e", .veryLow), ("f", .high),
    ]
    for (name, priority) in names { queue.add(work(name, log, priority)) }
    #expect(log.entries == [])
    queue.isSuspended = false
    #expect(await log.entries(count: 6) == ["c", "f", "b", "d", "a", "e"])
  }

  @Test("A changed priority applies to waiting work")
  func reprioritizing() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let works = ["a", "b", "c"].map { work($0, log) }
    for work in works { queue.add(work) }
    works[2].want(.high)
    queue.reprioritize(works[2])
    works[0].want(.low)
    queue.reprioritize(works[0])
    queue.isSuspended = false
    #expect(await log.entries(count: 3) == ["c", "b", "a"])
  }

  @Test("Removed work does not run, and removing returns whether it was waiting")
  func removal() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let works = ["a", "b", "c"].map { work($0, log) }
    for work in works { queue.add(work) }
    #expect(queue.remove(works[1]))
    #expect(queue.remove(works[1]) == false)
    queue.isSuspended = false
    #expect(await log.entries(count: 2) == ["a", "c"])
    #expect(queue.remove(works[0]) == false)
  }

  @Test("A suspended queue runs nothing")
  func suspension() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 2)
    queue.add(work("before", log))
    await log.entries(count: 1)
    queue.isSuspended = true
    #expect(queue.isSuspended)
    for name in ["a", "b"] { queue.add(work(name, log)) }
    // Another queue on the same threads gets through meanwhile.
    let other = TaskQueue()
    let otherLog = CallLog()
    for name in ["x", "y"] { other.add(work(name, otherLog)) }
    await otherLog.entries(count: 2)
    #expect(log.entries == ["before"])
    queue.isSuspended = false
    #expect(Set(await log.entries(count: 3)) == ["before", "a", "b"])
  }

  @Test("A queue with its own threads does not block other queues")
  func ownThreads() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 8, pool: WorkerPool(limit: 2))
    let gate = Gate()
    for name in ["a", "b", "c", "d"] {
      queue.run {
        gate.waitBlocking()
        log.append(name)
      }
    }
    await gate.arrivals(count: 2)
    let other = TaskQueue()
    let otherLog = CallLog()
    other.add(work("x", otherLog))
    await otherLog.entries(count: 1)
    #expect(gate.arrivalCount == 2)
    gate.open()
    #expect(Set(await log.entries(count: 4)) == ["a", "b", "c", "d"])
  }

  @Test("Asynchronous work counts until it releases its slot")
  func slots() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 2)
    for name in ["a", "b", "c", "d"] { queue.add(beginning(name, log)) }
    #expect(Set(await log.entries(count: 2)) == ["a", "b"])
    // Work of another queue comes and goes; here all slots are taken.
    let other = TaskQueue()
    let otherLog = CallLog()
    other.add(work("x", otherLog))
    await otherLog.entries(count: 1)
    #expect(log.entries.count == 2)
    queue.releaseSlot()
    #expect(await log.entries(count: 3).last == "c")
    queue.releaseSlot()
    #expect(await log.entries(count: 4).last == "d")
  }

  @Test("The limit is never exceeded, however fast slots are released and taken", arguments: [1, 2, 3, 6])
  func limit(maximum: Int) async {
    let queue = TaskQueue(maxConcurrentOperationCount: maximum)
    let counting = Counting()
    let finished = Gate()
    let callbacks = DispatchQueue(label: "test.callbacks", attributes: .concurrent)
    for number in 0..<600 {
      queue.add(
        WorkItem {
          counting.begin()
          // A third ends at once; the others go on elsewhere and give their slot back from there.
          if number % 3 == 0 {
            counting.end()
            if counting.done == 600 { finished.open() }
            return .done
          }
          callbacks.async {
            counting.end()
            queue.releaseSlot()
            if counting.done == 600 { finished.open() }
          }
          return .goesOn
        })
    }
    await finished.wait()
    #expect(counting.done == 600)
    #expect(counting.most <= maximum)
  }

  @Test("Raising the limit starts waiting work immediately")
  func raising() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    for name in ["a", "b", "c"] { queue.add(beginning(name, log)) }
    #expect(await log.entries(count: 1) == ["a"])
    queue.maxConcurrentOperationCount = 3
    // Two workers start the others, in either order.
    #expect(await log.entries(count: 3).sorted() == ["a", "b", "c"])
  }

  @Test("At least one operation runs, whatever the limit")
  func leastLimit() async {
    let queue = TaskQueue(maxConcurrentOperationCount: 0)
    #expect(queue.maxConcurrentOperationCount == 1)
    queue.maxConcurrentOperationCount = -3
    #expect(queue.maxConcurrentOperationCount == 1)
    queue.add(work("a", log))
    #expect(await log.entries(count: 1) == ["a"])
  }

  @Test("The default limit depends on the number of processors")
  func defaultWidth() { #expect(TaskQueue().maxConcurrentOperationCount == ProcessorCount.available) }

  @Test("Work runs on threads of the pool, not on the caller's")
  func threads() async {
    let queue = TaskQueue()
    queue.run { log.append("worker: \(WorkerPool.isWorker)") }
    #expect(await log.entries(count: 1) == ["worker: true"])
    #expect(WorkerPool.isWorker == false)
  }
}

extension HoldingWorkers {
  @Suite("Task queues with work that blocks threads")
  struct TaskQueueThreadsTests {
    @Test("Work that is added while other work runs starts if a slot is free")
    func addingWhileRunning() async {
      let queue = TaskQueue(maxConcurrentOperationCount: 2)
      let (gate, log) = (Gate(), CallLog())
      queue.run { gate.waitBlocking() }
      await gate.arrivals(count: 1)
      queue.run { log.append("second") }
      #expect(await log.entries(count: 1) == ["second"])
      gate.open()
    }

    @Test("Raising the limit starts waiting work while other work runs")
    func raisingWhileRunning() async {
      let queue = TaskQueue(maxConcurrentOperationCount: 1)
      let (gate, log) = (Gate(), CallLog())
      queue.run { gate.waitBlocking() }
      await gate.arrivals(count: 1)
      queue.run { log.append("second") }
      queue.maxConcurrentOperationCount = 2
      #expect(await log.entries(count: 1) == ["second"])
      gate.open()
    }

    @Test("A queue continues after work that ran while it was suspended")
    func resumingWhileRunning() async {
      let queue = TaskQueue(maxConcurrentOperationCount: 2)
      let (gate, log) = (Gate(), CallLog())
      queue.run { gate.waitBlocking() }
      await gate.arrivals(count: 1)
      queue.isSuspended = true
      queue.run { log.append("second") }
      queue.isSuspended = false
      #expect(await log.entries(count: 1) == ["second"])
      gate.open()
    }
  }
}
