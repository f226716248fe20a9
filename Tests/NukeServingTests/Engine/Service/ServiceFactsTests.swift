import Foundation
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: image information", .timeLimit(.minutes(1)))
struct ServiceFactsTests {
  private let facts = RenditionRequest.facts(of: ServiceFixture.source)
  private let gate = Gate()

  @Test("Fifty concurrent requests cause one download, and later ones none")
  func joined() async throws {
    let fixture = ServiceFixture()
    fixture.loader.answer(ServiceFixture.source, with: .source("A").held(by: gate))
    let tasks = (0..<50).map { _ in fixture.start(facts) }
    try await fixture.requests(count: 50)
    await gate.arrivals(count: 1)
    gate.open()
    for task in tasks { _ = try await task.value.get() }
    #expect(try await fixture.result(facts).get().origin == .memory)
    #expect(fixture.loader.requests.count == 1)
    #expect(fixture.renderer.renders == 1)
  }

  @Test("Image information is neither a rendition nor a variant of one")
  func apart() async throws {
    let image = RenditionRequest(source: ServiceFixture.source)
    #expect(RenditionKey(facts) != RenditionKey(image))
    let fixture = ServiceFixture()
    fixture.loader.answer(ServiceFixture.source, with: .source("A"), .source("B").held(by: gate))
    _ = try await fixture.result(facts).get()
    let task = fixture.start(image)
    await fixture.loader.requests(count: 2)
    await fixture.clock.sleepers(count: 1)
    fixture.clock.advance(seconds: 30)
    #expect(await task.value.error == .deadlineExceeded)
    gate.open()
  }

  @Test("Requests for image information count towards the limit of concurrent loads")
  func admission() async throws {
    let fixture = ServiceFixture { $0.maximumLoading = 1 }
    fixture.loader.answer(ServiceFixture.source, with: .source("A").held(by: gate))
    let first = fixture.start(ServiceFixture.request())
    await gate.arrivals(count: 1)
    #expect(await fixture.result(facts).error?.status == 429)
    gate.open()
    _ = try await first.value.get()
  }

  @Test("The download is canceled when the last waiter leaves")
  func cancelled() async {
    let fixture = ServiceFixture()
    fixture.loader.answer(ServiceFixture.source, with: .source("A").held(by: gate))
    let task = fixture.start(facts)
    await fixture.loader.requests(count: 1)
    task.cancel()
    #expect(await task.value.error == .cancelled)
    #expect(await fixture.loader.cancelledRequests(count: 1).count == 1)
    await fixture.settled()
    #expect(fixture.service.statistics.loading == 0)
  }
}
