import Foundation
import Measuring
import Nuke

/// Whole loads without a cache, in the different ways in which a program waits for them. The voluntary context switches
/// matter as well as the time, because waking another thread costs more than the rest of such a load.
struct LoadRows: Sendable {
  let show: @Sendable (String, @Sendable () async -> Sample) async -> Void

  private static func pipeline(isAsynchronous: Bool) -> ImagePipeline {
    let container = ImageContainer(image: PlatformImage())
    return ImagePipeline {
      $0.dataLoader = InstantLoader()
      $0.imageCache = nil
      $0.isRateLimiterEnabled = false
      $0.isDecompressionEnabled = false
      $0.makeImageDecoder = { _ in ConstantDecoder(container: container, isAsynchronous: isAsynchronous) }
    }
  }

  func run() async {
    let requests = (0..<10_000).map(request)
    for isAsynchronous in [false, true] {
      let kind = isAsynchronous ? "async" : "sync"
      let pipeline = Self.pipeline(isAsynchronous: isAsynchronous)
      await show("loads in sequence") {
        await measure("10k loads in sequence, \(kind) decoder", operations: requests.count) {
          for request in requests { _ = try? await pipeline.image(for: request) }
        }
      }
      await show("loads in a group") {
        await measure("10k loads in a group, \(kind) decoder", operations: requests.count) {
          await Self.load(requests, with: pipeline)
        }
      }
    }
    let pipeline = Self.pipeline(isAsynchronous: true)
    await show("loads at once") {
      await measure("5k loads at once, async decoder", operations: 5000) {
        await Self.load(requests.prefix(5000), with: pipeline)
      }
    }
    await show("image tasks at once") {
      await measure("5k image tasks at once, async decoder", operations: 5000) {
        let tasks = requests.prefix(5000).map { pipeline.imageTask(with: $0) }
        for task in tasks { _ = try? await task.response }
      }
    }
    await show("image tasks at once") {
      await measure("5k tasks of Swift at once", operations: 5000) {
        let tasks = requests.prefix(5000).map { request in Task { request.url } }
        for task in tasks { keep(await task.value) }
      }
    }
    let queued = ImagePipeline {
      $0.dataLoader = QueueLoader()
      $0.imageCache = nil
      $0.isRateLimiterEnabled = false
      $0.makeImageDecoder = pipeline.configuration.makeImageDecoder
    }
    await show("loads at once") {
      await measure("5k loads at once, loader on a queue", operations: 5000) {
        await Self.load(requests.prefix(5000), with: queued)
      }
    }
    await coalesce(on: pipeline)
  }

  /// Requests that share URLs, with a loader that responds at once. A load that has ended is not shared.
  private func coalesce(on pipeline: ImagePipeline) async {
    let loader = InstantLoader()
    let requests = (0..<10_000).map { request($0 % 100) }
    let pipeline = ImagePipeline {
      $0.dataLoader = loader
      $0.imageCache = nil
      $0.isRateLimiterEnabled = false
      $0.makeImageDecoder = pipeline.configuration.makeImageDecoder
    }
    await show("coalescing") {
      let calls = loader.callCount
      var sample = await measure("10k loads of 100 URLs, instant loader", operations: requests.count) {
        await Self.load(requests, with: pipeline)
      }
      sample.note = "\((loader.callCount - calls) / 10) calls of the loader in a round"
      return sample
    }
  }

  private static func load(_ requests: some Sequence<ImageRequest>, with pipeline: ImagePipeline) async {
    await withTaskGroup(of: Void.self) { group in
      for request in requests { group.addTask { _ = try? await pipeline.image(for: request) } }
    }
  }
}
