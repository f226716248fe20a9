import Nuke
import NukeTesting
import Testing

@Suite("The prefetch queue")
struct PrefetchScheduleTests {
  fileprivate typealias Schedule = PrefetchSchedule<String, String, Int>

  private let schedule = Held()

  /// A schedule that `#expect` can change.
  private final class Held {
    private var schedule = Schedule()

    var count: Int { schedule.count }
    var runningCount: Int { schedule.runningCount }
    var tasks: [Int] { schedule.tasks }
    func add(_ request: String, key: String) { schedule.add(request, key: key) }
    func startNext(limit: Int) -> (id: Schedule.ID, request: String)? { schedule.startNext(limit: limit) }
    func note(_ task: Int, of id: Schedule.ID) -> Bool { schedule.note(task, of: id) }
    func end(_ id: Schedule.ID) { _ = schedule.end(id) }
    func remove(_ keys: [String]) -> Schedule.Removed { schedule.remove(keys) }
    func removeAll() -> Schedule.Removed { schedule.removeAll() }
  }

  private func add(_ names: String...) { for name in names { schedule.add(name + "!", key: name) } }

  private func startAll(limit: Int = 10) -> [String] {
    var started: [String] = []
    while let next = schedule.startNext(limit: limit) { started.append(next.request) }
    return started
  }

  @Test("Requests start in order, up to the limit")
  func order() throws {
    add("a", "b", "c")
    let first = try #require(schedule.startNext(limit: 2))
    #expect(startAll(limit: 2) == ["b!"])
    #expect((first.request, schedule.runningCount, schedule.count) == ("a!", 2, 3))
    schedule.end(first.id)
    #expect(startAll(limit: 2) == ["c!"])
  }

  @Test("A request is in the schedule once, and can be added again after its end")
  func duplicates() throws {
    add("a", "a")
    let first = try #require(schedule.startNext(limit: 2))
    add("a")
    #expect(schedule.count == 1)
    #expect(startAll() == [])
    schedule.end(first.id)
    add("a")
    #expect(startAll() == ["a!"])
  }

  @Test("A waiting request can be removed from any position")
  func removal() {
    add("a", "b", "c", "d", "e")
    #expect(schedule.remove(["a", "c", "e", "x"]).tasks == [])
    #expect(schedule.count == 2)
    add("f")
    #expect(startAll() == ["b!", "d!", "f!"])
  }

  @Test("Removing a running request returns its task, and its ID becomes invalid")
  func removalOfRunning() throws {
    add("a", "b")
    let first = try #require(schedule.startNext(limit: 2))
    #expect(schedule.note(1, of: first.id))
    let second = try #require(schedule.startNext(limit: 2))
    #expect(schedule.tasks == [1])
    #expect(schedule.remove(["a", "b"]).tasks == [1])
    #expect((schedule.count, schedule.runningCount) == (0, 0))
    #expect(schedule.note(2, of: second.id) == false)
    // Others take the places; the ends of the former ones do not end these.
    add("c", "d")
    #expect(startAll() == ["c!", "d!"])
    schedule.end(first.id)
    schedule.end(second.id)
    #expect(schedule.runningCount == 2)
  }

  @Test("All requests can be removed, and their places are reused")
  func removalOfAll() throws {
    add("a", "b", "c")
    let first = try #require(schedule.startNext(limit: 1))
    #expect(schedule.note(7, of: first.id))
    #expect(schedule.removeAll().tasks == [7])
    #expect((schedule.count, schedule.runningCount) == (0, 0))
    add("d", "e", "f", "g")
    schedule.end(first.id)
    #expect(startAll() == ["d!", "e!", "f!", "g!"])
  }

  @Test("Random changes match a simple model", arguments: 0..<20 as Range<UInt64>)
  func randomChanges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var waiting: [String] = []
    var running: [(name: String, id: Schedule.ID)] = []
    for _ in 0..<2000 {
      let name = "\(Int.random(in: 0..<30, using: &random))"
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45:
        schedule.add(name, key: name)
        if !waiting.contains(name), !running.contains(where: { $0.name == name }) { waiting.append(name) }
      case 45..<70:
        let next = schedule.startNext(limit: 5)
        let expected = running.count < 5 ? waiting.first : nil
        #expect(next?.request == expected, "seed \(seed)")
        if let next {
          running.append((waiting.removeFirst(), next.id))
          #expect(schedule.note(Int(name)!, of: next.id), "seed \(seed)")
        }
      case 70..<85:
        if let ended = running.randomElement(using: &random) {
          schedule.end(ended.id)
          running.removeAll { $0.id == ended.id }
        }
      case 85..<99:
        #expect(schedule.remove([name]).tasks.count == (running.contains { $0.name == name } ? 1 : 0), "seed \(seed)")
        waiting.removeAll { $0 == name }
        running.removeAll { $0.name == name }
      default:
        #expect(schedule.removeAll().tasks.count == running.count, "seed \(seed)")
        (waiting, running) = ([], [])
      }
      try #require(schedule.count == waiting.count + running.count, "seed \(seed)")
      try #require(schedule.runningCount == running.count, "seed \(seed)")
    }
  }
}
