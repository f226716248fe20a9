import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

/// Pipelines as processes have them: what they share is the folder alone.
@Suite("Pipelines that share a disk cache folder", .timeLimit(.minutes(1)))
struct SharedFolderTests {
  /// A pipeline, and what can be asked of it.
  private struct Side {
    let cache: DataCache
    let loader: FakeDataLoader
    let pipeline: ImagePipeline
  }

  private let folder = DiskFolder()
  private let time = ManualTime()
  private let gate = Gate()
  private let url = imageURL("a.png")
  private let original = SampleImage.png(width: 20, height: 10)

  private func cache(_ files: any DiskFileSystem = SystemFileSystem()) throws -> DataCache {
    try folder.cache(files: files, leaseTime: time)
  }

  /// - Parameter gate: holds its downloads of ``url`` back.
  private func side(
    _ gate: Gate = Gate(isOpen: true), cache: DataCache? = nil, delegate: HookedDelegate? = nil,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) throws -> Side {
    let cache = try cache ?? self.cache()
    let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
    loader.answer(url, with: .data(original).held(by: gate))
    let configuration = ImagePipeline.Configuration.fake(loader: loader, imageCache: nil) {
      $0.dataCache = cache
      configure(&$0)
    }
    return Side(
      cache: cache, loader: loader, pipeline: ImagePipeline(configuration: configuration, delegate: delegate))
  }

  /// Returns once somebody waits.
  private func waiting(_ count: Int = 1) async { await time.log.entries(count: count) }

  /// Starts a load, which is held back.
  private func hold(_ request: ImageRequest? = nil, in side: Side) async -> ImageTask {
    let task = side.pipeline.imageTask(with: request ?? ImageRequest(url: url))
    await side.loader.requests(count: 1)
    return task
  }

  /// Starts a load, and another one that waits for it.
  ///
  /// - Parameters:
  ///   - request: what one side loads; ``url`` unless it is given.
  ///   - other: what the other side loads, where that is not the same.
  private func start(
    _ request: ImageRequest? = nil, in one: Side, and two: Side, other: ImageRequest? = nil
  ) async -> (ImageTask, ImageTask) {
    let request = request ?? ImageRequest(url: url)
    let first = await hold(request, in: one)
    let second = two.pipeline.imageTask(with: other ?? request)
    await waiting()
    return (first, second)
  }

  /// Returns once what one side has stored is on the disk, and those who wait have been told to look.
  private func settle(_ side: Side) async {
    await side.pipeline.encodingsDone()
    side.cache.flush()
    pass()
  }

  /// Lets those who wait look again.
  private func pass() { time.pass(milliseconds: 10) }

  private func blurred(_ processor: FakeProcessor, _ options: ImageRequest.Options = []) -> ImageRequest {
    ImageRequest(url: url, processors: [processor], options: options)
  }

  // MARK: Originals

  @Test("An image that both need is downloaded once, and the facts say by which")
  func oneDownload() async throws {
    let (one, two) = (try side(gate), try side())
    let (first, second) = await start(in: one, and: two)
    #expect(two.loader.requests.isEmpty)
    gate.open()
    #expect(try await first.image.pixelWidth == 20)
    one.cache.flush()
    pass()
    #expect(try await second.image.pixelWidth == 20)
    #expect(two.loader.requests.isEmpty)
    #expect(try await second.response.cacheType == .disk)
    #expect(first.facts.origin == .network && first.facts.waitingForOthers == 0)
    #expect(second.facts.origin == .disk && second.facts.waitingForOthers == 0.002)
    #expect(one.pipeline.load == (0, 0) && two.pipeline.load == (0, 0))
  }

  @Test("With one cache, waiters are notified without polling")
  func oneCache() async throws {
    let cache = try cache()
    let (one, two) = (try side(gate, cache: cache), try side(cache: cache))
    let (first, second) = await start(in: one, and: two)
    // Nothing is written: what waits to be is enough.
    cache.queue.suspend()
    gate.open()
    _ = try await first.image
    #expect(try await second.image.pixelWidth == 20)
    cache.queue.resume()
    #expect(two.loader.requests.isEmpty)
    #expect(second.facts.origin == .disk)
  }

