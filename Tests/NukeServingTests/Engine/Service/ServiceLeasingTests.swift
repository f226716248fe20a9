import Foundation
import NukeHTTPCaching
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: one of many nodes", .timeLimit(.minutes(1)))
struct ServiceLeasingTests {
  private let name = RenditionKey(ServiceFixture.request()).name
  private let store = FakeDataCache()
  private let leasing = FakeLeasing()

  private func node(_ gate: Gate = Gate(isOpen: true), store: FakeDataCache? = nil) -> ServiceFixture {
    let node = ServiceFixture(renderer: FakeRenderer(gate: gate), stores: [store ?? self.store], leasing: leasing) {
      // The clock is moved on until there is an answer.
      $0.deadline = 1e8
      $0.storeTimeout = 1e8
    }
    node.answer("A", ["Cache-Control": "max-age=100000"])
    return node
  }

  @Test("what one makes the others wait for and find")
  func once() async throws {
    let gate = Gate()
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

  @Test("when the one dies, another takes over")
  func takeover() async throws {
    #expect(await leasing.acquire(name, seconds: 20) != .held)
    let node = node()
    let task = node.start()
    await leasing.refusals(count: 1)
    leasing.expire(name)
    #expect(try await node.advancing(task).get().origin == .made)
    await node.settled()
    #expect(leasing.held == 0)
  }

  @Test("what was stored between the look and the lease is not made again")
  func storedMeanwhile() async throws {
    let first = node()
    _ = try await first.result().get()
    await first.settled()
    let late = FakeDataCache()
    let second = node(store: late)
    let held = await leasing.acquire(name, seconds: 20)
    let task = second.start()
    await leasing.refusals(count: 1)
    for (key, data) in store.contents { late.storeData(data, for: key) }
    if case .granted(let token) = held { await leasing.release(name, token: token) }
    #expect(try await second.advancing(task).get().origin == .store)
    await second.settled()
    #expect(leasing.held == 0)
  }

  @Test("what takes longer than a lease lives is made once: the lease is renewed while the work goes on")
  func renewed() async throws {
    let gate = Gate()
    let (first, second) = (node(gate), node())
    let making = first.start()
    await gate.arrivals(count: 1)
    // A lease lives for 20 seconds.
    let start = first.clock.now
    await first.advancing { await leasing.renewals(of: name, count: 6) }
    let passed = first.clock.now.milliseconds - start.milliseconds
    #expect(passed >= 40_000)
    second.clock.advance(seconds: Double(passed) / 1000)
    let waiting = second.start()
    await leasing.refusals(count: 1)
    gate.open()
    #expect(try await making.value.get().origin == .made)
    await first.settled()
    #expect(try await second.advancing(waiting).get().origin == .store)
    #expect(second.renderer.renders == 0)
    #expect(first.service.statistics.leasesLost == 0)
  }

  @Test("a lease that was given back is not renewed any more")
  func renewedNoLonger() async throws {
    let gate = Gate()
    let node = ServiceFixture(renderer: SelectiveRenderer.held(by: gate), stores: [store], leasing: leasing) {
      $0.deadline = 1e8
      $0.storeTimeout = 1e8
    }
    node.answer("A", ["Cache-Control": "max-age=100000"])
    _ = try await node.result().get()
    await node.settled()
    let large = ServiceFixture.request(width: 1000)
    let making = node.start(large)
    await gate.arrivals(count: 1)
    // The one that was given back would have been due before.
    await node.advancing { await leasing.renewals(of: RenditionKey(large).name, count: 1) }
    #expect(leasing.renewals(of: name) == 0)
    gate.open()
    _ = try await making.value.get()
    await node.settled()
  }

  @Test("a lease that another node has by now is not renewed, and the file is made all the same")
  func lost() async throws {
    let gate = Gate()
    let node = node(gate)
    let making = node.start()
    await gate.arrivals(count: 1)
    leasing.expire(name)
    guard case .granted(let token) = await leasing.acquire(name, seconds: 20) else {
      Issue.record("it is free")
      return
    }
    await node.advancing {
      while node.service.statistics.leasesLost == 0 { await Task.yield() }
    }
    gate.open()
    #expect(try await making.value.get().origin == .made)
    await node.settled()
    #expect(leasing.renewals(of: name) == 1)
    #expect(leasing.held == 1)
    await leasing.release(name, token: token)
    #expect(leasing.held == 0)
  }

  @Test("work that hangs keeps others waiting for ten lives of a lease at most")
  func hanging() async throws {
    let gate = Gate()
    let node = node(gate)
    let making = node.start()
    await gate.arrivals(count: 1)
    await node.advancing { await leasing.renewals(of: name, count: 30) }
    // What began after that is renewed twice; the other would have been due before.
    let other = ServiceFixture.request(width: 200)
    let makingOther = node.start(other)
    await gate.arrivals(count: 2)
    await node.advancing { await leasing.renewals(of: RenditionKey(other).name, count: 2) }
    #expect(leasing.renewals(of: name) == 30)
    gate.open()
    _ = try await (making.value.get(), makingOther.value.get())
    await node.settled()
  }

  @Test("a stale image is sent rather than waited for")
  func stale() async throws {
    let node = node()
    _ = try await node.result().get()
    await node.settled()
    node.clock.advance(seconds: 150_000)
    #expect(await leasing.acquire(name, seconds: 20) != .held)
    let rendition = try await node.result().get()
    #expect(rendition.isDegraded)
    #expect(rendition.text == "w:100 of A")
  }

  @Test("without anybody who gives leases the work is done")
  func unavailable() async throws {
    leasing.setAvailable(false)
    let node = node()
    #expect(try await node.result().get().origin == .made)
    #expect(node.service.statistics.leasesUnavailable == 1)
  }

  @Test("one who fails, or waits no longer, gives the lease back")
  func failures() async {
    let node = node()
    node.loader.answer(ServiceFixture.source, with: .failure(CancellationError()))
    #expect(await node.result().error != nil)
    await node.settled()
    #expect(leasing.held == 0)

    let gate = Gate()
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
