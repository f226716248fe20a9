import Foundation
import Nuke
import NukeLoaderSuite
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service under overload", .timeLimit(.minutes(1)))
struct ServiceLoadTests {
  private let gate = Gate()
  private let store = FakeDataCache()

  private func request(_ width: Int) -> RenditionRequest { ServiceFixture.request(width: width) }

  @Test("Decoding never exceeds the decode budget")
  func budget() async throws {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate, decodedBytes: { _ in 400 })) {
      $0.decodeBudget = 1000
      $0.maximumWaiting = 100
    }
    fixture.answer("A")
    let tasks = (1...10).map { fixture.start(request($0)) }
    try await fixture.requests(count: 10)
    await gate.arrivals(count: 2)
    #expect(fixture.service.statistics.budgetUsed == 800)
    gate.open()
    for task in tasks { _ = try await task.value.get() }
    #expect(fixture.renderer.mostRunning == 2)
    #expect(fixture.service.statistics.budgetUsed == 0)
  }

  @Test("An image that exceeds the whole budget is rejected")
  func tooLarge() async throws {
    let fixture = ServiceFixture(renderer: FakeRenderer(decodedBytes: { _ in 2000 })) { $0.decodeBudget = 1000 }
    fixture.answer("A")
    let error = await fixture.result().error
    guard case .tooLarge? = error else { throw Unexpected(error) }
    #expect(fixture.renderer.renders == 0)
  }

  @Test("Of sources that arrive at the same time, no more are held than allowed, and the others are rejected")
  func heldSources() async throws {
    let (loading, rendering) = (Gate(), Gate())
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: rendering)) {
      $0.maximumRunning = 1
      $0.maximumWaiting = 100
      $0.maximumHeldSourceBytes = 250
    }
    let sources = (0..<10).map { URL(string: "https://images.example/\($0).jpg")! }
    for source in sources {
      let answer = FakeDataLoader.Answer.source(String(repeating: "A", count: 100), at: source)
      fixture.loader.answer(source, with: answer.held(by: loading))
    }
    let tasks = sources.map { fixture.start(ServiceFixture.request($0)) }
    await fixture.loader.requests(count: 10)
    loading.open()
    try await waitUntil { fixture.service.statistics.failures["overloaded", default: 0] >= 7 }
    #expect(fixture.service.statistics.heldSourceBytes == 300)
    rendering.open()
    var statuses: [Int] = []
    for task in tasks { statuses.append(await task.value.error?.status ?? 200) }
    #expect(statuses.sorted() == [200, 200, 200] + [Int](repeating: 429, count: 7))
    #expect(fixture.service.statistics.heldSourceBytes == 0)
  }

  /// A service that does one thing and lets one wait, both held by a gate.
  private func full(
    _ gate: Gate, stores: [any DataCaching] = [], _ configure: (inout ServiceConfiguration) -> Void = { _ in }
  ) async throws -> (ServiceFixture, [Task<Result<Rendition, ServingError>, Never>]) {
    let fixture = ServiceFixture(renderer: SelectiveRenderer.held(by: gate), stores: stores) {
      $0.maximumRunning = 1
      $0.maximumWaiting = 1
      configure(&$0)
    }
    fixture.answer("A")
    // What is not held is made before.
    _ = await fixture.result(request(10))
    let running = fixture.start(request(1000))
    await gate.arrivals(count: 1)
    let waiting = fixture.start(request(1001))
    try await waitUntil { fixture.service.statistics.waiting > 0 }
    return (fixture, [running, waiting])
  }

  @Test("If too many requests wait, new ones are rejected with Retry-After")
  func overloaded() async throws {
    let (fixture, tasks) = try await full(gate)
    var other = request(1)
    other.options.blur = 3
    let error = await fixture.result(other).error
    #expect(error?.status == 429)
    #expect(try #require(error?.retryAfter) >= 1)
    #expect(fixture.service.statistics.failures == ["overloaded": 1])
    gate.open()
    for task in tasks { _ = try await task.value.get() }
  }

  @Test("Under overload, a smaller variant is sent if there is one")
  func overloadedSmaller() async throws {
    let (fixture, tasks) = try await full(gate)
    let smaller = try await fixture.result(request(50)).get()
    #expect(smaller.text == "w:10 of A")
    #expect(smaller.isDegraded && smaller.origin == .memory)
    gate.open()
    for task in tasks { #expect(try await !task.value.get().isDegraded) }
  }

  enum FileChange: CaseIterable {
    case none, replaced, deleted
  }

  @Test(
    "Under overload and at its deadline, a request gets no image of a file that has been replaced or deleted",
    arguments: FileChange.allCases, [false, true])
  func changedFile(_ change: FileChange, isInStore: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.txt", Data("A".utf8))
    let source = try #require(URL(string: "local:///a.txt"))
    let clock = FakeClock()
    var configuration = ServiceConfiguration()
    (configuration.maximumRunning, configuration.maximumWaiting) = (1, 1)
    (configuration.deadline, configuration.memoryLimit) = (30, isInStore ? 0 : 1 << 20)
    let service = RenditionService(
      pipeline: .fake(loader: LocalSource(root: folder.url), imageCache: nil),
      renderer: SelectiveRenderer.held(by: gate), stores: isInStore ? [store] : [], configuration: configuration,
      clock: clock.clock, pressure: MemoryPressure { _ in })
    func start(_ width: Int) -> Task<Rendition, any Error> {
      Task { try await service.rendition(for: ServiceFixture.request(width: width, source)) }
    }
    _ = try await start(10).value
    _ = await service.pending.allDone().value
    let running = start(1000)
    await gate.arrivals(count: 1)
    let waiting = start(1001)
    try await waitUntil { service.statistics.waiting > 0 }
    switch change {
    case .none: break
    case .replaced: try Data("BB".utf8).write(to: file)
    case .deleted: try FileManager.default.removeItem(at: file)
    }
    for width in [10, 50] {
      let result = await start(width).result
      // The stores are not searched for another size.
      if change == .none, width == 10 || !isInStore {
        #expect(try result.get().text == "w:10 of A")
      } else {
        let error = #expect(throws: ServingError.self) { try result.get() }
        #expect(error?.name == "overloaded")
      }
    }
    await clock.sleepers(count: 1)
    clock.advance(seconds: 30)
    for task in [running, waiting] {
      let result = await task.result
      if change == .none {
        let rendition = try result.get()
        #expect(rendition.text == "w:10 of A" && rendition.isDegraded)
      } else {
        #expect(throws: ServingError.deadlineExceeded) { try result.get() }
      }
    }
  }

  @Test("At its deadline a request ends, and its work is canceled")
  func deadline() async {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate)) { $0.deadline = 30 }
    fixture.answer("A")
    let task = fixture.start()
    await gate.arrivals(count: 1)
    await fixture.clock.sleepers(count: 1)
    fixture.clock.advance(seconds: 29)
    #expect(fixture.renderer.running == 1)
    fixture.clock.advance(seconds: 1)
    #expect(await task.value.error == .deadlineExceeded)
    await fixture.settled()
    #expect(fixture.renderer.running == 0)
    #expect(fixture.service.statistics.stages[.request]?.count == 1)
    #expect(fixture.service.statistics.stages[.request]?.sum == 30)
  }

  @Test("At its deadline a request gets a stale image, or otherwise a smaller one")
  func deadlineDegraded() async throws {
    let fixture = ServiceFixture()
    fixture.loader.answer(
      ServiceFixture.source, with: .source("A", ["Cache-Control": "max-age=100"]), .source("B").held(by: gate))
    _ = try await fixture.result(request(100)).get()
    fixture.clock.advance(seconds: 1000)
    for width in [100, 300] {
      let task = fixture.start(request(width))
      await fixture.loader.requests(count: width == 100 ? 2 : 3)
      await fixture.clock.sleepers(count: 1)
      fixture.clock.advance(seconds: 30)
      let rendition = try await task.value.get()
      #expect(rendition.text == "w:100 of A")
      #expect(rendition.isDegraded)
      await fixture.settled()
    }
  }

  @Test("A smaller variant is looked up in the stores too")
  func degradedFromStore() async throws {
    let fixture = ServiceFixture(stores: [store]) { $0.memoryLimit = 0 }
    fixture.loader.answer(ServiceFixture.source, with: .source("A"), .source("A").held(by: gate))
    _ = try await fixture.result(request(100)).get()
    await fixture.settled()
    let task = fixture.start(request(300))
    await fixture.loader.requests(count: 2)
    await fixture.clock.sleepers(count: 1)
    fixture.clock.advance(seconds: 30)
    let rendition = try await task.value.get()
    #expect(rendition.text == "w:100 of A")
    #expect(rendition.isDegraded && rendition.origin == .store)
  }

  @Test("A smaller variant in memory is sent without looking in the stores for a larger one")
  func degradedFromMemoryFirst() async throws {
    let fixture = ServiceFixture(stores: [store])
    fixture.loader.answer(ServiceFixture.source, with: .source("A"), .source("A"), .source("A").held(by: gate))
    for width in [100, 200] { _ = try await fixture.result(request(width)).get() }
    await fixture.settled()
    fixture.service.memory.remove(request(200))
    let task = fixture.start(request(300))
    await fixture.loader.requests(count: 3)
    fixture.clock.advance(seconds: 30)
    #expect(try await task.value.get().text == "w:100 of A")
    #expect(store.reads == [100, 200, 300].map { RenditionKey(request($0)).name })
  }

  @Test("The look-up in the stores is limited to the largest variant and a quarter of a second")
  func degradedFromSlowStore() async throws {
    let (loading, reading) = (Gate(), Gate())
    let (near, far) = (FakeDataCache(), FakeDataCache())
    let slow = SecondReadHeld(near, by: reading)
    let fixture = ServiceFixture(stores: [slow, far]) { $0.memoryLimit = 0 }
    fixture.loader.answer(ServiceFixture.source, with: .source("A"), .source("A"), .source("A").held(by: loading))
    for width in [100, 200] { _ = try await fixture.result(request(width)).get() }
    await fixture.settled()
    let task = fixture.start(request(300))
    await fixture.loader.requests(count: 3)
    fixture.clock.advance(seconds: 30)
    await reading.arrivals(count: 1)
    // The limit of any look, and that of this one.
    await fixture.clock.sleepers(count: 2)
    fixture.clock.advance(seconds: 0.25)
    #expect(await task.value.error == .deadlineExceeded)
    #expect(slow.heldKeys == [RenditionKey(request(200)).name])
    #expect(far.reads == [100, 200, 300].map { RenditionKey(request($0)).name })
    reading.open()
  }

  @Test("Under overload, the stores are not queried for a smaller variant")
  func overloadedAsksNoStore() async throws {
    let (fixture, tasks) = try await full(gate, stores: [store]) { $0.memoryLimit = 0 }
    #expect(await fixture.result(request(50)).error?.status == 429)
    #expect(store.reads == [10, 1000, 1001, 50].map { RenditionKey(request($0)).name })
    gate.open()
    for task in tasks { _ = try await task.value.get() }
  }

  @Test("During shutdown it rejects new work, sends renditions in memory, and finishes running work")
  func shutdown() async throws {
    let fixture = ServiceFixture(renderer: SelectiveRenderer.held(by: gate), stores: [store])
    fixture.answer("A")
    _ = try await fixture.result(request(10)).get()
    let running = fixture.start(request(1000))
    await gate.arrivals(count: 1)
    let end = Task { await fixture.service.shutdown(gracePeriod: 10) }
    try await waitUntil { fixture.service.state.withLock({ $0.isShuttingDown }) }
    #expect(await fixture.result(request(20)).error?.status == 503)
    #expect(try await fixture.result(request(10)).get().origin == .memory)
    gate.open()
    #expect(try await running.value.get().text == "w:1000 of A")
    await end.value
    #expect(store.contents.count == 2)
  }

  @Test("At the end of the grace period, unfinished work is canceled")
  func shutdownAfterGrace() async throws {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate))
    fixture.answer("A")
    let running = fixture.start()
    await gate.arrivals(count: 1)
    let end = Task { await fixture.service.shutdown(gracePeriod: 10) }
    await fixture.clock.sleepers(count: 2)
    fixture.clock.advance(seconds: 10)
    await end.value
    #expect(await running.value.error?.status == 503)
    await fixture.settled()
    #expect(fixture.renderer.running == 0)
  }

  @Test("The durations of stages are recorded")
  func stages() async throws {
    let fixture = ServiceFixture(renderer: FakeRenderer(gate: gate), stores: [FakeDataCache()])
    fixture.answer("A")
    let task = fixture.start()
    await gate.arrivals(count: 1)
    fixture.clock.advance(seconds: 0.3)
    gate.open()
    _ = try await task.value.get()
    let stages = fixture.service.statistics.stages
    await fixture.settled()
    // The pipeline has a clock of its own, by which a source may not have had to wait.
    var counts = fixture.service.statistics.stages.mapValues(\.count)
    counts[.queued] = nil
    #expect(
      counts == [.store: 1, .source: 1, .load: 1, .wait: 1, .render: 1, .encode: 1, .request: 1, .write: 1])
    #expect(stages[.render]?.sum == 0.3)
    #expect(stages[.encode]?.sum == 0.25)
    #expect(stages[.source]?.sum == 0)
  }
}

