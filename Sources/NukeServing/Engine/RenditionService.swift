import Foundation
public import Nuke
import NukeHTTPCaching
import NukeImaging

/// Makes images for a server: finds them in memory and in stores, makes each once however many ask for it, takes no
/// more memory than there is, and refuses what it cannot do in time.
///
/// Where nothing better can be had before a request's time is over, a stale or a smaller image is given, which says so
/// by ``Rendition/isDegraded``. May be used from any thread. An image in memory comes without any thread being changed.
public final class RenditionService: RenditionMaking {
  public let configuration: ServiceConfiguration
  let pipeline: ImagePipeline
  let renderer: any RenditionRendering
  let memory: RenditionMemoryCache
  let stores: RenditionStores
  let leasing: (any DataLeasing)?
  /// Asks for leases, which may wait for another machine.
  let leaseQueue = TaskQueue(maxConcurrentOperationCount: 8, pool: WorkerPool(limit: 8))
  let admission: Admission
  let failures: SourceFailures
  let checks = SourceChecks()
  let variants = VariantIndex()
  let rules: FreshnessRules
  let clock: ServiceClock
  let recorder: StatisticsRecorder
  let deadlines: Alarm
  /// Rings when a look for something smaller, behind a deadline, has taken long enough.
  let lastLooks: Alarm

  typealias Flights = FlightTable<RenditionKey, Promise<Word>, Task<Void, Never>>

  struct State {
    var flights = Flights()
    var isShuttingDown = false
  }

  let state = Lock(State())
  /// Flights, and files on their way to the stores.
  let pending = Pending()

  /// The message to a waiting request.
  enum Word: Sendable {
    case landed(Result<Answer, ServingError>)
    case expired
    case cancelled
    case shutDown
  }

  /// A service over a pipeline, whose loader knows the sources.
  ///
  /// - Parameters:
  ///   - pipeline: loads sources, and decodes and processes in its queues. It keeps no images: give it neither memory
  ///     nor disk cache, but a loader with an HTTP cache, so that a source is loaded once for all that is made of it.
  ///   - renderer: makes the files.
  ///   - stores: where files are kept beside memory, the nearest first.
  ///   - leasing: elects one of the nodes that share a store to make a file, such as a `RedisDataCache`.
  ///   - configuration: limits of memory, work and time, and how long answers are fresh.
  public convenience init(
    pipeline: ImagePipeline, renderer: Renderer = Renderer(), stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, configuration: ServiceConfiguration = ServiceConfiguration()
  ) {
    self.init(
      pipeline: pipeline, renderer: PipelineRenderer(renderer, in: pipeline), stores: stores, leasing: leasing,
      configuration: configuration, clock: .system)
  }

  /// The same with what it stands on handed in.
  ///
  /// - Parameters:
  ///   - renderer: makes the files.
  ///   - pressure: tells when memory runs short.
  ///   - observer: receives the duration of each stage.
  package init(
    pipeline: ImagePipeline, renderer: any RenditionRendering, stores: [any DataCaching] = [],
    leasing: (any DataLeasing)? = nil, configuration: ServiceConfiguration = ServiceConfiguration(),
    clock: ServiceClock, pressure: MemoryPressure = .shared, observer: StageObserver? = nil
  ) {
    self.configuration = configuration
    self.pipeline = pipeline
    self.renderer = renderer
    self.leasing = leasing
    self.clock = clock
    let recorder = StatisticsRecorder(clock: clock, observer: observer)
    self.recorder = recorder
    memory = RenditionMemoryCache(
      limit: configuration.memoryLimit, entryLimit: configuration.memoryEntryLimit, pressure: pressure)
    self.stores = RenditionStores(
      stores.map {
        RenditionStore(
          $0, timeLimit: configuration.storeTimeout, backlogLimit: configuration.storeBacklogLimit, clock: clock,
          statistics: recorder)
      }, clock: clock)
    admission = Admission(configuration.admissionLimits, clock: clock)
    failures = SourceFailures(
      missingSeconds: configuration.missingSourceMemory, failedSeconds: configuration.failedSourceMemory)
    rules = configuration.freshnessRules
    deadlines = Alarm(seconds: configuration.deadline, clock: clock)
    lastLooks = Alarm(seconds: Self.secondsToLook, clock: clock)
  }

  public func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition {
    let found = memory.record(for: request)
    if let found {
      switch found.freshness.state(at: clock.now()) {
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

extension RenditionService: MemoryRenditions {
  /// A fresh image in memory. A stale one is to be renewed, which ``rendition(for:)`` does.
  package func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition? {
    guard let found = memory.record(for: request), found.rendition.data.count <= byteLimit,
      found.freshness.state(at: clock.now()) == .fresh
    else { return nil }
    recorder.countMemoryHit()
    return found.rendition(from: .memory)
  }
}

extension RenditionService {
  /// Refuses new work from now on, with ``ServingError/shuttingDown(retryAfter:)``, and returns when what runs is done
  /// and stored, or the time is over; then the rest is canceled. What is in memory is sent to the end.
  ///
  /// - Parameter gracePeriod: seconds.
  public func shutdown(gracePeriod: Double) async {
    state.withLock { $0.isShuttingDown = true }
    let end = pending.end()
    let timer = clock.after(gracePeriod) { end.give(false) }
    let isDone = await end.value(whenCancelled: false)
    timer.cancel()
    if isDone { return }
    let (waiting, tasks) = state.withLock { $0.flights.removeAll() }
    for promise in waiting { promise.give(.shutDown) }
    for task in tasks { task.cancel() }
  }
}
