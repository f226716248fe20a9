import NukeTesting
import Testing

@testable import NukeServing

@Suite("Coalescing of requests")
struct FlightTableTests {
  private typealias Table = FlightTable<String, Int, String>

  @Test("Equal requests share a flight, and the last one to leave cancels it")
  func joining() {
    var table = Table()
    let first = table.join("a", 1)
    let second = table.join("a", 2)
    #expect(first.isFirst && !second.isFirst && first.flight == second.flight)
    #expect(table.attach("work", to: first.flight, of: "a") == true)
    #expect(table.leave(first) == nil)
    #expect(table.leave(first) == nil)
    #expect(table.leave(second) == "work")
    #expect(table.count == 0)
  }

  @Test("A flight whose last waiter left before it started is canceled when it starts")
  func leavingEarly() {
    var table = Table()
    let seat = table.join("a", 1)
    #expect(table.leave(seat) == nil)
    let other = table.join("a", 2)
    #expect(other.isFirst)
    #expect(table.attach("old", to: seat.flight, of: "a") == false)
    #expect(table.attach("new", to: other.flight, of: "a") == true)
    #expect(table.land(seat.flight, of: "a").isEmpty)
    #expect(table.land(other.flight, of: "a") == [2])
  }

  @Test("Background work starts once, and continues when the requests that joined it leave")
  func renewals() throws {
    var table = Table()
    let begun = table.begin("a")
    let number = try #require(begun)
    #expect(table.begin("a") == nil)
    let seat = table.join("a", 1)
    #expect(!seat.isFirst)
    #expect(table.attach("work", to: number, of: "a") == true)
    #expect(table.leave(seat) == nil)
    #expect(table.count == 1)
    #expect(table.land(number, of: "a").isEmpty)
  }

  @Test("Each waiter is notified once, or leaves, in any order", arguments: [1, 2, 3, 4])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = Table()
    var seats: [Int: Table.Seat] = [:]
    var flights: [(key: String, number: Int)] = []
    var told: [Int: Int] = [:]
    var left: Set<Int> = []
    for waiter in 0..<5000 {
      let key = "\(Int.random(in: 0..<5, using: &random))"
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        let seat = table.join(key, waiter)
        seats[waiter] = seat
        if seat.isFirst { flights.append((key, seat.flight)) }
      case 3:
        guard let leaving = seats.keys.sorted().randomElement(using: &random), let seat = seats[leaving] else {
          continue
        }
        _ = table.leave(seat)
        seats[leaving] = nil
        left.insert(leaving)
      case 4:
        if let number = table.begin(key) { flights.append((key, number)) }
      default:
        guard !flights.isEmpty else { continue }
        let flight = flights.remove(at: Int.random(in: 0..<flights.count, using: &random))
        for waiter in table.land(flight.number, of: flight.key) {
          told[waiter, default: 0] += 1
          seats[waiter] = nil
        }
      }
    }
    for waiter in table.removeAll().waiters {
      told[waiter, default: 0] += 1
      seats[waiter] = nil
    }
    #expect(seats.isEmpty)
    #expect(told.values.allSatisfy { $0 == 1 })
    #expect(left.isDisjoint(with: told.keys))
    #expect(told.count > 500)
  }
}

@Suite("The table of recent values")
struct RecentTableTests {
  @Test("The table keeps at least half of its limit, and never more than the limit")
  func limit() {
    var table = RecentTable<Int, Int>(limit: 100)
    for key in 0..<1000 {
      table[key] = -key
      #expect(table.count <= 100)
      for recent in max(0, key - 49)...key { #expect(table[recent] == -recent) }
    }
    table[999] = nil
    #expect(table[999] == nil)
  }
}
