import NukeTesting
import Testing

@testable import NukeServing

@Suite("Coalescing of requests")
struct FlightTableTests {
  private typealias Table = FlightTable<String, Int, String>

  @Test("Equal requests share a flight, and the last one to leave cancels it")
  func joining() {
    var table = Table()
    let first = table.subscribe(1, to: "a")
    let second = table.subscribe(2, to: "a")
    #expect(first.isFirst && !second.isFirst && first.flight == second.flight)
    #expect(table.setHandle("work", of: first.flight, for: "a") == true)
    #expect(table.unsubscribe(first) == nil)
    #expect(table.unsubscribe(first) == nil)
    #expect(table.unsubscribe(second) == "work")
    #expect(table.count == 0)
  }

  @Test("A flight whose last waiter left before it started is canceled when it starts")
  func leavingEarly() {
    var table = Table()
    let subscription = table.subscribe(1, to: "a")
    #expect(table.unsubscribe(subscription) == nil)
    let other = table.subscribe(2, to: "a")
    #expect(other.isFirst)
    #expect(table.setHandle("old", of: subscription.flight, for: "a") == false)
    #expect(table.setHandle("new", of: other.flight, for: "a") == true)
    #expect(table.finish(subscription.flight, for: "a").isEmpty)
    #expect(table.finish(other.flight, for: "a") == [2])
  }

  @Test("Background work starts once, and continues when the requests that joined it leave")
  func renewals() throws {
    var table = Table()
    let begun = table.begin("a")
    let number = try #require(begun)
    #expect(table.begin("a") == nil)
    let subscription = table.subscribe(1, to: "a")
    #expect(!subscription.isFirst)
    #expect(table.setHandle("work", of: number, for: "a") == true)
    #expect(table.unsubscribe(subscription) == nil)
    #expect(table.count == 1)
    #expect(table.finish(number, for: "a").isEmpty)
  }

  @Test("Each waiter is notified once, or leaves, in any order", arguments: [1, 2, 3, 4])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = Table()
    var subscriptions: [Int: Table.Subscription] = [:]
    var flights: [(key: String, number: Int)] = []
    var notified: [Int: Int] = [:]
    var left: Set<Int> = []
    for waiter in 0..<5000 {
      let key = "\(Int.random(in: 0..<5, using: &random))"
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        let subscription = table.subscribe(waiter, to: key)
        subscriptions[waiter] = subscription
        if subscription.isFirst { flights.append((key, subscription.flight)) }
      case 3:
        guard let leaving = subscriptions.keys.sorted().randomElement(using: &random),
          let subscription = subscriptions[leaving]
        else { continue }
        _ = table.unsubscribe(subscription)
        subscriptions[leaving] = nil
        left.insert(leaving)
      case 4:
        if let number = table.begin(key) { flights.append((key, number)) }
      default:
        guard !flights.isEmpty else { continue }
        let flight = flights.remove(at: Int.random(in: 0..<flights.count, using: &random))
        for waiter in table.finish(flight.number, for: flight.key) {
          notified[waiter, default: 0] += 1
          subscriptions[waiter] = nil
        }
      }
    }
    for waiter in table.removeAll().waiters {
      notified[waiter, default: 0] += 1
      subscriptions[waiter] = nil
    }
    #expect(subscriptions.isEmpty)
    #expect(notified.values.allSatisfy { $0 == 1 })
    #expect(left.isDisjoint(with: notified.keys))
    #expect(notified.count > 500)
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
