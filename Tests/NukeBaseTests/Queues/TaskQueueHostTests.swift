import NukeBase
import NukeTesting
import Testing

@Suite("Task queues with several hosts", .timeLimit(.minutes(1)))
struct TaskQueueHostTests {
  let log = CallLog()
  /// On one thread, so that work begins in the order in which it gets its slot.
  let queue = TaskQueue(maxConcurrentOperationCount: 3, pool: WorkerPool(limit: 1))

  /// Adds work that writes its name into the log and holds its slot. The letter that its name begins with is its host.
  @discardableResult
  private func add(_ name: String, _ priority: WorkPriority = .normal) -> WorkItem {
    let work = WorkItem(host: name.prefix(1)) { [log] in
      log.append(name)
      return .goesOn
    }
    work.want(priority)
    queue.add(work)
    return work
  }

  /// Adds the works while none may begin, so that they begin in their order; waits for `count` of them.
  private func add(_ names: String..., begun count: Int) async -> [WorkItem] {
    queue.isSuspended = true
    let works = names.map { add($0) }
    queue.isSuspended = false
    await log.entries(count: count)
    return works
  }

  @Test("A host without a slot may exceed the limit by one while another host has several")
  func borrowing() async {
    let works = await add("a1", "a2", "a3", "a4", begun: 3)
    add("b1")
    #expect(await log.entries(count: 4).last == "b1")
    add("b2")
    // It is as with three slots again, of which `b` has one, before the next begins.
    queue.releaseSlot(of: works[0])
    #expect(queue.status.running == 3)
    queue.releaseSlot(of: works[1])
    #expect(await log.entries(count: 5).last == "a4")
    #expect(queue.status.waiting == 1)
  }

  @Test("No more slots are lent than hosts have beyond their first")
  func surplus() async {
    _ = await add("a1", "a2", "a3", begun: 3)
    for name in ["b1", "c1", "d1", "b2"] { add(name) }
    #expect(await log.entries(count: 5) == ["a1", "a2", "a3", "b1", "c1"])
    #expect(queue.status.running == 5)
    #expect(queue.status.waiting == 2)
  }

  @Test("No slots are lent if each host has its share")
  func even() async {
    let works = await add("a", "b", "c", "d", begun: 3)
    #expect(queue.status.running == 3)
    queue.releaseSlot(of: works[1])
    #expect(await log.entries(count: 4).last == "d")
  }

  @Test("Work without a host gets no lent slot")
  func hostless() async {
    let works = await add("a1", "a2", "a3", begun: 3)
    let other = WorkItem { [log] in
      log.append("other")
      return .done
    }
    queue.add(other)
    #expect(queue.status.waiting == 1)
    queue.releaseSlot(of: works[0])
    #expect(await log.entries(count: 4).last == "other")
  }

  @Test("Slots are lent to the work with the highest priority among hosts without one")
  func urgency() async {
    let works = await add("a1", "a2", "a3", begun: 3)
    queue.isSuspended = true
    add("a4", .veryHigh)
    add("b1", .low)
    add("c1", .high)
    add("c2", .veryHigh)
    queue.isSuspended = false
    #expect(await log.entries(count: 5).suffix(2) == ["c2", "b1"])
    // Both that were lent are paid back first.
    for work in works { queue.releaseSlot(of: work) }
    #expect(await log.entries(count: 6).last == "a4")
  }

  @Test("Removed and resumed work is counted correctly")
  func removal() async {
    let works = await add("a1", "a2", "a3", begun: 3)
    queue.isSuspended = true
    let removed = add("b1")
    #expect(queue.remove(removed))
    queue.isSuspended = false
    #expect(queue.status.running == 3)
    add("c1")
    #expect(await log.entries(count: 4).last == "c1")
    queue.releaseSlot(of: works[0])
    queue.add(works[0])
    queue.releaseSlot(of: works[1])
    #expect(await log.entries(count: 5).last == "a1")
  }
}
