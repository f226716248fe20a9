import NukeBase
import NukeTesting
import Testing

@Suite("Priority lanes")
struct WorkLanesTests {
  var lanes = WorkLanes()

  private func work(_ priority: WorkPriority) -> WorkItem {
    let work = WorkItem { .done }
    work.want(priority)
    return work
  }

  private mutating func takeAll() -> [QueuedWork] {
    var all: [QueuedWork] = []
    while let work = lanes.popFirst() { all.append(work) }
    return all
  }

  @Test("The highest priority comes first, and equal priorities in order")
  mutating func order() {
    let works = [.low, .normal, .veryHigh, .normal, .low, .high, .veryLow].map(work)
    for work in works { lanes.append(work) }
    #expect(lanes.count == 7)
    let order = takeAll().map { taken in works.firstIndex { $0 === taken }! }
    #expect(order == [2, 5, 1, 3, 0, 4, 6])
    #expect(lanes.count == 0)
  }

  @Test("Work is removed at the head, in the middle and at the tail, once", arguments: 0..<3)
  mutating func removal(place: Int) {
    let works = (0..<3).map { _ in work(.normal) }
    for work in works { lanes.append(work) }
    #expect(lanes.remove(works[place]) == true)
    #expect(lanes.remove(works[place]) == false)
    #expect(lanes.count == 2)
    let rest = takeAll()
    #expect(rest.map(ObjectIdentifier.init) == [0, 1, 2].filter { $0 != place }.map { ObjectIdentifier(works[$0]) })
  }

  @Test("Changed work moves to the end of its new priority, and unchanged work stays")
  mutating func moving() {
    let works = [.normal, .high, .normal].map(work)
    for work in works { lanes.append(work) }
    lanes.move(works[0])
    works[2].want(.high)
    lanes.move(works[2])
    let order = takeAll().map { taken in works.firstIndex { $0 === taken }! }
    #expect(order == [1, 2, 0])
    lanes.move(works[0])
    #expect(lanes.count == 0, "what does not wait cannot be moved in")
  }

  @Test("Work is retained while it waits, and no longer")
  mutating func lifetime() {
    weak var weakly: WorkItem?
    do {
      let work = work(.normal)
      weakly = work
      lanes.append(work)
    }
    #expect(weakly != nil)
    _ = takeAll()
    #expect(weakly == nil)
  }

  @Test("Random operations match a sorted list", arguments: [1, 2, 3] as [UInt64])
  mutating func randomOperations(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    var model = WorkPriority.allCases.map { _ in [WorkItem]() }
    for step in 0..<3000 {
      // Tests of time limits run beside this one, on few threads.
      if step % 50 == 0 { await Task.yield() }
      let waiting = model.flatMap { $0 }
      let priority = WorkPriority.allCases.randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let work = work(priority)
        lanes.append(work)
        model[priority.rawValue].append(work)
      case 5, 6:
        let expected = model.lastIndex { !$0.isEmpty }.map { model[$0].removeFirst() }
        #expect(lanes.popFirst() === expected, "seed \(seed), step \(step)")
      case 7:
        guard let work = waiting.randomElement(using: &random) else { continue }
        #expect(lanes.remove(work) == true, "seed \(seed), step \(step)")
        for lane in model.indices { model[lane].removeAll { $0 === work } }
      default:
        guard let work = waiting.randomElement(using: &random) else { continue }
        work.want(priority)
        lanes.move(work)
        if !model[priority.rawValue].contains(where: { $0 === work }) {
          for lane in model.indices { model[lane].removeAll { $0 === work } }
          model[priority.rawValue].append(work)
        }
      }
      #expect(lanes.count == model.reduce(0) { $0 + $1.count })
    }
    let rest = takeAll().map(ObjectIdentifier.init)
    #expect(rest == model.reversed().flatMap { $0.map(ObjectIdentifier.init) })
  }
}
