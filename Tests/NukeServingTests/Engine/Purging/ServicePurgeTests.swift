import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: purging", .timeLimit(.minutes(1)))
struct ServicePurgeTests {
  private let shared = FakeDataCache()

  /// A node with a store of its own and a shared one, whose source says that it is fresh for a day.
  private func node(_ own: FakeDataCache = FakeDataCache(), renderer: FakeRenderer = FakeRenderer()) -> ServiceFixture {
    let node = ServiceFixture(renderer: renderer, stores: [own, shared], purges: PurgeStore(shared))
    answer("A", node)
    return node
  }

  private func answer(_ body: String, _ node: ServiceFixture) {
    node.answer(body, ["Cache-Control": "max-age=86400", "ETag": "\"\(body)\""])
  }

  private func text(_ node: ServiceFixture, width: Int = 100) async throws -> String {
    let text = try await node.result(ServiceFixture.request(width: width)).get().text
    await node.settled()
    return text
  }

  @Test("After a purge, a node loads the source anew for all sizes, and not again after that")
  func purges() async throws {
    let node = node()
    for width in [100, 200] { #expect(try await text(node, width: width) == "w:\(width) of A") }
    answer("B", node)
    #expect(try await text(node) == "w:100 of A")
    try await node.service.purge(ServiceFixture.source)
    #expect(node.service.statistics.memoryCount == 0 && node.service.statistics.purges == 1)
    let count = node.loader.requests.count
    for width in [100, 200] {
      #expect(try await text(node, width: width) == "w:\(width) of B")
      #expect(try await text(node, width: width) == "w:\(width) of B")
    }
    #expect(node.loader.requests.count == count + 2)
    #expect(
      node.loader.requests.suffix(2).map(\.cachePolicy) == [
        .reloadIgnoringLocalCacheData, .reloadRevalidatingCacheData,
      ])
    // Without a condition, so that a source whose tag is wrong is loaded as well.
    #expect(node.loader.requests.suffix(2).allSatisfy { $0.value(forHTTPHeaderField: "If-None-Match") == nil })
  }

