import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeCodecs
import NukeTesting
import Testing

/// Every place at which the pipeline calls code of the program's, used to call the pipeline: a place that is called under a
/// lock of the pipeline's would not come back.
@Suite("Reentrance", .timeLimit(.minutes(1)))
struct ReentranceTests {
  /// Uses the pipeline the first time that each place is reached.
  private final class Hooks: Sendable {
    private struct State {
      weak var pipeline: ImagePipeline?
      var prefetcher: ImagePrefetcher?
      var reached: Set<String> = []
    }

    private let state = Lock(State())
    private let log = CallLog()

    var reached: Set<String> { Set(log.entries) }

    /// Returns once all these places have been reached.
    func reached(_ places: Set<String>) async {
      while true {
        let entries = log.entries
        if places.isSubset(of: entries) || Task.isCancelled { return }
        await log.entries(count: entries.count + 1)
      }
    }

    /// Returns once a preview has been delivered. Holds the calling thread.
    func waitForPreview() {
      let isThere = DispatchSemaphore(value: 0)
      Task {
        await reached(["delegate preview"])
        isThere.signal()
      }
      isThere.wait()
    }

    func use(_ pipeline: ImagePipeline) {
      let prefetcher = ImagePrefetcher(pipeline: pipeline)
      state.withLock {
        $0.pipeline = pipeline
        $0.prefetcher = prefetcher
      }
    }

    func end() {
      let prefetcher = state.withLock { $0.prefetcher.take() }
      withExtendedLifetime(prefetcher) {}
    }

    /// Reaches a place, then gives a value.
    func reach<Value>(_ place: String, then value: @autoclosure () -> Value) -> Value {
      reach(place)
      return value()
    }

    func reach(_ place: String) {
      let (pipeline, prefetcher) = state.withLock { state -> (ImagePipeline?, ImagePrefetcher?) in
        guard let pipeline = state.pipeline, state.reached.insert(place).inserted else { return (nil, nil) }
        return (pipeline, state.prefetcher)
      }
      guard let pipeline else { return }
      defer { log.append(place) }
      let request = ImageRequest(url: imageURL("other"), processors: [.resize(width: 4, unit: .pixels)])
      let (task, other) = (pipeline.imageTask(with: request), pipeline.imageTask(with: request))
      task.priority = .high
      task.cancel()
      pipeline.loadData(with: request, on: nil) { _ in }.cancel()
      _ = (other.status, pipeline.cache[request], pipeline.load)
      pipeline.cache[request] = nil
      prefetcher?.startPrefetching(with: [request])
      prefetcher?.stopPrefetching()
      other.cancel()
    }
  }

  private struct Processor: ImageProcessing {
    struct Key: Hashable, Sendable {
      let name: String
      let hooks: Hooks
      static func == (lhs: Key, rhs: Key) -> Bool {
        lhs.hooks.reach("processor ==")
        return lhs.name == rhs.name
      }
      func hash(into hasher: inout Hasher) {
        hooks.reach("processor hash")
        hasher.combine(0)
      }
    }

    let name: String
    let hooks: Hooks
    let canary: Canary

    init(_ name: String, _ hooks: Hooks) {
      self.name = name
      self.hooks = hooks
      canary = Canary { [hooks] in hooks.reach("processor deinit") }
    }

    var identifier: String { hooks.reach("processor identifier", then: name) }
    var hashableIdentifier: AnyHashable {
      hooks.reach("processor hashableIdentifier", then: AnyHashable(Key(name: name, hooks: hooks)))
    }
    func process(_ image: PlatformImage) -> PlatformImage? { hooks.reach("processor process", then: image) }
  }

  private struct Decoder: ImageDecoding {
    let hooks: Hooks
    let canary: Canary

