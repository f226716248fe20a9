import Foundation
import Nuke
import NukeTestSupport
import NukeTesting
import Testing

@Suite("A memory cache")
struct ImageCacheTests {
  /// Time that a test moves.
  private final class Time: Sendable {
    private let seconds = Lock(TimeInterval(1000))
    var now: TimeInterval { seconds.withLock { $0 } }
    func pass(_ interval: TimeInterval) { seconds.withLock { $0 += interval } }
  }

  private let time = Time()
  private let cache: ImageCache

  init() {
    let time = time
    cache = ImageCache(costLimit: 10_000, now: { time.now })
    cache.entryCostLimit = 1
  }

  private func key(_ name: String) -> ImageCacheKey { ImageCacheKey(key: name) }

  /// An image of `side` x 1 pixels, four bytes each.
  private func image(_ side: Int) -> ImageContainer {
    ImageContainer(image: SampleImage.bitmap(width: side, height: 1))
  }

  private func kept(_ names: String...) -> [String] { names.filter { cache[key($0)] != nil } }

  @Test("Only stored entries are returned")
  func storing() {
    let container = image(10)
    cache[key("a")] = container
    #expect(cache[key("a")]?.image === container.image)
    #expect(cache[key("b")] == nil)
    #expect(cache.totalCount == 1)
    #expect(cache.totalCost == 40)
  }

  @Test("Attached data counts as well as pixels")
  func cost() {
    cache[key("a")] = ImageContainer(image: SampleImage.bitmap(width: 10, height: 1), data: Data(count: 100))
    #expect(cache.totalCost == 140)
  }

  @Test("An image without pixels has a cost of 1, and that of its data")
  func emptyImage() {
    cache[key("a")] = ImageContainer(image: PlatformImage())
    #expect(cache.totalCost == 1)
    cache[key("a")] = ImageContainer(image: PlatformImage(), data: Data(count: 20))
    #expect(cache.totalCost == 21)
    cache[key("a")] = nil
    #expect(cache.totalCost == 0)
  }

  @Test("Storing an image again replaces it and its cost")
  func replacing() {
    cache[key("a")] = image(10)
    cache[key("a")] = image(20)
    #expect(cache[key("a")]?.image.pixelWidth == 20)
    #expect(cache.totalCount == 1)
    #expect(cache.totalCost == 80)
  }

  @Test("Setting nil removes an image, and removeAll removes everything")
  func removing() {
    for name in ["a", "b", "c"] { cache[key(name)] = image(10) }
    cache[key("b")] = nil
    cache[key("unknown")] = nil
    #expect(kept("a", "b", "c") == ["a", "c"])
    #expect(cache.totalCost == 80)
    cache.removeAll()
    #expect(kept("a", "b", "c") == [])
    #expect((cache.totalCost, cache.totalCount) == (0, 0))
  }

  @Test("The least recently used images are evicted above the count limit")
  func countLimit() {
    cache.countLimit = 3
    for name in ["a", "b", "c"] { cache[key(name)] = image(10) }
    _ = cache[key("a")]
    cache[key("d")] = image(10)
    cache[key("e")] = image(10)
    #expect(kept("a", "b", "c", "d", "e") == ["a", "d", "e"])
  }

  @Test("The least recently used images are evicted above the cost limit")
  func costLimit() {
    cache.costLimit = 100
    for name in ["a", "b"] { cache[key(name)] = image(10) }
    _ = cache[key("a")]
    cache[key("c")] = image(15)
    #expect(kept("a", "b", "c") == ["a", "c"])
    #expect(cache.totalCost == 100)
    cache[key("d")] = image(25)
    #expect(kept("a", "c", "d") == ["d"])
  }

  @Test("Storing an image again counts as a use")
  func storingIsUse() {
    cache.countLimit = 2
    cache[key("a")] = image(1)
    cache[key("b")] = image(1)
    cache[key("a")] = image(2)
    cache[key("c")] = image(1)
    #expect(kept("a", "b", "c") == ["a", "c"])
  }