  @Test("Data and resumed downloads are shared like images")
  func bytes() async throws {
    let (one, two) = (try side(gate), try side())
    async let first = one.pipeline.data(for: ImageRequest(url: url))
    await one.loader.requests(count: 1)
    async let second = two.pipeline.data(for: ImageRequest(url: url))
    await waiting()
    gate.open()
    #expect(try await first.0 == original)
    one.cache.flush()
    pass()
    #expect(try await second.0 == original)
    #expect(two.loader.requests.isEmpty)
  }

  @Test("Others wait until the original is on disk, not only until it was downloaded")
  func onDisk() async throws {
    let (one, two) = (try side(), try side())
    one.cache.flush()
    one.cache.queue.suspend()
    _ = try await one.pipeline.image(for: url)
    let second = two.pipeline.imageTask(with: url)
    await waiting()
    pass()
    #expect(two.loader.requests.isEmpty)
    one.cache.queue.resume()
    one.cache.flush()
    pass()
    _ = try await second.image
    #expect(two.loader.requests.isEmpty)
  }

  @Test("A load that waits for a slot finds what was downloaded in the meantime")
  func storedMeanwhile() async throws {
    let (one, two) = (try side(), try side())
    two.pipeline.configuration.dataLoadingQueue.isSuspended = true
    let second = two.pipeline.imageTask(with: url)
    try await waitUntil { two.pipeline.configuration.dataLoadingQueue.status.waiting > 0 }
    _ = try await one.pipeline.image(for: url)
    one.cache.flush()
    two.pipeline.configuration.dataLoadingQueue.isSuspended = false
    _ = try await second.image
    #expect(two.loader.requests.isEmpty)
    #expect(second.facts.waitingForOthers == 0)
  }

  // MARK: Variants

  @Test(
    "An image is processed once from one download, whatever else is stored",
    arguments: [ImagePipeline.DataCachePolicy.automatic, .storeAll, .storeEncodedImages])
  func oneVariant(policy: ImagePipeline.DataCachePolicy) async throws {
    let (one, two) = (try side(gate) { $0.dataCachePolicy = policy }, try side { $0.dataCachePolicy = policy })
    let (blur, blurOfSecond) = (FakeProcessor("/blur"), FakeProcessor("/blur"))
    let (first, second) = await start(blurred(blur), in: one, and: two, other: blurred(blurOfSecond))
    gate.open()
    _ = try await first.image
    await settle(one)
    #expect(try await second.image.pixelWidth == 20)
    #expect((blur.count, blurOfSecond.count) == (1, 0))
    #expect(two.loader.requests.isEmpty)
    #expect(second.facts.origin == .disk)
    #expect(second.facts.waitingForOthers > 0)
  }

  @Test("A thumbnail is made once")
  func oneThumbnail() async throws {
    let (one, two) = (try side(gate) { $0.dataCachePolicy = .automatic }, try side { $0.dataCachePolicy = .automatic })
    var request = ImageRequest(url: url)
    request.thumbnail = .init(maxPixelSize: 4)
    let (first, second) = await start(request, in: one, and: two)
    gate.open()
    _ = try await first.image
    await settle(one)
    #expect(try await second.image.pixelWidth == 4)
    #expect(two.loader.requests.isEmpty && two.pipeline.counters.processes == 0)
  }

  @Test("Different images are processed in parallel from one download")
  func differentVariants() async throws {
    let (one, two) = (try side(gate) { $0.dataCachePolicy = .storeAll }, try side { $0.dataCachePolicy = .storeAll })
    let (blur, sharpen) = (FakeProcessor("/blur"), FakeProcessor("/sharpen"))
    let (first, second) = await start(blurred(blur), in: one, and: two, other: blurred(sharpen))
    gate.open()
    _ = try await first.image
    one.cache.flush()
    pass()
    _ = try await second.image
    #expect((blur.count, sharpen.count) == (1, 1))
    #expect(two.loader.requests.isEmpty)
  }

