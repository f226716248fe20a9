import Foundation
import Measuring
import Nuke
import Synchronization

// What the pipeline itself costs: loaders that answer at once and a decoder that decodes nothing. Requests are built
// before the clock starts.

func request(_ number: Int) -> ImageRequest { ImageRequest(url: URL(string: "http://test.com/\(number)")!) }

func pipeline(_ loader: any DataLoading, cache: (any ImageCaching)? = nil) -> ImagePipeline {
  let container = ImageContainer(image: PlatformImage())
  return ImagePipeline {
    $0.dataLoader = loader
    $0.imageCache = cache
    $0.isRateLimiterEnabled = false
    $0.makeImageDecoder = { _ in ConstantDecoder(container: container) }
  }
}

func loadAll(_ requests: [ImageRequest], with pipeline: ImagePipeline) async {
  await withTaskGroup(of: Void.self) { group in
    for request in requests { group.addTask { _ = try? await pipeline.image(for: request) } }
  }
}

@main
struct PipelineBenchmarks {
  static func main() async {
    let only = CommandLine.arguments.dropFirst().first
    @Sendable func show(_ name: String, _ body: @Sendable () async -> Sample) async {
      if let only, !name.contains(only) { return }
      print(await body().line)
      fflush(nil)
    }

    print(Sample.head)

    // The floors, of which the goals are multiples: one unstructured Task (0.65 µs where the goals were set, so that 8 µs
    // are 12.3), and a Mutex with a Dictionary of String keys (0.07 µs).
    let taskFloor = await measure("Task", operations: 10_000) {
      let tasks = (0..<10_000).map { _ in Task {} }
      for task in tasks { await task.value }
    }
    print(taskFloor.line)
    // What the workloads below that load from a group of tasks spend on the group is taken off.
    let groupFloor = await measure("child task in a group", operations: 10_000) {
      await withTaskGroup(of: Void.self) { group in for _ in 0..<10_000 { group.addTask {} } }
    }
    print(groupFloor.line)
    let keys = (0..<1000).map { "http://test.com/\($0)" }
    let table = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    let lookUpFloor = await measure("look-up", operations: 100_000) {
      var found = 0
      for index in 0..<100_000 where table.withLock({ $0[keys[index % 1000]] }) != nil { found += 1 }
      return found
    }
    print(lookUpFloor.line)

    let distinct = (0..<10_000).map(request)
    let hundred = (0..<10_000).map { request($0 % 100) }
    let one = (0..<10_000).map { _ in request(1) }

    let cache = ImageCache()
    let hot = (0..<1000).map(request)
    for request in hot { cache[ImageCacheKey(request: request)] = ImageContainer(image: PlatformImage()) }
    let hits = pipeline(InstantLoader(), cache: cache)
    await show("memory hit, sequence") {
      await measure("memory hit, 100k in sequence", operations: 100_000, goal: .init(0.77, times: taskFloor)) {
        for index in 0..<100_000 { _ = try? await hits.image(for: hot[index % 1000]) }
      }
    }
    await show("memory hit, 8 tasks") {
      await measure("memory hit, 100k by 8 tasks", operations: 100_000, goal: .init(0.77, times: taskFloor)) {
        await withTaskGroup(of: Void.self) { group in
          for start in 0..<8 {
            group.addTask {
              for index in 0..<12_500 { _ = try? await hits.image(for: hot[(index &+ start &* 131) % 1000]) }
            }
          }
        }
      }
    }
    await show("look-up") {
      await measure("pipeline.cache[request], 1M", operations: 1_000_000, goal: .init(1.43, times: lookUpFloor)) {
        var found = 0
        for index in 0..<1_000_000 where hits.cache[hot[index % 1000]] != nil { found += 1 }
        return found
      }
    }
    await CacheRows(floor: lookUpFloor, show: show).run()

    let instant = pipeline(InstantLoader())
    await show("10k distinct URLs") {
      await measure(
        "10k distinct URLs at once", operations: 10_000, goal: .init(12.3, times: taskFloor), floor: groupFloor.median
      ) { await loadAll(distinct, with: instant) }
    }
    await show("10k on 100 URLs") {
      await measure(
        "10k on 100 URLs at once", operations: 10_000, goal: .init(12.3, times: taskFloor), floor: groupFloor.median
      ) { await loadAll(hundred, with: instant) }
    }
    await show("gated") {
      await measure("10k on 100 URLs, gated", operations: 10_000, goal: .init(12.3, times: taskFloor)) {
        instant.configuration.dataLoadingQueue.isSuspended = true
        let tasks = hundred.map { instant.imageTask(with: $0) }
        instant.configuration.dataLoadingQueue.isSuspended = false
        for task in tasks { _ = try? await task.response }
      }
    }
    await show("one URL") {
      await measure("10k on 1 URL, gated", operations: 10_000) {
        instant.configuration.dataLoadingQueue.isSuspended = true
        let tasks = one.map { instant.imageTask(with: $0) }
        instant.configuration.dataLoadingQueue.isSuspended = false
        for task in tasks { _ = try? await task.response }
      }
    }
    let silent = pipeline(SilentLoader())
    await show("cancel 10k distinct") {
      await measure("start 10k, cancel all", operations: 10_000) {
        let tasks = distinct.map { silent.imageTask(with: $0) }
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.response }
      }
    }
    await show("cancel 10k on one") {
      await measure("start 10k on 1 URL, cancel all", operations: 10_000) {
        let tasks = one.map { silent.imageTask(with: $0) }
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.response }
      }
    }
    let urls = (0..<5000).map { URL(string: "http://test.com/\($0)")! }
    let prefetcher = ImagePrefetcher(pipeline: silent)
    await show("prefetch") {
      await measure("prefetch, start and stop 5,000 URLs", operations: 5000, goal: .init(0.77, times: taskFloor)) {
        prefetcher.startPrefetching(with: urls)
        prefetcher.stopPrefetching(with: urls)
      }
    }
    let wide = ImagePrefetcher(pipeline: silent, maxConcurrentRequestCount: 5000)
    await show("prefetch, wide") {
      await measure("prefetch 5,000 at a time, start and stop", operations: 5000, goal: .init(3.08, times: taskFloor)) {
        wide.startPrefetching(with: urls)
        wide.stopPrefetching(with: urls)
      }
    }
    let chunked = pipeline(ChunkLoader())
    let few = (0..<200).map(request)
    await show("chunks") {
      await measure("200 downloads x 64 chunks, a chunk", operations: 200 * 64) {
        for request in few { _ = try? await chunked.image(for: request) }
      }
    }
  }
}