  @Test("Other nodes learn of a purge from the store: at once if they have no image in memory, and after ten seconds")
  func others() async throws {
    let disk = FakeDataCache()
    let (one, other, third) = (node(), node(disk), node(disk))
    for node in [one, other] { #expect(try await text(node) == "w:100 of A") }
    await disk.writes(count: 1)
    for node in [one, other, third] { answer("B", node) }
    try await one.service.purge(ServiceFixture.source)
    // The disk has the image from before the purge.
    #expect(try await text(third) == "w:100 of B")
    #expect(try await text(other) == "w:100 of A")
    other.clock.advance(seconds: 9.9)
    #expect(try await text(other) == "w:100 of A")
    other.clock.advance(seconds: 0.1)
    #expect(try await text(other) == "w:100 of B")
  }

  @Test("The result of one node after a purge serves the others")
  func sharedResult() async throws {
    let (one, other) = (node(), node())
    for node in [one, other] { #expect(try await text(node) == "w:100 of A") }
    try await one.service.purge(ServiceFixture.source)
    answer("B", one)
    #expect(try await text(one) == "w:100 of B")
    other.clock.advance(seconds: 10)
    #expect(try await other.result().get().origin == .store)
    #expect(other.loader.requests.isEmpty)
  }

  @Test("A request that arrives after a purge does not get what was loaded before")
  func inFlight() async throws {
    let gate = Gate()
    let node = ServiceFixture(renderer: FakeRenderer(gate: gate), stores: [shared], purges: PurgeStore(shared))
    answer("A", node)
    let early = node.start()
    await gate.arrivals(count: 1)
    answer("B", node)
    try await node.service.purge(ServiceFixture.source)
    let late = node.start()
    try await node.requests(count: 2)
    gate.open()
    #expect(try await late.value.get().text == "w:100 of B")
    _ = await early.value
    await node.settled()
    #expect(try await node.result().get().text == "w:100 of B")
  }

  @Test("A request that loads its source anew because of a purge keeps its deadline")
  func deadline() async throws {
    let (rendering, loading) = (Gate(), Gate())
    let node = ServiceFixture(renderer: FakeRenderer(gate: rendering)) { $0.deadline = 30 }
    node.loader.answer(ServiceFixture.source, with: .source("A"), .source("B").held(by: loading))
    let task = node.start()
    await rendering.arrivals(count: 1)
    await node.clock.sleepers(count: 1)
    node.clock.advance(seconds: 20)
    try await node.service.purge(ServiceFixture.source)
    rendering.open()
    await node.loader.requests(count: 2)
    node.clock.advance(seconds: 10)
    #expect(await task.value.error == .deadlineExceeded)
  }

  @Test("A failure from before a purge is not that of a later request, and is not remembered")
  func failureInFlight() async throws {
    let gate = Gate()
    let node = ServiceFixture(stores: [shared], purges: PurgeStore(shared))
    node.loader.answer(
      ServiceFixture.source,
      with: FakeDataLoader.Answer.failure(DataLoader.Error.statusCodeUnacceptable(404)).held(by: gate),
      .source("B"))
    let early = node.start()
    await node.loader.requests(count: 1)
    try await node.service.purge(ServiceFixture.source)
    let late = node.start()
    try await node.requests(count: 2)
    gate.open()
    #expect(try await late.value.get().text == "w:100 of B")
    #expect(try await early.value.get().text == "w:100 of B")
    #expect(try await text(node, width: 200) == "w:200 of B")
  }

  @Test("A purge forgets the failures of all sizes")
  func failuresOfSizes() async throws {
    let renderer = FakeRenderer(failure: .notAnImage("It is damaged."))
    let node = node(renderer: renderer)
    for _ in 0..<2 {
      for width in [100, 200] { #expect(await node.result(ServiceFixture.request(width: width)).error != nil) }
    }
    #expect(renderer.renders == 2)
    try await node.service.purge(ServiceFixture.source)
    for width in [100, 200] { #expect(await node.result(ServiceFixture.request(width: width)).error != nil) }
    #expect(renderer.renders == 4)
  }

  @Test("A purge removes the results that are named from all stores, and forgets failures")
  func removes() async throws {
    let disk = FakeDataCache()
    let node = node(disk)
    #expect(try await text(node) == "w:100 of A")
    let name = RenditionKey(ServiceFixture.request()).name
    #expect(disk.contents[name] != nil && shared.contents[name] != nil)
    try await node.service.purge(ServiceFixture.source, results: [ServiceFixture.request()])
    #expect(disk.contents[name] == nil && shared.contents[name] == nil)
    #expect(Array(shared.contents.keys) == [SourcePurges.name(of: ServiceFixture.source)])

    node.loader.answer(ServiceFixture.source, with: .failure(DataLoader.Error.statusCodeUnacceptable(404)))
    #expect(await node.result().error?.name == "sourceNotFound")
    answer("B", node)
    #expect(await node.result().error?.name == "sourceNotFound")
    try await node.service.purge(ServiceFixture.source)
    #expect(try await text(node) == "w:100 of B")
  }

  @Test("A purge that the shared store did not record is an error, and applies to this node, also after an earlier one")
  func unrecorded() async throws {
    let store = DroppingCache()
    let node = ServiceFixture(purges: PurgeStore(store))
    for (body, isDropping) in [("A", false), ("B", true)] {
      answer(body, node)
      #expect(try await text(node) == "w:100 of \(body)")
      store.isDropping.withLock { $0 = isDropping }
      answer("after \(body)", node)
      if isDropping {
        await #expect(throws: ServingError.purgeNotShared) { try await node.service.purge(ServiceFixture.source) }
      } else {
        try await node.service.purge(ServiceFixture.source)
      }
      #expect(try await text(node) == "w:100 of after \(body)")
      // The store still has the ID of the first purge, which is not a new one.
      node.clock.advance(seconds: 10)
      #expect(try await node.result().get().origin == .memory)
      try? await node.service.purge(ServiceFixture.source)
    }
    #expect(ServingError.purgeNotShared.status == 503 && ServingError.purgeNotShared.retryAfter != nil)
  }

  @Test("Without a shared store, a purge applies to this node, and nothing is looked up before it")
  func alone() async throws {
    let store = FakeDataCache()
    let node = ServiceFixture(stores: [store])
    answer("A", node)
    #expect(try await text(node) == "w:100 of A")
    #expect(store.reads.count == 1)
    answer("B", node)
    try await node.service.purge(ServiceFixture.source)
    #expect(try await text(node) == "w:100 of B")
  }

  @Test("Other sources are not affected")
  func otherSources() async throws {
    let node = node()
    let url = URL(string: "https://images.example/b.jpg")!
    node.answer("other", ["Cache-Control": "max-age=86400"], at: url)
    _ = try await node.result(ServiceFixture.request(url)).get()
    _ = try await text(node)
    try await node.service.purge(ServiceFixture.source)
    #expect(node.service.statistics.memoryCount == 1)
    #expect(try await node.result(ServiceFixture.request(url)).get().origin == .memory)
  }

  @Test("The record of a purge is 12 bytes, and damaged ones are ignored")
  func encoding() {
    let id = PurgeID(0x0102_0304_0506_0708)
    #expect(id.encoded == Data([0x4E, 0x4B, 0x50, 1, 8, 7, 6, 5, 4, 3, 2, 1]))
    #expect(PurgeID(encoded: id.encoded) == id)
    #expect(PurgeID(encoded: Data([9]) + id.encoded) == nil)
    #expect(PurgeID(encoded: (Data([9]) + id.encoded).dropFirst()) == id)
    #expect(PurgeID(encoded: Data(count: 12)) == nil)
    for count in 0..<12 { #expect(PurgeID(encoded: id.encoded.prefix(count)) == nil) }
  }
}

/// A store that drops what it is to store while it cannot be reached.
private final class DroppingCache: DataCaching {
  let isDropping = Lock(false)
  private let stored = FakeDataCache()

  func cachedData(for key: String) -> Data? { stored.cachedData(for: key) }
  func containsData(for key: String) -> Bool { stored.containsData(for: key) }
  func storeData(_ data: Data, for key: String) {
    if !isDropping.withLock({ $0 }) { stored.storeData(data, for: key) }
  }
  func removeData(for key: String) { stored.removeData(for: key) }
  func removeAll() { stored.removeAll() }
}
