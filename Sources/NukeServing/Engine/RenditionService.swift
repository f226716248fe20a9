import Foundation
public import Nuke
import NukeHTTPCaching

/// Provides images to a server. Looks in memory and in stores, coalesces equal requests, limits the memory in use, and
/// rejects requests that it cannot serve in time.
///
/// If a request's deadline passes, the service returns a stale or smaller image if it has one, and sets
/// ``Rendition/isDegraded``. May be used from any thread. Memory hits are returned without a thread switch.
public final class RenditionService: RenditionMaking {
  public let configuration: ServiceConfiguration
  let pipeline: ImagePipeline
  private let currentRenderer: Lock<any RenderBackend>
  let memory: RenditionMemoryCache
  let stores: RenditionStores
  let leasing: (any DataLeasing)?
  /// The queue for acquiring leases, which may wait for another machine.
  let leaseQueue = TaskQueue(maxConcurrentOperationCount: 8, pool: WorkerPool(limit: 8))
  let admission: Admission
  let failures: SourceFailures
  let checks = SourceChecks()
  let purges: SourcePurges
  let watermarks = WatermarkFiles()
  let variants = VariantIndex()
  let rules: FreshnessRules
  /// Tells the current versions of sources in folders; `nil` if the pipeline's loader cannot.
  private let versions: (any SourceVersions)?
  let clock: ServiceClock
  let recorder: StatisticsRecorder
  let deadlines: TimeoutTimer
  /// Cancels store look-ups after the deadline that take too long.
  let lastLookUps: TimeoutTimer

  typealias Flights = FlightTable<FlightKey, Deferred<Outcome>, Task<Void, Never>>

  /// Identifies the work for a request. A request that validates the source must not join work that does not.
  struct FlightKey: Hashable {
    let file: RenditionKey
    let validatesSource: Bool
  }

  struct State {
    var flights = Flights()
    var isShuttingDown = false
  }

  let state = Lock(State())
  /// Running flights and stores.
  let pending = WaitGroup()

  /// The outcome of the wait of a request.
  enum Outcome: Sendable {
    /// The result of a flight, and the last purge and the version of the source when it began.
    case finished(Result<FlightResult, ServingError>, after: PurgeID?, of: CurrentVersion)
    case expired
    case cancelled
    case shutDown
  }

  /// The renderer of new requests.
  var renderer: any RenderBackend { currentRenderer.withLock { $0 } }

  /// Identifies the settings of the renderer that affect files.
  package var rendererIdentifier: String { renderer.identifier }

  /// Uses another renderer from now on. Requests in progress finish with the previous one, and their results are not
  /// kept in memory.
  package func use(_ renderer: any RenderBackend) {
    let previous = currentRenderer.withLock { exchange(&$0, with: renderer) }
    withExtendedLifetime(previous) {}
    memory.trim(toCost: 0)
  }

  /// Creates a service that loads, decodes and processes images with a pipeline.
  ///
  /// - Parameters:
  ///   - pipeline: loads sources, and decodes and processes images in its queues. Configure it without a memory cache
  ///     and a disk cache, but with a loader that has an HTTP cache. A source is then loaded once for all of its
  ///     renditions.
  ///   - renderer: renders the files.
  ///   - stores: caches for files in addition to memory, the fastest first.
  ///   - leasing: elects one of the nodes that share a store to render a file, such as a `RedisDataCache`.
  ///   - purges: the store by which nodes learn of each other's purges; `nil` if ``purge(_:results:)`` is to affect only
  ///     this service. It should keep data for as long as results can be fresh.
  ///   - configuration: limits for memory, work and time, and freshness lifetimes.
  public convenience init(
    pipeline: ImagePipeline, renderer: Renderer = Renderer(), stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, purges: PurgeStore? = nil,
    configuration: ServiceConfiguration = ServiceConfiguration()
  ) {
    self.init(
      pipeline: pipeline, renderer: PipelineRenderer(renderer, in: pipeline), stores: stores, leasing: leasing,
      purges: purges, configuration: configuration, clock: .system)
  }

