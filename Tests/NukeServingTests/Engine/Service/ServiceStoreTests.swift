import Foundation
import Nuke
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: stores", .timeLimit(.minutes(1)))
struct ServiceStoreTests {
  private let name = RenditionKey(ServiceFixture.request()).name

  @Test("A service finds the renditions of another one")
  func shared() async throws {
    let store = FakeDataCache()
    let first = ServiceFixture(stores: [store])
    first.answer("A")
    let made = try await first.result().get()
    await first.settled()
    #expect(store.writes == [name])

    let second = ServiceFixture(stores: [store])
    let found = try await second.result().get()
    #expect(found.origin == .store)
    #expect(found.data == made.data && found.entityTag == made.entityTag && found.freshUntil == made.freshUntil)
    #expect(second.loader.requests.isEmpty)
    #expect(try await second.result().get().origin == .memory)
    #expect(second.service.statistics.storeHits == 1)
  }

  @Test("A renderer with different output does not find them")
  func otherRenderer() async throws {
    let store = FakeDataCache()
    let first = ServiceFixture(stores: [store])
    first.answer("A")
    _ = try await first.result().get()
    await first.settled()
    let second = ServiceFixture(renderer: FakeRenderer("q50"), stores: [store])
    second.answer("A")
    #expect(try await second.result().get().origin == .made)
  }

  @Test("A damaged rendition is removed and rendered again")
  func damaged() async throws {
    let store = FakeDataCache([name: Data("NKR\u{1} and so on".utf8)])
    let fixture = ServiceFixture(stores: [store])
    fixture.answer("A")
    #expect(try await fixture.result().get().origin == .made)
    await fixture.settled()
    #expect(store.removals == [name])
    #expect(fixture.service.statistics.storeDamaged == 1)
    #expect(store.contents[name] != nil)
  }

  @Test("A source is not loaded on the thread of its request")
  func otherThread() async throws {
    let loadingThread = Lock<pthread_t?>(nil)
    let fixture = ServiceFixture(
      loader: FakeDataLoader { _ in
        loadingThread.withLock { $0 = pthread_self() }
        return .source("A")
      })
    let (end, isOver) = (Deferred<pthread_t>(), DispatchSemaphore(value: 0))
    // Blocked until the load has ended, so that the load cannot use the thread later.
    Thread.detachNewThread {
      let requesting = pthread_self()
      Task.immediate {
        _ = await fixture.result()
        end.complete(requesting)
        isOver.signal()
      }
      isOver.wait()
    }
    let requestingThread = await end.value
    #expect(loadingThread.withLock { $0 } != nil)
    #expect(loadingThread.withLock { $0 } != requestingThread)
  }

  @Test("A hit in a later store fills the earlier ones")
  func fillsEarlier() async throws {
    let far = FakeDataCache()
    let first = ServiceFixture(stores: [far])
    first.answer("A")
    _ = try await first.result().get()
    await first.settled()

    let near = FakeDataCache()
    let second = ServiceFixture(stores: [near, far])
    #expect(try await second.result().get().origin == .store)
    #expect(await near.writes(count: 1) == [name])
    #expect(near.contents == far.contents)
    #expect(far.writes.count == 1)
  }

  @Test("A shutdown waits until an entry of a later store is copied to the earlier ones")
  func shutdownWhileFilling() async throws {
    let far = FakeDataCache()
    let first = ServiceFixture(stores: [far])
    first.answer("A")
    _ = try await first.result().get()
    await first.settled()

    let (gate, log) = (Gate(), CallLog())
    let near = HeldCache(gate: gate, log: log)
    let second = ServiceFixture(stores: [near, far])
    #expect(try await second.result().get().origin == .store)
    await gate.arrivals(count: 1)
    let end = Task {
      await second.service.shutdown(gracePeriod: 10)
      log.append("shut down")
    }
    try await waitUntil { second.service.state.withLock { $0.isShuttingDown } }
    gate.open()
    await end.value
    #expect(log.entries == ["read \(name)", "write \(name)", "shut down"])
    #expect(near.stored.contents == far.contents)
  }

