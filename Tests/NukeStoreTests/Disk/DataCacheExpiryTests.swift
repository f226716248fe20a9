import Foundation
import Nuke
import Testing

@Suite("Expiry by age in the disk cache", .timeLimit(.minutes(1)))
struct DataCacheExpiryTests {
  private let folder = DiskFolder()
  private let time = WallClock(1_000_000_000_000)
  private let data = Data("1".utf8)

  private func makeCache(maximumAge: TimeInterval? = nil) throws -> DataCache {
    let cache = try folder.cache { [time] in $0.now = { time.now } }
    cache.maximumAge = maximumAge
    // Sweeps are up to the tests.
    cache.isSweepEnabled = false
    return cache
  }

  private func advance(by seconds: Double) { time.advance(by: seconds) }

  private func store(_ data: Data, for key: String, in cache: DataCache) {
    cache[key] = data
    cache.flush()
  }

  @Test("Data is found until it is older than the maximum, and all look-ups agree")
  func expires() throws {
    let cache = try makeCache(maximumAge: 10)
    store(data, for: "k", in: cache)
    advance(by: 10)
    #expect(cache["k"] == data && cache.containsData(for: "k"))
    #expect(cache.entry(for: "k")?.data == data && cache.attributes(of: "k") == [])
    #expect(cache.peek("k") == .whole(data))
    advance(by: 0.001)
    #expect(cache["k"] == nil && !cache.containsData(for: "k"))
    #expect(cache.entry(for: "k") == nil && cache.attributes(of: "k") == nil)
    #expect(cache.peek("k") == .absent)
    cache.maximumAge = 11
    #expect(cache["k"] == data)
  }

  @Test("Data that was verified before expires as well")
  func verified() throws {
    // Only the bodies of files that were not changed just now are remembered as verified.
    let lead = WallClock(1_000_000_000)
    let cache = try folder.cache { $0.now = { Int64(Date().timeIntervalSince1970 * 1e9) + lead.now } }
    cache.maximumAge = 3600
    store(data, for: "k", in: cache)
    for _ in 1...2 { #expect(cache["k"] == data) }
    lead.advance(by: 7200)
    for _ in 1...2 { #expect(cache["k"] == nil) }
  }

  @Test("Without a maximum, the default, data of any age is found and survives sweeps")
  func unlimited() throws {
    let cache = try makeCache()
    #expect(cache.maximumAge == nil)
    store(data, for: "k", in: cache)
    advance(by: 1e9)
    cache.sweep()
    #expect(cache["k"] == data)
  }

  @Test("A sweep removes the files of expired data, and leaves the rest")
  func sweeps() throws {
    let cache = try makeCache(maximumAge: 10)
    for key in ["a", "b"] { store(data, for: key, in: cache) }
    advance(by: 8)
    store(data, for: "c", in: cache)
    cache.sweep()
    #expect(cache.totalCount == 3)
    advance(by: 8)
    // A use makes the entry the most recently used one, and not younger.
    _ = cache["a"]
    #expect(cache.totalCount == 3)
    cache.sweep()
    #expect(cache.totalCount == 1 && cache.totalSize == data.count && cache["c"] == data)
    // The body and the metadata of "c". A removed body does not stay behind as a spare.
    #expect(folder.files.count == 2)
  }

  @Test("Data that was stored again is young, also after a sweep has read the old age")
  func storedAgain() throws {
    let cache = try makeCache(maximumAge: 10)
    store(data, for: "k", in: cache)
    cache.sweep()
    advance(by: 8)
    store(Data("2".utf8), for: "k", in: cache)
    advance(by: 8)
    cache.sweep()
    #expect(cache["k"] == Data("2".utf8))
  }

  @Test("The age counts from when the data was stored, also for caches that are opened later")
  func reopened() throws {
    store(data, for: "k", in: try makeCache())
    advance(by: 11)
    let later = try makeCache(maximumAge: 10)
    #expect(later["k"] == nil)
    later.sweep()
    #expect(later.totalCount == 0 && folder.entryFiles.isEmpty)
  }

  @Test("Two caches on one folder agree about the age, and each applies its own maximum")
  func shared() throws {
    let strict = try makeCache(maximumAge: 10)
    let lenient = try makeCache()
    store(data, for: "k", in: lenient)
    #expect(strict["k"] == data)
    advance(by: 11)
    #expect(strict["k"] == nil && lenient["k"] == data)
    lenient.sweep()
    #expect(lenient["k"] == data)
    strict.sweep()
    #expect(lenient["k"] == nil && lenient.totalCount == 0)
  }

  @Test("A cache that has read the age of data notices that another has stored it again")
  func replacedByAnother() throws {
    let (cache, other) = (try makeCache(maximumAge: 10), try makeCache())
    store(data, for: "k", in: cache)
    cache.sweep()
    advance(by: 8)
    store(Data("2".utf8), for: "k", in: other)
    advance(by: 8)
    cache.sweep()
    #expect(cache["k"] == Data("2".utf8) && other["k"] == Data("2".utf8))
  }

  @Test("New attributes, as after a validation, do not make data younger")
  func attributes() throws {
    let cache = try makeCache(maximumAge: 10)
    store(data, for: "k", in: cache)
    advance(by: 8)
    #expect(cache.store.setAttributes([1], for: "k"))
    #expect(cache["k"] == data)
    advance(by: 3)
    #expect(cache["k"] == nil)
    cache.sweep()
    #expect(cache.totalCount == 0)
  }

  @Test("The library's own entries, such as records of freshness, do not expire")
  func reserved() throws {
    let cache = try makeCache(maximumAge: 10)
    let key = DataCache.reservedKey("record")
    store(data, for: key, in: cache)
    advance(by: 11)
    for _ in 1...2 {
      #expect(cache[key] == data && cache.containsData(for: key))
      cache.sweep()
    }
  }

  @Test("Data that waits to be written is found at any age")
  func staged() throws {
    let cache = try makeCache(maximumAge: 10)
    cache.queue.suspend()
    cache["k"] = data
    advance(by: 11)
    #expect(cache["k"] == data)
    cache.queue.resume()
    cache.flush()
    #expect(cache["k"] == data)
  }

  @Test(
    "Ages that are no number of seconds are no limit, and negative ones are 0",
    arguments: [
      (12.5, 12.5), (0, 0), (-1, 0), (.infinity, nil), (-Double.infinity, nil), (.nan, nil), (1e300, nil), (nil, nil),
    ] as [(TimeInterval?, TimeInterval?)])
  func values(set: TimeInterval?, read: TimeInterval?) throws {
    let cache = try makeCache(maximumAge: 1)
    cache.maximumAge = set
    #expect(cache.maximumAge == read)
  }

  @Test("With a maximum of 0, stored data expires with the next tick of the clock")
  func zero() throws {
    let cache = try makeCache(maximumAge: 0)
    store(data, for: "k", in: cache)
    #expect(!cache.isFailing)
    advance(by: 0.001)
    #expect(cache["k"] == nil)
  }
}

/// A time in nanoseconds that only a test advances.
private final class WallClock: Sendable {
  private let time: Lock<Int64>

  init(_ now: Int64) { time = Lock(now) }

  var now: Int64 { time.withLock { $0 } }

  func advance(by seconds: Double) { time.withLock { $0 += Int64(seconds * 1e9) } }
}
