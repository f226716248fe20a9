/// The statistics of a ``RenditionService`` since it was created.
public struct ServiceStatistics: Sendable, Hashable {
  // MARK: Responses

  /// Responses from memory. Stale ones are also counted in ``stale``.
  public var memoryHits = 0
  /// Responses from a store.
  public var storeHits = 0
  /// Responses with a file that was rendered for another request.
  public var joined = 0
  /// Responses with a file that was rendered for the request.
  public var made = 0
  /// Stale responses that were sent while the source was revalidated.
  public var stale = 0
  /// Degraded responses: stale or smaller files, sent because the requested one was not available.
  public var degraded = 0
  /// The number of failed requests, by ``ServingError/name``.
  public var failures: [String: Int] = [:]

  // MARK: Work

  /// The number of rendered files.
  public var renditions = 0
  /// The size of all rendered files, in bytes.
  public var renditionBytes = 0
  /// The number of loaded sources, including those from the HTTP cache.
  public var sources = 0
  /// The size of all loaded sources, in bytes.
  public var sourceBytes = 0
  /// The number of 304 responses to conditional requests for sources.
  public var sourcesUnchanged = 0
  /// The number of stale files that were renewed because their source had not changed.
  public var renewals = 0
  /// Requests that failed at once because their source had failed recently.
  public var rememberedFailures = 0
  /// Failures that were learned from other nodes, so that the source was not tried.
  public var sharedFailures = 0
  /// The number of purges that this node has received.
  public var purges = 0
  /// The number of times that a request waited for another node.
  public var leaseWaits = 0
  /// The number of times that the leasing service was unavailable and the work was done without a lease.
  public var leasesUnavailable = 0

  // MARK: Stores

  /// Store look-ups that exceeded the time limit.
  public var storeTimeouts = 0
  /// Damaged entries that were found and removed.
  public var storeDamaged = 0
  /// Files that were not stored because the limit of pending writes was reached.
  public var storeDrops = 0

  // MARK: Current state

  /// Requests that wait for a response.
  public var requests = 0
  /// Flights: one for all equal requests, and one for each revalidation in the background.
  public var inFlight = 0
  /// The number of these that load their source or wait for another node.
  public var loading = 0
  /// The number of these that wait for the decode budget.
  public var waiting = 0
  /// The number of these that are being rendered.
  public var running = 0
  /// The bytes of decoded images in use.
  public var budgetUsed = 0
  /// The decode budget, in bytes.
  public var budget = 0
  /// The size of the sources held by waiting and running requests, in bytes.
  public var heldSourceBytes = 0
  /// The number of files in memory.
  public var memoryCount = 0
  /// The size of the files in memory, in bytes.
  public var memoryBytes = 0
  /// The maximum size of the files in memory, in bytes.
  public var memoryLimit = 0

  /// The durations of each stage.
  public var stages: [Stage: Histogram] = [:]

  /// A part of the work on a request.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Looking in the stores.
    case store
    /// Waiting for another node.
    case lease
    /// Loading the source.
    case source
    /// The part of ``source`` spent waiting for a download slot.
    case queued
    /// The part of ``source`` spent downloading.
    case load
    /// Opening the source, if more than its header is read. With a sandbox, this time is part of ``render``.
    case open
    /// Waiting for the decode budget.
    case wait
    /// Decoding, processing and encoding, including the time in queues.
    case render
    /// The part of ``render`` spent decoding.
    case decode
    /// The part of ``render`` spent processing.
    case process
    /// The part of ``render`` spent encoding.
    case encode
    /// Writing a file to the stores, after the response is sent.
    case write
    /// A whole request that was not answered from memory.
    case request
  }

  /// Creates empty statistics.
  public init() {}
}

/// A histogram of durations.
public struct Histogram: Sendable, Hashable {
  /// The upper bounds of the buckets in seconds. The last bucket has no upper bound.
  public static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  /// The number of values in each bucket. There is one more bucket than there are ``bounds``.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// The sum of all values, in seconds.
  public private(set) var sum = 0.0
  /// The number of values.
  public var count: Int { counts.reduce(0, +) }

  /// Creates an empty histogram.
  public init() {}

  /// Adds a duration in seconds. A value equal to a bound belongs to the bucket that ends with it.
  public mutating func note(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += seconds
  }
}
