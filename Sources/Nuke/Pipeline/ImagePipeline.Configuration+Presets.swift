import Foundation

extension ImagePipeline.Configuration {
  /// The defaults: what servers allow to be kept is, on disk, for as long as they say. See
  /// ``DataLoader/sharedUrlCache``.
  public static var withURLCache: ImagePipeline.Configuration { ImagePipeline.Configuration() }

  /// The defaults with a ``DataCache`` of 150 MB: data is kept on disk until there is no room, whatever servers say of
  /// its freshness. See ``withDataCache(name:sizeLimit:)``.
  public static var withDataCache: ImagePipeline.Configuration { withDataCache() }

  /// The defaults with a ``DataCache`` in place of the HTTP cache: data is kept on disk until there is no room,
  /// whatever servers say of its freshness.
  ///
  /// Where there is no folder for it, as for a service without a home or on a read-only disk, the pipeline works
  /// without a disk cache, and the first time this happens a process says so on standard error.
  ///
  /// - Parameters:
  ///   - name: the folder in `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  ///   - sizeLimit: bytes that the files may take; `nil` for the 150 MB that a ``DataCache`` has by default.
  public static func withDataCache(
    name: String = "com.github.kean.Nuke.DataCache", sizeLimit: Int? = nil
  ) -> ImagePipeline.Configuration {
    withDataCache(
      name: name, sizeLimit: sizeLimit, environment: ProcessInfo.processInfo.environment, warnings: .standardError)
  }

  /// The same with what it stands on handed in.
  package static func withDataCache(
    name: String, sizeLimit: Int?, environment: [String: String], warnings: Warnings
  ) -> ImagePipeline.Configuration {
    var loading = DataLoader.defaultConfiguration
    loading.urlCache = nil
    var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
    do {
      let cache = try DataCache(name: name, environment: environment)
      if let sizeLimit { cache.sizeLimit = sizeLimit }
      configuration.dataCache = cache
    } catch {
      warnings.giveOnce(.noDataCache, "Images are kept in memory alone. \(error)")
    }
    return configuration
  }

  /// For servers: as much work at a time as the processors that the control group allows can do, and no trust in URLs.
  ///
  /// - Decoding, processing, decompressing and encoding each run once a processor, downloads eight times.
  /// - Downloads are not held back by a limit of their rate.
  /// - URLs of the schemes `file` and `data` are refused with ``DataLoader/TransferError/unsupportedScheme(_:)``, so
  ///   that a URL which came from outside reads nothing of the machine's own disk. A loader set in place of this one
  ///   decides that itself; see ``DataLoader/Configuration/isLocalResourcesSupportEnabled``.
  /// - What is loaded is not kept on disk: a server loads with the rights of many users, and its disk is for whoever
  ///   runs it to give away. Set ``DataLoader/Configuration/urlCache`` or ``dataCache`` for that.
  /// - Nothing waits for the main actor, unless it is asked for by a method whose closures run there.
  public static var server: ImagePipeline.Configuration { server(processorCount: ProcessorCount.available) }

  /// The same for a number of processors.
  package static func server(processorCount: Int) -> ImagePipeline.Configuration {
    var loading = DataLoader.defaultConfiguration
    loading.isLocalResourcesSupportEnabled = false
    loading.urlCache = nil
    var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
    configuration.isLocalResourcesSupportEnabled = false
    configuration.isRateLimiterEnabled = false
    // A download waits for others nearly all of its time and holds no thread.
    configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: processorCount * 8)
    configuration.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    configuration.imageEncodingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    configuration.imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    configuration.imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    return configuration
  }
}
