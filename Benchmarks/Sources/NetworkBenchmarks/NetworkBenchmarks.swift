import Foundation
import Measuring
import Nuke

// The cost of a download in this process. nginx serves on loopback, in a separate process. The goals are multiples of
// the time of bare libcurl in the same run.

@main
struct NetworkBenchmarks {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--memory", arguments.count == 3 {
      return try await Memory.run(arguments[1], base: arguments[2])
    }
    let server = try Server()
    defer { server.stop() }
    let only = arguments.first
    // For a profiler: only one way of downloading.
    let names = Way.names.filter { arguments.count < 2 || $0 == arguments[1] }
    print(Sample.head)
    for work in [
      Work(name: "20 KB, 6 at a time", base: server.base("small"), length: 20_000, count: 5000, concurrency: 6),
      Work(name: "20 KB, 64 at a time", base: server.base("small"), length: 20_000, count: 5000, concurrency: 64),
      Work(name: "2 MB, 6 at a time", base: server.base("large"), length: 2_000_000, count: 200, concurrency: 6),
      Work(name: "2 MB, 64 at a time", base: server.base("large"), length: 2_000_000, count: 200, concurrency: 64),
    ] where only.map({ work.name.contains($0) }) ?? true {
      try await compare(names, work, server)
    }
    if only.map({ "HTTP cache".contains($0) }) ?? true { try await measureCache(server) }
    if only.map({ "memory".contains($0) }) ?? true { try measureMemory(server) }
  }

  /// All ways take turns in each round, so that other programs on the machine affect all of them.
  private static func compare(_ names: [String], _ work: Work, _ server: Server) async throws {
    let ways = try names.compactMap { name in
      try Way.named(name, concurrency: work.concurrency, folder: server.folder).map { (name: name, way: $0) }
    }
    var times = [[Double]](repeating: [], count: ways.count)
    for round in 0..<8 {
      for (index, way) in ways.enumerated() {
        let start = processorTime()
        let bytes = await way.way.run(work)
        let time = (processorTime() - start) * 1e6 / Double(work.count)
        precondition(bytes == work.count * work.length, "\(way.name) has not received everything")
        // The first round opens the connections.
        if round > 0 { times[index].append(time) }
      }
    }
    var floor: Sample?
    for (way, times) in zip(ways, times) {
      let times = times.sorted()
      let goal = floor.map { Sample.Goal(1.5, times: $0) }
      let sample = Sample(
        name: "\(work.name): \(way.name)", median: times[times.count / 2], least: times[0],
        goal: way.name == "DataLoader" ? goal : nil)
      if way.name == Way.floor { floor = sample }
      let ratio = floor.map { String(format: "%.2f x libcurl", sample.median / $0.median) } ?? ""
      print(sample.line + (goal == nil || way.name == "DataLoader" ? "" : "  " + ratio))
      fflush(nil)
    }
  }

  /// The loader with an HTTP cache: responses that are not stored yet, fresh ones, and validated ones.
  ///
  /// Responses are written after they are delivered, and the time until they are on disk counts. The folders are
  /// removed at the end, because ext4 searches long for free inodes after many files were removed.
  private static func measureCache(_ server: Server) async throws {
    for (kind, path) in [("miss and store", "fresh/small"), ("hit", "fresh/small"), ("304", "changing/small")] {
      let work = Work(name: kind, base: server.base(path), length: 20_000, count: 2000, concurrency: 6)
      var times: [Double] = []
      for round in 0..<6 {
        let folder = server.folder.appendingPathComponent("\(kind)-\(round)")
        let cache = try HTTPCache(path: folder, diskCapacity: 1 << 30)
        let way = Way.loader(concurrency: work.concurrency, cache: cache)
        if kind != "miss and store" {
          keep(await way.run(work))
          cache.flush()
        }
        let start = processorTime()
        let bytes = await way.run(work)
        cache.flush()
        times.append((processorTime() - start) * 1e6 / Double(work.count))
        precondition(bytes == work.count * work.length, "not everything was received")
      }
      times = times.dropFirst().sorted()
      print(Sample(name: "20 KB, HTTP cache: \(kind)", median: times[times.count / 2], least: times[0]).line)
      fflush(nil)
    }
  }

  private static func measureMemory(_ server: Server) throws {
    print("\ngreatest memory of a process, 200 x 2 MB, 64 at a time (MB, the median of 3)")
    for name in [Way.nothing] + Way.names + [Way.caching] {
      let base = server.base(name == Way.caching ? "fresh/large" : "large")
      let peaks = try (0..<3).compactMap { _ in try Memory.measure(name, base: base) }.sorted()
      guard peaks.count == 3 else { fatalError("\(name) has not received everything") }
      print(name.padding(toLength: 42, withPad: " ", startingAt: 0), String(format: "%.1f", peaks[1]))
      fflush(nil)
    }
  }
}