@Suite("Duration histograms")
struct HistogramTests {
  @Test("A duration belongs to the bucket that contains it or ends with it")
  func buckets() {
    var histogram = Histogram()
    for seconds in [0, 0.001, 0.0011, 30, 31] { histogram.note(seconds) }
    #expect(histogram.counts == [2, 1] + [Int](repeating: 0, count: 11) + [1, 1])
    #expect(histogram.count == 5)
    #expect(abs(histogram.sum - 61.0021) < 1e-9)
  }
}

enum SelectiveRenderer {
  /// Holds back the images that are 1000 pixels wide or more.
  static func held(by gate: Gate) -> FakeRenderer { FakeRenderer(gate: gate, holds: { $0.options.width >= 1000 }) }
}

/// Holds back who reads a key once more.
private final class SecondReadHeld: DataCaching {
  private let cache: FakeDataCache
  private let gate: Gate
  private let keys = Lock((read: Set<String>(), held: [String]()))

  init(_ cache: FakeDataCache, by gate: Gate) {
    self.cache = cache
    self.gate = gate
  }

  var heldKeys: [String] { keys.withLock { $0.held } }

  func cachedData(for key: String) -> Data? {
    let isHeld = keys.withLock { keys in
      let isHeld = !keys.read.insert(key).inserted
      if isHeld { keys.held.append(key) }
      return isHeld
    }
    if isHeld { gate.waitBlocking() }
    return cache.cachedData(for: key)
  }
  func containsData(for key: String) -> Bool { cache.containsData(for: key) }
  func storeData(_ data: Data, for key: String) { cache.storeData(data, for: key) }
  func removeData(for key: String) { cache.removeData(for: key) }
  func removeAll() { cache.removeAll() }
}
