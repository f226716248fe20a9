import Foundation
import Measuring
import Nuke
import Synchronization

/// A processor that is compared by its fields, like the built-in ones.
private struct Step: ImageProcessing, Hashable {
  let name: String
  var identifier: String { name }
  func process(_ image: PlatformImage) -> PlatformImage? { image }
}

/// The cost of look-ups in the memory cache, and of its keys.
struct CacheRows: Sendable {
  let floor: Sample
  let show: @Sendable (String, @Sendable () async -> Sample) async -> Void

  private static let count = 1000
  private static let picture = ImageContainer(image: PlatformImage())

  private static func requests(_ processors: [any ImageProcessing] = []) -> [ImageRequest] {
    (0..<count).map { ImageRequest(url: URL(string: "http://test.com/\($0)")!, processors: processors) }
  }

  private static func cache(of requests: [ImageRequest]) -> ImageCache {
    let cache = ImageCache()
    // Each thread has its own image, because threads that retain the same image contend for its reference count.
    for request in requests { cache[ImageCacheKey(request: request)] = ImageContainer(image: PlatformImage()) }
    return cache
  }

  func run() async {
    await requests()
    await single()
    await threads()
    await sizes()
  }

  private func goal(_ multiple: Double) -> Sample.Goal { .init(multiple, times: floor) }

  private func requests() async {
    let urls = (0..<Self.count).map { URL(string: "http://test.com/\($0)")! }
    await show("request, create") {
      await measure("ImageRequest(url:)", operations: 100_000, goal: goal(0.93)) {
        for index in 0..<100_000 { keep(ImageRequest(url: urls[index % Self.count])) }
      }
    }
    let used = Self.requests()
    await show("key, create and hash") {
      await measure("cache key of a request, hashed", operations: 100_000, goal: goal(0.79)) {
        var hash = 0
        for index in 0..<100_000 { hash ^= ImageCacheKey(request: used[index % Self.count]).hashValue }
        return hash
      }
    }
    // The parts of the key that a request caches are computed again, as for requests that are used once.
    let requests = Lot()
    await show("key, create and hash") {
      await measure(
        "cache key of a new request, hashed", operations: Self.count, repetitions: 99, goal: goal(0.79),
        setUp: { requests.value = urls.map { ImageRequest(url: $0) } }
      ) {
        var hash = 0
        for request in requests.value { hash ^= ImageCacheKey(request: request).hashValue }
        return hash
      }
    }
  }

  private final class Lot: Sendable {
    private let requests = Mutex([ImageRequest]())
    var value: [ImageRequest] {
      get { requests.withLock { $0 } }
      set { requests.withLock { $0 = newValue } }
    }
  }

  private func single() async {
    let requests = Self.requests()
    let keys = requests.map { ImageCacheKey(request: $0) }
    let full = Self.cache(of: requests)
    await show("cache write") {
      await measure("ImageCache, write", operations: 100_000, goal: goal(1.57)) {
        for index in 0..<100_000 { full[keys[index % Self.count]] = Self.picture }
      }
    }
    let small = ImageCache(countLimit: Self.count / 2)
    await show("cache write, evicting") {
      await measure("ImageCache, write that lets one go", operations: 100_000) {
        for index in 0..<100_000 { small[keys[index % Self.count]] = Self.picture }
      }
    }
    await show("cache hit") {
      await measure("ImageCache, hit", operations: 100_000, goal: goal(1.28)) {
        var found = 0
        for index in 0..<100_000 where full[keys[index % Self.count]] != nil { found += 1 }
        return found
      }
    }
    // Equal to the stored requests, but created separately, as by two views that show the same image.
    let equal = Self.requests().map { ImageCacheKey(request: $0) }
    await show("cache hit, equal") {
      await measure("ImageCache, hit by an equal key", operations: 100_000, goal: goal(1.28)) {
        var found = 0
        for index in 0..<100_000 where full[equal[index % Self.count]] != nil { found += 1 }
        return found
      }
    }
    let steps = [Step(name: "first"), Step(name: "second")]
    let processed = Self.cache(of: Self.requests(steps))
    let processedKeys = Self.requests(steps).map { ImageCacheKey(request: $0) }
    await show("cache hit, processors") {
      await measure("ImageCache, hit with two processors", operations: 100_000, goal: goal(3.6)) {
        var found = 0
        for index in 0..<100_000 where processed[processedKeys[index % Self.count]] != nil { found += 1 }
        return found
      }
    }
    let absent = (0..<Self.count).map { ImageCacheKey(key: "\($0)") }
    await show("cache miss") {
      await measure("ImageCache, miss", operations: 100_000) {
        var found = 0
        for index in 0..<100_000 where full[absent[index % Self.count]] != nil { found += 1 }
        return found
      }
    }
  }

  /// Threads of the system, so that the cost of Swift's concurrency is not measured. The operations are divided among
  /// them.
  private func threads() async {
    let requests = Self.requests()
    let cache = Self.cache(of: requests)
    let keys = requests.map { ImageCacheKey(request: $0) }
    for count in [1, 2, 8] {
      await show("cache hit, threads") {
        var sample = await measure(
          "ImageCache, hit by \(count) thread\(count == 1 ? "" : "s")", operations: 800_000, goal: goal(1.28)
        ) {
          Self.run(count) { number in
            var found = 0
            for index in 0..<800_000 / count where cache[keys[(index &+ number &* 131) % Self.count]] != nil {
              found += 1
            }
            keep(found)
          }
        }
        let start = Date()
        Self.run(count) { number in
          var found = 0
          for index in 0..<2_000_000 where cache[keys[(index &+ number &* 131) % Self.count]] != nil { found += 1 }
          keep(found)
        }
        sample.note = String(
          format: "%.1f M hits a second", Double(2_000_000 * count) / Date().timeIntervalSince(start) / 1e6)
        return sample
      }
    }
  }

  private static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { number in
      let end = DispatchSemaphore(value: 0)
      let thread = Thread {
        body(number)
        end.signal()
      }
      thread.start()
      return end
    }
    for thread in threads { thread.wait() }
  }

  private func sizes() async {
    let url = URL(string: "http://test.com/picture")!
    for count in [1, 10, 100] {
      let requests = (0..<count).map { size in
        ImageRequest(url: url, processors: [ImageProcessors.Resize(width: CGFloat(10 + size), unit: .pixels)])
      }
      let cache = Self.cache(of: requests)
      let keys = requests.map { ImageCacheKey(request: $0) }
      await show("one URL in sizes") {
        await measure("one URL in \(count) sizes, look-up", operations: 100_000, goal: goal(1.43)) {
          var found = 0
          for index in 0..<100_000 where cache[keys[index % count]] != nil { found += 1 }
          return found
        }
      }
    }
  }
}
