import Foundation
import NukeBase
import NukeHTTP
import NukeStore

extension ImagePipeline.Configuration {
  /// The default configuration, with an HTTP cache on disk: responses are stored as servers permit. See
  /// ``DataLoader/sharedUrlCache``.
  public static var withURLCache: ImagePipeline.Configuration { ImagePipeline.Configuration() }

  /// The default configuration with a ``DataCache`` of 150 MB. See ``withDataCache(name:sizeLimit:)``.
  public static var withDataCache: ImagePipeline.Configuration { withDataCache() }

  /// Returns the default configuration with a ``DataCache`` in place of the HTTP cache. It stores data until the size
  /// limit is reached, regardless of its freshness.
  ///
  /// If the folder cannot be created, as for a service without a home or on a read-only disk, the pipeline works
  /// without a disk cache, and the process warns once on standard error.
  ///
  /// - Parameters:
  ///   - name: the name of the folder in `$XDG_CACHE_HOME`, or in `~/.cache` if that is not set.
  ///   - sizeLimit: the maximum size of the files, in bytes; `nil` for the default of a ``DataCache``, 150 MB.
  public static func withDataCache(
    name: String = "com.github.kean.Nuke.DataCache", sizeLimit: Int? = nil
  ) -> ImagePipeline.Configuration {
    withDataCache(
      name: name, sizeLimit: sizeLimit, environment: ProcessInfo.processInfo.environment, warnings: .standardError)
  }

  /// Returns the same configuration with injected dependencies.
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
      warnings.giveOnce(.noDataCache, "Images are cached in memory only. \(error)")
    }
    return configuration
  }

  /// A configuration for servers: work for all processors of the control group, and no access to local files.
  ///
  /// - Decoding, processing, decompressing and encoding each run as many operations at a time as there are processors.
  ///   Downloads run eight times as many.
  /// - The rate of downloads is not limited.
  /// - URLs with the schemes `file` and `data` fail with ``DataLoader/TransferError/unsupportedScheme(_:)``, so that
  ///   URLs from clients cannot read local files. If you replace the loader, see
  ///   ``DataLoader/Configuration/isLocalResourcesSupportEnabled``.
  /// - Private addresses are not excluded. If clients choose URLs, set ``DataLoader/Configuration/addressPolicy`` of the
  ///   loader to ``AddressPolicy/publicOnly``.
  /// - Nothing is stored on disk, since disk use is left to the operator. Set ``DataLoader/Configuration/urlCache`` or
  ///   ``dataCache`` to change that.
  /// - Nothing runs on the main actor, except the closures of methods that call them there.
  public static var server: ImagePipeline.Configuration { server(processorCount: ProcessorCount.available) }

  /// Returns the configuration for servers with a number of processors.
  package static func server(processorCount: Int) -> ImagePipeline.Configuration {
    var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: .server))
    configuration.isLocalResourcesSupportEnabled = false
    configuration.isRateLimiterEnabled = false
    // A download waits for the network nearly all of its time, and uses no thread meanwhile.
    configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: processorCount * 8)
    configuration.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    configuration.imageEncodingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    configuration.imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    configuration.imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: processorCount)
    return configuration
  }
}

extension DataLoader.Configuration {
  /// The configuration of the loader for servers, without a cache and without local files.
  static var server: DataLoader.Configuration {
    var configuration = DataLoader.defaultConfiguration
    configuration.isLocalResourcesSupportEnabled = false
    configuration.urlCache = nil
    return configuration
  }
}
