import Foundation
import FoundationNetworking
import NukeLoaderSuite
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: validating sources", .timeLimit(.minutes(1)))
struct ServiceRevalidationTests {
  private static let tagged = ["ETag": "\"v1\"", "Cache-Control": "max-age=10"]

  private let fixture = ServiceFixture()

  private static func notModified(_ fields: [String: String]) -> FakeDataLoader.Answer {
    FakeDataLoader.Answer(
      [.chunk(Data()), .complete(nil)],
      response: HTTPURLResponse(
        url: ServiceFixture.source, statusCode: 304, httpVersion: "HTTP/1.1", headerFields: fields))
  }

  private func condition(_ request: URLRequest?) -> [String?] {
    ["If-None-Match", "If-Modified-Since"].map { request?.value(forHTTPHeaderField: $0) }
  }

  @Test("An unchanged source renews the rendition without a download or rendering")
  func unchanged() async throws {
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", Self.tagged), Self.notModified(["Cache-Control": "max-age=50"]))
    let made = try await fixture.result().get()
    fixture.clock.advance(seconds: 100)
    let renewed = try await fixture.result().get()
    #expect(renewed.origin == .store && renewed.entityTag == made.entityTag)
    #expect(renewed.freshUntil == 1_700_000_150)
    #expect(fixture.renderer.renders == 1)
    #expect(fixture.loader.requests.map(condition) == [[nil, nil], ["\"v1\"", nil]])
    #expect(fixture.service.statistics.sourcesUnchanged == 1)
    #expect(fixture.service.statistics.renewals == 1)
    #expect(try await fixture.result().get().origin == .memory)
  }

  @Test("The lifetime of the earlier response applies if a 304 states none")
  func silent() async throws {
    let date = "Tue, 14 Nov 2000 22:14:20 GMT"
    fixture.loader.answer(
      ServiceFixture.source,
      with: .source("A", ["Last-Modified": date, "Cache-Control": "max-age=10"]), Self.notModified([:]))
    for until in [10, 110, 210] {
      let rendition = try await fixture.result().get()
      #expect(rendition.freshUntil == 1_700_000_000 + until)
      #expect(rendition.lastModified == 974_240_060)
      fixture.clock.advance(seconds: 100)
    }
    #expect(fixture.loader.requests.map(condition) == [[nil, nil], [nil, date], [nil, date]])
  }

  @Test("A node validates renditions of other nodes")
  func otherNode() async throws {
    let store = FakeDataCache()
    let first = ServiceFixture(stores: [store])
    first.answer("A", Self.tagged)
    let made = try await first.result().get()
    await first.settled()

    let second = ServiceFixture(stores: [store])
    second.clock.advance(seconds: 100)
    second.loader.answer(ServiceFixture.source, with: Self.notModified(["Cache-Control": "max-age=50"]))
    let renewed = try await second.result().get()
    #expect(renewed.data == made.data && renewed.freshUntil == 1_700_000_150)
    #expect(second.renderer.renders == 0)
    await second.settled()

    // Renewed for the first one too, which may ask by the same again.
    first.clock.advance(seconds: 120)
    #expect(try await first.result().get().freshUntil == 1_700_000_150)
    #expect(first.loader.requests.count == 1)
  }

  @Test("One validation renews all sizes")
  func allSizes() async throws {
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", Self.tagged),
      .source("A", Self.tagged), .source("A", Self.tagged),
      Self.notModified(["Cache-Control": "max-age=50"]))
    let widths = [100, 200, 300]
    for width in widths { _ = try await fixture.result(ServiceFixture.request(width: width)).get() }
    fixture.clock.advance(seconds: 100)
    for width in widths {
      let rendition = try await fixture.result(ServiceFixture.request(width: width)).get()
      #expect(rendition.text == "w:\(width) of A" && rendition.freshUntil == 1_700_000_150)
    }
    #expect(fixture.loader.requests.count == 4)
    #expect(fixture.renderer.renders == 3)
    #expect(fixture.service.statistics.renewals == 3)
  }

  @Test("A changed source is downloaded, and all its renditions are rendered again")
  func changed() async throws {
    let newer = ["ETag": "\"v2\"", "Cache-Control": "max-age=10"]
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", Self.tagged), .source("A", Self.tagged), .source("B", newer))
    for width in [100, 200] { _ = try await fixture.result(ServiceFixture.request(width: width)).get() }
    fixture.clock.advance(seconds: 100)
    for width in [100, 200] {
      let rendition = try await fixture.result(ServiceFixture.request(width: width)).get()
      #expect(rendition.text == "w:\(width) of B" && rendition.origin == .made)
    }
    #expect(fixture.loader.requests.suffix(2).map(condition) == [["\"v1\"", nil], ["\"v1\"", nil]])
  }

  @Test("A rendition that must not be stored anymore is sent once more and removed")
  func forbidden() async throws {
    let store = FakeDataCache()
    let fixture = ServiceFixture(stores: [store])
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", Self.tagged), Self.notModified(["Cache-Control": "no-store"]))
    _ = try await fixture.result().get()
    fixture.clock.advance(seconds: 100)
    #expect(try await fixture.result().get().text == "w:100 of A")
    await fixture.settled()
    // What remains says only that there is nothing to share.
    #expect(store.contents.values.allSatisfy { $0.range(of: Data("w:100 of A".utf8)) == nil })
    #expect(fixture.service.statistics.memoryCount == 0)
  }

  @Test("A source without a validator is loaded again and compared")
  func unnamed() async throws {
    fixture.answer("A", ["Cache-Control": "max-age=10"])
    _ = try await fixture.result().get()
    fixture.clock.advance(seconds: 100)
    #expect(try await fixture.result().get().origin == .store)
    #expect(fixture.loader.requests.map(condition) == [[nil, nil], [nil, nil]])
    #expect(fixture.renderer.renders == 1)
  }

  @Test("A 304 response to an unconditional request is an error")
  func unasked() async throws {
    fixture.loader.answer(ServiceFixture.source, with: Self.notModified([:]))
    let error = await fixture.result().error
    guard case .sourceFailed? = error else { throw Unexpected(error) }
  }
}
