import Foundation
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A simulated fleet of 100 nodes")
struct FleetSimulationTests {
  private static let second: UInt64 = 1_000_000_000

  /// Every node is asked for the same image within 50 ms, and again in later waves.
  private static func crowd(
    _ source: FleetSimulation.Source, waves: Int = 1, interval: UInt64 = second, dying: Bool = false
  ) -> FleetSimulation {
    let fleet = FleetSimulation(source: source)
    var random = SeededGenerator(seed: 7)
    for wave in 0..<waves {
      for node in 0..<fleet.nodeCount {
        fleet.request(node: node, at: UInt64(wave) * interval + .random(in: 0..<50_000_000, using: &random))
      }
    }
    if dying { fleet.killHolder(at: 100_000_000) }
    fleet.run()
    return fleet
  }

  /// Every node is asked for other images.
  private static func cold() -> FleetSimulation {
    let fleet = FleetSimulation(source: .shared)
    for node in 0..<fleet.nodeCount { fleet.request(node, node: node, at: UInt64(node) * 1_000_000) }
    fleet.run()
    return fleet
  }

  /// The longest wait for work of a duration: the last pause is an eighth of it, or at least 10 ms on a grid of 10 ms.
  private func longestWait(_ work: UInt64) -> UInt64 { work + work / 8 + 40_000_000 }

  /// The largest number of store operations of a request that waits for so long. Pauses are 10 ms at first, and grow by an
  /// eighth each time from 80 ms on. A look, a lease, a look afterwards, and a write with a release are added.
  private func mostOperations(_ wait: UInt64) -> Int {
    let milliseconds = max(Double(wait) / 1e6, 80)
    return 8 + Int((log(milliseconds / 80) / log(1.125)).rounded(.up)) + 6
  }

  private func expectBoundedOperations(_ fleet: FleetSimulation) {
    for request in fleet.requests { #expect(request.operations <= mostOperations(request.waited)) }
  }

  @Test("A hot image is loaded once, and each of the others waits no longer than the work takes and one pause")
  func hot() {
    let fleet = Self.crowd(.shared, waves: 10)
    #expect(fleet.requests.count == 1000 && fleet.requests.allSatisfy { $0.end != nil && $0.error == nil })
    #expect(fleet.loadCount == 1)
    let work = fleet.costs.load + fleet.costs.render + 10 * fleet.costs.store
    #expect(fleet.requests.allSatisfy { $0.waited <= longestWait(work) })
    expectBoundedOperations(fleet)
    // In later waves there is one look, which finds the image.
    #expect(fleet.requests.filter { $0.start >= Self.second }.allSatisfy { $0.operations == 1 })
  }

  @Test("Images that only one node needs wait for nobody, and take a fixed number of store operations")
  func cold() {
    let fleet = Self.cold()
    #expect(fleet.loads.count == 100 && fleet.loadCount == 100)
    // A look, the lease, a look afterwards, the write, and the release.
    #expect(fleet.requests.allSatisfy { $0.waited == 0 && $0.operations == 5 })
  }

  @Test("Nodes wait for an image that must not be shared until its first load ends, and then for a minute not at all")
  func unshared() {
    let fleet = Self.crowd(.unshared, waves: 10)
    #expect(fleet.loadCount == 1000)
    let (first, later) = (
      fleet.requests.filter { $0.start < Self.second }, fleet.requests.filter { $0.start >= Self.second }
    )
    #expect(first.allSatisfy { $0.waited <= longestWait(fleet.costs.load + 10 * fleet.costs.store) })
    #expect(later.allSatisfy { $0.waited == 0 && $0.operations == 2 })
    expectBoundedOperations(fleet)
  }

  @Test("A missing source is asked for at most once in ten seconds by all nodes together")
  func failing() throws {
    let fleet = Self.crowd(.missing, waves: 30)
    #expect(fleet.requests.count == 3000)
    #expect(fleet.requests.allSatisfy { $0.error?.name == "sourceNotFound" })
    let starts = try #require(fleet.loads.values.first)
    #expect(fleet.loads.count == 1 && starts.count == 3)
    for (earlier, later) in zip(starts, starts.dropFirst()) { #expect(later - earlier >= 10 * Self.second) }
    #expect(fleet.requests.allSatisfy { $0.waited <= longestWait(fleet.costs.load + 10 * fleet.costs.store) })
    expectBoundedOperations(fleet)
  }

  @Test("If the node that renders dies, one other node takes over when its lease ends, and not before")
  func dying() throws {
    let fleet = Self.crowd(.shared, dying: true)
    let starts = try #require(fleet.loads.values.first)
    #expect(starts.count == 2)
    #expect(starts[1] - starts[0] >= fleet.costs.lease - 10 * fleet.costs.store)
    #expect(fleet.requests.count(where: { $0.end == nil }) == 1)
    let work = fleet.costs.lease + fleet.costs.load + fleet.costs.render
    #expect(fleet.requests.allSatisfy { $0.waited <= work + 600_000_000 })
  }

  @Test("The simulation prints what each kind of source costs")
  func table() {
    let rows = [
      Self.crowd(.shared).row("hot"), Self.crowd(.shared, waves: 10).row("hot, 10 waves"), Self.cold().row("cold"),
      Self.crowd(.unshared, waves: 10).row("private, 10 waves"), Self.crowd(.missing, waves: 30).row("failing, 30 s"),
      Self.crowd(.shared, dying: true).row("hot, its node dies"),
    ]
    print(([FleetSimulation.Row.head] + rows.map(\.text)).joined(separator: "\n"))
    #expect(rows.map(\.loads) == [1, 1, 100, 1000, 3, 2])
  }
}
