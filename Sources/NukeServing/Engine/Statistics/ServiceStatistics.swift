/// The statistics of a ``RenditionService`` since it was created.
public struct ServiceStatistics: Sendable, Hashable {
  // MARK: Answers

  /// Answers from memory; those that were stale are counted in ``stale`` too.
  public var memoryHits = 0
  /// Answers from a store.
  public var storeHits = 0
  /// Answers that were made for another request.
  public var joined = 0
  /// Answers that were made for the request.
  public var made = 0
  /// Answers that were sent though they were stale, while the source was asked.
  public var stale = 0
  /// Stale or smaller answers, since what was asked for could not be had.
  public var degraded = 0
  /// Requests that were not answered, by ``ServingError/name``.
  public var failures: [String: Int] = [:]

  // MARK: Work

  /// Files that were made.
  public var renditions = 0
  /// Bytes of these files.
  public var renditionBytes = 0
  /// Sources that were loaded, also from the HTTP cache.
  public var sources = 0
  /// Bytes of these sources.
  public var sourceBytes = 0
  /// Sources that were not loaded again, since their servers said that they have not changed.
  public var sourcesUnchanged = 0
  /// Stale files whose source had not changed.
  public var renewals = 0
  /// Requests that were refused at once, since their source has just failed.
  public var rememberedFailures = 0
  /// Times that another node was waited for.
  public var leaseWaits = 0
  /// Times that a lease could not be asked for, so that the work was done without.
  public var leasesUnavailable = 0

  // MARK: Stores

  /// Looks that took too long.
  public var storeTimeouts = 0
  /// Files that were found damaged and removed.
  public var storeDamaged = 0
  /// Files that were not stored, since too many waited for it.
  public var storeDrops = 0

  // MARK: Now

  /// Requests that wait for an answer.
  public var requests = 0
  /// Work that is under way: one for all requests that are equal, and renewals.
  public var inFlight = 0
  /// The number of these that load their source or wait for another node.
  public var loading = 0
  /// The number of these that wait for room.
  public var waiting = 0
  /// The number of these that are being rendered.
  public var running = 0
  /// Bytes of decoded images that are taken.
  public var budgetUsed = 0
  /// Bytes of decoded images that there may be.
  public var budget = 0
  /// Bytes of the sources of requests that wait or are rendered.
  public var heldSourceBytes = 0
  /// Files in memory.
  public var memoryCount = 0
  /// Bytes of these files.
  public var memoryBytes = 0
  /// Bytes that they may take.
  public var memoryLimit = 0

  /// The durations of each stage.
  public var stages: [Stage: Histogram] = [:]

  /// A part of the work on a request.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Looking into the stores.
    case store
    /// Waiting for another node.
    case lease
    /// Loading the source.
    case source
    /// The part of it spent waiting for a download slot.
    case queued
    /// The part of it spent downloading.
    case load
    /// Waiting for room.
    case wait
    /// Decoding, processing and encoding, with the waiting for threads in between.
    case render
    /// The part of it spent decoding.
    case decode
    /// The part of it spent processing.
    case process
    /// The part of it spent encoding.
    case encode
    /// Keeping a file in the stores, behind the answer.
    case write
    /// The whole of a request that was not answered from memory.
    case request
  }

  /// Creates empty statistics.
  public init() {}
}

/// A histogram of durations.
public struct Histogram: Sendable, Hashable {
  /// The upper ends of the buckets in seconds, but for the last, which has none.
  public static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  /// The number of values in each bucket; one more than there are ``bounds``.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// Seconds of all of them.
  public private(set) var sum = 0.0
  /// The number of values.
  public var count: Int { counts.reduce(0, +) }

  /// One of nothing.
  public init() {}

  /// Adds a duration in seconds. One that is a bound falls into the bucket that ends with it.
  public mutating func note(_ seconds: Double) {
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += seconds
  }
}
