import Foundation
import Nuke
import NukeTesting
import Testing

/// Pipelines as processes have them: what they share is the folder alone.
@Suite("Stale variants in several pipelines", .timeLimit(.minutes(1)))
struct SharedStaleVariantTests {
  /// A pipeline, and what can be asked of it.
  private struct Side {
    let cache: DataCache
    let pipeline: ImagePipeline
    let blur = FakeProcessor("/blur")
  }

  private let origin = VersionedOrigin()
  private let folder = DiskFolder()
  private let time = ManualTime()
  private let gate = Gate()

  private func side(
    _ storing: ImagePipeline.DataCachePolicy = .automatic, _ policy: ImagePipeline.FreshnessPolicy = .respect,
    imageCache: FakeImageCache? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) throws -> Side {
    let cache = try folder.cache(leaseTime: time)
    let pipeline = origin.pipeline(policy, cache: cache, storing: storing, imageCache: imageCache) {
      $0.dataCachingQueue = TaskQueue(maxConcurrentOperationCount: 1)
      configure(&$0)
    }
    return Side(cache: cache, pipeline: pipeline)
  }

  /// Stores variants, as one side does, and lets them become stale. Answers are held back from then on.
  private func store(_ processors: FakeProcessor..., by side: Side) async throws {
    for processor in processors.isEmpty ? [side.blur] : processors {
      _ = try await side.pipeline.image(for: origin.request(processor))
    }
    await settle(side)
    origin.pass(seconds: 61)
    origin.set { $0.gate = gate }
  }

  /// Returns once what one side has stored is on the disk, and those who wait have been told to look.
  private func settle(_ side: Side) async {
    await side.pipeline.encodingsDone()
    side.cache.flush()
    time.pass(milliseconds: 10)
  }

  /// Starts a load that asks the server, and another one that waits for it.
  private func start(
    in one: Side, and two: Side, options: ImageRequest.Options = []
  ) async -> (ImageTask, ImageTask) {
    let first = one.pipeline.imageTask(with: origin.request(one.blur, options: options))
    await origin.loader.requests(count: 2)
    let second = two.pipeline.imageTask(with: origin.request(two.blur, options: options))
    await time.log.entries(count: 1)
    return (first, second)
  }

  /// Stores a variant that has become stale, and starts a load that asks the server, and another that waits for it.
  private func startStale(
    _ storing: ImagePipeline.DataCachePolicy = .automatic, options: ImageRequest.Options = [],
    _ change: (inout VersionedOrigin.State) -> Void = { _ in }
  ) async throws -> (one: Side, two: Side, first: ImageTask, second: ImageTask) {
    try await store(by: side(storing))
    origin.set(change)
    let (one, two) = (try side(storing), try side(storing))
    let (first, second) = await start(in: one, and: two, options: options)
    return (one, two, first, second)
  }

  // MARK: One question

  static let policies: [ImagePipeline.DataCachePolicy] = [.automatic, .storeEncodedImages, .storeAll]

  @Test("A stale variant is validated once and renewed for all", arguments: policies)
  func unchanged(storing: ImagePipeline.DataCachePolicy) async throws {
    let (one, two, first, second) = try await startStale(storing)
    gate.open()
    #expect(try await first.response.freshness == .validated)
    await settle(one)
    #expect(try await second.response.freshness == .fresh)
    #expect(try await second.image.pixelWidth == 11)
    #expect(origin.asked == [nil, "\"1\""])
    #expect((one.blur.count, two.blur.count) == (0, 0))
    #expect(first.facts.waitingForOthers == 0 && second.facts.waitingForOthers > 0)
    #expect(one.pipeline.load == (0, 0) && two.pipeline.load == (0, 0))
  }