  @Test("An image above the entry limit is not stored, and the one it replaces is removed")
  func entryLimit() {
    cache.entryCostLimit = 0.1
    cache[key("a")] = image(250)
    #expect(cache.totalCost == 1000)
    cache[key("b")] = image(251)
    cache[key("a")] = image(251)
    #expect(kept("a", "b") == [])
    #expect(cache.totalCost == 0)
    #expect(ImageCache(costLimit: 1).entryCostLimit == 0.1)
  }

  @Test("Each image expires after its time to live")
  func timeToLive() {
    cache[key("before")] = image(1)
    cache.ttl = 10
    cache[key("a")] = image(1)
    time.pass(5)
    cache[key("b")] = image(1)
    time.pass(4.9)
    #expect(kept("before", "a", "b") == ["before", "a", "b"])
    time.pass(0.1)
    #expect(kept("before", "a", "b") == ["before", "b"])
    #expect(cache.totalCount == 2)
    time.pass(1000)
    #expect(kept("before", "a", "b") == ["before"])
    #expect(cache.totalCost == 4)
  }

  @Test("Storing an image again restarts its time to live")
  func renewing() {
    cache.ttl = 10
    cache[key("a")] = image(1)
    time.pass(9)
    cache[key("a")] = image(1)
    time.pass(9)
    #expect(kept("a") == ["a"])
    time.pass(1)
    #expect(kept("a") == [])
  }

  @Test("Trimming to a cost or a count evicts the least recently used images")
  func trimming() {
    for name in ["a", "b", "c", "d"] { cache[key(name)] = image(10) }
    _ = cache[key("a")]
    cache.trim(toCount: 3)
    #expect(cache.totalCount == 3)
    cache.trim(toCost: 90)
    #expect(cache.totalCost == 80)
    #expect(kept("a", "b", "c", "d") == ["a", "d"])
    cache.trim(toCost: 1000)
    #expect(cache.totalCount == 2)
  }

  @Test("Lowered limits apply immediately")
  func loweringLimits() {
    for name in ["a", "b", "c", "d"] { cache[key(name)] = image(10) }
    cache.countLimit = 3
    #expect(cache.totalCount == 3)
    cache.costLimit = 50
    #expect(cache.totalCost == 40)
    #expect(kept("a", "b", "c", "d") == ["d"])
  }

  @Test("Peeking does not count as a use")
  func peeking() {
    cache.countLimit = 2
    cache.ttl = 10
    let container = image(10)
    cache[key("a")] = container
    cache[key("b")] = image(10)
    #expect(cache.peek(key("a"))?.image === container.image)
    #expect(cache.peek(key("unknown")) == nil)
    cache[key("c")] = image(10)
    #expect(kept("a", "b", "c") == ["b", "c"])
    time.pass(10)
    #expect(cache.peek(key("b")) == nil)
    #expect(cache.totalCount == 2, "looking removes nothing")
  }

  @Test("In the background, nine tenths are evicted, the least recently used first")
  func background() {
    for name in ["a", "b", "c", "d"] { cache[key(name)] = image(10) }
    cache[key("e")] = image(200)
    cache[key("f")] = image(10)
    cache[key("g")] = image(10)
    #expect(cache.totalCost == 1040)
    cache.didEnterBackground()
    #expect(cache.totalCost == 80)
    #expect(kept("a", "b", "c", "d", "e", "f", "g") == ["f", "g"])
  }

  @Test("Under memory pressure half is evicted, and nine tenths if memory is nearly exhausted")
  func pressure() {
    let reports = Lock([@Sendable (MemoryPressure.Level) -> Void]())
    let pressure = MemoryPressure(source: { report in reports.withLock { $0.append(report) } })
    let cache = ImageCache(costLimit: 10_000, pressure: pressure, now: { 0 })
    let report = reports.withLock { $0[0] }
    for number in 0..<40 { cache[key("\(number)")] = image(5) }
    report(.moderate)
    #expect(cache.totalCost == 400)
    #expect(cache.peek(key("19")) == nil && cache.peek(key("20")) != nil)
    report(.critical)
    #expect(cache.totalCost == 40)
    #expect(cache.peek(key("38")) != nil && cache.peek(key("39")) != nil)
  }