  @Test("A renewed entry in a later store takes precedence over a stale one in an earlier store")
  func freshestCounts() async throws {
    let (near, far) = (FakeDataCache(), FakeDataCache())
    let first = ServiceFixture(stores: [near, far])
    first.answer("A", ["Cache-Control": "max-age=10"])
    _ = try await first.result().get()
    await first.settled()

    let other = ServiceFixture(stores: [far])
    other.clock.advance(seconds: 1000)
    other.answer("A", ["Cache-Control": "max-age=100"])
    _ = try await other.result().get()
    await other.settled()
    #expect(other.service.statistics.renewals == 1)

    let second = ServiceFixture(stores: [near, far])
    second.clock.advance(seconds: 1000)
    #expect(try await second.result().get().origin == .store)
    #expect(second.loader.requests.isEmpty)
    #expect(await near.writes(count: 2).count == 2)
  }

  @Test("A file from a store does not replace a newer one that was validated during the look-up")
  func validatedMeanwhile() async throws {
    let store = FakeDataCache()
    let first = ServiceFixture(stores: [store])
    first.answer("A", ["Cache-Control": "max-age=1000"])
    _ = try await first.result().get()
    await first.settled()

    let gate = Gate()
    let second = ServiceFixture(stores: [FirstReadHeld(store, by: gate)])
    second.clock.advance(seconds: 10)
    second.answer("B", ["Cache-Control": "max-age=1000"])
    let waiting = second.start()
    await gate.arrivals(count: 1)
    var validating = ServiceFixture.request()
    validating.validatesSource = true
    #expect(try await second.result(validating).get().text == "w:100 of B")
    gate.open()
    #expect(try await waiting.value.get().text == "w:100 of B")
    #expect(try await second.result().get().text == "w:100 of B")
  }

  @Test("A store that does not reply is skipped")
  func slow() async throws {
    let gate = Gate()
    let store = FakeDataCache(gate: gate)
    let fixture = ServiceFixture(stores: [store]) { $0.storeTimeout = 2 }
    fixture.answer("A")
    let task = fixture.start()
    await store.reads(count: 1)
    // The request's deadline, and the limit of the look.
    await fixture.clock.sleepers(count: 2)
    fixture.clock.advance(seconds: 2)
    #expect(try await task.value.get().origin == .made)
    #expect(fixture.service.statistics.storeTimeouts == 1)
    gate.open()
  }

  @Test("If too many writes are pending, a rendition is sent and not stored")
  func backlog() async throws {
    let gate = Gate()
    let store = HeldCache(gate: gate)
    let fixture = ServiceFixture(stores: [store]) { $0.storeBacklogLimit = 400 }
    fixture.answer("A")
    for width in 1...3 { _ = try await fixture.result(ServiceFixture.request(width: width)).get() }
    await gate.arrivals(count: 1)
    // Results are sent before they are stored, so the others may not have tried yet.
    try await waitUntil { fixture.service.statistics.storeDrops == 2 }
    gate.open()
    await fixture.settled()
    #expect(store.stored.contents.count == 1)
    #expect(fixture.service.statistics.storeDrops == 2)
  }
}

/// Holds back what is stored.
private final class HeldCache: DataCaching {
  let stored: FakeDataCache
  private let gate: Gate

  init(gate: Gate, log: CallLog? = nil) {
    self.gate = gate
    stored = FakeDataCache(log: log)
  }

  func cachedData(for key: String) -> Data? { stored.cachedData(for: key) }
  func containsData(for key: String) -> Bool { stored.containsData(for: key) }
  func storeData(_ data: Data, for key: String) {
    gate.waitBlocking()
    stored.storeData(data, for: key)
  }
  func removeData(for key: String) { stored.removeData(for: key) }
  func removeAll() { stored.removeAll() }
}
