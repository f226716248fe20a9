import NukeTesting
import Testing

@testable import NukeServing

@Suite("Admission of downloads to the memory budget")
struct LoadingTableTests {
  /// A table that may be changed within an expectation.
  private final class Room {
    private var table: LoadingTable

    init(_ limit: Int = 100, share: Int = 10) { table = LoadingTable(limit: limit, share: share) }

    var bytes: Int { table.bytes }
    func makeNumber() -> Int { table.makeNumber() }
    func received(_ total: Int, _ number: Int, at seconds: Int = 0) -> Bool {
      table.received(total, number, now: seconds * 1_000_000_000)
    }
    func end(_ number: Int, at seconds: Int = 0) -> [Int] { table.end(number, now: seconds * 1_000_000_000) }
    func checkSpeed(at seconds: Int) -> LoadingTable.Decision? { table.checkSpeed(now: seconds * 1_000_000_000) }
  }

  @Test("Small downloads are not counted, and never wait")
  func small() {
    let table = Room(0)
    for _ in 0..<1000 {
      let number = table.makeNumber()
      #expect(!table.received(10, number))
    }
    #expect(table.bytes == 0)
  }

  @Test("Above the limit all transfers except the first wait, each paused once")
  func full() {
    let table = Room()
    let (first, second, third) = (table.makeNumber(), table.makeNumber(), table.makeNumber())
    #expect(!table.received(50, first))
    #expect(!table.received(50, second))
    #expect(table.received(11, third))
    #expect(!table.received(12, third), "it is waiting already")
    #expect(table.received(51, second))
    #expect(!table.received(1000, first))
    #expect(table.bytes == 1063)
  }

  @Test("Waiting transfers continue when there is room, and the next one in any case")
  func goingOn() {
    let table = Room()
    let numbers = (0..<4).map { _ in table.makeNumber() }
    for (number, count) in zip(numbers, [40, 60, 60, 20]) { _ = table.received(count, number) }
    #expect(table.end(numbers[0]) == [], "the second has not waited, the third may not go on: 140 are held")
    #expect(table.end(numbers[1]) == [numbers[2], numbers[3]])
    #expect(table.bytes == 80)
    #expect(table.end(numbers[1]) == [] && table.bytes == 80, "it has ended before")
  }

  @Test("The first waiting transfer becomes the one that may finish")
  func succession() {
    let table = Room()
    let (first, second, third) = (table.makeNumber(), table.makeNumber(), table.makeNumber())
    _ = table.received(20, first)
    for number in [second, third] { #expect(table.received(500, number)) }
    #expect(table.end(first) == [second])
    #expect(!table.received(900, second))
    #expect(table.end(second) == [third])
  }

  @Test("A transfer that is too slow while others wait passes its turn, and gets another one after them")
  func turns() {
    let room = Room(1 << 20)
    let numbers = (0..<3).map { _ in room.makeNumber() }
    for (number, count) in zip(numbers, [100, 1 << 20, 50]) { _ = room.received(count, number) }
    #expect(room.checkSpeed(at: 1) == nil, "its turn has not lasted long enough")
    #expect(room.checkSpeed(at: 2) == .switches(from: numbers[0], to: numbers[1]))
    #expect(!room.received(101, numbers[0], at: 2), "it waits already")
    #expect(!room.received((1 << 20) + LoadingTable.leastPerTurn, numbers[1], at: 3))
    #expect(room.checkSpeed(at: 4) == nil, "this one has brought enough")
    #expect(room.checkSpeed(at: 5) == nil, "which counts anew")
    #expect(room.checkSpeed(at: 6) == .switches(from: numbers[1], to: numbers[2]))
    #expect(room.end(numbers[2], at: 7) == [numbers[0]])
    #expect(room.checkSpeed(at: 8) == nil, "it has its turn from its beginning")
    #expect(room.checkSpeed(at: 9) == .switches(from: numbers[0], to: numbers[1]))
  }

  @Test("If no one waits, all transfers may be slow")
  func slowAlone() {
    let room = Room()
    let number = room.makeNumber()
    #expect(!room.received(1000, number))
    #expect(room.checkSpeed(at: 100) == nil)
  }

  @Test("If twice the limit is held, a slow transfer is aborted")
  func aborted() {
    let room = Room(100)
    let (first, second) = (room.makeNumber(), room.makeNumber())
    _ = room.received(90, first)
    #expect(room.received(111, second))
    #expect(room.checkSpeed(at: 2) == .aborts(first))
    #expect(room.checkSpeed(at: 3) == .aborts(first), "until it has ended")
    #expect(room.end(first, at: 3) == [second])
    #expect(room.checkSpeed(at: 9) == nil && room.bytes == 111)
  }

  @Test("In any order of events, the held bytes stay within the limit, one chunk of each, and the first transfer")
  func bound() {
    var numbers = SeededGenerator(seed: 5)
    let table = Room(1000, share: 50)
    var counts: [Int: Int] = [:]
    var waiting: Set<Int> = []
    for _ in 0..<20_000 {
      if counts.count < 16 { counts[table.makeNumber()] = 0 }
      let able = counts.keys.filter { !waiting.contains($0) }.sorted()
      #expect(!able.isEmpty, "somebody can always go on")
      guard let number = able.randomElement(using: &numbers), let count = counts[number] else { return }
      if count > 400 || Int.random(in: 0..<20, using: &numbers) == 0 {
        counts[number] = nil
        waiting.subtract(table.end(number))
      } else {
        counts[number] = count + Int.random(in: 1...30, using: &numbers)
        if table.received(counts[number]!, number) { waiting.insert(number) }
      }
      #expect(table.bytes == counts.values.reduce(0) { $0 + ($1 > 50 ? $1 : 0) })
      // Who becomes one that is counted brings its share.
      #expect(table.bytes <= 1000 + 430 + 15 * 80)
    }
  }
}
