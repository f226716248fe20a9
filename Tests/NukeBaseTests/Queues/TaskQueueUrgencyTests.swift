import NukeBase
import NukeTesting
import Testing

@Suite("Task queues with a slot for urgent work", .timeLimit(.minutes(1)))
struct TaskQueueUrgencyTests {
  let log = CallLog()

  private func queue(_ maximum: Int) -> TaskQueue {
    let queue = TaskQueue(maxConcurrentOperationCount: maximum)
    queue.keepsSlotForUrgentWork = true
    return queue
  }

  /// Adds work that writes its name into the log and holds its slot.
  @discardableResult
  private func add(_ name: String, _ priority: WorkPriority, to queue: TaskQueue) -> WorkItem {
    let work = WorkItem { [log] in
      log.append(name)
      return .goesOn
    }
    work.want(priority)
    queue.add(work)
    return work
  }

  @Test("Work below normal priority uses all slots except one")
  func keeping() async {
    let queue = queue(3)
    for name in ["a", "b", "c"] { add(name, .low, to: queue) }
    await log.entries(count: 2)
    add("urgent", .normal, to: queue)
    #expect(await log.entries(count: 3).last == "urgent")
    // Of three slots two have to be free before unhurried work may begin.
    queue.releaseSlot()
    add("more urgent", .veryHigh, to: queue)
    #expect(await log.entries(count: 4).last == "more urgent")
    queue.releaseSlot()
    queue.releaseSlot()
    #expect(await log.entries(count: 5).last == "c")
  }

  @Test("Work whose priority rises may start")
  func rising() async {
    let queue = queue(2)
    add("a", .veryLow, to: queue)
    await log.entries(count: 1)
    let works = ["b", "c"].map { add($0, .low, to: queue) }
    works[1].want(.normal)
    queue.reprioritize(works[1])
    #expect(await log.entries(count: 2) == ["a", "c"])
  }

  @Test("A queue with one slot reserves none")
  func single() async {
    let queue = queue(1)
    add("a", .veryLow, to: queue)
    #expect(await log.entries(count: 1) == ["a"])
  }

  @Test("The slot is available when it is no longer reserved")
  func givingAway() async {
    let queue = queue(2)
    for name in ["a", "b"] { add(name, .low, to: queue) }
    await log.entries(count: 1)
    #expect(queue.keepsSlotForUrgentWork)
    queue.keepsSlotForUrgentWork = false
    #expect(await log.entries(count: 2) == ["a", "b"])
  }
}