  @Test("A stored image that cannot be decoded is created again")
  func damagedVariant() async throws {
    let one = try side(gate) {
      $0.dataCachePolicy = .automatic
      $0.makeImageEncoder = { _ in SizeEncoder() }
    }
    let two = try side { $0.dataCachePolicy = .automatic }
    let (first, second) = await start(blurred(FakeProcessor("/blur")), in: one, and: two)
    gate.open()
    _ = try await first.image
    await settle(one)
    #expect(try await second.image.pixelWidth == 20)
    #expect(two.loader.requests.count == 1)
  }

  // MARK: Taking over

  @Test("If the first load is canceled, another one continues", arguments: [true, false])
  func takeover(isVariant: Bool) async throws {
    let (one, two) = (
      try side(Gate()) { $0.dataCachePolicy = .automatic }, try side { $0.dataCachePolicy = .automatic }
    )
    let request = isVariant ? blurred(FakeProcessor("/blur")) : ImageRequest(url: url)
    let (first, second) = await start(request, in: one, and: two)
    first.cancel()
    pass()
    #expect(try await second.image.pixelWidth == 20)
    #expect(two.loader.requests.count == 1)
    #expect(second.facts.origin == .network)
    #expect(second.facts.waitingForOthers > 0)
  }

  @Test("If the first load fails, or its pipeline is invalidated, another one continues", arguments: [true, false])
  func takeoverFromFailure(isInvalidated: Bool) async throws {
    let (one, two) = (try side(gate), try side())
    one.loader.answer(url, with: .failure(URLError(.timedOut)).held(by: gate))
    let (first, second) = await start(in: one, and: two)
    if isInvalidated { one.pipeline.invalidate() } else { gate.open() }
    #expect(await loadFailure(try await first.image) != nil)
    pass()
    #expect(try await second.image.pixelWidth == 20)
    #expect(two.loader.requests.count == 1)
  }

