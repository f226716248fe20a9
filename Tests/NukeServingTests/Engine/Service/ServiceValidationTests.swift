import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeTesting
import Testing

@testable import NukeServing

/// When a service validates sources whose images are fresh for clients.
@Suite("A service: validating before an image is stale", .timeLimit(.minutes(1)))
struct ServiceValidationTests {
  private static let tagged = ["ETag": "\"v1\"", "Cache-Control": "max-age=1000"]

  private func notModified() -> FakeDataLoader.Answer {
    FakeDataLoader.Answer(
      [.chunk(Data()), .complete(nil)],
      response: HTTPURLResponse(
        url: ServiceFixture.source, statusCode: 304, httpVersion: "HTTP/1.1", headerFields: Self.tagged))
  }

  private func validating(_ width: Int = 100) -> RenditionRequest {
    var request = ServiceFixture.request(width: width)
    request.validatesSource = true
    return request
  }

  @Test("After the interval, one validation is for all sizes, and clients are told the whole lifetime from then on")
  func interval() async throws {
    let fixture = ServiceFixture { ($0.timeToLive, $0.validationInterval) = (1000, 10) }
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", Self.tagged), .source("A", Self.tagged), notModified(),
      .source("B", ["ETag": "\"v2\""]))
    let requests = [100, 200].map { ServiceFixture.request(width: $0) }
    for request in requests { _ = try await fixture.result(request).get() }
    fixture.clock.advance(seconds: 9)
    for request in requests { #expect(try await fixture.result(request).get().origin == .memory) }
    #expect(fixture.loader.requests.count == 2)
    fixture.clock.advance(seconds: 1)
    for request in requests {
      let renewed = try await fixture.result(request).get()
      #expect(renewed.text.hasSuffix("of A") && renewed.freshUntil == 1_700_001_010)
    }
    #expect(fixture.loader.requests.count == 3 && fixture.renderer.renders == 2)
    fixture.clock.advance(seconds: 10)
    #expect(try await fixture.result(requests[0]).get().text == "w:100 of B")
    #expect(fixture.loader.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"v1\"")
  }

  @Test("A stored image of a node without an interval is validated after that of this one")
  func storedBefore() async throws {
    let store = FakeDataCache()
    let first = ServiceFixture(stores: [store])
    first.answer("A", Self.tagged)
    _ = try await first.result().get()
    await first.settled()
    let second = ServiceFixture(stores: [store]) { $0.validationInterval = 10 }
    second.loader.answer(ServiceFixture.source, with: .source("B", ["ETag": "\"v2\""]))
    #expect(try await second.result().get().text == "w:100 of A")
    second.clock.advance(seconds: 10)
    #expect(try await second.result().get().text == "w:100 of B")
  }

  @Test("A request that validates the source uses no stored image without it, and its result is for all others")
  func request() async throws {
    let store = FakeDataCache()
    let fixture = ServiceFixture(stores: [store])
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", Self.tagged), notModified(), .source("B", ["ETag": "\"v2\""]))
    _ = try await fixture.result().get()
    #expect(fixture.service.renditionInMemory(for: validating(), byteLimit: .max) == nil)
    #expect(try await fixture.result(validating()).get().text == "w:100 of A")
    #expect(fixture.loader.requests.count == 2 && fixture.renderer.renders == 1)
    #expect(try await fixture.result(validating()).get().text == "w:100 of B")
    let other = try await fixture.result().get()
    #expect(other.text == "w:100 of B" && other.origin == .memory)
    #expect(fixture.service.statistics.memoryCount == 1)
    #expect(fixture.loader.requests.count == 3)
  }

  @Test("A request that validates the source does not join one that may send what is stored")
  func flights() async throws {
    let gate = Gate()
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate))
    fixture.loader.answer(ServiceFixture.source, with: .source("A", Self.tagged), .source("B", Self.tagged))
    let first = fixture.start()
    await gate.arrivals(count: 1)
    let second = fixture.start(validating())
    await gate.arrivals(count: 2)
    gate.open()
    #expect(try await first.value.get().text == "w:100 of A")
    #expect(try await second.value.get().text == "w:100 of B")
  }
}
