import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A prefetcher", .timeLimit(.minutes(1)))
struct ImagePrefetcherTests {
  let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
  let cache = FakeImageCache()
  let gate = Gate()
  let completed = Gate()

  private func pipeline(
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline { .fake(loader: loader, imageCache: cache, configure) }

  private func urls(_ names: String...) -> [URL] { names.map(imageURL) }

  private var loaded: [String] { loader.requests.map { $0.url!.lastPathComponent } }

  /// Prefetches and returns once nothing is left.
  private func prefetch(_ requests: [ImageRequest], with prefetcher: ImagePrefetcher) async {
    let completed = Gate()
    prefetcher.didComplete = { completed.open() }
    prefetcher.startPrefetching(with: requests)
    await completed.wait()
  }

  /// Prefetches one image at a time, and returns when the first is being loaded, which ends when `gate` is opened.
  private func prefetchOneByOne(_ names: String..., on pipeline: ImagePipeline) async -> ImagePrefetcher {
    loader.answer(imageURL(names[0]), with: .data(SampleImage.png(width: 4, height: 4)).held(by: gate))
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 1)
    prefetcher.didComplete = { [completed] in completed.open() }
    prefetcher.startPrefetching(with: names.map(imageURL))
    await loader.requests(count: 1)
    return prefetcher
  }

  private func requests(_ names: String...) -> [ImageRequest] { names.map { ImageRequest(url: imageURL($0)) } }

  // MARK: Destinations

  @Test("Processed images are stored in the memory cache")
  func memory() async throws {
    let pipeline = pipeline()
    let request = ImageRequest(url: imageURL("a"), processors: [FakeProcessor("p")])
    await prefetch([request], with: ImagePrefetcher(pipeline: pipeline))
    #expect(cache.writeCount == 1)
    #expect(try await pipeline.imageTask(with: request).response.cacheType == .memory)
    #expect(loader.requests.count == 1)
  }

  @Test("With the destination disk, data is loaded and never decoded")
  func disk() async {
    let decoder = FakeDecoder(SampleImage.bitmap(width: 4, height: 4))
    let processor = FakeProcessor("p")
    let pipeline = pipeline { $0.makeImageDecoder = { _ in decoder } }
    await prefetch(
      requests("a", "b") + [ImageRequest(url: imageURL("c"), processors: [processor])],
      with: ImagePrefetcher(pipeline: pipeline, destination: .diskCache))
    #expect(loaded.sorted() == ["a", "b", "c"])
    #expect((decoder.count, processor.count, cache.writeCount) == (0, 0, 0))
  }

