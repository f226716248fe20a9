public import CoreMetrics
import Dispatch
public import Foundation
import FoundationNetworking
public import Nuke

/// A data cache in an S3-compatible store, shared by all machines that use the same bucket.
///
/// ```swift
/// let cache = try S3DataCache(endpoint: store, bucket: "images", prefix: "results")
/// cache.storeData(data, for: "key")
/// ```
///
/// An object contains exactly the data. Its name is the cache's prefix and the key's SHA-1, distributed over 256
/// folders. A checksum of data and key is stored in its metadata, and an object that does not match it is a miss.
/// Objects do not expire by themselves; use a lifecycle rule of the bucket.
///
/// Reading sends one request on the calling thread. Writing takes place in the background, a few requests at a time.
/// Pending writes can be read back, and their size is limited: if the store is too slow, new data is dropped.
///
/// A failing store causes misses, never errors. After several consecutive failures, the cache stops using the store for
/// a while, and ``statistics`` reports it.
///
/// A refused read (403) is a miss and not a failure. Amazon S3 refuses reads of missing objects if the credentials do
/// not allow listing the bucket (`s3:ListBucket`). Wrong credentials are recognizable by failing writes and by
/// ``Statistics/refusals`` that increase with every read.
///
/// May be used from any thread.
public final class S3DataCache: DataCaching {
  /// The prefix of the names of all objects. It ends with a slash.
  public let prefix: String
  public let bucket: String

  struct State {
    var queue: PendingWrites
    var breaker: CircuitBreaker
    var statistics = Statistics()
    /// Called when there are no pending writes.
    var waiters: [@Sendable () -> Void] = []
    /// The problems that were reported. Each is reported once until it is resolved.
    var reported: Set<Report> = []
  }

  enum Report { case refusedRead, resting, missingBucket }

  /// The kind of a request, for metrics.
  enum Operation: String, CaseIterable, Sendable {
    case get, head, put, delete, list
  }

  let requests: S3Requests
  let loader: SigningLoader
  let configuration: Configuration
  let state: Lock<State>
  let now: @Sendable () -> TimeInterval
  let report: @Sendable (String) -> Void
  private let durations: RequestDurations<Operation>?

