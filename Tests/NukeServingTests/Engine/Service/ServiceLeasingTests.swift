import Foundation
import Nuke
import NukeHTTPCaching
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: leases among nodes", .timeLimit(.minutes(1)))
struct ServiceLeasingTests {
  private let name = RenditionKey(ServiceFixture.request()).name
  private let store = FakeDataCache()
  private let leasing = FakeLeasing()
  private let gate = Gate()

  private func node(_ gate: Gate = Gate(isOpen: true), store: FakeDataCache? = nil) -> ServiceFixture {
    let node = ServiceFixture(renderer: FakeRenderer(gate: gate), stores: [store ?? self.store], leasing: leasing) {
      // The clock is moved on until there is an answer.
      $0.deadline = 1e8
      $0.storeTimeout = 1e8
    }
    node.answer("A", ["Cache-Control": "max-age=100000"])
    return node
  }

  @Test("One node renders, and the others wait for the result")
  func once() async throws {
    let (first, second) = (node(gate), node())
    let making = first.start()
    await gate.arrivals(count: 1)
    let waiting = second.start()
    await leasing.refusals(count: 1)
    gate.open()
    #expect(try await making.value.get().origin == .made)
    await first.settled()
    #expect(leasing.held == 0)
    #expect(try await second.advancing(waiting).get().origin == .store)
    #expect(second.renderer.renders == 0)
    #expect(second.loader.requests.isEmpty)
    #expect(second.service.statistics.leaseWaits == 1)
  }

  @Test("If the node that renders dies, another one takes over")
  func takeover() async throws {
    let dead = leasing.lease(for: name)
    let node = node()
    let task = node.start()
    await leasing.refusals(count: 1)
    leasing.expire(name)
    #expect(try await node.advancing(task).get().origin == .made)
    await node.settled()
    #expect(leasing.held == 0)
    withExtendedLifetime(dead) {}
  }

  @Test("A rendition stored between look-up and lease is not rendered again")
  func storedMeanwhile() async throws {
    let first = node()
    _ = try await first.result().get()
    await first.settled()
    let late = FakeDataCache()
    let second = node(store: late)
    var held: DataLeaseAttempt? = leasing.lease(for: name)
    let task = second.start()
    await leasing.refusals(count: 1)
    for (key, data) in store.contents { late.storeData(data, for: key) }
    if case .taken = held { held = nil }
    #expect(try await second.advancing(task).get().origin == .store)
    await second.settled()
    #expect(leasing.held == 0)
  }

  @Test("Work that hangs delays others until the timeout at most")
  func hanging() async throws {
    let (first, second) = (node(gate), node())
    let making = first.start()
    await gate.arrivals(count: 1)
    let waiting = second.start()
    try await waitUntil { leasing.waiting > 0 }
    leasing.giveUpWaiting()
    #expect(try await waiting.value.get().origin == .made)
    #expect(leasing.held == 1)
    gate.open()
    #expect(try await making.value.get().origin == .made)
    await first.settled()
    #expect(leasing.held == 0)
  }

  @Test("A request whose client disconnects stops waiting")
  func cancelled() async throws {
    let held = leasing.lease(for: name)
    let task = node().start()
    try await waitUntil { leasing.waiting > 0 }
    task.cancel()
    #expect(await task.value.error == .cancelled)
    try await waitUntil { leasing.waiting == 0 }
    withExtendedLifetime(held) {}
  }

  @Test("Those who wait look only at the store of the lease, and not at slower ones")
  func sharedStore() async throws {
    let shared = LeasedStore(store, leasing)
    let bucket = FakeDataCache()
    func node(_ gate: Gate) -> ServiceFixture {
      let node = ServiceFixture(
        renderer: FakeRenderer(gate: gate), stores: [FakeDataCache(), shared, bucket], leasing: shared
      ) {
        $0.deadline = 1e8
        $0.storeTimeout = 1e8
      }
      node.answer("A", ["Cache-Control": "max-age=100000"])
      return node
    }
    let gate = Gate()
    let (first, second) = (node(gate), node(Gate(isOpen: true)))
    let making = first.start()
    await gate.arrivals(count: 1)
    let waiting = second.start()
    await leasing.refusals(count: 1)
    #expect(bucket.reads.count == 2)
    gate.open()
    #expect(try await making.value.get().origin == .made)
    await first.settled()
    #expect(try await second.advancing(waiting).get().origin == .store)
    #expect(bucket.reads.count == 2)
  }

  @Test("A stale image is sent instead of waiting")
  func stale() async throws {
    let node = node()
    _ = try await node.result().get()
    await node.settled()
    node.clock.advance(seconds: 150_000)
    let held = leasing.lease(for: name)
    let rendition = try await node.result().get()
    #expect(rendition.isDegraded)
    #expect(rendition.text == "w:100 of A")
    withExtendedLifetime(held) {}
  }

  @Test(
    "If the source forbids sharing, the others do not wait until it is rendered", arguments: ["private", "no-store"])
  func unshared(directive: String) async throws {
    let (first, others) = (node(gate), (0..<4).map { _ in node() })
    for node in [first] + others { node.answer("A", ["Cache-Control": directive]) }
    let making = first.start()
    await gate.arrivals(count: 1)
    for node in others {
      #expect(try await node.result().get().origin == .made)
      await node.settled()
    }
    #expect(leasing.held == 0)
    gate.open()
    #expect(try await making.value.get().origin == .made)
    await first.settled()
    // For a minute, nobody asks for the lease. Then one does.
    leasing.setAvailable(false)
    _ = try await others[0].result().get()
    #expect(others[0].service.statistics.leasesUnavailable == 0)
    others[0].clock.advance(seconds: 61)
    _ = try await others[0].result().get()
    #expect(others[0].service.statistics.leasesUnavailable == 1)
  }

  @Test("Without a leasing service, the work is done anyway")
  func unavailable() async throws {
    leasing.setAvailable(false)
    let node = node()
    #expect(try await node.result().get().origin == .made)
    #expect(node.service.statistics.leasesUnavailable == 1)
  }

  @Test("A request that fails or stops waiting releases the lease")
  func failures() async {
    let node = node()
    node.loader.answer(ServiceFixture.source, with: .failure(CancellationError()))
    #expect(await node.result().error != nil)
    await node.settled()
    #expect(leasing.held == 0)

    let other = self.node(gate)
    let task = other.start()
    await gate.arrivals(count: 1)
    #expect(leasing.held == 1)
    task.cancel()
    _ = await task.value
    await other.settled()
    #expect(leasing.held == 0)
  }
}