  @Test("If the server has another version, it is downloaded and processed once", arguments: policies)
  func replaced(storing: ImagePipeline.DataCachePolicy) async throws {
    let (one, two, first, second) = try await startStale(storing) { $0.version = 2 }
    gate.open()
    #expect(try await first.image.pixelWidth == 12)
    await settle(one)
    #expect(try await second.image.pixelWidth == 12)
    #expect(try await second.response.cacheType == .disk)
    #expect(origin.asked == [nil, "\"1\""])
    #expect((one.blur.count, two.blur.count) == (1, 0))
    #expect((one.pipeline.counters.decodes, two.pipeline.counters.decodes) == (1, 1))
    #expect(one.pipeline.load == (0, 0) && two.pipeline.load == (0, 0))
  }

  @Test("With the policy revalidate, it is validated once too", arguments: [true, false])
  func always(isWished: Bool) async throws {
    if !isWished { origin.set { $0.fields = ["Cache-Control": "no-cache"] } }
    let policy: ImagePipeline.FreshnessPolicy = isWished ? .revalidate : .respect
    try await store(by: side())
    let (one, two) = (try side(.automatic, policy), try side(.automatic, policy))
    let (first, second) = await start(in: one, and: two)
    gate.open()
    #expect(try await first.response.freshness == .validated)
    await settle(one)
    #expect(try await second.response.freshness == .validated)
    #expect(origin.asked == [nil, "\"1\""])
    // Whoever comes later asks.
    origin.pass(seconds: 1)
    #expect(try await two.pipeline.imageTask(with: origin.request(two.blur)).response.freshness == .validated)
    #expect(origin.asked.count == 3)
  }

