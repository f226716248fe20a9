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
    await showStartAndStop("prefetch, start and stop one URL a call", concurrency: 2, callSize: 1, goal(0.5))
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

  /// - Parameter callSize: the number of URLs that are passed with each call.
  private func showStartAndStop(
    _ name: String, concurrency: Int, callSize: Int = 5000, _ goal: Sample.Goal
  ) async {
    let loader = SilentLoader()
    let pipeline = pipeline(loader)
    // One slot is reserved for more urgent loads.
    pipeline.configuration.dataLoadingQueue.maxConcurrentOperationCount = concurrency + 1
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: concurrency)
    await show(name) {
      await measure(name, operations: urls.count, goal: goal) {
        for start in stride(from: 0, to: urls.count, by: callSize) {
          prefetcher.startPrefetching(with: Array(urls[start..<start + callSize]))
        }
        await loader.waitUntilRunning(concurrency)
        for start in stride(from: 0, to: urls.count, by: callSize) {
          prefetcher.stopPrefetching(with: Array(urls[start..<start + callSize]))
        }
        await loader.waitUntilRunning(0)
      }
    }
  }
}
