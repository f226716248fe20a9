import Nuke
import NukeImaging

/// The limits, lifetimes and time limits of a ``RenditionService``. Changes have no effect on existing services.
public struct ServiceConfiguration: Sendable, Hashable {
  // MARK: Memory

  /// Bytes of files that are kept in memory: an eighth of the memory that this process may use by default; 0 for none.
  public var memoryLimit = MemoryLimit.bytes / 8
  /// Bytes of one file that is kept in memory, with what is known of it; 2 MiB by default.
  public var memoryEntryLimit = 2 << 20

  // MARK: Freshness

  /// Seconds for which files are right, whatever their sources say; `nil`, which is the default, for what these say.
  public var timeToLive: Int?
  /// A Boolean value that indicates whether what sources say of their freshness counts, by `Cache-Control` and
  /// `Expires`; true by default. If not, ``defaultTimeToLive`` counts for all.
  public var usesSourceFreshness = true
  /// Seconds for which files are right whose sources say nothing; an hour by default.
  public var defaultTimeToLive = 3600
  /// The most seconds that a source is believed; a year by default.
  public var maximumTimeToLive = 365 * 86_400
  /// Seconds past that in which a file is sent while its source is asked behind, where the source does not say it; a
  /// minute by default.
  public var staleWhileRevalidate = 60
  /// Seconds past that in which a file is sent where its source fails, or there is no time to ask it, where the source does
  /// not say it; a day by default.
  public var staleIfError = 86_400
  /// Seconds for which it is remembered that a source is not there, or is no image; 10 by default, 0 for not at all.
  public var missingSourceMemory = 10
  /// Seconds for which it is remembered that a source has failed; 3 by default, 0 for not at all.
  public var failedSourceMemory = 3

  // MARK: Load

  /// Bytes of decoded images at one time: a quarter of the memory that this process may use by default. What takes more
  /// than that alone is ``ServingError/tooLarge(_:)``.
  public var decodeBudget = MemoryLimit.bytes / 4
  /// Files that are made at one time: one a processor by default.
  public var maximumRunning = ProcessorCount.available
  /// The maximum number of requests that wait for room with a loaded source. The default is 32 for each processor.
  public var maximumWaiting = ProcessorCount.available * 32
  /// The maximum number of requests that load their source or wait for another node. The default is 512.
  public var maximumLoading = 512
  /// Bytes of sources that are held by those that wait and run; past it nobody else may come, and what has come by then is
  /// refused, unless fewer hold a source than may run. So one source may be larger than that. A sixteenth of the memory
  /// that this process may use by default. For what is still being loaded ``SourceLoader`` has room of its own.
  public var maximumHeldSourceBytes = MemoryLimit.bytes / 16
  /// Seconds that a request may have to wait for room, by how long files took lately; one that came later than that is
  /// refused at once. 10 by default.
  public var maximumWait = 10.0
  /// Seconds that a request has; 30 by default. After them it gets a stale or a smaller file where there is one in memory,
  /// or the largest of the smaller ones where a store has it within a quarter of a second.
  public var deadline = 30.0

  // MARK: Stores

  /// Seconds that a look into one store may take; 2 by default. After them the store is passed over.
  public var storeTimeout = 2.0
  /// Bytes that may wait to be stored in one store; a thirty-second of the memory that this process may use by default.
  /// Past it files are not stored.
  public var storeBacklogLimit = MemoryLimit.bytes / 32

  /// The defaults.
  public init() {}
}

extension ServiceConfiguration {
  var freshnessRules: FreshnessRules {
    var rules = FreshnessRules()
    rules.fixed = timeToLive ?? (usesSourceFreshness ? nil : defaultTimeToLive)
    rules.fallback = defaultTimeToLive
    rules.limit = maximumTimeToLive
    rules.staleWhileRevalidate = staleWhileRevalidate
    rules.staleIfError = staleIfError
    return rules
  }

  var admissionLimits: AdmissionControl.Limits {
    AdmissionControl.Limits(
      bytes: decodeBudget, running: maximumRunning, waiting: maximumWaiting, loading: maximumLoading,
      sourceBytes: maximumHeldSourceBytes, seconds: maximumWait)
  }
}
