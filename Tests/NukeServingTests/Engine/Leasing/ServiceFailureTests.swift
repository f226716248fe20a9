import Foundation
import Nuke
import NukeHTTPCaching
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: failures that nodes share", .timeLimit(.minutes(1)))
struct ServiceFailureTests {
  private let key = RenditionKey(ServiceFixture.request())
  private let store = FakeDataCache()
  private let leasing = FakeLeasing()

  private func node(_ renderer: FakeRenderer = FakeRenderer(), stores: [any DataCaching]? = nil) -> ServiceFixture {
    let node = ServiceFixture(renderer: renderer, stores: stores ?? [store], leasing: leasing) {
      // The clock is moved on until there is an answer.
      $0.deadline = 1e8
      $0.storeTimeout = 1e8
    }
    node.answer("A", ["Cache-Control": "max-age=10"])
    return node
  }

  private func fail(_ node: ServiceFixture, _ error: any Error, held gate: Gate? = nil) {
    let answer = FakeDataLoader.Answer.failure(error)
    node.loader.answer(ServiceFixture.source, with: gate.map { answer.held(by: $0) } ?? answer)
  }

  private static func status(_ status: Int) -> DataLoader.Error { .statusCodeUnacceptable(status) }

  @Test(
    "Nodes that wait for a source that fails learn of it, and do not try it",
    arguments: [(404, "sourceNotFound"), (503, "sourceFailed"), (504, "sourceTimedOut")])
  func learned(status: Int, name: String) async throws {
    let gate = Gate()
    let (first, others) = (node(), (0..<3).map { _ in node() })
    fail(first, Self.status(status), held: gate)
    let failing = first.start()
    await first.loader.requests(count: 1)
    let waiting = others.map { $0.start() }
    await leasing.refusals(count: 3)
    gate.open()
    #expect(await failing.value.error?.name == name)
    await first.settled()
    for (node, task) in zip(others, waiting) {
      #expect(await task.value.error?.name == name)
      #expect(node.loader.requests.isEmpty)
      #expect(node.service.statistics.sharedFailures == 1)
    }
    #expect(leasing.held == 0)
  }

  @Test("A node that comes later learns of it from its first look, until the time is over")
  func later() async throws {
    let first = node()
    fail(first, Self.status(404))
    #expect(await first.result().error?.name == "sourceNotFound")
    await first.settled()
    let second = node()
    second.clock.advance(seconds: 9)
    let error = await second.result().error
    #expect(error?.name == "sourceNotFound")
    #expect(second.loader.requests.isEmpty)
    // The error names neither the source nor its host.
    #expect(error?.description.contains("images.example") == false)
    second.clock.advance(seconds: 1)
    #expect(try await second.result().get().origin == .made)
  }

  @Test("What the renderer finds wrong with a source is shared, too")
  func notAnImage() async {
    let first = node(FakeRenderer(failure: .notAnImage("It is damaged.")))
    #expect(await first.result().error?.name == "notAnImage")
    await first.settled()
    let second = node()
    #expect(await second.result().error?.name == "notAnImage")
    #expect(second.renderer.renders == 0 && second.loader.requests.isEmpty)
  }

  @Test("The node that has shared a failure keeps its own reason, and does not count it as learned")
  func ownReason() async {
    let (damaged, missing) = (node(FakeRenderer(failure: .notAnImage("It is damaged."))), node())
    fail(missing, Self.status(404))
    for node in [damaged, missing] {
      let error = await node.result().error
      await node.settled()
      #expect(await node.result().error == error)
      #expect(node.service.statistics.sharedFailures == 0 && node.service.statistics.rememberedFailures == 1)
      store.removeAll()
    }
  }

  @Test("Failures of a node itself are not shared: its connection, its memory, its load")
  func ownFailures() async throws {
    let refused = DataLoader.TransferError.cannotConnect(host: "images.example", reason: "refused")
    let lonely = node()
    fail(lonely, refused)
    #expect(await lonely.result().error?.name == "sourceFailed")
    let small = node(FakeRenderer(decodedBytes: { _ in 2 << 20 }))
    #expect(await small.result().error?.name == "tooLarge")
    let busy = node(FakeRenderer(failure: .overloaded(retryAfter: 1)))
    #expect(await busy.result().error?.name == "overloaded")
    for node in [lonely, small, busy] { await node.settled() }
    #expect(store.contents.isEmpty && leasing.held == 0)
    #expect(try await node().result().get().origin == .made)
  }

  @Test("A stale image stays in the store while its source fails, and is sent by all nodes")
  func stale() async throws {
    let first = node()
    _ = try await first.result().get()
    await first.settled()
    first.clock.advance(seconds: 1000)
    fail(first, Self.status(500))
    #expect(try await first.result().get().isDegraded)
    await first.settled()
    let second = node()
    second.clock.advance(seconds: 1000)
    let rendition = try await second.result().get()
    #expect(rendition.isDegraded && rendition.text == "w:100 of A")
    #expect(second.loader.requests.isEmpty)
    second.clock.advance(seconds: 3)
    #expect(try await !second.result().get().isDegraded)
  }

  @Test("The failure of a missing source replaces its stale image in the shared store, and removes it from others")
  func gone() async throws {
    let shared = LeasedStore(store, leasing)
    let disk = FakeDataCache()
    let first = ServiceFixture(stores: [disk, shared], leasing: shared)
    first.answer("A", ["Cache-Control": "max-age=10"])
    _ = try await first.result().get()
    await first.settled()
    first.clock.advance(seconds: 1000)
    fail(first, Self.status(404))
    #expect(await first.result().error?.name == "sourceNotFound")
    await first.settled()
    #expect(disk.contents.isEmpty)
    let record = try #require(store.contents[key.name].flatMap { RenditionRecord(encoded: $0, for: key) })
    #expect(record.hasOnlyFailure && record.rendition.data.isEmpty)
  }

  @Test("A failure that lasts longer than this node would remember one does not apply: its clock differs")
  func clocks() {
    let now = Timestamp(seconds: 1_700_000_000)
    let failures = SourceFailures(missingSeconds: 10, failedSeconds: 3)
    for (seconds, kind, applies) in [
      (10, SharedFailure.Kind.notFound, true), (11, .notFound, false), (3, .failed, true), (4, .failed, false),
      (0, .notFound, false), (-60, .timedOut, false),
    ] {
      let failure = SharedFailure(kind: kind, until: Timestamp(seconds: now.seconds + seconds))
      #expect((failures.learn(failure, of: "a", after: nil, now: now) != nil) == applies, "\(seconds) s, \(kind)")
    }
  }
}