  @Test("With the destination disk, another size needs no second download")
  func diskDuplicates() async {
    let pipeline = pipeline { $0.dataLoadingQueue.isSuspended = true }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, destination: .diskCache)
    prefetcher.didComplete = { completed.open() }
    prefetcher.startPrefetching(
      with: [.init(url: imageURL("a")), .init(url: imageURL("a"), processors: [FakeProcessor("p")])])
    await prefetcher.ordersFollowed()
    #expect(pipeline.load == (1, 1))
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    await completed.wait()
    #expect(loaded == ["a"])
  }

  @Test("With the destination disk, local files and images from closures are skipped")
  func diskWithoutData() async {
    let asked = CallLog()
    await prefetch(
      [
        ImageRequest(url: URL(fileURLWithPath: "/nowhere")), ImageRequest(url: URL(string: "data:,x")),
        ImageRequest(
          id: "decoded",
          image: {
            asked.append("asked")
            return ImageContainer(image: SampleImage.bitmap(width: 1, height: 1))
          }),
      ], with: ImagePrefetcher(pipeline: pipeline(), destination: .diskCache))
    #expect(asked.entries == [])
    #expect(loaded == [])
  }

  // MARK: What is not loaded

  @Test("Requests that are being prefetched are ignored")
  func duplicates() async {
    let pipeline = pipeline { $0.dataLoadingQueue.isSuspended = true }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 10)
    prefetcher.startPrefetching(with: urls("a", "a"))
    prefetcher.startPrefetching(with: requests("a", "b"))
    await prefetcher.ordersFollowed()
    #expect(pipeline.load.subscriptions == 4)
    #expect(pipeline.counters.joined == 0)
    prefetcher.stopPrefetching()
    await prefetcher.ordersFollowed()
    #expect(pipeline.load == (0, 0))
  }

  @Test("Images in the memory cache are skipped")
  func hits() async {
    let pipeline = pipeline()
    for name in ["a", "b"] {
      pipeline.cache[imageURL(name)] = ImageContainer(image: SampleImage.bitmap(width: 1, height: 1))
    }
    await prefetch(requests("a", "b", "c"), with: ImagePrefetcher(pipeline: pipeline))
    #expect(loaded == ["c"])
  }

  @Test("Any number of requests that end at once is processed")
  func manyAtOnce() async {
    let pipeline = pipeline()
    pipeline.invalidate()
    let many = (0..<50_000).map { ImageRequest(url: imageURL("\($0)")) }
    await prefetch(many, with: ImagePrefetcher(pipeline: pipeline))
    #expect(loaded == [])
  }

  // MARK: Order and number

  @Test("Two requests run at a time by default, in order", arguments: [nil, 1, 3])
  func limit(maximum: Int?) async {
    let gates = (0..<4).map { _ in Gate() }
    for (number, gate) in gates.enumerated() {
      loader.answer(imageURL("\(number)"), with: .data(SampleImage.png(width: 4, height: 4)).held(by: gate))
    }
    let pipeline = pipeline()
    let prefetcher =
      maximum.map { ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: $0) }
      ?? ImagePrefetcher(pipeline: pipeline)
    prefetcher.didComplete = { completed.open() }
    prefetcher.startPrefetching(with: (0..<4).map { imageURL("\($0)") })
    let limit = maximum ?? 2
    await loader.requests(count: limit)
    // An image's job and its data's for each.
    #expect(pipeline.load.jobs == 2 * limit)
    for (number, gate) in gates.enumerated() {
      gate.open()
      await loader.requests(count: min(4, limit + number + 1))
    }
    await completed.wait()
    #expect(Set(loaded.prefix(limit)) == Set((0..<limit).map { "\($0)" }))
    #expect(Array(loaded.dropFirst(limit)) == (limit..<4).map { "\($0)" })
  }

  @Test("While paused nothing starts, and running requests continue")
  func pausing() async {
    let pipeline = pipeline()
    let prefetcher = await prefetchOneByOne("a", "b", on: pipeline)
    #expect(prefetcher.isPaused == false)
    prefetcher.isPaused = true
    #expect(prefetcher.isPaused)
    // This waits for the same image, so it ends with it.
    let task = pipeline.imageTask(with: imageURL("a"))
    gate.open()
    _ = try? await task.image
    prefetcher.startPrefetching(with: urls("c"))
    #expect(loaded == ["a"])
    #expect(completed.isOpen == false)
    prefetcher.isPaused = false
    await completed.wait()
    #expect(loaded == ["a", "b", "c"])
  }

  @Test("A pause applies at once, even while earlier calls have not been executed")
  func pausingAtOnce() async {
    let pipeline = pipeline()
    let prefetcher = await prefetchOneByOne("a", "b", on: pipeline)
    // The next call waits for the identifier of this processor.
    let processor = HeldProcessor()
    prefetcher.startPrefetching(with: [ImageRequest(url: imageURL("c"), processors: [processor])])
    await processor.asked.wait()
    prefetcher.isPaused = true
    let task = pipeline.imageTask(with: imageURL("a"))
    gate.open()
    _ = try? await task.image
    #expect(loaded == ["a"])
    prefetcher.isPaused = false
    prefetcher.isPaused = true
    processor.semaphore.signal()
    prefetcher.stopPrefetching(with: urls("b"))
    prefetcher.isPaused = false
    await completed.wait()
    #expect(loaded == ["a", "c"])
  }

  // MARK: Beside ordinary loads

  @Test("An ordinary load of the same image joins the prefetching")
  func joining() async throws {
    let pipeline = pipeline { $0.dataLoadingQueue.isSuspended = true }
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let task = pipeline.imageTask(with: imageURL("a"))
    prefetcher.startPrefetching(with: urls("a", "b"))
    let other = pipeline.imageTask(with: imageURL("b"))
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    _ = try await task.image
    _ = try await other.image
    #expect(Set(loaded) == ["a", "b"])
    #expect(loaded.count == 2)
  }

  @Test(
    "One slot stays free, so that an ordinary load starts at once, also of an image that waits to be prefetched",
    arguments: ["ordinary", "40"])
  func starvation(name: String) async throws {
    let held = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)).held(by: gate) }
    let pipeline = ImagePipeline.fake(loader: held)
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 100)
    prefetcher.startPrefetching(with: (0..<50).map { imageURL("\($0)") })
    await held.requests(count: 5)
    let task = pipeline.imageTask(with: imageURL(name))
    #expect(await held.requests(count: 6).last?.url == imageURL(name))
    #expect(held.requests.count == 6)
    gate.open()
    _ = try await task.image
    #expect(held.requests.filter { $0.url == imageURL(name) }.count == 1)
  }

  @Test("Ordinary loads take precedence, whatever the priority of prefetched requests")
  func lowPriority() async throws {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let pipeline = pipeline { $0.dataLoadingQueue = queue }
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    #expect(prefetcher.priority == .low)
    prefetcher.startPrefetching(with: [ImageRequest(url: imageURL("a"), priority: .veryHigh)])
    let task = pipeline.imageTask(with: imageURL("b"))
    queue.isSuspended = false
    _ = try await task.image
    await loader.requests(count: 2)
    #expect(loaded == ["b", "a"])
  }

  @Test("A changed priority applies to running and later requests")
  func priority() async throws {
    let queue = TaskQueue(maxConcurrentOperationCount: 1)
    queue.isSuspended = true
    let pipeline = pipeline { $0.dataLoadingQueue = queue }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 10)
    prefetcher.startPrefetching(with: urls("a", "b"))
    let task = pipeline.imageTask(with: imageURL("c"))
    prefetcher.priority = .high
    #expect(prefetcher.priority == .high)
    prefetcher.startPrefetching(with: urls("d"))
    // All are in the queue by then.
    await prefetcher.ordersFollowed()
    queue.isSuspended = false
    _ = try await task.image
    // The tasks of the first two are raised one after the other, in any order.
    #expect(Set(loaded.prefix(2)) == ["a", "b"])
    #expect(loaded.dropFirst(2) == ["d", "c"])
  }

  // MARK: Stopping

  @Test("Requests can be stopped by URL or by request, and the others continue")
  func stopping() async {
    let prefetcher = await prefetchOneByOne("a", "b", "c", "d", on: pipeline())
    prefetcher.stopPrefetching(with: urls("b"))
    prefetcher.stopPrefetching(with: requests("a", "d", "x"))
    await completed.wait()
    #expect(await loader.cancelledRequests(count: 1).map(\.url) == [imageURL("a")])
    #expect(loaded == ["a", "c"])
  }

  @Test("Stopping or releasing the prefetcher stops all requests", arguments: [false, true])
  func stoppingAll(isReleased: Bool) async {
    let held = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)).held(by: gate) }
    let pipeline = ImagePipeline.fake(loader: held)
    var prefetcher: ImagePrefetcher? = ImagePrefetcher(pipeline: pipeline)
    prefetcher?.startPrefetching(with: urls("a", "b", "c"))
    await held.requests(count: 2)
    if isReleased { prefetcher = nil } else { prefetcher?.stopPrefetching() }
    #expect(await held.cancelledRequests(count: 2).count == 2)
    #expect(pipeline.load == (0, 0))
    #expect(held.requests.count == 2)
  }

  @Test("Stopping does not affect other tasks that share a load")
  func stoppingShared() async throws {
    loader.answer(imageURL("a"), with: .data(SampleImage.png(width: 4, height: 4)).held(by: gate))
    let pipeline = pipeline()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.startPrefetching(with: urls("a"))
    let task = pipeline.imageTask(with: imageURL("a"))
    await loader.requests(count: 1)
    prefetcher.stopPrefetching()
    gate.open()
    _ = try await task.image
    #expect(loader.cancelledRequests == [])
  }

  // MARK: The end

  @Test("didComplete is called whenever no requests are left, also after failures")
  func completion() async {
    loader.answer(imageURL("b"), with: .failure(FakeDataLoader.Failure.noAnswer(nil)))
    let prefetcher = ImagePrefetcher(pipeline: pipeline())
    let log = CallLog()
    prefetcher.didComplete = { log.append("completed") }
    prefetcher.startPrefetching(with: [URL]())
    prefetcher.startPrefetching(with: urls("a", "b", "c"))
    await log.entries(count: 1)
    #expect(loaded.count == 3)
    prefetcher.startPrefetching(with: urls("d"))
    await log.entries(count: 2)
    #expect(loaded.count == 4)
    #expect(log.entries.count == 2)
  }

  @Test("didComplete waits for the requests of all calls, also of those that have not been executed")
  func completionOfAllCalls() async {
    let prefetcher = await prefetchOneByOne("a", on: pipeline())
    let (log, ended) = (CallLog(), Gate())
    prefetcher.didComplete = { [loader] in log.append("\(loader.completedRequests.count) loads") }
    prefetcher.didEnd = { _ in ended.open() }
    // The next call waits for the identifier of this processor.
    let processor = HeldProcessor()
    prefetcher.startPrefetching(with: [ImageRequest(url: imageURL("b"), processors: [processor])])
    await processor.asked.wait()
    gate.open()
    await ended.wait()
    processor.semaphore.signal()
    await log.entries(count: 1)
    prefetcher.startPrefetching(with: urls("c"))
    await log.entries(count: 2)
    #expect(log.entries == ["2 loads", "3 loads"])
  }

  @Test("didComplete is called when the remaining requests are stopped")
  func completionByStopping() async {
    let pipeline = pipeline { $0.dataLoadingQueue.isSuspended = true }
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.didComplete = { completed.open() }
    prefetcher.startPrefetching(with: urls("a", "b", "c"))
    prefetcher.stopPrefetching()
    await completed.wait()
    #expect(loaded == [])
  }

  @Test("Concurrent use loses nothing and retains nothing", arguments: 0..<4 as Range<UInt64>)
  func stress(seed: UInt64) async throws {
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 4)
    await withTaskGroup(of: Void.self) { group in
      for user in 0..<8 as Range<UInt64> {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 100 &+ user)
          for _ in 0..<200 {
            let urls = (0..<5).map { _ in imageURL("\(Int.random(in: 0..<40, using: &random))") }
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11: prefetcher.startPrefetching(with: urls)
            case 11..<16: prefetcher.stopPrefetching(with: urls)
            case 16: prefetcher.stopPrefetching()
            case 17: prefetcher.priority = Bool.random(using: &random) ? .high : .low
            case 18: prefetcher.isPaused.toggle()
            default: _ = try? await pipeline.image(for: urls[0])
            }
          }
        }
      }
    }
    prefetcher.isPaused = false
    await prefetch(requests("last"), with: prefetcher)
    #expect(loader.completedRequests.count { $0.url == imageURL("last") } == 1)
    // Those that were begun before may end after the last; the time limit of the suite ends the wait for one that is left.
    try await waitUntil { pipeline.load == (0, 0) }
  }
}

/// A processor whose identifier is a call that waits for a signal, once.
private final class HeldProcessor: ImageProcessing, Sendable {
  let asked = Gate()
  let semaphore = DispatchSemaphore(value: 0)

  var identifier: String {
    if !asked.isOpen {
      asked.open()
      semaphore.wait()
    }
    return "held"
  }

  func process(_ image: PlatformImage) -> PlatformImage? { image }
}
