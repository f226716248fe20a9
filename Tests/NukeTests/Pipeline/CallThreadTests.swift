import CoreMetrics
import Dispatch
import Foundation
import Logging
import Nuke
import NukeTesting
import Testing

@Suite("Threads on which caches and delegates are called", .timeLimit(.minutes(1)))
struct CallThreadTests {
  enum Source: CaseIterable { case url, dataClosure, imageClosure }

  enum Start: CaseIterable {
    case image, data, task, imageCompletion, dataCompletion

    var loadsData: Bool { self == .data || self == .dataCompletion }
  }

  static let cases = Source.allCases.flatMap { source in Start.allCases.map { (source, $0) } }
    // A closure that returns an image has no data to load.
    .filter { source, start in source != .imageClosure || !start.loadsData }

  private let log = CallLog()

  private func note(_ call: String) { log.append("\(call), \(WorkerPool.isWorker ? "worker" : "elsewhere")") }

  private func pipeline() -> ImagePipeline {
    let configuration = ImagePipeline.Configuration.fake(
      loader: FakeDataLoader { _ in .data(Data([1])) }, imageCache: NotedImageCache(note)
    ) {
      $0.dataCache = NotedDataCache(note)
      $0.dataCachePolicy = .storeAll
    }
    let delegate = HookedDelegate {
      $0.created = { _ in note("created") }
      $0.started = { _ in note("started") }
      $0.decoder = { _ in
        note("decoder")
        return FakeDecoder(SampleImage.bitmap(width: 4, height: 4), isAsynchronous: false)
      }
      $0.encoder = { _ in
        note("encoder")
        return SizeEncoder()
      }
      $0.willCache = { data, _, _ in
        note("willCache")
        return data
      }
      $0.shouldDecompress = { _, _ in
        note("shouldDecompress")
        return true
      }
      $0.decompress = { response in
        note("decompress")
        return response
      }
      $0.event = { _, event in if case .finished = event { note("finished") } else { note("progress") } }
    }
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  private func request(_ source: Source) -> ImageRequest {
    let processors = [FakeProcessor("p")]
    return switch source {
    case .url: ImageRequest(url: imageURL("a"), processors: processors)
    case .dataClosure: ImageRequest(id: "a", data: { Data([1]) }, processors: processors)
    case .imageClosure:
      ImageRequest(
        id: "a", image: { ImageContainer(image: SampleImage.bitmap(width: 4, height: 4)) }, processors: processors)
    }
  }

  /// The calls that follow the source. All of them have to come on a worker.
  private func laterCalls(_ source: Source, _ start: Start) -> Set<String> {
    var calls: Set = ["disk read", "willCache", "disk write", "finished"]
    guard !start.loadsData else { return calls }
    calls.formUnion(["memory write", "encoder", "shouldDecompress", "decompress"])
    if source != .imageClosure { calls.insert("decoder") }
    return calls
  }

  @Test("After the start of a load, a custom cache and the delegate are called on workers only", arguments: cases)
  @MainActor func workers(source: Source, start: Start) async throws {
    let (pipeline, request) = (pipeline(), request(source))
    switch start {
    case .image: _ = try await pipeline.image(for: request)
    case .data: _ = try await pipeline.data(for: request)
    case .task: _ = try await pipeline.imageTask(with: request).response
    case .imageCompletion: pipeline.loadImage(with: request) { _ in }
    case .dataCompletion: pipeline.loadData(with: request) { _ in }
    }
    let expected = Set(laterCalls(source, start).map { "\($0), worker" })
    var entries = log.entries
    while !expected.isSubset(of: entries), !Task.isCancelled {
      entries = await log.entries(count: entries.count + 1)
    }
    // The beginning of the load is on the caller's thread, with the look-up in memory.
    let atTheStart = ["created, elsewhere", "started, elsewhere"] + (start.loadsData ? [] : ["memory read, elsewhere"])
    #expect(entries.filter { $0.hasSuffix("elsewhere") } == atTheStart)
  }

  @Test("Data is stored on a worker, wherever the delegate allows it")
  func willCache() async throws {
    let configuration = ImagePipeline.Configuration.fake(loader: FakeDataLoader { _ in .data(Data([1])) }) {
      $0.dataCache = NotedDataCache(note)
    }
    let delegate = LateDelegate { note("allowed") }
    let pipeline = ImagePipeline(configuration: configuration, delegate: delegate)
    _ = try await pipeline.data(for: ImageRequest(url: imageURL("a")))
    let entries = await log.entries(count: 3)
    #expect(entries == ["disk read, worker", "allowed, elsewhere", "disk write, worker"])
  }

  @Test("Metrics and logs of a download are called on a worker", arguments: [true, false])
  func instruments(succeeds: Bool) async {
    let data = succeeds ? SampleImage.png(width: 4, height: 4) : Data()
    let pipeline = ImagePipeline.fake(loader: FakeDataLoader { _ in .data(data) }) {
      $0.metricsFactory = NotedMetrics(note)
      var logger = Logger(label: "nuke") { _ in NotedLog(note: note) }
      logger.logLevel = .debug
      $0.logger = logger
    }
    _ = try? await pipeline.image(for: imageURL("a"))
    #expect(log.entries.filter { $0.hasPrefix("load") } == ["load timed, worker", "load logged, worker"])
  }

  @Test("The next request is prefetched on a worker, even if a loader's thread delivers the end of the previous one")
  func prefetching() async throws {
    let held = Gate()
    let completion = Lock<ClosureLoader.Completion?>(nil)
    let data = SampleImage.png(width: 4, height: 4)
    let loader = ClosureLoader { request, chunk, complete in
      if request.url == imageURL("a") { completion.withLock { $0 = complete } }
      DispatchQueue.global().async {
        chunk(data, response(to: request, length: data.count))
        complete(nil)
      }
      return {}
    }
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: NotedImageCache(note)) {
      $0.dataLoadingQueue.isSuspended = true
    }
    let startHolding = {
      pipeline.startTask(with: ImageRequest(url: imageURL("a")), kind: .image, callsProgram: false) { _, event in
        if case .progress = event { held.waitBlocking() }
      }
    }
    let (prefetcher, completed) = (ImagePrefetcher(pipeline: pipeline, maxConcurrentRequestCount: 1), Gate())
    prefetcher.didComplete = { completed.open() }
    prefetcher.didEnd = { _ in note("prefetched") }
    // In whatever order the tasks receive their progress, one of these two comes before that of the prefetcher.
    let first = startHolding()
    prefetcher.startPrefetching(with: [imageURL("a"), imageURL("b")])
    await prefetcher.ordersFollowed()
    let last = startHolding()
    let count = log.entries.count
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    await held.arrivals(count: 1)
    // The load ends while the loader's thread delivers the progress, so that this thread delivers the end as well.
    completion.withLock { $0 }?(nil)
    for task in [first, last] { _ = try await task.response }
    held.open()
    await completed.wait()
    let entries = log.entries[count...]
    #expect(entries.filter { $0 == "prefetched, worker" }.count == 2)
    #expect(entries.contains("memory read, worker"))
    #expect(!entries.contains { $0.hasSuffix("elsewhere") })
  }
}

