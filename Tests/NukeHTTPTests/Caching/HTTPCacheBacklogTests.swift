import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("The HTTP cache with a slow disk", .timeLimit(.minutes(1)))
struct HTTPCacheBacklogTests {
  /// A disk that stands still until it is let go on.
  private final class StandingDisk: Sendable {
    let files = FaultyFileSystem()
    private let semaphore = DispatchSemaphore(value: 0)

    func stand() {
      files.afterEachStep { [semaphore] in
        semaphore.wait()
        semaphore.signal()
      }
    }

    func goOn() { semaphore.signal() }
  }

  private let answer: @Sendable (NukeOrigin.Request) -> NukeOrigin.Response = { request in
    .fields(noise(20_000 + (Int(request.path.dropFirst()) ?? 0)), ("Cache-Control", "max-age=60"))
  }

  /// Returns the same answers, but sends the bodies of all but the first `count` only when the gate is open, so that
  /// these transfers do not end before they are paused.
  private func answer(
    after count: Int, _ gate: ScriptGate
  ) -> @Sendable (NukeOrigin.Request) -> NukeOrigin.Response {
    // The loader may send the requests in any order.
    let left = Lock(count)
    return { [answer] request in
      let isHeld = left.withLock { left in
        left -= 1
        return left < 0
      }
      return isHeld ? answer(request).scripted(.head, .wait(gate), .rest) : answer(request)
    }
  }

  /// Stops the disk, after the folder of the store was scanned. The scan holds the lock that look-ups acquire.
  private func stand(_ disk: StandingDisk, _ bench: CacheBench) throws {
    try store("scanned", Data("scanned".utf8), bench)
    bench.cache.flush()
    disk.stand()
  }

  private func store(_ name: String, _ data: Data, _ bench: CacheBench) throws {
    let url = URL(string: "http://example.com/\(name)")!
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=60"]))
    bench.cache.storeCachedResponse(CachedURLResponse(response: response, data: data), for: URLRequest(url: url))
  }

  private func start(_ count: Int, _ bench: CacheBench) -> [Recorder] {
    (0..<count).map { bench.loader.record(bench.request("/\($0)")).recorder }
  }

