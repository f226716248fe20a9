import Foundation
import Nuke
import NukeHTTPCaching
import NukeTesting
import Testing

@testable import NukeServing

@Suite("The memory cache for renditions")
struct RenditionMemoryCacheTests {
  private func record(_ count: Int) -> RenditionRecord {
    RenditionRecord(
      Rendition(data: Data(count: count), contentType: "image/webp", entityTag: "\"\(count)\""),
      freshness: RenditionRecordTests.record.freshness, source: RenditionRecordTests.record.source)
  }

  private func cache(_ limit: Int, entryLimit: Int = .max) -> RenditionMemoryCache {
    RenditionMemoryCache(limit: limit, entryLimit: entryLimit, pressure: MemoryPressure { _ in })
  }

  @Test("Renditions are found by the options that affect the file")
  func finds() {
    let cache = cache(1 << 20)
    var request = ServiceFixture.request()
    request.options.cacheBuster = "1"
    request.options.filename = "b"
    cache.keep(record(10), for: request)
    request.options.filename = "a"
    #expect(cache.record(for: request)?.rendition.data.count == 10)
    request.options.cacheBuster = "2"
    #expect(cache.record(for: request) == nil)
    request.options.cacheBuster = "1"
    request.options.blur = 1
    #expect(cache.record(for: request) == nil)
  }

  @Test("The limit is never exceeded, and the cost is exact", arguments: [1, 2, 3])
  func limit(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let cache = cache(100_000)
    for _ in 0..<5000 {
      let request = ServiceFixture.request(width: Int.random(in: 1...200, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: cache.remove(request)
      case 1: cache.trim(toCost: Int.random(in: 0...100_000, using: &random))
      case 2...5: _ = cache.record(for: request)
      default: cache.keep(record(Int.random(in: 0...20_000, using: &random)), for: request)
      }
      #expect(cache.cost <= 100_000)
      #expect(cache.cost >= cache.count * 512)
    }
    let found = (1...200).filter { cache.record(for: ServiceFixture.request(width: $0)) != nil }
    #expect(found.count == cache.count)
    cache.trim(toCost: 0)
    #expect(cache.count == 0)
    #expect(cache.cost == 0)
  }

  @Test("All renditions of a source can be removed, and those of others stay")
  func removesSource() {
    let cache = cache(1 << 20)
    let other = URL(string: "https://images.example/b.jpg")!
    for width in 1...20 {
      cache.keep(record(10), for: ServiceFixture.request(width: width))
      if width % 3 == 0 { cache.keep(record(10), for: ServiceFixture.request(width: width, other)) }
    }
    cache.removeAll(of: ServiceFixture.source)
    #expect(cache.count == 6)
    for width in 1...20 {
      #expect(cache.record(for: ServiceFixture.request(width: width)) == nil)
      #expect((cache.record(for: ServiceFixture.request(width: width, other)) != nil) == (width % 3 == 0))
    }
    cache.removeAll(of: other)
    #expect(cache.count == 0 && cache.cost == 0)
  }

  @Test("Renditions stay while they are requested; those requested once are evicted first")
  func keepsWhatIsUsed() {
    let cache = cache(20_000)
    let popular = ServiceFixture.request(width: 1)
    cache.keep(record(1000), for: popular)
    for width in 2...200 {
      cache.keep(record(1000), for: ServiceFixture.request(width: width))
      #expect(cache.record(for: popular) != nil)
    }
    #expect(cache.record(for: ServiceFixture.request(width: 2)) == nil)
    #expect(cache.record(for: ServiceFixture.request(width: 200)) != nil)
  }

  @Test("A rendition above the entry limit is not stored, and the one it replaces is removed")
  func entryLimit() {
    let cache = cache(1 << 20, entryLimit: 5000)
    cache.keep(record(100), for: ServiceFixture.request())
    cache.keep(record(5000), for: ServiceFixture.request())
    #expect(cache.count == 0)
    #expect(cache.cost == 0)
  }

  @Test("Half is evicted under memory pressure, and nearly all if it is critical")
  func pressure() throws {
    let report = Lock<(@Sendable (MemoryPressure.Level) -> Void)?>(nil)
    let pressure = MemoryPressure { handler in report.withLock { $0 = handler } }
    let cache = RenditionMemoryCache(limit: 1 << 20, entryLimit: .max, pressure: pressure)
    for width in 1...100 { cache.keep(record(1000), for: ServiceFixture.request(width: width)) }
    let full = cache.cost
    let tell = try #require(report.withLock { $0 })
    tell(.moderate)
    #expect(cache.cost <= full / 2)
    #expect(cache.cost > full / 3)
    tell(.critical)
    #expect(cache.cost <= full / 20)
  }

  @Test("A hundred thousand renditions are released without deep recursion")
  func manyEntries() {
    var cache: RenditionMemoryCache? = cache(.max)
    for width in 1...100_000 { cache?.keep(record(1), for: ServiceFixture.request(width: width)) }
    #expect(cache?.count == 100_000)
    cache = nil
  }
}
