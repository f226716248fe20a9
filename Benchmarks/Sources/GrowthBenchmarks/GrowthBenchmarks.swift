import Foundation
import FoundationNetworking
import Measuring
import Nuke
import Synchronization

// Time and memory per item at three sizes, each ten times as large as the one before. What grows faster than its work is
// a fault.
//
// GrowthBenchmarks                  all rows; entries of the disk cache are in the temporary folder
// GrowthBenchmarks memory           the memory cache of up to 1,000,000 images
// GrowthBenchmarks disk [FOLDER]    the disk cache of up to 1,000,000 entries
// GrowthBenchmarks loads            up to 100,000 loads at once
// GrowthBenchmarks prefetch         up to 100,000 prefetches

/// The cost of one workload at one size.
private struct Cost {
  /// CPU time in microseconds per item.
  var time: Double
  /// The growth of the memory of the process in bytes per item.
  var memory: Double
}

/// A workload at three sizes.
private struct Row {
  let name: String
  let sizes: [Int]

  func show(_ body: (Int) async throws -> Cost) async rethrows {
    var costs: [Cost] = []
    for size in sizes { costs.append(try await body(size)) }
    let cells = costs.map { String(format: "%.2f, %.0f", $0.time, $0.memory) }.joined(separator: " | ")
    print("| \(name) | \(cells) |")
    fflush(nil)
  }
}

/// The resident memory of the process in bytes.
private func residentMemory() -> Double {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
}

/// Measures `body`, which works on `count` items.
private func cost(_ count: Int, _ body: () async throws -> Void) async rethrows -> Cost {
  let (start, memory) = (processorTime(), residentMemory())
  try await body()
  return Cost(
    time: (processorTime() - start) * 1e6 / Double(count), memory: (residentMemory() - memory) / Double(count))
}

private func head(_ title: String, _ sizes: [Int]) {
  print("\n| \(title), µs and bytes per item | " + sizes.map { "\($0)" }.joined(separator: " | ") + " |")
  print("|---" + String(repeating: "|--:", count: sizes.count) + "|")
}

/// Fills a cache, reads it by random keys, writes at its limit, lowers the limit to half, and empties it.
private func showMemoryCache(_ sizes: [Int]) async {
  head("`ImageCache`", sizes)
  let container = ImageContainer(image: PlatformImage())
  func key(_ number: Int) -> ImageCacheKey { ImageCacheKey(key: "http://test.com/\(number)") }
  func caches(_ count: Int) -> ImageCache { ImageCache(costLimit: .max, countLimit: count) }
  await Row(name: "insert", sizes: sizes).show { count in
    let cache = caches(count)
    return await cost(count) { for number in 0..<count { cache[key(number)] = container } }
  }
  let filled = sizes.map { count in
    let cache = caches(count)
    for number in 0..<count { cache[key(number)] = container }
    return (count, cache)
  }
  func cache(of count: Int) -> ImageCache { filled.first { $0.0 == count }?.1 ?? caches(count) }
  await Row(name: "random hit", sizes: sizes).show { count in
    let (cache, operations) = (cache(of: count), 200_000)
    let keys = (0..<operations).map { _ in key(.random(in: 0..<count)) }
    return await cost(operations) { for key in keys { keep(cache[key]) } }
  }
  await Row(name: "insert at the limit", sizes: sizes).show { count in
    let cache = cache(of: count)
    let keys = (0..<count).map { key(count + $0) }
    return await cost(count) { for key in keys { cache[key] = container } }
  }
  await Row(name: "lower the limit to half", sizes: sizes).show { count in
    let cache = cache(of: count)
    return await cost(count / 2) { cache.countLimit = count / 2 }
  }
  await Row(name: "removeAll", sizes: sizes).show { count in
    let cache = cache(of: count)
    return await cost(count / 2) { cache.removeAll() }
  }
}