  @Test("Of many waiters, one at a time continues")
  func takeoverByMany() async throws {
    let one = try side(Gate())
    let others = [try side(gate), try side(gate), try side(gate)]
    let first = await hold(in: one)
    let tasks = others.map { $0.pipeline.imageTask(with: url) }
    await waiting(3)
    first.cancel()
    let count = time.log.entries.count
    pass()
    // One downloads, two wait again.
    await waiting(count + 2)
    let winner = try #require(others.firstIndex { $0.cache.waitingLoads == 0 })
    gate.open()
    _ = try await tasks[winner].image
    others[winner].cache.flush()
    pass()
    for task in tasks { #expect(try await task.image.pixelWidth == 20) }
    #expect(others.reduce(0) { $0 + $1.loader.requests.count } == 1)
  }

  @Test("After the time limit, a waiter continues even if the lease is still held", arguments: [true, false])
  func timeout(isVariant: Bool) async throws {
    let (one, two) = (try side(gate) { $0.dataCachePolicy = .automatic }, try side { $0.dataCachePolicy = .automatic })
    #expect(two.cache.leaseTimeout == 30)
    two.cache.leaseTimeout = 7
    let request = isVariant ? blurred(FakeProcessor("/blur")) : ImageRequest(url: url)
    let (first, second) = await start(request, in: one, and: two)
    time.pass(milliseconds: 6_999)
    #expect(two.cache.waitingLoads == 1)
    time.pass(milliseconds: 1)
    #expect(try await second.image.pixelWidth == 20)
    #expect(two.loader.requests.count == 1)
    #expect(second.facts.waitingForOthers == 7)
    // Both store it, and both are well.
    gate.open()
    #expect(try await first.image.pixelWidth == 20)
  }

  // MARK: Not held up

  @Test("A waiting load occupies no slot")
  func withoutSlot() async throws {
    let one = try side(gate)
    let two = try side { $0.dataLoadingQueue.maxConcurrentOperationCount = 1 }
    let (first, second) = await start(in: one, and: two)
    #expect(try await two.pipeline.image(for: imageURL("other.png")).pixelWidth == 4)
    #expect(two.cache.waitingLoads == 1)
    gate.open()
    _ = try await first.image
    one.cache.flush()
    pass()
    _ = try await second.image
    #expect(two.pipeline.configuration.dataLoadingQueue.status.running == 0)
  }

  @Test("A pipeline does not wait for itself if a delegate returns the same key for an image and its original")
  func oneKey() async throws {
    let delegate = HookedDelegate { $0.cacheKey = { _ in "one" } }
    let one = try side(delegate: delegate) { $0.dataCachePolicy = .storeAll }
    #expect(try await one.pipeline.image(for: blurred(FakeProcessor("/blur"))).pixelWidth == 20)
    #expect(time.log.entries.isEmpty)
  }

  @Test("A canceled load stops waiting, and leaves nothing behind", arguments: [true, false])
  func cancelled(isVariant: Bool) async throws {
    let (one, two) = (try side(gate) { $0.dataCachePolicy = .automatic }, try side { $0.dataCachePolicy = .automatic })
    let request = isVariant ? blurred(FakeProcessor("/blur")) : ImageRequest(url: url)
    let (first, second) = await start(request, in: one, and: two)
    second.cancel()
    #expect(two.pipeline.load == (0, 0))
    try await waitUntil { two.cache.waitingLoads == 0 }
    gate.open()
    #expect(try await first.image.pixelWidth == 20)
    pass()
    #expect(two.loader.requests.isEmpty)
  }

  @Test("A waiter whose priority has risen continues first")
  func priority() async throws {
    let two = try side { $0.dataLoadingQueue.maxConcurrentOperationCount = 1 }
    let one = try side(Gate())
    let (first, second) = await start(
      ImageRequest(url: url), in: one, and: two, other: ImageRequest(url: url, priority: .low))
    second.priority = .veryHigh
    let queue = two.pipeline.configuration.dataLoadingQueue
    queue.isSuspended = true
    let other = two.pipeline.imageTask(with: imageURL("other.png"))
    try await waitUntil { queue.status.waiting >= 1 }
    first.cancel()
    pass()
    try await waitUntil { queue.status.waiting >= 2 }
    queue.isSuspended = false
    _ = try await (second.image, other.image)
    #expect(two.loader.requests.map(\.url) == [url, imageURL("other.png")])
  }

  // MARK: Not asked

  @Test("Reloading, uncached and cache-only requests do not wait")
  func options() async throws {
    let (one, two) = (try side(Gate()) { $0.dataCachePolicy = .storeAll }, try side { $0.dataCachePolicy = .storeAll })
    let first = await hold(blurred(FakeProcessor("/blur")), in: one)
    for options in [
      ImageRequest.Options.reloadIgnoringCachedData, .disableDiskCacheReads, .disableDiskCacheWrites, .disableDiskCache,
    ] {
      #expect(try await two.pipeline.image(for: blurred(FakeProcessor("/blur"), options)).pixelWidth == 20)
      two.cache.removeAll()
      two.cache.flush()
    }
    let cacheOnly = blurred(FakeProcessor("/blur"), .returnCacheDataDontLoad)
    let error = await loadFailure(try await two.pipeline.image(for: cacheOnly))
    guard case .dataMissingInCache = error else { throw CancellationError() }
    #expect(time.log.entries.isEmpty)
    first.cancel()
  }

  @Test("With leases disabled, or if the original is not stored, nothing waits", arguments: 0..<3)
  func off(_ way: Int) async throws {
    let one = try side(Gate())
    let two = try side {
      $0.isTaskCoalescingEnabled = way != 1
      if way == 2 { $0.dataCachePolicy = .storeEncodedImages }
    }
    if way == 0 { two.cache.leaseTimeout = 0 }
    let first = await hold(in: one)
    #expect(try await two.pipeline.image(for: url).pixelWidth == 20)
    #expect(time.log.entries.isEmpty)
    first.cancel()
  }

  @Test("Closures do not wait, because they may load the same image themselves")
  func closures() async throws {
    let (one, two) = (try side(), try side())
    let original = original
    let held = one.pipeline.imageTask(
      with: ImageRequest(
        id: "mine",
        data: {
          await gate.wait()
          return original
        }))
    await gate.arrivals(count: 1)
    let other = ImageRequest(id: "mine", data: { original })
    #expect(try await two.pipeline.image(for: other).pixelWidth == 20)
    #expect(time.log.entries.isEmpty)
    gate.open()
    _ = try await held.image
  }

  @Test("Without byte locks, or with too many open files, nothing waits", arguments: [true, false])
  func withoutLocks(hasFile: Bool) async throws {
    let files = FaultyFileSystem()
    let (one, two) = (try side(Gate()), try side(cache: cache(files)))
    files.fault = hasFile ? .withoutByteLocks : .unshareable(code: EMFILE)
    let first = await hold(in: one)
    let second = two.pipeline.imageTask(with: url)
    #expect(try await second.image.pixelWidth == 20)
    #expect(second.facts.waitingForOthers == 0)
    #expect(time.log.entries.isEmpty)
    first.cancel()
  }

  @Test("Nothing waits for results that a failing disk cannot store")
  func failingDisk() async throws {
    let files = FaultyFileSystem()
    let (one, two) = (try side(Gate()), try side(cache: cache(files)))
    two.cache.flush()
    files.fault = .failures(step: 1, code: ENOSPC)
    _ = try await two.pipeline.image(for: imageURL("other.png"))
    two.cache.flush()
    #expect(two.cache.isFailing)
    let first = await hold(in: one)
    #expect(try await two.pipeline.image(for: url).pixelWidth == 20)
    #expect(time.log.entries.isEmpty)
    first.cancel()
  }

  // MARK: Let go of

  @Test(
    "The lease is released if the result is not stored: refused by the delegate, or on a full disk",
    arguments: [true, false])
  func notStored(isRefused: Bool) async throws {
    let files = FaultyFileSystem()
    let delegate = HookedDelegate { if isRefused { $0.willCache = { _, _, _ in nil } } }
    let (one, two) = (try side(cache: cache(files), delegate: delegate), try side())
    one.cache.flush()
    if !isRefused { files.fault = .failures(step: 1, code: ENOSPC) }
    _ = try await one.pipeline.image(for: url)
    one.cache.flush()
    #expect(try await two.pipeline.image(for: url).pixelWidth == 20)
    #expect(two.loader.requests.count == 1)
    #expect(time.log.entries.isEmpty)
  }

  @Test("The lease is released if an image cannot be encoded")
  func notEncoded() async throws {
    struct Failing: ImageEncoding {
      func encode(_ image: PlatformImage) -> Data? { nil }
    }
    let one = try side {
      $0.dataCachePolicy = .automatic
      $0.makeImageEncoder = { _ in Failing() }
    }
    let two = try side { $0.dataCachePolicy = .automatic }
    try await one.pipeline.loadAndStore(blurred(FakeProcessor("/blur")))
    #expect(try await two.pipeline.image(for: blurred(FakeProcessor("/blur"))).pixelWidth == 20)
    #expect(time.log.entries.isEmpty)
  }

  @Test("The lease is released if data was removed before it was written")
  func removedBeforeWriting() async throws {
    let (one, two) = (try side(), try side())
    one.cache.flush()
    one.cache.queue.suspend()
    _ = try await one.pipeline.image(for: url)
    one.cache.removeAll()
    #expect(try await two.pipeline.image(for: url).pixelWidth == 20)
    one.cache.queue.resume()
    #expect(time.log.entries.isEmpty)
  }
}