  /// Looks into a cache whenever it is compared, which nothing could do under the cache's lock.
  private struct Curious: ImageProcessing, Hashable {
    let name: String
    let look: @Sendable () -> Void
    var identifier: String { name }
    func process(_ image: PlatformImage) -> PlatformImage? { image }
    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.look()
      return lhs.name == rhs.name
    }
    func hash(into hasher: inout Hasher) { look() }
  }

  @Test("Many images are removed in slices, between which others have the lock, and released without it")
  func slices() {
    cache.costLimit = .max
    let image = image(1).image
    let counts = Lock<Set<Int>>([])
    for number in 0..<10_000 {
      let canary = Canary { [weak cache] in
        guard let count = cache?.totalCount else { return }
        counts.withLock { _ = $0.insert(count) }
      }
      cache[key("\(number)")] = ImageContainer(image: image, userInfo: ["canary": canary])
    }
    cache.countLimit = 500
    #expect(counts.withLock { $0 } == [10_000 - 4096, 10_000 - 2 * 4096, 500])
    #expect(kept("9500", "9499") == ["9500"])
  }

  @Test("Processors are compared outside the lock", .timeLimit(.minutes(1)))
  func comparing() {
    let cache = cache
    let looks = Lock(0)
    func key(_ name: String) -> ImageCacheKey {
      let processor = Curious(name: name) {
        looks.withLock { $0 += 1 }
        cache.trim(toCount: 100)
        _ = cache[ImageCacheKey(key: "other")]
      }
      return ImageCacheKey(request: ImageRequest(url: imageURL("a"), processors: [processor]))
    }
    for name in ["a", "b", "c", "b"] { cache[key(name)] = image(10) }
    #expect(cache.totalCount == 3)
    #expect(cache[key("c")] != nil)
    #expect(cache.peek(key("a")) != nil)
    #expect(cache[key("d")] == nil)
    cache[key("a")] = nil
    #expect(cache.totalCount == 2)
    #expect(looks.withLock { $0 } > 10)

    // What is known to be equal is not compared again.
    let again = key("b")
    #expect(cache[again] != nil)
    let before = looks.withLock { $0 }
    #expect(cache[again] != nil)
    #expect(looks.withLock { $0 } == before)
  }

  @Test("Keys distinguish requests by everything that affects the image")
  func keys() {
    let url = imageURL("a")
    let plain = ImageCacheKey(request: ImageRequest(url: url))
    #expect(
      plain == ImageCacheKey(request: ImageRequest(url: url, priority: .high, options: .reloadIgnoringCachedData)))
    #expect(plain != ImageCacheKey(request: ImageRequest(url: imageURL("b"))))
    #expect(plain != ImageCacheKey(key: url.absoluteString))
    let first = ImageCacheKey(request: ImageRequest(url: url, processors: [FakeProcessor("p"), FakeProcessor("q")]))
    let second = ImageCacheKey(request: ImageRequest(url: url, processors: [FakeProcessor("p"), FakeProcessor("q")]))
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first != plain)
    #expect(
      first != ImageCacheKey(request: ImageRequest(url: url, processors: [FakeProcessor("q"), FakeProcessor("p")])))
  }

  @Test("The default limit is a fifth of the memory")
  func defaults() {
    #expect(ImageCache.defaultCostLimit == MemoryLimit.bytes / 5)
    #expect(ImageCache().costLimit == ImageCache.defaultCostLimit)
    #expect(ImageCache().countLimit == .max)
    #expect(ImageCache().ttl == nil)
  }
}