/// Entries of 100 bytes.
private func showDiskCache(_ sizes: [Int], in folder: URL) async throws {
  head("`DataCache`, \(folder.path)", sizes)
  let root = folder.appendingPathComponent("nuke-growth-\(getpid())", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: root) }
  let value = Data(repeating: 1, count: 100)
  func path(_ count: Int) -> URL { root.appendingPathComponent("\(count)", isDirectory: true) }
  func cache(_ count: Int) throws -> DataCache {
    let cache = try DataCache(path: path(count))
    cache.sizeLimit = .max
    return cache
  }
  try await Row(name: "store", sizes: sizes).show { count in
    let cache = try cache(count)
    return try await cost(count) {
      for number in 0..<count { try await cache.store(value, for: "http://test.com/\(number)") }
      cache.flush()
    }
  }
  try await Row(name: "open, and read one entry", sizes: sizes).show { count in
    try await cost(count) { keep(try cache(count).cachedData(for: "http://test.com/1")) }
  }
  try await Row(name: "scan the folder", sizes: sizes).show { count in
    try await cost(count) { keep(try cache(count).totalSize) }
  }
  try await Row(name: "random read", sizes: sizes).show { count in
    let (cache, operations) = (try cache(count), 20_000)
    // Waits until the folder is scanned.
    keep(cache.totalSize)
    return await cost(operations) {
      for _ in 0..<operations { keep(cache.cachedData(for: "http://test.com/\(Int.random(in: 0..<count))")) }
    }
  }
  try await Row(name: "store at the limit", sizes: sizes).show { count in
    let cache = try cache(count)
    cache.sizeLimit = cache.totalAllocatedSize
    let operations = min(count, 20_000)
    return try await cost(operations) {
      for number in 0..<operations { try await cache.store(value, for: "http://test.com/\(count + number)") }
      cache.flush()
    }
  }
  try await Row(name: "lower the limit to half", sizes: sizes).show { count in
    let cache = try cache(count)
    cache.sizeLimit = cache.totalAllocatedSize / 2
    return await cost(count / 2) {
      cache.sweep()
      cache.flush()
    }
  }
  try await Row(name: "removeAll", sizes: sizes).show { count in
    let cache = try cache(count)
    return await cost(count / 2) {
      cache.removeAll()
      cache.flush()
    }
  }
}

/// Responds when it is told to, so that all loads are outstanding at the same time.
private final class GatedLoader: DataLoading {
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let data = Data(count: 1024)
  private let response = URLResponse(
    url: URL(string: "http://test.com")!, mimeType: "image/jpeg", expectedContentLength: 1024, textEncodingName: nil)

  private final class Nothing: Cancellable { func cancel() {} }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    waiting.withLock { waiting in
      waiting.append { [data, response] in
        didReceiveData(data, response)
        completion(nil)
      }
    }
    return Nothing()
  }

  var count: Int { waiting.withLock { $0.count } }

  func respond() {
    let all = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for answer in all { answer() }
  }
}

private struct InstantDecoder: ImageDecoding {
  let container = ImageContainer(image: PlatformImage())
  func decode(_ data: Data) throws -> ImageContainer { container }
}

private func pipeline(_ loader: any DataLoading) -> ImagePipeline {
  ImagePipeline {
    $0.dataLoader = loader
    $0.imageCache = nil
    $0.isRateLimiterEnabled = false
    $0.dataLoadingQueue.maxConcurrentOperationCount = 1_000_000
    $0.makeImageDecoder = { _ in InstantDecoder() }
  }
}

private func showLoads(_ sizes: [Int]) async {
  head("loads at once", sizes)
  await Row(name: "`image(for:)`, all wait for the loader", sizes: sizes).show { count in
    let loader = GatedLoader()
    let pipeline = pipeline(loader)
    var memory = 0.0
    let requests = (0..<count).map { ImageRequest(url: URL(string: "http://test.com/\($0)")!) }
    let before = residentMemory()
    var total = await cost(count) {
      let tasks = requests.map { request in Task { _ = try? await pipeline.image(for: request) } }
      while loader.count < count { await Task.yield() }
      memory = residentMemory() - before
      loader.respond()
      for task in tasks { await task.value }
    }
    total.memory = memory / Double(count)
    return total
  }
}

private func showPrefetches(_ sizes: [Int]) async {
  head("prefetching", sizes)
  await Row(name: "start and complete", sizes: sizes).show { count in
    let loader = GatedLoader()
    let pipeline = pipeline(loader)
    let urls = (0..<count).map { URL(string: "http://test.com/\($0)")! }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 100)
    return await cost(count) {
      let end = AsyncStream<Void>.makeStream()
      prefetcher.didComplete = { end.continuation.finish() }
      prefetcher.startPrefetching(with: urls)
      let answering = Task {
        while !Task.isCancelled {
          loader.respond()
          await Task.yield()
        }
      }
      for await _ in end.stream {}
      answering.cancel()
      await answering.value
    }
  }
  await Row(name: "start, then stop all", sizes: sizes).show { count in
    let pipeline = pipeline(GatedLoader())
    let urls = (0..<count).map { URL(string: "http://test.com/\($0)")! }
    let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 2)
    return await cost(count) {
      prefetcher.startPrefetching(with: urls)
      prefetcher.stopPrefetching(with: urls)
    }
  }
}

@main
struct GrowthBenchmarks {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let only = arguments.first
    if only == nil || only == "memory" { await showMemoryCache([10_000, 100_000, 1_000_000]) }
    if only == nil || only == "loads" { await showLoads([1000, 10_000, 100_000]) }
    if only == nil || only == "prefetch" { await showPrefetches([1000, 10_000, 100_000]) }
    if only == nil || only == "disk" {
      let folder = arguments.count > 1 ? URL(fileURLWithPath: arguments[1]) : FileManager.default.temporaryDirectory
      try await showDiskCache([10_000, 100_000, 1_000_000], in: folder)
    }
  }
}
