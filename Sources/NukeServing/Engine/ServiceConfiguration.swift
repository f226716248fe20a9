import Nuke

/// The limits, lifetimes and time limits of a ``RenditionService``. Changes have no effect on existing services.
public struct ServiceConfiguration: Sendable, Hashable {
  // MARK: Memory

  /// The maximum size of the files in the memory cache, in bytes; 0 disables the cache. The default is an eighth of the
  /// memory that this process may use.
  public var memoryLimit = MemoryLimit.bytes / 8
  /// The maximum size of one file in the memory cache, in bytes, with its metadata. The default is 2 MiB.
  public var memoryEntryLimit = 2 << 20

  // MARK: Freshness

  /// A freshness lifetime in seconds that overrides what sources state; `nil`, the default, uses what they state.
  public var timeToLive: Int?
  /// A Boolean value that indicates whether the `Cache-Control` and `Expires` fields of sources determine freshness.
  /// The default is `true`. If it is `false`, ``defaultTimeToLive`` applies to all sources.
  public var usesSourceFreshness = true
  /// The freshness lifetime in seconds for sources that state none. The default is an hour.
  public var defaultTimeToLive = 3600
  /// The maximum freshness lifetime that a source can state, in seconds. The default is a year.
  public var maximumTimeToLive = 365 * 86_400
  /// Seconds for which a file is sent before its source is validated, if that is less than its freshness lifetime. Clients
  /// are still told the whole lifetime. Stale files are then not sent while their source is validated. The default is
  /// `nil`: the source is validated when the file is stale.
  ///
  /// Files of ``LocalSource`` are compared with their source for each request, in any case.
  public var validationInterval: Int?
  /// Seconds for which a stale file is sent while its source is revalidated, if the source states none. The default is
  /// a minute.
  public var staleWhileRevalidate = 60
  /// Seconds for which a stale file is sent if its source fails or there is no time to validate it, if the source
  /// states none. The default is a day.
  public var staleIfError = 86_400
  /// Seconds for which the service remembers that a source does not exist or is not an image; 0 to forget at once. The
  /// default is 10.
  public var missingSourceMemory = 10
  /// Seconds for which the service remembers that a source has failed; 0 to forget at once. The default is 3.
  public var failedSourceMemory = 3

  /// Seconds between two look-ups in the ``PurgeStore`` for the same source. The default is 10. Until the next look-up,
  /// images of a source that another node has purged may still be sent.
  public var purgeInterval = 10.0

  // MARK: Load

  /// The maximum size of decoded images at one time, in bytes. The default is a quarter of the memory that this process
  /// may use. An image that needs more fails with ``ServingError/tooLarge(_:)``.
  public var decodeBudget = MemoryLimit.bytes / 4
  /// The maximum number of files that are rendered at one time. The default is one for each processor.
  public var maximumRunning = ProcessorCount.available
  /// The maximum number of requests that have loaded their source and wait for the decode budget. The default is 32 for
  /// each processor.
  public var maximumWaiting = ProcessorCount.available * 32
  /// The maximum number of requests that load their source or wait for another node. The default is 512.
  public var maximumLoading = 512
  /// The maximum total size of the sources in memory, of waiting and running requests, in bytes. Above it, new requests
  /// are rejected. A request whose source has just been loaded is rejected too, unless fewer than ``maximumRunning``
  /// sources are in memory. A single source may therefore be larger than the limit. The default is a sixteenth of the
  /// memory that this process may use. Sources that are still loading have another budget, in ``SourceLoader``.
  public var maximumHeldSourceBytes = MemoryLimit.bytes / 16
  /// The maximum predicted wait of a request, in seconds, estimated from recent rendering times. Requests that would
  /// wait longer are rejected at once. The default is 10.
  public var maximumWait = 10.0
  /// The deadline of a request, in seconds. The default is 30. A request that exceeds it gets a stale or smaller file
  /// from memory, or the largest smaller file that a store returns within a quarter of a second.
  public var deadline = 30.0

  // MARK: Stores

  /// The time limit for a look-up in one store, in seconds. The default is 2. A look-up that exceeds it counts as a
  /// miss.
  public var storeTimeout = 2.0
  /// The maximum size of pending writes for one store, in bytes. Further files are not stored. The default is a
  /// thirty-second of the memory that this process may use.
  public var storeBacklogLimit = MemoryLimit.bytes / 32

  /// Creates a configuration with the default values.
  public init() {}
}

extension ServiceConfiguration {
  var freshnessRules: FreshnessRules {
    var rules = FreshnessRules()
    rules.fixed = (timeToLive ?? (usesSourceFreshness ? nil : defaultTimeToLive)).map(Self.bounded)
    rules.fallback = Self.bounded(defaultTimeToLive)
    rules.limit = Self.bounded(maximumTimeToLive)
    rules.validationInterval = validationInterval.map(Self.bounded)
    rules.staleWhileRevalidate = staleWhileRevalidate
    rules.staleIfError = staleIfError
    return rules
  }

  /// Returns a number of seconds from 0 to 68 years, which can be added to a time in milliseconds.
  static func bounded(_ seconds: Int) -> Int { min(max(0, seconds), 1 << 31) }

  var admissionLimits: AdmissionControl.Limits {
    AdmissionControl.Limits(
      bytes: decodeBudget, running: maximumRunning, waiting: maximumWaiting, loading: maximumLoading,
      sourceBytes: maximumHeldSourceBytes, seconds: maximumWait)
  }
}
