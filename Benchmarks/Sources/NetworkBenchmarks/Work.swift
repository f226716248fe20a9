import Foundation
import FoundationNetworking
import NetworkFloors
import Nuke
import Synchronization

/// A number of downloads, and how many of them run at the same time.
struct Work: Sendable {
  let name: String
  let base: String
  let length: Int
  let count: Int
  let concurrency: Int

  func url(_ number: Int) -> URL { URL(string: "\(base)\(number)")! }
}

/// A way of downloading. It keeps its connections between runs.
protocol Downloading: Sendable {
  /// Downloads all bodies, and returns their total size in bytes.
  func run(_ work: Work) async -> Int
}

/// Bare libcurl.
final class Floor: Downloading, @unchecked Sendable {
  private let floor: OpaquePointer?
  init(concurrency: Int) { floor = network_floor_open(Int32(concurrency)) }
  deinit { network_floor_close(floor) }

  func run(_ work: Work) async -> Int { Int(network_floor_run(floor, work.base, Int32(work.count))) }
}

/// A data loader. When a download ends, the next one starts on the loader's thread.
struct LoaderDownloading: Downloading {
  let loader: any DataLoading

  func run(_ work: Work) async -> Int {
    let state = LoaderRun(loader: loader, work: work)
    await withCheckedContinuation { state.start($0) }
    return state.bytes.load(ordering: .relaxed)
  }
}

private final class LoaderRun: Sendable {
  let loader: any DataLoading
  let work: Work
  let next = Atomic<Int>(0)
  let running: Atomic<Int>
  let bytes = Atomic<Int>(0)
  private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

  init(loader: any DataLoading, work: Work) {
    self.loader = loader
    self.work = work
    running = Atomic(work.concurrency)
  }

  func start(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation.withLock { $0 = continuation }
    for _ in 0..<work.concurrency { goOn() }
  }

  private func goOn() {
    let number = next.add(1, ordering: .relaxed).oldValue
    guard number < work.count else {
      if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
        continuation.withLock { $0 }?.resume()
      }
      return
    }
    _ = loader.loadData(
      with: URLRequest(url: work.url(number)),
      didReceiveData: { data, _ in self.bytes.add(data.count, ordering: .relaxed) },
      completion: { _ in self.goOn() })
  }
}

/// A pipeline, with one task for each concurrent download.
final class PipelineDownloading: Downloading {
  enum Kind {
    /// Returns the body with the response, by `data(for:)`.
    case data
    /// Loads images with a decoder that does nothing, and does not use the responses.
    case image
  }

  private let pipeline: ImagePipeline
  private let kind: Kind

  init(_ kind: Kind, _ loader: any DataLoading, concurrency: Int) {
    self.kind = kind
    pipeline = ImagePipeline {
      $0.dataLoader = loader
      $0.dataCache = nil
      $0.imageCache = nil
      $0.isRateLimiterEnabled = false
      $0.dataLoadingQueue.maxConcurrentOperationCount = concurrency
      $0.makeImageDecoder = { _ in NoDecoder() }
    }
  }

  func run(_ work: Work) async -> Int {
    let next = Counter()
    return await withTaskGroup(of: Int.self) { group in
      for _ in 0..<work.concurrency {
        group.addTask { [self] in
          var bytes = 0
          while true {
            let number = next.take()
            guard number < work.count else { return bytes }
            bytes += await load(ImageRequest(url: work.url(number))) ?? 0
          }
        }
      }
      return await group.reduce(0, +)
    }
  }

  private func load(_ request: ImageRequest) async -> Int? {
    switch kind {
    case .data: try? await pipeline.data(for: request).0.count
    case .image: try? await pipeline.imageTask(with: request).response.container.data?.count
    }
  }
}

private struct NoDecoder: ImageDecoding {
  var isAsynchronous: Bool { false }
  func decode(_ data: Data) -> ImageContainer { ImageContainer(image: PlatformImage(), data: data) }
}

final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
