import Foundation
import Measuring
import Nuke
import Synchronization

// The cost of the pipeline itself, with loaders that respond at once and a decoder that does nothing. Requests are
// created before the clock starts.

func request(_ number: Int) -> ImageRequest { ImageRequest(url: URL(string: "http://test.com/\(number)")!) }

func pipeline(_ loader: any DataLoading, cache: (any ImageCaching)? = nil) -> ImagePipeline {
  let container = ImageContainer(image: PlatformImage())
  return ImagePipeline {
    $0.dataLoader = loader
    $0.imageCache = cache
    $0.isRateLimiterEnabled = false
    $0.isDecompressionEnabled = false
    $0.makeImageDecoder = { _ in ConstantDecoder(container: container) }
  }
}

/// Uses no task group: taking the result of a child that ended out of order walks through the children before it, so
/// that the cost of the group would be measured.
func loadAll(_ requests: [ImageRequest], with pipeline: ImagePipeline) async {
  let tasks = requests.map { request in Task { _ = try? await pipeline.image(for: request) } }
  for task in tasks { await task.value }
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

    // The goals are multiples of these basic operations: one unstructured Task (0.65 µs on the machine where the goals
    // were set, so that 4 µs are 6.15), and a Mutex with a Dictionary of String keys (0.07 µs).
    let taskFloor = await measure("Task", operations: 10_000) {
      let tasks = (0..<10_000).map { _ in Task {} }
      for task in tasks { await task.value }
    }
    print(taskFloor.line)
    @Sendable func goal(_ microseconds: Double) -> Sample.Goal { .init(microseconds / 0.65, times: taskFloor) }
    let keys = (0..<1000).map { "http://test.com/\($0)" }
    let table = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    let lookUpFloor = await measure("look-up", operations: 100_000) {
      var found = 0
      for index in 0..<100_000 where table.withLock({ $0[keys[index % 1000]] }) != nil { found += 1 }
      return found
    }
    print(lookUpFloor.line)

    let distinct = (0..<10_000).map(request)
    let processed = distinct.map { request in
      var request = request
      request.processors = [Unchanged(number: 1), Unchanged(number: 2)]
      return request
    }
    let hundred = (0..<10_000).map { request($0 % 100) }
    let one = (0..<10_000).map { _ in request(1) }

    let cache = ImageCache()
    let hot = (0..<1000).map(request)
    for request in hot { cache[ImageCacheKey(request: request)] = ImageContainer(image: PlatformImage()) }
    let hits = pipeline(InstantLoader(), cache: cache)
    await show("memory hit, sequence") {
      await measure("memory hit, 100k in sequence", operations: 100_000, goal: goal(0.2)) {
        for index in 0..<100_000 { _ = try? await hits.image(for: hot[index % 1000]) }
      }
    }
    await show("memory hit, 8 tasks") {
      await measure("memory hit, 100k by 8 tasks", operations: 100_000, goal: goal(0.2)) {
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
    await LookUpRows(show: show).run()
    await LoadRows(show: show).run()

    let instant = pipeline(InstantLoader())
    // The cost of starting the tasks that load is subtracted.
    func showLoads(_ name: String, _ requests: [ImageRequest], _ microseconds: Double) async {
      await show(name) {
        await measure(
          name, operations: requests.count, goal: goal(microseconds), floor: taskFloor.median
        ) { await loadAll(requests, with: instant) }
      }
    }
    await showLoads("10k distinct URLs at once", distinct, 4)
    await showLoads("10k distinct URLs, two processors", processed, 6)
    await showLoads("10k on 100 URLs at once", hundred, 2)
    await showLoads("10k on 1 URL at once", one, 1)

    /// All requests are added before the first download starts.
    func showGated(_ name: String, _ requests: [ImageRequest], _ microseconds: Double) async {
      await show(name) {
        await measure(name, operations: requests.count, goal: goal(microseconds)) {
          instant.configuration.dataLoadingQueue.isSuspended = true
          let tasks = requests.map { instant.imageTask(with: $0) }
          instant.configuration.dataLoadingQueue.isSuspended = false
          for task in tasks { _ = try? await task.response }
        }
      }
    }
    await showGated("10k on 100 URLs, gated", hundred, 2)
    await showGated("10k on 1 URL, gated", one, 1)

    let silent = pipeline(SilentLoader())
    func showCancelled(_ name: String, _ requests: [ImageRequest], _ microseconds: Double) async {
      await show(name) {
        await measure(name, operations: requests.count, goal: goal(microseconds)) {
          let tasks = requests.map { silent.imageTask(with: $0) }
          for task in tasks { task.cancel() }
          for task in tasks { _ = try? await task.response }
        }
      }
    }
    await showCancelled("start 10k, cancel all", distinct, 2)
    await showCancelled("start 1k on 1 URL, cancel all", Array(one.prefix(1000)), 1)
    await showCancelled("start 10k on 1 URL, cancel all", one, 1)

    await ViewRows(silent: silent, hits: hits, goal: goal(1), show: show).run()

    await PrefetchRows(goal: goal, show: show).run()

    let chunked = pipeline(ChunkLoader())
    let few = (0..<200).map(request)
    await show("chunks") {
      await measure("200 downloads x 64 chunks, a chunk", operations: 200 * 64, goal: goal(0.4)) {
        for request in few { _ = try? await chunked.image(for: request) }
      }
    }
    await show("chunks, events") {
      await measure("the same with a stream of events", operations: 200 * 64, goal: goal(1)) {
        for request in few {
          let task = chunked.imageTask(with: request)
          for await event in task.events { keep(event) }
        }
      }
    }

    await show("resident memory") {
      await measureResidentMemory(few, with: pipeline(InstantLoader(), cache: ImageCache()))
    }

    await show("allocations") {
      let none = await measureAllocations("allocations, a Task", operations: 10_000) {
        let tasks = (0..<10_000).map { _ in Task {} }
        for task in tasks { await task.value }
      }
      print(none.line)
      print(
        await measureAllocations("allocations, a distinct URL (goal 15)", operations: 10_000, floor: none.median) {
          await loadAll(distinct, with: instant)
        }.line)
      return await measureAllocations("allocations, a memory hit (goal 0)", operations: 100_000) {
        for index in 0..<100_000 { _ = try? await hits.image(for: hot[index % 1000]) }
      }
    }
  }
}
