import Dispatch
import Foundation
import Nuke
import NukeCodecs
import NukeImaging
import NukeSandbox
import NukeServing

/// The cost of rendering an image in a sandbox, compared with this process: the CPU time of this process and the
/// workers together, the wall time, and the memory of a worker.
///
///     swift run -c release --traits Server SandboxCost [SECONDS] [JPEG]
@main
enum SandboxCost {
  static func main() throws {
    RenderWorker.runIfAsked()
    let arguments = CommandLine.arguments.dropFirst()
    let seconds = arguments.first.flatMap { Double($0) } ?? 4
    let photo =
      try arguments.dropFirst().first.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } ?? SampleImages.photo
    Task {
      do {
        try await run(seconds: seconds, photo: photo)
        exit(0)
      } catch {
        print("SandboxCost: \(error)")
        exit(1)
      }
    }
    dispatchMain()
  }

  private static func run(seconds: Double, photo: Data) async throws {
    var configuration = SandboxConfiguration()
    configuration.workerCount = 1
    configuration.imagesPerWorker = .max
    configuration.keptMemory = .max
    let start = Clock.now
    let sandbox = try RenderSandbox(renderer: Renderer(), configuration: configuration)
    print("a worker is ready after \(text((Clock.now - start) * 1000, 0)) ms")
    let workers = Processes.children
    print("memory of a worker, MB of PSS: \(text(Processes.memory(of: workers), 1)) at first")
    let boxed = SandboxedRenderer(sandbox)
    let plain = PipelineRenderer(
      Renderer(), in: ImagePipeline(configuration: ImagePipeline.Configuration.server))
    print("picture                     way      CPU ms  median ms  p99 ms")
    for (name, source, options, format) in SampleImages.all(photo: photo) {
      let request = RenditionRequest(source: URL(fileURLWithPath: "/"), options: options, format: format)
      // Alternately, so that other programs on the machine affect both.
      var rows: [String: [Row]] = [:]
      for _ in 0..<3 {
        rows["plain", default: []].append(try await measure(plain, request, source, seconds / 3, workers: []))
        rows["sandbox", default: []].append(try await measure(boxed, request, source, seconds / 3, workers: workers))
      }
      for way in ["plain", "sandbox"] {
        let all = rows[way] ?? []
        let row = Row(
          processor: median(all.map(\.processor)), latency: median(all.map(\.latency)), late: median(all.map(\.late)))
        let columns = [text(row.processor, 3), text(row.latency, 3), text(row.late, 3)]
        print(
          name.padding(toLength: 28, withPad: " ", startingAt: 0)
            + way.padding(toLength: 8, withPad: " ", startingAt: 0)
            + columns.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }.joined())
      }
      print("memory of a worker, MB of PSS: \(text(Processes.memory(of: workers), 1))")
    }
    print("memory of this process, MB of PSS: \(text(Processes.memory(of: [getpid()]), 1))")
  }

  /// Milliseconds.
  private struct Row {
    var processor: Double
    var latency: Double
    var late: Double
  }

  private static func measure(
    _ renderer: any RenderBackend, _ request: RenditionRequest, _ source: Data, _ seconds: Double, workers: [pid_t]
  ) async throws -> Row {
    for _ in 0..<3 { _ = try await renderer.plan(request, source: source).render() }
    var latencies: [Double] = []
    let (start, processor) = (Clock.now, Processes.processorTime(with: workers))
    repeat {
      let begin = Clock.now
      _ = try await renderer.plan(request, source: source).render()
      latencies.append((Clock.now - begin) * 1000)
    } while Clock.now - start < seconds
    let taken = Processes.processorTime(with: workers) - processor
    latencies.sort()
    return Row(
      processor: taken * 1000 / Double(latencies.count), latency: median(latencies),
      late: latencies[latencies.count * 99 / 100])
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func text(_ number: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", number) }
}
