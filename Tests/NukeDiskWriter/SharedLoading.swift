import Foundation
import Nuke

/// A process that loads images beside others, which have the same folder.
struct SharedLoading {
  let folder: URL
  let origin: URL
  let count: Int
  let timeout: TimeInterval

  /// - Parameter arguments: those behind `load`.
  init?(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 4, let origin = URL(string: arguments[1]), let count = Int(arguments[2]),
      let timeout = TimeInterval(arguments[3])
    else { return nil }
    (self.folder, self.origin) = (URL(fileURLWithPath: arguments[0], isDirectory: true), origin)
    (self.count, self.timeout) = (count, timeout)
  }

  func run() async throws {
    var options = DiskStore.Options()
    let isWaiting = Lock(false)
    options.leaseTimer = { nanoseconds, body in
      let isFirst = isWaiting.withLock { isWaiting in
        defer { isWaiting = true }
        return !isWaiting
      }
      if isFirst { Self.say("waits") }
      DiskLeases.systemTimer(nanoseconds, body)
    }
    let cache = try DataCache(path: folder, options: options)
    cache.leaseTimeout = timeout
    // What servers allow to be kept is the user's.
    var loading = DataLoader.Configuration()
    loading.urlCache = nil
    let loader = DataLoader(configuration: loading)
    let pipeline = ImagePipeline {
      $0.dataLoader = loader
      $0.dataCache = cache
      $0.dataCachePolicy = .storeAll
      $0.imageCache = nil
      $0.isRateLimiterEnabled = false
    }
    Self.say("started")
    let tasks = (0..<count).map { number in
      pipeline.imageTask(
        with: ImageRequest(url: origin.appendingPathComponent("\(number)"), processors: [Telling()]))
    }
    for task in tasks {
      let width = (try? await task.image.pixelWidth) ?? 0
      Self.say("loaded \(width) \(task.facts.origin?.rawValue ?? "nothing")")
    }
    await withCheckedContinuation { continuation in
      pipeline.configuration.imageEncodingQueue.add(
        WorkItem {
          continuation.resume()
          return .done
        })
    }
    cache.flush()
  }

  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  /// Says when it is called.
  private struct Telling: ImageProcessing {
    let identifier = "telling"

    func process(_ image: PlatformImage) -> PlatformImage? {
      SharedLoading.say("processed")
      return image
    }
  }
}
