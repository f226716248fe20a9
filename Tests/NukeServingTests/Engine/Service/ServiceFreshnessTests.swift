import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: changing and failing sources", .timeLimit(.minutes(1)))
struct ServiceFreshnessTests {
  private static let windows = "max-age=10, stale-while-revalidate=5, stale-if-error=100"

  @Test("A slightly stale image is sent, and revalidated in the background once for all requests")
  func staleWhileRevalidate() async throws {
    let gate = Gate()
    let fixture = ServiceFixture()
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", ["Cache-Control": Self.windows]),
      .source("A", ["Cache-Control": "max-age=50"]).held(by: gate))
    _ = try await fixture.result().get()
    fixture.clock.advance(seconds: 12)
    for _ in 0..<10 {
      let stale = try await fixture.result().get()
      #expect(stale.origin == .memory && !stale.isDegraded)
      #expect(stale.freshUntil == 1_700_000_010)
    }
    await gate.arrivals(count: 1)
    gate.open()
    await fixture.settled()
    let renewed = try await fixture.result().get()
    #expect(renewed.freshUntil == 1_700_000_062)
    #expect(fixture.loader.requests.count == 2)
    #expect(fixture.renderer.renders == 1)
    #expect(fixture.service.statistics.renewals == 1)
    #expect(fixture.service.statistics.stale == 10)
  }

  @Test("A stale image whose source is the same is renewed without rendering")
  func unchanged() async throws {
    let store = FakeDataCache()
    let fixture = ServiceFixture(stores: [store])
    fixture.answer("A", ["Cache-Control": Self.windows])
    let made = try await fixture.result().get()
    fixture.clock.advance(seconds: 60)
    let renewed = try await fixture.result().get()
    #expect(renewed.entityTag == made.entityTag)
    #expect(renewed.freshUntil == 1_700_000_070)
    #expect(fixture.renderer.renders == 1)
    await fixture.settled()
    #expect(store.writes.count == 2)
    #expect(try await fixture.result().get().origin == .memory)
  }

  @Test("A stale image whose source has changed is rendered again")
  func changed() async throws {
    let fixture = ServiceFixture()
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", ["Cache-Control": Self.windows]),
      .source("B", ["Cache-Control": Self.windows]))
    let first = try await fixture.result().get()
    fixture.clock.advance(seconds: 60)
    let second = try await fixture.result().get()
    #expect(second.text == "w:100 of B")
    #expect(second.origin == .made)
    #expect(second.entityTag != first.entityTag)
  }

  @Test("If the source fails, a stale image is sent for as long as allowed, and is marked as degraded")
  func staleIfError() async throws {
    let fixture = ServiceFixture()
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", ["Cache-Control": Self.windows]),
      .failure(DataLoader.Error.statusCodeUnacceptable(503)))
    _ = try await fixture.result().get()
    fixture.clock.advance(seconds: 60)
    let stale = try await fixture.result().get()
    #expect(stale.text == "w:100 of A")
    #expect(stale.isDegraded)
    #expect(fixture.service.statistics.degraded == 1)
    fixture.clock.advance(seconds: 60)
    let error = await fixture.result().error
    guard case .sourceFailed? = error else { throw Unexpected(error) }
  }

  @Test("Renditions of a deleted source are removed")
  func gone() async throws {
    let store = FakeDataCache()
    let fixture = ServiceFixture(stores: [store])
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", ["Cache-Control": Self.windows]),
      .failure(DataLoader.Error.statusCodeUnacceptable(404)))
    _ = try await fixture.result().get()
    fixture.clock.advance(seconds: 60)
    #expect(await fixture.result().error?.status == 404)
    await fixture.settled()
    #expect(fixture.service.statistics.memoryCount == 0)
    #expect(store.contents.isEmpty)
  }

  @Test("Responses with no-store or private are sent and not stored", arguments: ["no-store", "private"])
  func unshared(directive: String) async throws {
    let store = FakeDataCache()
    let fixture = ServiceFixture(stores: [store])
    fixture.answer("A", ["Cache-Control": "\(directive), max-age=60"])
    for _ in 0..<2 {
      let rendition = try await fixture.result().get()
      #expect(rendition.origin == .made)
      #expect(rendition.cacheability == (directive == "private" ? .private : .none))
      #expect(rendition.freshUntil == 1_700_000_000 + (directive == "private" ? 60 : 0))
    }
    await fixture.settled()
    // The store has the information that there is nothing to share, without the file.
    #expect(store.contents.count == 1)
    #expect(store.contents.values.allSatisfy { $0.range(of: Data("w:100 of A".utf8)) == nil })
    #expect(fixture.service.statistics.memoryCount == 0)
  }

  @Test("The server's setting takes precedence over the source's freshness")
  func timeToLive() async throws {
    let fixture = ServiceFixture { $0.timeToLive = 500 }
    fixture.answer("A", ["Cache-Control": Self.windows])
    #expect(try await fixture.result().get().freshUntil == 1_700_000_500)
    let other = ServiceFixture {
      $0.usesSourceFreshness = false
      $0.defaultTimeToLive = 7
    }
    other.answer("A", ["Cache-Control": Self.windows])
    #expect(try await other.result().get().freshUntil == 1_700_000_007)
  }

  @Test("A failing source causes one download for all requests within a short time", arguments: [404, 500])
  func deadSource(status: Int) async throws {
    let fixture = ServiceFixture {
      $0.missingSourceMemory = 10
      $0.failedSourceMemory = 10
    }
    fixture.loader.answer(
      ServiceFixture.source, with: .failure(DataLoader.Error.statusCodeUnacceptable(status)), .source("A"))
    for width in 1...20 {
      #expect(await fixture.result(ServiceFixture.request(width: width)).error?.status == (status == 404 ? 404 : 502))
    }
    #expect(fixture.loader.requests.count == 1)
    #expect(fixture.service.statistics.rememberedFailures == 19)
    fixture.clock.advance(seconds: 10)
    #expect(try await fixture.result().get().text == "w:100 of A")
  }

  @Test("A source that cannot be decoded is not loaded again for each request")
  func notAnImage() async {
    let fixture = ServiceFixture(renderer: FakeRenderer(failure: .notAnImage("It is damaged.")))
    fixture.answer("A")
    for _ in 0..<5 { #expect(await fixture.result().error == .notAnImage("It is damaged.")) }
    #expect(fixture.renderer.renders == 1)
    #expect(fixture.loader.requests.count == 1)
  }
}
