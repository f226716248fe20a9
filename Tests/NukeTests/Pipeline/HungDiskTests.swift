import Foundation
import Nuke
import NukeTesting
import Testing

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