  private func expectAllKept(_ recorders: [Recorder], _ bench: CacheBench) async {
    for recorder in recorders { #expect(await recorder.finished().error == nil) }
    bench.cache.flush()
    let later = recorders.indices.filter { number in
      bench.cache.cachedResponse(for: bench.request("/\(number)"))?.data.count != 20_000 + number
    }
    #expect(later.isEmpty)
  }

  @Test("A burst of a thousand images is delivered before any is on disk, and all are stored")
  func burst() async throws {
    let disk = StandingDisk()
    let bench = try CacheBench(capacity: 64 << 20, files: disk.files, answer: answer)
    try stand(disk, bench)
    let recorders = start(1000, bench)
    for recorder in recorders { await recorder.finished() }
    #expect(bench.cache.heldTransfers == 0)
    disk.goOn()
    await expectAllKept(recorders, bench)
  }

  @Test("An object of the program that is released after a write may flush the cache")
  func flushesInDeinit() async throws {
    let disk = StandingDisk()
    let bench = try CacheBench(files: disk.files) { _ in .fields(noise(300_000), ("Cache-Control", "max-age=60")) }
    try stand(disk, bench)
    let log = CallLog()
    do {
      let canary = Canary { [cache = bench.cache] in
        cache.flush()
        log.append("flushed")
      }
      let loader = DataLoader(configuration: makeConfiguration { $0.urlCache = bench.cache }) { _ in
        withExtendedLifetime(canary) {}
        return nil
      }
      #expect(await loader.record(bench.request("/a")).recorder.finished().error == nil)
    }
    // Now the body that waits for the disk has the last reference, or soon will.
    disk.goOn()
    #expect(await log.entries(count: 1) == ["flushed"])
    #expect(bench.cache.cachedResponse(for: bench.request("/a"))?.data == noise(300_000))
  }

  @Test("Transfers are paused if too many bytes wait, and all of them are stored eventually")
  func held() async throws {
    let disk = StandingDisk()
    let gate = ScriptGate()
    let bench = try CacheBench(stagingLimit: 100_000, files: disk.files, answer: answer(after: 6, gate))
    try stand(disk, bench)
    let recorders = start(60, bench)
    try await waitUntil { bench.cache.heldTransfers >= 6 }
    gate.open()
    // At least five whose bodies fit, and those of six connections that are paused.
    try await waitUntil { bench.origin.log.responsesCompleted >= 11 }
    // Five that fit, the one that does not, and what six connections had brought before they noticed.
    #expect(recorders.count { $0.state.isFinished } <= 12)
    disk.goOn()
    await expectAllKept(recorders, bench)
    #expect(bench.cache.heldTransfers == 0)
  }

  @Test("If the disk stands still for seconds, paused transfers are delivered without being stored")
  func givenUp() async throws {
    let (disk, time, gate) = (StandingDisk(), ManualTime(), ScriptGate())
    let bench = try CacheBench(
      stagingLimit: 50_000, files: disk.files, diskTime: time, answer: answer(after: 3, gate))
    try stand(disk, bench)
    let recorders = start(30, bench)
    try await waitUntil { bench.cache.heldTransfers >= 6 }
    gate.open()
    // One connection after the other is paused, and continues when time has passed.
    try await waitUntil {
      time.pass(milliseconds: 2000)
      return recorders.allSatisfy(\.state.isFinished)
    }
    for (number, recorder) in recorders.enumerated() {
      #expect(recorder.state.error == nil)
      #expect(recorder.state.body == noise(20_000 + number))
    }
    #expect(bench.cache.heldTransfers == 0)
    // The next one does not wait.
    #expect(await bench.load("/99").body == noise(20_099))
    disk.goOn()
    bench.cache.flush()
    #expect(await bench.load("/100").body == noise(20_100))
    bench.cache.flush()
    #expect(bench.cache.cachedResponse(for: bench.request("/99")) == nil)
    #expect(bench.cache.cachedResponse(for: bench.request("/100"))?.data == noise(20_100))
  }

  @Test("If the disk stands still for seconds, long responses are delivered without being stored, until it goes on")
  func longBodies() async throws {
    let (disk, time) = (StandingDisk(), ManualTime())
    let bench = try CacheBench(files: disk.files, diskTime: time) { request in
      .fields(noise(request.path == "/short" ? 20_000 : 600_000), ("Cache-Control", "max-age=60"))
    }
    try stand(disk, bench)
    // Its write blocks the thread that would write the others.
    #expect(await bench.load("/short").error == nil)
    let paused = bench.loader.record(bench.request("/1")).recorder
    while bench.cache.heldTransfers == 0 { await Task.yield() }
    while !paused.state.isFinished {
      time.pass(milliseconds: 2000)
      await Task.yield()
    }
    #expect(paused.state.error == nil)
    #expect(paused.state.body == noise(600_000))
    // The next one does not wait.
    #expect(await bench.load("/2").body == noise(600_000))
    disk.goOn()
    while bench.cache.isWritingStuck { await Task.yield() }
    #expect(await bench.load("/3").body == noise(600_000))
    bench.cache.flush()
    #expect(bench.cache.cachedResponse(for: bench.request("/2")) == nil)
    #expect(bench.cache.cachedResponse(for: bench.request("/3"))?.data == noise(600_000))
  }

  @Test("A response that a program stores without room is dropped, and so is the one it replaces")
  func given() throws {
    let disk = StandingDisk()
    let bench = try CacheBench(stagingLimit: 30_000, files: disk.files)
    func stored(_ name: String) -> Data? {
      bench.cache.cachedResponse(for: URLRequest(url: URL(string: "http://example.com/\(name)")!))?.data
    }
    try store("a", noise(20_000), bench)
    bench.cache.flush()
    #expect(stored("a") == noise(20_000))
    disk.stand()
    try store("b", noise(20_001), bench)
    try store("a", noise(20_002), bench)
    try store("c", noise(20_003), bench)
    disk.goOn()
    bench.cache.flush()
    #expect(stored("a") == nil && stored("b") == noise(20_001) && stored("c") == nil)
  }

  @Test("A paused transfer can be canceled, and the others continue")
  func cancelled() async throws {
    let (disk, gate) = (StandingDisk(), ScriptGate())
    let bench = try CacheBench(stagingLimit: 50_000, files: disk.files, answer: answer(after: 3, gate))
    try stand(disk, bench)
    let loads = (0..<30).map { bench.loader.record(bench.request("/\($0)")) }
    try await waitUntil { bench.cache.heldTransfers >= 6 }
    for load in loads { load.transfer.cancel() }
    for load in loads { #expect(await load.recorder.finished().ends.count == 1) }
    try await waitUntil { bench.cache.heldTransfers == 0 }
    gate.open()
    disk.goOn()
    let next = await bench.load("/100")
    #expect(next.error == nil && next.body == noise(20_100))
  }
}
