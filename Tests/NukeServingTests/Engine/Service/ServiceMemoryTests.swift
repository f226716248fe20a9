import Foundation
import NukeServing
import NukeTesting
import Testing

@Suite("A service: memory hits", .timeLimit(.minutes(1)))
struct ServiceMemoryTests {
  private func inMemory(_ fixture: ServiceFixture, width: Int = 100, byteLimit: Int = 1000) -> Rendition? {
    fixture.service.renditionInMemory(for: ServiceFixture.request(width: width), byteLimit: byteLimit)
  }

  @Test("A fresh image in memory is a hit")
  func fresh() async throws {
    let fixture = ServiceFixture()
    fixture.answer("A", ["Cache-Control": "max-age=10"])
    #expect(inMemory(fixture) == nil)
    let made = try await fixture.result().get()
    let found = try #require(inMemory(fixture))
    #expect(found.data == made.data && found.entityTag == made.entityTag && found.freshUntil == made.freshUntil)
    #expect(found.origin == .memory && !found.isDegraded)
    #expect(fixture.service.statistics.memoryHits == 1)
  }

  @Test("An image above the size limit, or another one, is not a hit")
  func others() async throws {
    let fixture = ServiceFixture()
    fixture.answer("A", ["Cache-Control": "max-age=10"])
    let made = try await fixture.result().get()
    #expect(inMemory(fixture, byteLimit: made.data.count) != nil)
    #expect(inMemory(fixture, byteLimit: made.data.count - 1) == nil)
    #expect(inMemory(fixture, width: 99) == nil)
    #expect(fixture.service.statistics.memoryHits == 1)
  }

  @Test("A stale image is not a hit, even if it may be sent while it is revalidated", arguments: [12.0, 60.0])
  func stale(_ seconds: Double) async throws {
    let fixture = ServiceFixture()
    fixture.answer("A", ["Cache-Control": "max-age=10, stale-while-revalidate=5"])
    _ = try await fixture.result().get()
    fixture.clock.advance(seconds: seconds)
    #expect(inMemory(fixture) == nil)
    #expect(fixture.service.statistics.memoryHits == 0)
    #expect(fixture.loader.requests.count == 1)
  }
}
