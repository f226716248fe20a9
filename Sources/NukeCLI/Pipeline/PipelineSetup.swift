#if Command
  import Foundation
  import Nuke

  /// The pipeline of a command, and its disk cache.
  struct PipelineSetup {
    let pipeline: ImagePipeline
    let cache: DataCache?

    /// Creates a pipeline with a decoder for each core.
    ///
    /// - Parameters:
    ///   - concurrency: the maximum number of concurrent downloads.
    ///   - usualRetryCount: the number of retries if the options do not have one.
    ///   - isDryRun: `true` if nothing is loaded and the folder of the cache is not created.
    ///   - change: changes the configuration at the end.
    init(
      limits: TransferLimits, requests: RequestOptions, concurrency: Int = 1, usualRetryCount: Int = 0,
      cache options: CacheOptions? = nil, isDryRun: Bool = false, delegate: (any ImagePipeline.Delegate)? = nil,
      change: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) throws(CommandFailure) {
      let loader = try DataLoader(
        requests, timeout: limits.timeout, concurrency: concurrency, usualRetryCount: usualRetryCount)
      var configuration = ImagePipeline.Configuration(dataLoader: loader)
      let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
      configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: concurrency)
      // The number of concurrent downloads is a sufficient limit.
      configuration.isRateLimiterEnabled = false
      configuration.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: cores)
      configuration.imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: cores)
      configuration.maximumResponseDataSize = limits.byteLimit
      configuration.codecLimits = limits.codecLimits
      configuration.makeImageDecoder = { [tolerance = limits.tolerance] in
        ImageDecoders.Default(context: $0, tolerance: tolerance)
      }
      #if Server && SVG
        let drawing = DrawingSandbox(limits)
        configuration.makeImageDecoder = { [makeImageDecoder = configuration.makeImageDecoder] context in
          drawing.decoder(for: context) ?? makeImageDecoder(context)
        }
      #endif
      let isAbsent = isDryRun && options?.cache.map { [.absent, .empty].contains(DiskStore.site(at: $0)) } == true
      cache = try (isAbsent ? nil : options?.cache).map { path throws(CommandFailure) in
        try CacheSite.cache(at: path, size: options?.cacheSize?.bytes)
      }
      configuration.dataCache = isAbsent ? EmptyDataCache() : cache
      configuration.dataCachePolicy = (options?.store ?? .original).policy
      if let options { configuration.freshnessPolicy = options.freshnessPolicy }
      change(&configuration)
      pipeline = ImagePipeline(configuration: configuration, delegate: delegate)
    }

    /// Waits until everything is on disk.
    func finish() async {
      guard let cache else { return }
      // Images are encoded one at a time and in order, so the last item runs after all others.
      await withCheckedContinuation { continuation in
        pipeline.configuration.imageEncodingQueue.add { continuation.resume() }
      }
      cache.sweep()
    }
  }
#endif
