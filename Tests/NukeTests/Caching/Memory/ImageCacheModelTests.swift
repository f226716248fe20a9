import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The memory cache compared with a simple model", .timeLimit(.minutes(1)))
struct ImageCacheModelTests {
  /// A processor that hashes like every other, so that only comparing tells it from them.
  private struct Colliding: ImageProcessing, Hashable {
    let number: Int
    var identifier: String { "\(number)" }
    func process(_ image: PlatformImage) -> PlatformImage? { image }
    func hash(into hasher: inout Hasher) {}
  }

  enum Keys: CaseIterable {
    /// Names of the program's own.
    case names
    /// Requests made anew each time.
    case urls
    /// Requests for one URL whose keys all have one hash, in three variants of it.
    case colliding

    func key(_ number: Int) -> ImageCacheKey {
      switch self {
      case .names: ImageCacheKey(key: "\(number)")
      case .urls: ImageCacheKey(request: ImageRequest(url: imageURL("\(number)")))
      case .colliding:
        ImageCacheKey(
          request: ImageRequest(
            url: imageURL("\(number % 3)"), processors: [Colliding(number: number), Colliding(number: 0)]))
      }
    }
  }

  private final class Time: Sendable {
    private let seconds = Lock(TimeInterval(1000))
    var now: TimeInterval { seconds.withLock { $0 } }
    func pass(_ interval: TimeInterval) { seconds.withLock { $0 += interval } }
  }

  private func image(cost: Int) -> ImageContainer {
    ImageContainer(image: SampleImage.bitmap(width: cost / 4, height: 1))
  }

  @Test(
    "Random operations give the same results as the model, on any threads in sequence",
    arguments: Keys.allCases, [1, 2, 3] as [UInt64])
  func randomOperations(keys: Keys, seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let time = Time()
    let cache = ImageCache(costLimit: 4000, countLimit: 60, now: { time.now })
    cache.entryCostLimit = 1
    var model = ImageCacheModel()
    (model.costLimit, model.countLimit) = (4000, 60)
    for step in 0..<6000 {
      // Tests of time limits run beside this one, on few threads.
      if step % 50 == 0 { await Task.yield() }
      let name = Int.random(in: 0..<150, using: &random)
      let key = keys.key(name)
      let place: Comment = "keys \(keys), seed \(seed), step \(step)"
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40:
        let cost = Int.random(in: 1...40, using: &random) * 4
        cache[key] = image(cost: cost)
        model.store(name, cost: cost, now: time.now)
      case 40..<75:
        #expect(cache[key]?.image.byteCount == model.use(name, now: time.now), place)
      case 75..<80:
        #expect(cache.peek(key)?.image.byteCount == model.peek(name, now: time.now), place)
      case 80..<88:
        cache[key] = nil
        model.remove(name)
      case 88..<90:
        let count = Int.random(in: 20...70, using: &random)
        cache.trim(toCount: count)
        model.trim(toCost: .max, count: count)
      case 90..<92:
        let cost = Int.random(in: 1000...5000, using: &random)
        cache.trim(toCost: cost)
        model.trim(toCost: cost, count: .max)
      case 92..<94:
        let limit = Int.random(in: 2000...5000, using: &random)
        cache.costLimit = limit
        model.costLimit = limit
      case 94..<96:
        let limit = Int.random(in: 40...70, using: &random)
        cache.countLimit = limit
        model.countLimit = limit
      case 96..<97:
        let part = Double.random(in: 0.01...0.05, using: &random)
        cache.entryCostLimit = part
        model.entryCostLimit = part
      case 97..<98:
        let ttl = Bool.random(using: &random) ? Double.random(in: 1...20, using: &random) : nil
        cache.ttl = ttl
        model.ttl = ttl
      case 98..<99 where step % 10 == 0:
        cache.removeAll()
        model.trim(toCost: 0, count: 0)
      default:
        time.pass(Double.random(in: 0...5, using: &random))
      }
      guard cache.totalCount == model.entries.count, cache.totalCost == model.totalCost else {
        Issue.record("\(cache.totalCount) of \(cache.totalCost) and not \(model.entries), \(place)")
        return
      }
    }
    // The order to the end: each that goes is the model's first.
    while !model.entries.isEmpty {
      model.trim(toCost: .max, count: model.entries.count - 1)
      cache.trim(toCount: model.entries.count)
      let kept = (0..<150).filter { cache.peek(keys.key($0)) != nil }
      #expect(kept == model.entries.filter { $0.expires > time.now }.map(\.name).sorted())
    }
  }

  @Test("Limits and totals are correct at every moment of concurrent use")
  func threads() {
    let cache = ImageCache(costLimit: 4000, countLimit: 50, now: { 0 })
    cache.entryCostLimit = 1
    concurrently(4) { user in
      var random = SeededGenerator(seed: UInt64(user))
      for step in 0..<4000 {
        let key = Keys.names.key(Int.random(in: 0..<100, using: &random))
        switch step % 8 {
        case 0, 1, 2: cache[key] = image(cost: (step % 60 + 1) * 4)
        case 3, 4, 5: _ = cache[key]
        case 6: cache[key] = nil
        default: if step % 100 == 7 { cache.trim(toCount: 10) }
        }
        #expect(cache.totalCost <= 4000)
        #expect(cache.totalCount <= 50)
      }
    }
    let costs = (0..<100).compactMap { cache[Keys.names.key($0)]?.image.byteCount }
    #expect(costs.count == cache.totalCount)
    #expect(costs.reduce(0, +) == cache.totalCost)
  }

  @Test("After concurrent use, the order of use is exact again")
  func orderAfterThreads() {
    let cache = ImageCache(costLimit: 1 << 20, now: { 0 })
    let keys = (0..<100).map { Keys.urls.key($0) }
    for key in keys { cache[key] = image(cost: 4) }
    concurrently(4) { user in
      for step in 0..<20_000 { _ = cache[keys[(step + user * 7) % 100]] }
    }
    // Changes come one at a time, and end what is known of other threads.
    cache[Keys.urls.key(1000)] = image(cost: 4)
    var random = SeededGenerator(seed: 1)
    let order = (0..<100).shuffled(using: &random)
    for number in order { _ = cache[keys[number]] }
    cache.trim(toCount: 100)
    for (count, number) in zip((0..<100).reversed(), order) {
      cache.trim(toCount: count)
      #expect(cache.peek(keys[number]) == nil)
      #expect(cache.totalCount == count)
    }
  }

  /// Runs `body` on threads of its own, at the same time.
  private func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ends = (0..<count).map { number in
      let end = DispatchSemaphore(value: 0)
      Thread {
        body(number)
        end.signal()
      }.start()
      return end
    }
    for end in ends { end.wait() }
  }
}