  @Test("Others wait until the result is on disk, not only until it has arrived")
  func onDisk() async throws {
    try await store(by: side())
    let (one, two) = (try side(), try side())
    one.cache.flush()
    let (first, second) = await start(in: one, and: two)
    one.cache.queue.suspend()
    gate.open()
    #expect(try await first.response.freshness == .validated)
    time.pass(milliseconds: 10)
    #expect(two.cache.waitingLoads == 1)
    one.cache.queue.resume()
    await settle(one)
    #expect(try await second.response.freshness == .fresh)
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("All variants of an original are renewed together, and their waiters continue together")
  func twoVariants() async throws {
    let other = FakeProcessor("/other")
    let stored = try side(.storeAll)
    try await store(stored.blur, other, by: stored)
    let (one, two) = (try side(), try side())
    let firsts = [one.blur, other].map { one.pipeline.imageTask(with: origin.request($0)) }
    await origin.loader.requests(count: 2)
    await one.pipeline.diskReadsDone()
    let seconds = [two.blur, other].map { two.pipeline.imageTask(with: origin.request($0)) }
    try await waitUntil { two.cache.waitingLoads >= 2 }
    gate.open()
    for task in firsts { #expect(try await task.response.freshness == .validated) }
    await settle(one)
    for task in seconds { #expect(try await task.response.freshness == .fresh) }
    #expect(origin.asked == [nil, "\"1\""])
    #expect((one.blur.count, two.blur.count) == (0, 0))
  }

  @Test(
    "With a stale original that is shown, the variant is created once and stored before others continue",
    arguments: [true, false])
  func madeOfStaleOriginal(isThumbnail: Bool) async throws {
    let stored = try side(.storeAll)
    _ = try await stored.pipeline.image(for: origin.request())
    await settle(stored)
    origin.pass(seconds: 61)
    origin.set { $0.gate = gate }
    var request = origin.request(options: .staleWhileRevalidate)
    if isThumbnail {
      request.thumbnail = .init(maxPixelSize: 5)
    } else {
      request.processors = [.resize(width: 5, unit: .pixels)]
    }
    let (one, two) = (try side(.storeAll), try side(.storeAll))
    let first = one.pipeline.imageTask(with: request)
    await origin.loader.requests(count: 2)
    let second = two.pipeline.imageTask(with: request)
    await time.log.entries(count: 1)
    one.pipeline.configuration.imageEncodingQueue.isSuspended = true
    gate.open()
    #expect(try await first.response.freshness == .validated)
    #expect(first.facts.previewCount == 1)
    // The record is on the disk, and the image is not.
    one.cache.flush()
    time.pass(milliseconds: 10)
    #expect(two.cache.waitingLoads == 1)
    one.pipeline.configuration.imageEncodingQueue.isSuspended = false
    await settle(one)
    time.pass(milliseconds: 100)
    #expect(try await second.image.pixelWidth == 5)
    #expect(try await second.response.freshness == .fresh)
    #expect(origin.asked == [nil, "\"1\""])
    #expect((one.pipeline.counters.processes, two.pipeline.counters.processes) == (1, 0))
    #expect(one.pipeline.load == (0, 0) && two.pipeline.load == (0, 0))
  }

  // MARK: In memory, and shown

  @Test("With images in memory, it is validated once", arguments: [1, 2])
  func inMemory(version: Int) async throws {
    let (one, two) = (try side(imageCache: FakeImageCache()), try side(imageCache: FakeImageCache()))
    for side in [one, two] {
      _ = try await side.pipeline.image(for: origin.request(side.blur))
      await settle(side)
    }
    origin.pass(seconds: 61)
    origin.set {
      $0.version = version
      $0.gate = gate
    }
    let decodes = two.pipeline.counters.decodes
    let (first, second) = await start(in: one, and: two)
    gate.open()
    #expect(try await first.image.pixelWidth == 10 + version)
    await settle(one)
    #expect(try await second.image.pixelWidth == 10 + version)
    #expect(try await second.response.cacheType == (version == 1 ? .memory : .disk))
    #expect(origin.asked == [nil, "\"1\""])
    #expect((one.blur.count, two.blur.count) == (version, 0))
    #expect(two.pipeline.counters.decodes - decodes == version - 1)
  }

  @Test("Each pipeline shows it, and it is validated once", arguments: [1, 2])
  func shown(version: Int) async throws {
    let (one, two, first, second) = try await startStale(options: .staleWhileRevalidate) { $0.version = version }
    gate.open()
    #expect(try await first.image.pixelWidth == 10 + version)
    await settle(one)
    #expect(try await second.image.pixelWidth == 10 + version)
    #expect(try await second.response.freshness == .fresh)
    #expect(first.facts.previewCount == 1 && second.facts.previewCount == 1)
    #expect(origin.asked == [nil, "\"1\""])
    #expect((one.blur.count, two.blur.count) == (version - 1, 0))
    #expect(two.pipeline.counters.decodes == version)
  }

  @Test("It is shown from memory although another load has found a new version", arguments: [true, false])
  func shownFromMemory(isOwnLoad: Bool) async throws {
    let (one, two) = (try side(imageCache: FakeImageCache()), try side())
    _ = try await one.pipeline.image(for: origin.request(one.blur))
    await settle(one)
    origin.pass(seconds: 61)
    origin.set { $0.version = 2 }
    let other = isOwnLoad ? one : two
    _ = try await other.pipeline.image(for: origin.request(FakeProcessor("/other")))
    await settle(other)
    let decodes = one.pipeline.counters.decodes
    let task = one.pipeline.imageTask(with: origin.request(one.blur, options: .staleWhileRevalidate))
    #expect(try await task.image.pixelWidth == 12)
    #expect(task.facts.previewCount == 1)
    #expect(one.pipeline.counters.decodes - decodes == 1)
  }

  @Test("An image of an unknown version is shown by each and created once")
  func shownUnknown() async throws {
    try await store(by: side(.automatic, .ignore))
    origin.set { $0.version = 2 }
    let (one, two) = (try side(), try side())
    let (first, second) = await start(in: one, and: two, options: .staleWhileRevalidate)
    gate.open()
    #expect(try await first.image.pixelWidth == 12)
    await settle(one)
    #expect(try await second.image.pixelWidth == 12)
    #expect(first.facts.previewCount == 1 && second.facts.previewCount == 1)
    #expect(origin.asked == [nil, nil])
    #expect((one.blur.count, two.blur.count) == (1, 0))
  }

  // MARK: Taking over

  @Test("If the first load is canceled, or its pipeline ends, another one validates", arguments: [true, false])
  func takeover(isInvalidated: Bool) async throws {
    let (one, two, first, second) = try await startStale()
    if isInvalidated { one.pipeline.invalidate() } else { first.cancel() }
    time.pass(milliseconds: 10)
    await origin.loader.requests(count: 3)
    gate.open()
    #expect(try await second.response.freshness == .validated)
    #expect(origin.asked == [nil, "\"1\"", "\"1\""])
    #expect(second.facts.waitingForOthers > 0)
    withExtendedLifetime(two) {}
  }

  @Test("After the time limit, another pipeline validates even if the first still runs")
  func timeout() async throws {
    try await store(by: side())
    let (one, two) = (try side(), try side())
    two.cache.leaseTimeout = 7
    let (first, second) = await start(in: one, and: two)
    time.pass(milliseconds: 6_999)
    #expect(two.cache.waitingLoads == 1)
    time.pass(milliseconds: 1)
    await origin.loader.requests(count: 3)
    gate.open()
    for task in [first, second] { #expect(try await task.response.freshness == .validated) }
    #expect(second.facts.waitingForOthers == 7)
  }

  @Test("If the server is unreachable, each pipeline returns the stale image")
  func disconnected() async throws {
    let (one, two, first, second) = try await startStale { $0.failure = URLError(.notConnectedToInternet) }
    gate.open()
    #expect(try await first.response.freshness == .stale(.disconnected))
    await settle(one)
    #expect(try await second.response.freshness == .stale(.disconnected))
    #expect(origin.asked.count == 3)
    withExtendedLifetime(two) {}
  }

  @Test("A canceled load stops waiting")
  func cancelled() async throws {
    let (one, two, first, second) = try await startStale()
    second.cancel()
    #expect(two.pipeline.load == (0, 0))
    try await waitUntil { two.cache.waitingLoads == 0 }
    gate.open()
    #expect(try await first.response.freshness == .validated)
    await settle(one)
    #expect(origin.asked == [nil, "\"1\""])
  }

  @Test("A variant that cannot be decoded is created again, and the lease is released", arguments: [true, false])
  func damaged(isShown: Bool) async throws {
    gate.open()
    try await store(by: side { $0.makeImageEncoder = { _ in SizeEncoder() } })
    let (one, two) = (try side(), try side())
    let request = origin.request(one.blur, options: isShown ? .staleWhileRevalidate : [])
    #expect(try await one.pipeline.image(for: request).pixelWidth == 11)
    await settle(one)
    #expect(try await two.pipeline.image(for: origin.request(two.blur)).pixelWidth == 11)
    #expect(time.log.entries.isEmpty)
  }

  // MARK: Not held up

  @Test("Offline, and if the age does not matter or is accepted, nothing waits")
  func notAsked() async throws {
    try await store(by: side())
    let (one, two) = (try side(), try side())
    let first = one.pipeline.imageTask(with: origin.request(one.blur))
    await origin.loader.requests(count: 2)
    var (ignoring, accepting) = (origin.request(two.blur), origin.request(two.blur))
    ignoring.freshnessPolicy = .ignore
    accepting.maxStale = 1000
    for request in [ignoring, accepting, origin.request(two.blur, options: .returnCacheDataDontLoad)] {
      #expect(try await two.pipeline.image(for: request).pixelWidth == 11)
    }
    #expect(origin.asked.count == 2)
    #expect(time.log.entries.isEmpty)
    first.cancel()
  }

  @Test("With leases disabled, each pipeline validates")
  func off() async throws {
    try await store(by: side())
    let (one, two) = (try side(), try side())
    two.cache.leaseTimeout = 0
    let tasks = [one, two].map { $0.pipeline.imageTask(with: origin.request($0.blur)) }
    await origin.loader.requests(count: 3)
    gate.open()
    for task in tasks { #expect(try await task.response.freshness == .validated) }
    #expect(time.log.entries.isEmpty)
  }
}
