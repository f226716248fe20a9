import Foundation
import Nuke
import NukeImaging
import NukeTesting
import Testing

@Suite("Worker pools", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
  private func work(_ name: String, _ log: CallLog) -> WorkItem {
    WorkItem {
      log.append("\(name), worker: \(WorkerPool.isWorker)")
      return .done
    }
  }

  @Test("Work runs elsewhere if no thread can be created, and on threads afterwards")
  func noThreads() async {
    let system = System()
    let queue = TaskQueue(maxConcurrentOperationCount: 2, pool: WorkerPool(limit: 2) { system.makeThread(for: $0) })
    let log = CallLog()
    for name in ["a", "b"] { queue.add(work(name, log)) }
    #expect(Set(await log.entries(count: 2)) == ["a, worker: true", "b, worker: true"])
    #expect(system.refusals > 0)
    system.allow()
    queue.add(work("c", log))
    #expect(await log.entries(count: 3).last == "c, worker: true")
    #expect(system.threads == 1)
  }

  private final class System: Sendable {
    private let state = Lock((isAllowing: false, refusals: 0, threads: 0))
    var refusals: Int { state.withLock { $0.refusals } }
    var threads: Int { state.withLock { $0.threads } }
    func allow() { state.withLock { $0.isAllowing = true } }

    func makeThread(for pool: WorkerPool) -> Bool {
      let isAllowed = state.withLock { state in
        if state.isAllowing { state.threads += 1 } else { state.refusals += 1 }
        return state.isAllowing
      }
      return isAllowed && WorkerPool.makeThread(for: pool)
    }
  }
}

extension HoldingWorkers {
  @Suite("Unresponsive disks")
  struct HungDiskTests {
    @Test("A load that needs no disk is not delayed")
    func hungDisk() async throws {
      let gate = Gate()
      // More than there are threads for decoding and processing.
      let count = WorkerPool.shared.limit
      let hung = (0..<count).map { _ in
        ImagePipeline.fake { $0.dataCache = FakeDataCache(gate: gate) }
      }
      let url = URL(string: "http://pictures.test/a")!
      // Each has two reads at a time.
      let held = hung.flatMap { pipeline in
        (0..<2).map { pipeline.imageTask(with: url.appendingPathComponent("\($0)")) }
      }
      await gate.arrivals(count: min(held.count, WorkerPool.io.limit))
      let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
      let image = try await ImagePipeline.fake(loader: loader).image(
        for: ImageRequest(url: url, processors: [FakeProcessor("a")]))
      #expect(image.pixelWidth == 4)
      #expect(gate.arrivalCount == min(held.count, WorkerPool.io.limit))
      for task in held { task.cancel() }
      gate.open()
    }
  }
}