    var isAsynchronous: Bool { hooks.reach("decoder isAsynchronous", then: true) }
    func decode(_ data: Data) throws -> ImageContainer {
      hooks.reach("decoder decode", then: ImageContainer(image: SampleImage.bitmap(width: 8, height: 8)))
    }
    func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      hooks.reach(
        "decoder decodePartiallyDownloadedData", then: ImageContainer(image: SampleImage.bitmap(width: 8, height: 8)))
    }
  }

  private struct Encoder: ImageEncoding {
    let hooks: Hooks
    func encode(_ image: PlatformImage) -> Data? { hooks.reach("encoder encode", then: Data([1])) }
  }

  private final class MemoryCache: ImageCaching {
    let base = FakeImageCache()
    let hooks: Hooks
    init(_ hooks: Hooks) { self.hooks = hooks }

    subscript(key: ImageCacheKey) -> ImageContainer? {
      get { hooks.reach("memory cache read", then: base[key]) }
      set {
        hooks.reach("memory cache write")
        base[key] = newValue
      }
    }
    func removeAll() { base.removeAll() }
  }

  private final class DiskCache: DataCaching, DataLeasing {
    struct Held: HeldDataLease {
      let hooks: Hooks
      func wait(
        seconds: TimeInterval, _ body: @escaping @Sendable (Bool, TimeInterval) -> Void
      ) -> any Cancellable {
        hooks.reach("lease wait")
        // Earlier than the protocol allows, and with a time that cannot be.
        body(true, .nan)
        return Waiting(hooks: hooks, canary: Canary { [hooks] in hooks.reach("lease deinit") })
      }
    }
    final class Waiting: Cancellable {
      let hooks: Hooks
      let canary: Canary
      init(hooks: Hooks, canary: Canary) {
        self.hooks = hooks
        self.canary = canary
      }
      func cancel() {}
    }
    final class Lease: DataLease {
      let canary: Canary
      init(_ canary: Canary) { self.canary = canary }
    }

    let base = FakeDataCache()
    let hooks: Hooks
    init(_ hooks: Hooks) { self.hooks = hooks }

    var leaseTimeout: TimeInterval { hooks.reach("lease timeout", then: .infinity) }
    /// Another client holds all leases until one load has waited. A load that is canceled while it asks does not wait.
    func lease(for key: String) -> DataLeaseAttempt {
      hooks.reach("lease ask")
      guard hooks.reached.contains("lease wait") else { return .held(Held(hooks: hooks)) }
      return .taken(Lease(Canary { [hooks] in hooks.reach("lease deinit") }))
    }
    func cachedData(for key: String) -> Data? { hooks.reach("disk cache read", then: base.cachedData(for: key)) }
    func containsData(for key: String) -> Bool { hooks.reach("disk cache contains", then: base.containsData(for: key)) }
    func storeData(_ data: Data, for key: String) {
      hooks.reach("disk cache store")
      base.storeData(data, for: key)
    }
    func removeData(for key: String) { base.removeData(for: key) }
    func removeAll() { base.removeAll() }
  }

  /// Answers on a thread of its own, at once, in two parts; what is named "held" never.
  private final class Loader: DataLoading {
    struct Transfer: Cancellable {
      let hooks: Hooks
      func cancel() { hooks.reach("transfer cancel") }
    }

    let hooks: Hooks
    let data: Data
    init(_ hooks: Hooks, data: Data) {
      self.hooks = hooks
      self.data = data
    }

    func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable {
      hooks.reach("loader loadData")
      guard request.url?.lastPathComponent != "held" else {
        return hooks.reach("loader holds", then: Transfer(hooks: hooks))
      }
      let (data, hooks) = (data, hooks)
      Thread.detachNewThread {
        let answer = response(to: request, length: data.count)
        didReceiveData(data.prefix(data.count / 2), answer)
        // So that there is a preview of what has come.
        if request.url?.lastPathComponent == "image" { hooks.waitForPreview() }
        didReceiveData(data.dropFirst(data.count / 2), answer)
        completion(nil)
      }
      return Transfer(hooks: hooks)
    }
  }

  private func delegate(
    _ hooks: Hooks, _ loader: Loader, _ memory: MemoryCache, _ disk: DiskCache
  ) -> HookedDelegate {
    HookedDelegate {
      $0.decoder = { _ in
        hooks.reach(
          "delegate imageDecoder",
          then: Decoder(hooks: hooks, canary: Canary { [hooks] in hooks.reach("decoder deinit") }))
      }
      $0.encoder = { _ in hooks.reach("delegate imageEncoder", then: Encoder(hooks: hooks)) }
      $0.previewPolicy = { _ in hooks.reach("delegate previewPolicy", then: .incremental) }
      $0.loader = { _ in hooks.reach("delegate dataLoader", then: loader) }
      $0.imageCache = { _ in hooks.reach("delegate imageCache", then: memory) }
      $0.dataCache = { _ in hooks.reach("delegate dataCache", then: disk) }
      $0.willLoad = { _, request in hooks.reach("delegate willLoadData", then: request) }
      $0.willCache = { data, _, _ in hooks.reach("delegate willCache", then: data) }
      $0.cacheKey = { _ in hooks.reach("delegate cacheKey", then: nil) }
      $0.shouldDecompress = { _, _ in hooks.reach("delegate shouldDecompress", then: true) }
      $0.decompress = { response in hooks.reach("delegate decompress", then: response) }
      $0.created = { _ in hooks.reach("delegate created") }
      $0.started = { _ in hooks.reach("delegate started") }
      $0.event = { _, event in
        switch event {
        case .progress: hooks.reach("delegate progress")
        case .preview: hooks.reach("delegate preview")
        case .finished: hooks.reach("delegate finished")
        }
      }
    }
  }

  @Test("User code may use the pipeline, wherever it is called")
  func everywhere() async throws {
    let hooks = Hooks()
    let data = try SampleImage.progressiveJPEG()
    let (memory, disk, loader) = (MemoryCache(hooks), DiskCache(hooks), Loader(hooks, data: data))
    let delegate = delegate(hooks, loader, memory, disk)
    do {
      let pipeline = ImagePipeline(
        configuration: .fake(loader: loader, imageCache: memory) {
          $0.dataCache = disk
          $0.dataCachePolicy = .storeAll
          $0.decodeEveryPart()
        }, delegate: delegate)
      hooks.use(pipeline)
      try await load(with: pipeline, hooks)
      await hooks.reached(Self.places)
      hooks.end()
    }
    #expect(hooks.reached == Self.places)
  }

  /// An object that is equal to all others.
  private final class ObjectProcessor: ImageProcessing, Hashable {
    private let canary: Canary
    init(_ place: String, _ hooks: Hooks) { canary = Canary { [hooks] in hooks.reach(place) } }

    var identifier: String { "object" }
    var hashableIdentifier: AnyHashable { self }
    func process(_ image: PlatformImage) -> PlatformImage? { image }
    static func == (lhs: ObjectProcessor, rhs: ObjectProcessor) -> Bool { true }
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  @Test("A processor that only the key of a job refers to is not released under a lock")
  func processorOfKey() async throws {
    let (hooks, loader, gate) = (Hooks(), FakeDataLoader(), Gate())
    for name in ["first", "second"] {
      loader.answer(imageURL(name), with: .data(SampleImage.png(width: 2, height: 2)).held(by: gate))
    }
    let pipeline = ImagePipeline.fake(loader: loader)
    hooks.use(pipeline)
    let start = { name in
      pipeline.imageTask(
        with: ImageRequest(url: imageURL(name), processors: [ObjectProcessor("\(name) deinit", hooks)]))
    }
    // The key of the second job refers to the processor of the first, because they are equal.
    var first: ImageTask? = start("first")
    let second = start("second")
    first?.cancel()
    first = nil
    #expect(hooks.reached.isEmpty)
    gate.open()
    _ = try await second.response
    await hooks.reached(["first deinit"])
    hooks.end()
  }

  @Test("A decoder that is removed from a registry is not released under a lock", arguments: [false, true])
  func removedDecoder(clears: Bool) {
    let (registry, log) = (ImageDecoderRegistry(), CallLog())
    func register() -> ImageDecoderRegistry.RegistrationToken {
      let canary = Canary {
        registry.register { _ in nil }
        log.append("released")
      }
      return registry.register { _ in withExtendedLifetime(canary) { nil } }
    }
    let token = register()
    if clears { registry.clear() } else { registry.unregister(token) }
    #expect(log.entries == ["released"])
  }

  @Test("The closures of a prefetcher are not released under a lock when they are replaced")
  func prefetcherClosures() {
    let log = CallLog()
    let prefetcher = ImagePrefetcher(pipeline: .fake())
    func set() {
      let end = Canary { log.append("didEnd, \(prefetcher.priority)") }
      prefetcher.didEnd = { _ in withExtendedLifetime(end) {} }
      let completion = Canary { log.append("didComplete, \(prefetcher.priority)") }
      prefetcher.didComplete = { withExtendedLifetime(completion) {} }
    }
    set()
    #expect(log.entries.isEmpty)
    prefetcher.didEnd = nil
    prefetcher.didComplete = nil
    #expect(log.entries == ["didEnd, low", "didComplete, low"])
  }

  @Test("Whether an image is fresh is asked of the delegate's data loader outside of locks")
  func freshness() async throws {
    let (hooks, loader, disk) = (Hooks(), FakeDataLoader(), FakeDataCache())
    let data = SampleImage.png(width: 2, height: 2)
    loader.answer(imageURL("image"), with: .data(data))
    disk.storeData(data, for: imageURL("image").absoluteString)
    let delegate = HookedDelegate {
      $0.loader = { _ in hooks.reach("delegate dataLoader", then: loader) }
    }
    let pipeline = ImagePipeline(
      configuration: .fake(loader: loader) {
        $0.dataCache = disk
        $0.freshnessPolicy = .respect
      }, delegate: delegate)
    hooks.use(pipeline)
    let tasks = (0..<2).map { _ in pipeline.imageTask(with: imageURL("image")) }
    for task in tasks { #expect(try await task.image.pixelWidth == 2) }
    #expect(hooks.reached == ["delegate dataLoader"])
    hooks.end()
  }

  @Test("A prefetcher does not compare processors under a lock")
  func prefetchedProcessors() async {
    let (hooks, loader, gate) = (Hooks(), FakeDataLoader(), Gate())
    loader.answer(imageURL("image"), with: .data(SampleImage.png(width: 2, height: 2)).held(by: gate))
    let pipeline = ImagePipeline.fake(loader: loader)
    hooks.use(pipeline)
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    let requests = (0..<3).map { _ in ImageRequest(url: imageURL("image"), processors: [Processor("/p", hooks)]) }
    // Equal requests are compared when they are added and when they are removed.
    prefetcher.startPrefetching(with: requests)
    await hooks.reached(["processor ==", "processor hash"])
    prefetcher.stopPrefetching(with: requests)
    gate.open()
    hooks.end()
  }

  private func load(with pipeline: ImagePipeline, _ hooks: Hooks) async throws {
    // Equal processors that are different objects are compared.
    let tasks = (0..<3).map { _ in
      let closure = Canary { [hooks] in hooks.reach("closure deinit") }
      return pipeline.loadImage(
        with: ImageRequest(url: imageURL("image"), processors: [Processor("/p", hooks)]), on: nil,
        progress: { _, _, _ in
          hooks.reach("closure progress")
          _ = closure
        }, completion: { _ in hooks.reach("closure completion") })
    }
    for task in tasks { _ = try await task.response }
    let canary = Canary { [hooks] in hooks.reach("data closure deinit") }
    let closure = ImageRequest(
      id: "data",
      data: {
        hooks.reach("data closure")
        _ = canary
        return SampleImage.png(width: 2, height: 2)
      })
    _ = try await pipeline.image(for: closure)
    let image = ImageRequest(
      id: "decoded",
      image: {
        hooks.reach("image closure")
        return ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
      })
    _ = try await pipeline.image(for: image)
    let held = pipeline.imageTask(with: imageURL("held"))
    await hooks.reached(["loader holds"])
    held.cancel()
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.didEnd = { _ in hooks.reach("prefetcher didEnd") }
    prefetcher.startPrefetching(with: [imageURL("prefetched")])
    await hooks.reached(["prefetcher didEnd"])
  }

  private static let places: Set<String> = [
    "closure completion", "closure deinit", "closure progress", "data closure", "data closure deinit",
    "decoder decode", "decoder decodePartiallyDownloadedData", "decoder deinit", "decoder isAsynchronous",
    "delegate cacheKey", "delegate dataCache", "delegate dataLoader", "delegate imageCache", "delegate created",
    "delegate decompress", "delegate finished", "delegate imageDecoder",
    "delegate imageEncoder", "delegate preview", "delegate previewPolicy", "delegate progress",
    "delegate shouldDecompress", "delegate started", "delegate willCache", "delegate willLoadData",
    "disk cache contains", "disk cache read", "disk cache store", "encoder encode", "image closure", "lease ask",
    "lease deinit", "lease timeout", "lease wait", "loader holds", "loader loadData", "memory cache read",
    "memory cache write", "prefetcher didEnd", "processor ==", "processor deinit", "processor hash",
    "processor hashableIdentifier", "processor identifier", "processor process", "transfer cancel",
  ]
}
