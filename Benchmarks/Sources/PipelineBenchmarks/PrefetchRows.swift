import Foundation
import Measuring
import Nuke

/// Prefetching with a loader that never responds. The prefetcher works on a worker thread, so a round ends when the
/// loader has seen all loads start and end.
struct PrefetchRows: Sendable {
  let goal: @Sendable (Double) -> Sample.Goal
  let show: @Sendable (String, @Sendable () async -> Sample) async -> Void

  private let urls = (0..<5000).map { URL(string: "http://test.com/\($0)")! }

  init(
    goal: @escaping @Sendable (Double) -> Sample.Goal,
    show: @escaping @Sendable (String, @Sendable () async -> Sample) async -> Void
  ) {
    self.goal = goal
    self.show = show
  }

  func run() async {
    await showCallersTime()
    await showStartAndStop("prefetch, start and stop 5,000 URLs", concurrency: 2, goal(0.5))
    await showStartAndStop("prefetch 5,000 at a time, start and stop", concurrency: 5000, goal(2))
  }

  /// The time that `startPrefetching` takes on the caller's thread.
  private func showCallersTime() async {
    let pipeline = pipeline(SilentLoader())
    await show("prefetching") {
      var times: [Double] = []
      for _ in 0..<10 {
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        let start = ContinuousClock.now
        prefetcher.startPrefetching(with: urls)
        times.append((ContinuousClock.now - start) / .microseconds(urls.count))
        prefetcher.stopPrefetching()
      }
      times.sort()
      var sample = Sample(name: "startPrefetching, a URL, caller's thread", median: times[5], least: times[0])
      sample.note = "time that passed"
      return sample
    }
  }

  private func showStartAndStop(_ name: String, concurrency: Int, _ goal: Sample.Goal) async {
    let loader = SilentLoader()
    let pipeline = pipeline(loader)
    // One slot is reserved for more urgent loads.
    pipeline.configuration.dataLoadingQueue.maxConcurrentOperationCount = concurrency + 1
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: concurrency)
    await show(name) {
      await measure(name, operations: urls.count, goal: goal) {
        prefetcher.startPrefetching(with: urls)
        await loader.waitUntilRunning(concurrency)
        prefetcher.stopPrefetching(with: urls)
        await loader.waitUntilRunning(0)
      }
    }
  }
}