  /// - Parameters:
  ///   - endpoint: the store. Its address may be private, because the operator chose it.
  ///   - bucket: an existing bucket.
  ///   - prefix: the cache's own part of the bucket, all of which ``removeAll()`` removes.
  ///   - configuration: limits for sizes, time and pending writes.
  ///   - metricsFactory: creates the timers `nuke_s3_request_duration_seconds`, by operation (`get`, `head`, `put`,
  ///     `delete`, `list`) and outcome (`success`, `failure`). The response 404 is a success. Without a factory, nothing
  ///     is measured.
  ///   - report: receives a sentence for the operator when the first read is refused, and each time the store is
  ///     suspended. Called on any thread; must return soon.
  /// - Throws: an error if the bucket or prefix is not a valid name. The store is not contacted until it is used.
  public convenience init(
    endpoint: S3Endpoint, bucket: String, prefix: String = "nuke", configuration: Configuration = Configuration(),
    metricsFactory: (any MetricsFactory)? = nil, report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(Error) {
    try self.init(
      endpoint: endpoint, bucket: bucket, prefix: prefix, configuration: configuration, metricsFactory: metricsFactory,
      report: report,
      now: { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 })
  }

  /// - Parameter now: returns a monotonic time in seconds.
  init(
    endpoint: S3Endpoint, bucket: String, prefix: String, configuration: Configuration,
    metricsFactory: (any MetricsFactory)? = nil, report: @escaping @Sendable (String) -> Void = { _ in },
    now: @escaping @Sendable () -> TimeInterval
  ) throws(Error) {
    guard S3Requests.isBucket(bucket) else { throw .invalidBucket(bucket) }
    let folders = (prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard folders.allSatisfy({ S3Requests.isBucket(String($0)) }) else { throw .invalidPrefix(prefix) }
    self.prefix = folders.joined(separator: "/") + "/"
    self.bucket = bucket
    self.configuration = configuration
    self.now = now
    self.report = report
    durations = metricsFactory.map { RequestDurations("nuke_s3_request_duration_seconds", $0) }
    requests = S3Requests(endpoint)
    var loading = DataLoader.Configuration()
    loading.connectTimeout = configuration.connectTimeout
    loading.idleTimeout = configuration.timeout
    loading.resourceTimeout = configuration.timeout
    loading.maximumConnectionsPerHost = max(1, configuration.maximumConcurrentWrites) + 12
    loading.proxy = configuration.proxy
    loading.caFile = configuration.caFile
    loader = SigningLoader(endpoint, configuration: loading)
    let rest = max(0, min(configuration.restTime, 1e6))
    state = Lock(
      State(
        queue: PendingWrites(byteLimit: configuration.maximumPendingBytes),
        breaker: CircuitBreaker(threshold: configuration.failureThreshold, pauses: rest...rest)))
  }

  /// The statistics since the cache was created.
  public var statistics: Statistics {
    let moment = now()
    return state.withLock { state in
      var statistics = state.statistics
      statistics.pendingBytes = state.queue.byteCount
      statistics.isResting = state.breaker.isResting(at: moment)
      return statistics
    }
  }

  // MARK: Reading

  /// Reads the data with one request to the store, within the time limit.
  public func cachedData(for key: String) -> Data? {
    switch pending(key) {
    case .store(let data, _):
      state.withLock { $0.statistics.hits += 1 }
      return data
    case .remove: return miss()
    case nil: break
    }
    guard let response = read("GET", key) else { return nil }
    guard response.head.value(forField: Self.checksumField) == EntryNaming.checksum(of: response.body, key: key) else {
      state.withLock { $0.statistics.damaged += 1 }
      return miss()
    }
    state.withLock { $0.statistics.hits += 1 }
    return response.body
  }

  /// Checks for the object with one request to the store. The object's data is not verified.
  public func containsData(for key: String) -> Bool {
    switch pending(key) {
    case .store: true
    case .remove: false
    case nil: read("HEAD", key) != nil
    }
  }

  static let checksumField = "x-amz-meta-nuke-checksum"

  private func pending(_ key: String) -> PendingWrites.Write? { state.withLock { $0.queue[key] } }

  private func miss() -> Data? {
    state.withLock { $0.statistics.misses += 1 }
    return nil
  }

  /// Returns the response for an object; `nil` if there is none, or if the store does not respond.
  private func read(_ method: String, _ key: String) -> S3Exchange.Response? {
    guard let request = request(method, key) else { return nil }
    guard mayAsk() else {
      state.withLock { $0.statistics.skipped += 1 }
      return nil
    }
    switch perform(method == "HEAD" ? .head : .get, request, limit: configuration.maximumObjectSize) {
    case .success(let response):
      noteSuccess()
      return response
    case .failure(let error) where Self.isAnswer(error):
      noteSuccess()
      _ = miss()
      return nil
    case .failure(let error) where error.unacceptableStatus == 403:
      noteRefusal()
      return nil
    case .failure(let error):
      noteFailure(error)
      return nil
    }
  }

  // MARK: Requests

  /// Sends a request.
  ///
  /// - Parameter completion: called once, on the loader's thread; must return soon.
  func start(
    _ operation: Operation, _ request: URLRequest, limit: Int,
    completion: @escaping @Sendable (Result<S3Exchange.Response, any Swift.Error>) -> Void
  ) {
    let start = startOfMeasurement
    S3Exchange.start(request, by: loader, limit: limit) { [self] result in
      measure(operation, result, since: start)
      completion(result)
    }
  }

  /// Sends a request, and blocks until the response has arrived. The loader's time limit applies.
  func perform(
    _ operation: Operation, _ request: URLRequest, limit: Int
  ) -> Result<S3Exchange.Response, any Swift.Error> {
    let start = startOfMeasurement
    let result = S3Exchange.perform(request, by: loader, limit: limit)
    measure(operation, result, since: start)
    return result
  }

  private var startOfMeasurement: TimeInterval { durations == nil ? 0 : now() }

  private func measure(
    _ operation: Operation, _ result: Result<S3Exchange.Response, any Swift.Error>, since start: TimeInterval
  ) {
    guard let durations else { return }
    let isSuccess =
      switch result {
      case .success: true
      case .failure(let error): Self.isAnswer(error)
      }
    durations.record(operation, isSuccess: isSuccess, seconds: now() - start)
  }

  // MARK: The store's state

  func request(_ method: String, _ key: String) -> URLRequest? {
    try? requests.request(method, bucket: bucket, key: prefix + EntryNaming.path(for: key))
  }

  /// Returns `true` if a request may be sent now. The caller must report its result.
  func mayAsk() -> Bool {
    let moment = now()
    return state.withLock { $0.breaker.verdict(at: moment) != .refuse }
  }

  func noteSuccess() {
    state.withLock { state in
      state.breaker.succeeded()
      state.reported.remove(.resting)
    }
  }

  /// Counts a refused read.
  private func noteRefusal() {
    let isFirst = state.withLock { state in
      state.statistics.refusals += 1
      state.statistics.misses += 1
      // The server responds, so a trial request succeeds. Otherwise, a refusal does not reset the count of consecutive
      // failures.
      if state.breaker.isTrying { state.breaker.succeeded() }
      return state.reported.insert(.refusedRead).inserted
    }
    guard isFirst else { return }
    report(
      "The bucket \(bucket) rejected a read (403): the key is wrong, or lacks the permission to list the bucket, "
        + "without which missing objects are reported as forbidden.")
  }

  /// Counts a write that failed because there is no bucket. Look-ups of missing objects have the same status, and look
  /// like successes.
  func noteMissingBucket(_ error: any Swift.Error) {
    let moment = now()
    let isFirst = state.withLock { state in
      state.statistics.failures += 1
      state.statistics.lastFailure = "\(error)"
      state.breaker.failedForGood(at: moment)
      return state.reported.insert(.missingBucket).inserted
    }
    if isFirst { report("The bucket \(bucket) does not exist: a write was rejected with status 404.") }
  }

  func noteFailure(_ error: any Swift.Error) {
    let moment = now()
    let begins = state.withLock { state in
      state.statistics.failures += 1
      state.statistics.lastFailure = "\(error)"
      if state.breaker.isTrying { state.breaker.trialFailed(at: moment) } else { state.breaker.failed(at: moment) }
      return state.breaker.isResting(at: moment) && state.reported.insert(.resting).inserted
    }
    if begins { report("The bucket \(bucket) is not used for now: \(error)") }
  }

  /// Returns `true` if the error concerns only one object, and the store itself works.
  static func isAnswer(_ error: any Swift.Error) -> Bool {
    if case .bodyTooLarge? = error.transferError { return true }
    return error.unacceptableStatus == 404
  }
}
