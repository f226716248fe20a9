import Foundation
import Nuke

/// The pipeline of a run, with what it keeps on disk.
struct PipelineSetup {
  let pipeline: ImagePipeline
  let cache: DataCache?

  /// A pipeline with room for as many downloads as were asked for, and a decoder for each core.
  ///
  /// - Parameters:
  ///   - isDryRun: whether nothing is to be loaded, so that the folder of a cache is not made where there is none.
  ///   - change: the last word on the configuration.
  init(
    transfer: TransferOptions, cache options: CacheOptions? = nil, isDryRun: Bool = false,
    delegate: (any ImagePipeline.Delegate)? = nil,
    change: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) throws(CacheSite.Failure) {
    var loading = DataLoader.Configuration()
    loading.connectTimeout = transfer.timeout
    loading.idleTimeout = transfer.timeout
    loading.maximumConnectionsPerHost = transfer.concurrency
    loading.userAgent = "nuke/\(NukeCommand.version)"
    var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: transfer.concurrency)
    // How many are loaded at a time is the user's choice, and limit enough.
    configuration.isRateLimiterEnabled = false
    configuration.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: cores)
    configuration.imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: cores)
    if let limit = transfer.maxBytes { configuration.maximumResponseDataSize = limit.bytes }
    let isAbsent = isDryRun && options?.cache.map { [.absent, .empty].contains(DiskStore.site(at: $0)) } == true
    cache = try (isAbsent ? nil : options?.cache).map { path throws(CacheSite.Failure) in
      try CacheSite.cache(at: path, size: options?.cacheSize?.bytes)
    }
    configuration.dataCache = isAbsent ? EmptyDataCache() : cache
    configuration.dataCachePolicy = (options?.store ?? .original).policy
    change(&configuration)
    pipeline = ImagePipeline(configuration: configuration, delegate: delegate)
  }

  /// Waits until all that is to be kept is on the disk.
  func finish() async {
    guard let cache else { return }
    // One is encoded at a time, in order: what comes last sees all others done.
    await withCheckedContinuation { continuation in
      pipeline.configuration.imageEncodingQueue.add(
        WorkItem {
          continuation.resume()
          return .done
        })
    }
    cache.sweep()
  }
}
