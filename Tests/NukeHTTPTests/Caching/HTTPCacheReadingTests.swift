import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("The HTTP cache while reads block", .timeLimit(.minutes(1)))
struct HTTPCacheReadingTests {
  @Test("Reads that block delay neither memory hits nor other requests, while one of four readers is free")
  func blocked() async throws {
    let origin = try NukeOrigin { _ in .fields(noise(20_000), ("Cache-Control", "max-age=60")) }
    defer { origin.stop() }
    let files = FaultyFileSystem()
    let bench = try CacheBench(files: files)
    let blocked = (0..<3).map { origin.url("/blocked/\($0)") }
    let stored = origin.url("/stored")
    for url in blocked + [stored] { #expect(await bench.load(url).error == nil) }
    bench.cache.flush()
    // The index has been built when an entry has been read.
    #expect(await bench.load(stored).cacheStatus == "Nuke; hit; ttl=60")

    let gate = NukeTesting.Gate()
    let count = Lock(0)
    files.beforeOpening { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number <= blocked.count { gate.waitBlocking() }
    }
    let reads = blocked.map { bench.loader.record(URLRequest(url: $0)).recorder }
    await gate.arrivals(count: reads.count)

    let pipeline = ImagePipeline.fake(loader: bench.loader)
    pipeline.cache[blocked[0]] = ImageContainer(image: SampleImage.bitmap(width: 4, height: 4))
    #expect(try await pipeline.image(for: blocked[0]).pixelWidth == 4)
    #expect(await bench.load(stored).cacheStatus == "Nuke; hit; ttl=60")
    #expect(await bench.load(origin.url("/new")).body == noise(20_000))
    #expect(reads.allSatisfy { !$0.state.isFinished })
    gate.open()
    for read in reads { #expect(await read.finished().cacheStatus == "Nuke; hit; ttl=60") }
  }

  /// A cache whose reads block, once a test says so, while time passes as the test says.
  private final class BlockedBench: Sendable {
    let files = FaultyFileSystem()
    let time = ManualTime()
    let gate = NukeTesting.Gate()
    let bench: CacheBench

    /// Stores responses with these paths.
    init(storing paths: [String]) async throws {
      bench = try CacheBench(files: files, diskTime: time) { request in
        request.header("If-None-Match") == nil
          ? .fields(noise(20_000), ("ETag", "\"v1\""), ("Cache-Control", "max-age=60"))
          : .notModified(("ETag", "\"v1\""), ("Cache-Control", "max-age=60"))
      }
      for path in paths { #expect(await bench.load(path).error == nil) }
      bench.cache.flush()
    }

    /// Blocks reads of files from now on.
    func block(_ isBlocked: @escaping @Sendable (String) -> Bool = { _ in true }) {
      files.beforeOpening { [gate] path in if isBlocked(path) { gate.waitBlocking() } }
    }

    func start(_ path: String) -> Recorder { bench.loader.record(bench.request(path)).recorder }

    /// Lets the time pass after which reads are given up.
    func giveUpReads() { time.pass(milliseconds: 4000) }
  }

  private static let stored = (0..<5).map { "/stored/\($0)" }

  private func expectFromOrigin(_ recorder: Recorder) async {
    let state = await recorder.finished()
    #expect(state.error == nil)
    #expect(state.head?.caching?.isFromCache == false)
    #expect(state.body == noise(20_000))
  }

  @Test("If reads block all readers, loads of stored and of new responses go to the origin, until the disk responds")
  func allBlocked() async throws {
    let blocked = try await BlockedBench(storing: Self.stored)
    let bench = blocked.bench
    blocked.block()
    var recorders = Self.stored.prefix(4).map(blocked.start)
    await blocked.gate.arrivals(count: 4)
    recorders += [Self.stored[4], "/new"].map(blocked.start)
    #expect(recorders.allSatisfy { $0.state.heads.isEmpty })
    blocked.giveUpReads()
    for recorder in recorders { await expectFromOrigin(recorder) }

    // Later ones do not wait.
    let later = [blocked.start("/stored/4"), blocked.start("/later")]
    blocked.time.pass(milliseconds: 0)
    for recorder in later { await expectFromOrigin(recorder) }

    blocked.gate.open()
    try await waitUntil { !bench.cache.reads.isStuck }
    bench.cache.flush()
    #expect(await bench.load("/stored/4").head?.caching?.isFromCache == true)
    for recorder in recorders + later { #expect(recorder.state.ends.count == 1) }
  }

  @Test("A load that could show a stale image first goes to the origin if the disk does not respond")
  func staleImage() async throws {
    let (files, time, gate) = (FaultyFileSystem(), ManualTime(), NukeTesting.Gate())
    let png = SampleImage.png(width: 4, height: 4)
    let bench = try CacheBench(files: files, diskTime: time) { _ in
      .fields(png, ("Cache-Control", "max-age=60, stale-while-revalidate=60"))
    }
    #expect(await bench.load("/a").error == nil)
    bench.cache.flush()
    bench.clock.pass(seconds: 90)
    files.beforeOpening { _ in gate.waitBlocking() }
    let pipeline = ImagePipeline.fake(loader: bench.loader) {
      $0.imageCache = nil
      $0.freshnessPolicy = .respect
      $0.now = bench.clock.now
    }
    let load = Task { try await pipeline.image(for: bench.origin.url("/a")) }
    // First the pipeline looks for the stale image, then the loader for a response.
    for count in 1...2 {
      await gate.arrivals(count: count)
      time.pass(milliseconds: 4000)
    }
    #expect(try await load.value.pixelWidth == 4)
    #expect(bench.origin.log.requests.count == 2)
    gate.open()
  }

  @Test("A cache-only load fails if the disk does not respond")
  func cacheOnly() async throws {
    let blocked = try await BlockedBench(storing: ["/stored/0"])
    blocked.block()
    let request = blocked.bench.request("/stored/0", policy: .returnCacheDataDontLoad)
    let recorder = blocked.bench.loader.record(request).recorder
    await blocked.gate.arrivals(count: 1)
    blocked.giveUpReads()
    #expect(await recorder.finished().unacceptableStatus == 504)
    #expect(blocked.bench.origin.log.requests.count == 1)
    blocked.gate.open()
  }

  @Test("A load that is canceled while the disk does not respond ends as canceled, without a request")
  func canceled() async throws {
    let blocked = try await BlockedBench(storing: ["/stored/0"])
    blocked.block()
    let (recorder, transfer) = blocked.bench.loader.record(blocked.bench.request("/stored/0"))
    await blocked.gate.arrivals(count: 1)
    transfer.cancel()
    blocked.giveUpReads()
    #expect(await recorder.finished().error == .cancelled)
    #expect(blocked.bench.origin.log.requests.count == 1)
    blocked.gate.open()
  }

  @Test("A paused delivery of a stored response continues while all readers are blocked")
  func delivery() async throws {
    let blocked = try await BlockedBench(storing: Self.stored)
    let first = NukeTesting.Gate()
    blocked.files.beforeOpening { _ in first.waitBlocking() }
    let (recorder, transfer) = blocked.bench.loader.record(blocked.bench.request("/stored/4"))
    await first.arrivals(count: 1)
    transfer.pause()
    first.open()
    await recorder.waitUntil { !$0.heads.isEmpty }
    blocked.block()
    // Four reads are blocked, so the delivery has left its thread.
    let others = Self.stored.prefix(4).map(blocked.start)
    await blocked.gate.arrivals(count: 4)
    #expect(recorder.state.body.isEmpty)
    transfer.resume()
    let state = await recorder.finished()
    #expect(state.body == noise(20_000))
    #expect(state.head?.caching?.isFromCache == true)
    blocked.gate.open()
    for other in others { #expect(await other.finished().head?.caching?.isFromCache == true) }
  }

  @Test("If the stored body cannot be read after a 304, the whole response is requested")
  func blockedAfterValidation() async throws {
    let blocked = try await BlockedBench(storing: ["/stored/0"])
    blocked.bench.clock.pass(seconds: 100)
    // Metadata, which the look-up needs, can be read. The names of its files begin with a dot.
    blocked.block { !$0.contains("/.") }
    let recorder = blocked.start("/stored/0")
    await blocked.gate.arrivals(count: 1)
    #expect(blocked.bench.origin.log.requests.count == 2)
    #expect(recorder.state.heads.isEmpty)
    blocked.giveUpReads()
    await expectFromOrigin(recorder)
    #expect(blocked.bench.origin.log.requests.count == 3)
    blocked.gate.open()
  }
}