  /// Creates a service with explicit dependencies.
  ///
  /// - Parameters:
  ///   - renderer: renders the files.
  ///   - pressure: reports memory pressure.
  ///   - observer: receives the duration of each stage.
  ///   - lookUpObserver: receives the duration of each look-up in a store.
  package init(
    pipeline: ImagePipeline, renderer: any RenderBackend, stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, purges: PurgeStore? = nil,
    configuration: ServiceConfiguration = ServiceConfiguration(), clock: ServiceClock,
    pressure: MemoryPressure = .shared, observer: StageObserver? = nil, lookUpObserver: LookUpObserver? = nil
  ) {
    self.configuration = configuration
    self.pipeline = pipeline
    currentRenderer = Lock(renderer)
    self.leasing = leasing
    self.clock = clock
    let recorder = StatisticsRecorder(clock: clock, observer: observer)
    self.recorder = recorder
    memory = RenditionMemoryCache(
      limit: configuration.memoryLimit, entryLimit: configuration.memoryEntryLimit, pressure: pressure)
    let wrap = { (cache: any DataCaching, observer: (@Sendable (Double) -> Void)?) -> RenditionStore in
      RenditionStore(
        cache, timeLimit: configuration.storeTimeout, backlogLimit: configuration.storeBacklogLimit, clock: clock,
        statistics: recorder, observer: observer)
    }
    let wrapped = stores.enumerated().map { index, cache -> RenditionStore in
      guard let lookUpObserver else { return wrap(cache, nil) }
      return wrap(cache) { seconds in lookUpObserver(index, seconds) }
    }
    self.stores = RenditionStores(wrapped, leasing: leasing, clock: clock, pending: pending)
    self.purges = SourcePurges(
      purges.map { wrap($0.cache, nil) }, flush: purges?.flush, interval: configuration.purgeInterval, clock: clock)
    admission = Admission(configuration.admissionLimits, clock: clock)
    failures = SourceFailures(
      missingSeconds: configuration.missingSourceMemory, failedSeconds: configuration.failedSourceMemory)
    rules = configuration.freshnessRules
    versions = pipeline.configuration.dataLoader as? any SourceVersions
    deadlines = TimeoutTimer(seconds: configuration.deadline, clock: clock)
    lastLookUps = TimeoutTimer(seconds: Self.lastLookUpSeconds, clock: clock)
  }

  public func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
    let found = memory.record(for: request)
    if let found, !request.validatesSource, purges.admits(found, of: request.source) {
      switch state(of: found, request.source) {
      case .fresh:
        recorder.countMemoryHit()
        return found.rendition(from: .memory)
      case .renewable:
        recorder.countMemoryHit()
        recorder.count(\.stale)
        renew(request)
        return found.rendition(from: .memory)
      case .stale: break
      }
    }
    let start = clock.uptime()
    defer { recorder.note(.request, since: start) }
    do throws(ServingError) {
      return try await wait(for: request)
    } catch {
      recorder.count(error)
      throw error
    }
  }

  /// The statistics since the service was created.
  public var statistics: ServiceStatistics {
    var statistics = recorder.snapshot
    let control = admission.control
    (statistics.inFlight, statistics.requests) = state.withLock { ($0.flights.count, $0.flights.waiterCount) }
    statistics.loading = control.loading
    statistics.waiting = control.waiting
    statistics.running = control.running
    statistics.budgetUsed = control.usedBytes
    statistics.budget = control.limits.bytes
    statistics.heldSourceBytes = control.sourceBytes
    statistics.memoryCount = memory.count
    statistics.memoryBytes = memory.cost
    statistics.memoryLimit = memory.limit
    return statistics
  }
}

extension RenditionService {
  /// Returns the state of a stored file. It is stale if its source is known to have another version by now, and after
  /// ``ServiceConfiguration/validationInterval``, which another node or an earlier configuration may not have had.
  func state(of record: RenditionRecord, _ source: URL) -> RenditionFreshness.State {
    let now = clock.now()
    if let interval = rules.validationInterval,
      now.milliseconds - record.freshness.checkedAt.milliseconds >= interval * 1000
    {
      return .stale
    }
    let state = record.freshness.state(at: now)
    return state == .stale || currentVersion(of: source).admits(record.sourceFields) ? state : .stale
  }

  func currentVersion(of source: URL) -> CurrentVersion { versions?.currentVersion(of: source) ?? .unknown }
}

extension RenditionService: MemoryRenditions {
  /// Returns a fresh image from memory. Stale images are left to ``rendition(for:)``, which revalidates them.
  package func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition? {
    guard !request.validatesSource, let found = memory.record(for: request),
      found.rendition.data.count <= byteLimit, purges.admits(found, of: request.source),
      state(of: found, request.source) == .fresh
    else { return nil }
    recorder.countMemoryHit()
    return found.rendition(from: .memory)
  }
}

extension RenditionService {
  /// Shuts down the service. New requests fail with ``ServingError/shuttingDown(retryAfter:)``, except for images in
  /// memory. Returns when all running requests have finished and their results are stored. After `gracePeriod`,
  /// requests that still run are canceled.
  ///
  /// - Parameter gracePeriod: the time limit for running requests, in seconds.
  public func shutdown(gracePeriod: Double) async {
    state.withLock { $0.isShuttingDown = true }
    let end = pending.allDone()
    let timer = clock.after(gracePeriod) { end.complete(false) }
    let isDone = await end.value(whenCancelled: false)
    timer.cancel()
    if isDone { return }
    let (waiting, tasks) = state.withLock { $0.flights.removeAll() }
    for deferred in waiting { deferred.complete(.shutDown) }
    for task in tasks { task.cancel() }
  }
}