/// Allows data to be stored on a queue of its own.
private final class LateDelegate: ImagePipeline.Delegate {
  private let queue = DispatchQueue(label: "delegate")
  private let onAllow: @Sendable () -> Void

  init(_ onAllow: @escaping @Sendable () -> Void) { self.onAllow = onAllow }

  func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
    completion: @escaping @Sendable (Data?) -> Void
  ) {
    queue.async {
      self.onAllow()
      completion(data)
    }
  }
}

/// A memory cache that tells of its calls.
private final class NotedImageCache: ImageCaching {
  private let base = FakeImageCache()
  private let note: @Sendable (String) -> Void

  init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

  subscript(key: ImageCacheKey) -> ImageContainer? {
    get {
      note("memory read")
      return base[key]
    }
    set {
      note("memory write")
      base[key] = newValue
    }
  }

  func removeAll() {}
}

/// A disk cache that tells of its calls and stores nothing.
private struct NotedDataCache: DataCaching {
  private let note: @Sendable (String) -> Void

  init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

  func cachedData(for key: String) -> Data? {
    note("disk read")
    return nil
  }
  func containsData(for key: String) -> Bool {
    note("disk look-up")
    return false
  }
  func storeData(_ data: Data, for key: String) { note("disk write") }
  func removeData(for key: String) { note("disk removal") }
  func removeAll() {}
}

/// Metrics that tell when a stage is timed.
private final class NotedMetrics: MetricsFactory {
  private let note: @Sendable (String) -> Void

  init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

  private final class StageTimer: TimerHandler {
    private let stage: String
    private let note: @Sendable (String) -> Void

    init(_ stage: String, _ note: @escaping @Sendable (String) -> Void) {
      self.stage = stage
      self.note = note
    }

    func recordNanoseconds(_ duration: Int64) { note("\(stage) timed") }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { NOOPMetricsHandler.instance }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    NOOPMetricsHandler.instance
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    guard let stage = dimensions.first(where: { $0.0 == "stage" })?.1 else { return NOOPMetricsHandler.instance }
    return StageTimer(stage, note)
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// A log that tells when the end of a stage is logged.
private struct NotedLog: LogHandler {
  let note: @Sendable (String) -> Void
  var logLevel = Logger.Level.debug
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if let stage = event.metadata?["nuke.stage"] { note("\(stage) logged") }
  }
}
