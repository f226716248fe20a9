import Foundation
import Nuke
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: shared work", .timeLimit(.minutes(1)))
struct ServiceSharingTests {
  private let gate = Gate()

  @Test("A hundred equal concurrent requests cause one download and one rendering")
  func joined() async throws {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate))
    fixture.answer("A")
    let tasks = (0..<100).map { _ in fixture.start() }
    try await fixture.requests(count: 100)
    await gate.arrivals(count: 1)
    gate.open()
    var origins: [Rendition.Origin: Int] = [:]
    for task in tasks {
      let rendition = try await task.value.get()
      origins[rendition.origin, default: 0] += 1
      #expect(rendition.text == "w:100 of A")
      #expect(rendition.entityTag == "\"" + Digest.text(of: rendition.data) + "\"")
    }
    #expect(origins == [.made: 1, .joined: 99])
    #expect(fixture.loader.requests.count == 1)
    #expect(fixture.renderer.renders == 1)
    let statistics = fixture.service.statistics
    #expect(statistics.made == 1 && statistics.joined == 99 && statistics.renditions == 1)
  }

  @Test("Later requests for the same file are memory hits")
  func memory() async throws {
    let fixture = ServiceFixture()
    fixture.answer("A", ["Last-Modified": "Tue, 14 Nov 2000 22:14:20 GMT"])
    let made = try await fixture.result().get()
    #expect(made.origin == .made)
    #expect(made.lastModified == 974_240_060)
    #expect(made.freshUntil == 1_700_003_600)
    var request = ServiceFixture.request()
    request.options.filename = "holiday"
    let found = try await fixture.result(request).get()
    #expect(found.origin == .memory)
    #expect(found.entityTag == made.entityTag)
    #expect(found.freshUntil == made.freshUntil)
    #expect(fixture.renderer.renders == 1)
    #expect(fixture.service.statistics.memoryHits == 1)
    #expect(fixture.service.statistics.memoryCount == 1)
  }

  @Test("Another cache buster loads and renders again, and asks the source whether it has changed")
  func cacheBuster() async throws {
    let fixture = ServiceFixture()
    fixture.answer("A")
    _ = try await fixture.result().get()
    var request = ServiceFixture.request()
    for (version, body) in [("7", "B"), ("8", "C")] {
      fixture.answer(body)
      request.options.cacheBuster = version
      let made = try await fixture.result(request).get()
      #expect(made.origin == .made && made.text == "w:100/cb:\(version) of \(body)")
      #expect(try await fixture.result(request).get().origin == .memory)
    }
    #expect(
      fixture.loader.requests.map(\.cachePolicy)
        == [.useProtocolCachePolicy, .reloadRevalidatingCacheData, .reloadRevalidatingCacheData])
  }

  @Test("Requests with other options are rendered separately, from one download of the source")
  func variants() async throws {
    let fixture = ServiceFixture()
    fixture.loader.answer(ServiceFixture.source, with: .source("A").held(by: gate))
    let tasks = [100, 200].map { fixture.start(ServiceFixture.request(width: $0)) }
    try await fixture.requests(count: 2)
    await gate.arrivals(count: 1)
    gate.open()
    let texts = [await tasks[0].value, await tasks[1].value].map { (try? $0.get())?.text }
    #expect(texts == ["w:100 of A", "w:200 of A"])
    #expect(fixture.renderer.renders == 2)
  }

  @Test("A client that disconnects does not affect the others")
  func oneLeaves() async throws {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate))
    fixture.answer("A")
    let first = fixture.start()
    await gate.arrivals(count: 1)
    let second = fixture.start()
    try await fixture.requests(count: 2)
    first.cancel()
    #expect(await first.value.error == .cancelled)
    gate.open()
    #expect(try await second.value.get().text == "w:100 of A")
    #expect(fixture.renderer.renders == 1)
  }

  @Test("The download is canceled when the last waiter leaves")
  func allLeave() async throws {
    let fixture = ServiceFixture()
    fixture.loader.answer(ServiceFixture.source, with: .source("A").held(by: gate))
    let tasks = [fixture.start(), fixture.start()]
    try await fixture.requests(count: 2)
    await fixture.loader.requests(count: 1)
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value.error == .cancelled) }
    #expect(await fixture.loader.cancelledRequests(count: 1).count == 1)
    await fixture.settled()
    #expect(fixture.service.statistics.inFlight == 0)
    #expect(fixture.service.statistics.loading == 0)
    #expect(fixture.service.statistics.failures == ["cancelled": 2])
  }

  @Test("Rendering is canceled when the last waiter leaves, and returns its budget")
  func renderingEnds() async {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate))
    fixture.answer("A")
    let task = fixture.start()
    await gate.arrivals(count: 1)
    #expect(fixture.service.statistics.budgetUsed == 1000)
    task.cancel()
    #expect(await task.value.error == .cancelled)
    await fixture.settled()
    #expect(fixture.service.statistics.budgetUsed == 0)
    #expect(fixture.renderer.running == 0)
    #expect(fixture.service.statistics.memoryCount == 0)
  }

  @Test("Each request ends exactly once, in any order of cancellations", arguments: [1, 2, 3])
  func randomCancels(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate, decodedBytes: { _ in 400_000 })) {
      $0.maximumWaiting = 1000
    }
    fixture.answer("A")
    let tasks = (0..<300).map { _ in
      fixture.start(ServiceFixture.request(width: Int.random(in: 1...20, using: &random)))
    }
    var cancelled: Set<Int> = []
    for index in tasks.indices where Int.random(in: 0..<3, using: &random) > 0 {
      if index == 150 { gate.open() }
      if index % 7 == 0 { await Task.yield() }
      tasks[index].cancel()
      cancelled.insert(index)
    }
    gate.open()
    for (index, task) in tasks.enumerated() {
      switch await task.value {
      case .success(let rendition): #expect(rendition.text.hasSuffix(" of A"))
      case .failure(let error):
        #expect(error == .cancelled)
        #expect(cancelled.contains(index))
      }
    }
    await fixture.settled()
    let statistics = fixture.service.statistics
    #expect(statistics.inFlight == 0 && statistics.running == 0 && statistics.waiting == 0 && statistics.loading == 0)
    #expect(statistics.budgetUsed == 0 && statistics.heldSourceBytes == 0)
    #expect(fixture.renderer.mostRunning <= 2)
  }
}
