import DiskFloors
import Foundation
import FoundationNetworking
import Measuring
import Nuke

// The cost of the disk cache, compared with minimal C code. Files are in the page cache. Goals are multiples of the
// time of the C code in the same run.
//
// DiskBenchmarks                       all rows
// DiskBenchmarks --writes [ROUNDS]     the rows of small writes alone
// DiskBenchmarks --calls               the system calls of each of those, counted by strace
// DiskBenchmarks --repeat ROW ROUNDS   one of those rows and nothing else, for a profiler

@main
struct DiskBenchmarks {
  static func main() async throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-disk-\(getpid())", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: root) }
    func folder(_ name: String) throws -> URL {
      let url = root.appendingPathComponent(name, isDirectory: true)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      return url
    }
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--repeat", arguments.count == 3 {
      return try WriteRow.repeat(arguments[2], rounds: Int(arguments[3]) ?? 1, in: folder("repeat"))
    }
    if arguments.first == "--calls" { return try WriteRow.countCalls(folder: folder) }
    let keys = (0..<1000).map { "https://example.com/pictures/\($0).jpeg" }
    print(Sample.head)
    try WriteRow.measure(rounds: arguments.count == 2 ? Int(arguments[2]) ?? 9 : 9, folder: folder)
    if arguments.first == "--writes" { return }

    let small = try DataCache(path: folder("small"))
    for key in keys { small[key] = Data(repeating: 1, count: 1024) }
    small.flush()
    let others = keys.map { $0 + "?other" }
    let order = (0..<1000).shuffled()
    // The cost of a system call. The cache needs one to find out whether another process has changed something.
    let file = open(small.path.path + "/journal", O_RDONLY)
    defer { close(file) }
    let question = await measure("C: read 8 bytes", operations: 100_000) {
      var word: UInt64 = 0
      for _ in 0..<100_000 { pread(file, &word, 8, 8) }
      return word
    }
    print(question.line)
    print(
      await measure("contains", operations: 100_000, goal: .init(3, times: question)) {
        var found = 0
        for index in 0..<100_000 where small.containsData(for: keys[order[index % 1000]]) { found += 1 }
        return found
      }.line)
    print(
      await measure("miss", operations: 100_000, goal: .init(3, times: question)) {
        var found = 0
        for index in 0..<100_000 where small.cachedData(for: others[order[index % 1000]]) != nil { found += 1 }
        return found
      }.line)

    for (name, length, count, factor) in [("1 KiB", 1024, 1000, 2.0), ("256 KiB", 256 << 10, 100, 1.3)] {
      let path = try folder("floor-\(length)").path
      precondition(disk_floor_write(path, Int32(count), length) == 0)
      let times = 20_000_000 / (length + 8000)
      let floor = await measure("C: read \(name) and sum up", operations: times) {
        disk_floor_read(path, Int32(count), length, Int32(times))
      }
      print(floor.line)
      let cache = try DataCache(path: folder("read-\(length)"))
      for key in keys.prefix(count) { cache[key] = Data(repeating: 1, count: length) }
      cache.flush()
      print(
        await measure("read \(name)", operations: times, goal: .init(factor, times: floor)) {
          var bytes = 0
          for index in 0..<times { bytes += cache.cachedData(for: keys[order[index % 1000] % count])?.count ?? 0 }
          return bytes
        }.line)
      // A cache that has not read these files yet.
      let url = try folder("read-\(length)")
      print(
        await measure("read \(name), the first time", operations: count) {
          guard let fresh = try? DataCache(path: url) else { return 0 }
          fresh.flush()
          return keys.prefix(count).reduce(0) { $0 + (fresh.cachedData(for: $1)?.count ?? 0) }
        }.line)
    }

    try await measureBodies(folder)
  }

  /// Bodies that arrive in chunks: written at the end if their length is unknown, and while they arrive otherwise.
  @MainActor
  static func measureBodies(_ folder: @MainActor (String) throws -> URL) async throws {
    for (name, length, count) in [("300 KiB", 300 << 10, 100), ("2 MiB", 2 << 20, 40), ("20 MiB", 20 << 20, 6)] {
      for (way, expected) in [("at its end", -1), ("as it comes", length)] {
        let cache = try DataCache(path: folder("body-\(length)-\(expected)"))
        let pipeline = ImagePipeline {
          $0.dataLoader = ChunkLoader(length: length, expected: expected)
          $0.imageCache = nil
          $0.dataCache = cache
          $0.isRateLimiterEnabled = false
        }
        print(
          await measure("\(name) written \(way)", operations: count) {
            for number in 0..<count {
              let url = URL(string: "http://test.com/\(number)")!
              _ = try? await pipeline.data(for: ImageRequest(url: url, options: .reloadIgnoringCachedData))
            }
            cache.flush()
          }.line)
      }
    }
  }
}

/// Delivers a body in chunks of 64 KiB, on a separate thread.
final class ChunkLoader: DataLoading {
  private final class NothingToCancel: Cancellable { func cancel() {} }

  private let queue = DispatchQueue(label: "loader")
  private let chunk = Data(repeating: 1, count: 64 << 10)
  private let length: Int
  private let expected: Int

  init(length: Int, expected: Int) {
    self.length = length
    self.expected = expected
  }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    let response = URLResponse(
      url: request.url!, mimeType: "image/jpeg", expectedContentLength: expected, textEncodingName: nil)
    queue.async { [chunk, length] in
      var left = length
      while left > 0 {
        didReceiveData(left < chunk.count ? chunk.prefix(left) : chunk, response)
        left -= chunk.count
      }
      completion(nil)
    }
    return NothingToCancel()
  }
}
