import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("The HTTP cache with a failing or shared disk")
struct HTTPCacheFailureTests {
  private static let lengths = [0, 5000, 700_000]

  private let answer: @Sendable (NukeOrigin.Request) -> NukeOrigin.Response = { request in
    let length = Int(request.path.dropFirst()) ?? 0
    return request.header("If-None-Match") == "\"v1\""
      ? .notModified(("ETag", "\"v1\""), ("Cache-Control", "max-age=60"))
      : .fields(noise(length), ("ETag", "\"v1\""), ("Cache-Control", "max-age=60"))
  }

  /// Loads twice, fresh and stale, and looks at nothing but whether the program gets what it wants.
  private func expectServed(_ bench: CacheBench) async {
    for length in Self.lengths {
      for seconds in [0.0, 1, 100] {
        bench.clock.pass(seconds: seconds)
        let state = await bench.load("/\(length)")
        #expect(state.error == nil)
        #expect(state.ends.count == 1)
        #expect(state.body == noise(length))
      }
    }
  }

  @Test("A full disk does not prevent delivery", arguments: [ENOSPC, EDQUOT, EIO])
  func full(code: CInt) async throws {
    let files = FaultyFileSystem()
    let bench = try CacheBench(files: files, answer: answer)
    bench.cache.flush()
    for step in 1..<40 {
      files.fault = .failures(step: step, code: code)
      await expectServed(bench)
      files.fault = nil
      bench.cache.removeAllCachedResponses()
    }
    await expectServed(bench)
  }

  @Test("If the folder is unreadable or locked, responses come from the origin")
  func unreadable() async throws {
    let files = FaultyFileSystem()
    let bench = try CacheBench(files: files, answer: answer)
    await expectServed(bench)
    for fault in [FaultyFileSystem.Fault.unreadable(code: EIO), .unopenable(code: EMFILE), .locked] {
      files.fault = fault
      await expectServed(bench)
    }
    files.fault = nil
    await expectServed(bench)
  }

  @Test("A response without enough space is not stored")
  func small() async throws {
    let bench = try CacheBench(capacity: 64 << 10, answer: answer)
    await expectServed(bench)
    bench.cache.flush()
    #expect(bench.cache.currentDiskUsage <= 64 << 10)
    #expect(bench.folder.allocated <= 64 << 10)
  }

  @Test("Damaged entries are misses, for all kinds of damage")
  func damaged() async throws {
    let origin = try NukeOrigin(respond: answer)
    defer { origin.stop() }
    for length in [5000, 700_000] {
      for seed in 0..<24 {
        let bench = try CacheBench()
        _ = await bench.load(origin.url("/\(length)"))
        bench.cache.flush()
        var random = SeededGenerator(seed: UInt64(seed))
        let file = bench.folder.url.appendingPathComponent(
          bench.folder.files.sorted()[Int(random.next() % 2)])
        var bytes = try Data(contentsOf: file)
        switch random.next() % 3 {
        case 0: bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << (random.next() % 8)
        case 1: bytes = bytes.prefix(Int(random.next() % UInt64(bytes.count)))
        default: bytes.append(0)
        }
        try bytes.write(to: file)
        // A new cache has not read the file before.
        let other = try CacheBench(folder: bench.folder, clock: bench.clock)
        let state = await other.load(origin.url("/\(length)"))
        #expect(state.body == noise(length))
        #expect(state.head?.caching?.isFromCache == false)
        // So that the next load reads what is on the disk, and not what waits to be written.
        other.cache.flush()
        #expect(await other.load(origin.url("/\(length)")).head?.caching?.isFromCache == true)
      }
    }
  }

  @Test("Caches that share a folder see what the others store, renew and remove")
  func shared() async throws {
    let first = try CacheBench(answer: answer)
    let second = try CacheBench(folder: first.folder, clock: first.clock)
    for length in Self.lengths {
      let url = first.origin.url("/\(length)")
      _ = await first.load(url)
      first.cache.flush()
      #expect(await second.load(url).head?.caching?.isFromCache == true)
      // The one renews what the other uses then.
      first.clock.pass(seconds: 61)
      #expect(await second.load(url).cacheStatus?.contains("fwd-status=304") == true)
      second.cache.flush()
      #expect(await first.load(url).cacheStatus == "Nuke; hit; ttl=60")
      second.cache.removeCachedResponse(for: URLRequest(url: url))
      second.cache.flush()
      #expect(await first.load(url).head?.caching?.isFromCache == false)
    }
  }

  @Test("The fields of one response are never delivered with the body of another that replaced it")
  func renewedMeanwhile() async throws {
    let gate = ScriptGate()
    let bench = try CacheBench { request in
      switch request.header("X-Who") {
      case "slow": .notModified(("ETag", "\"v1\""), ("Cache-Control", "max-age=1000")).held(by: gate)
      case "new": .fields(Data("new".utf8), ("ETag", "\"v2\""), ("Cache-Control", "max-age=60"))
      default: .fields(Data("old".utf8), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1"))
      }
    }
    let url = bench.origin.url("/a")
    _ = await bench.load(url)
    bench.clock.pass(seconds: 2)
    let slow = bench.loader.record(URLRequest(url, ["X-Who": "slow"])).recorder
    try await bench.origin.waitUntil { $0.requests.count == 2 }
    #expect(await bench.load(URLRequest(url, ["X-Who": "new"])).body == Data("new".utf8))
    gate.open()
    let state = await slow.finished()
    #expect(state.ends.count == 1)
    let last = await bench.load(url)
    #expect(last.body == Data("new".utf8))
    #expect(last.field("ETag") == "\"v2\"")
  }

  @Test("Without a folder there is one warning, and loads work")
  func noFolder() async throws {
    let origin = try NukeOrigin(respond: answer)
    defer { origin.stop() }
    let seen = CacheSeen()
    let warnings = Warnings { text in seen.note(text.contains("XDG_CACHE_HOME") ? 1 : 0) }
    let cache = HTTPCache(name: "com.example.test", environment: [:], warnings: warnings)
    var configuration = makeConfiguration()
    configuration.urlCache = cache
    #expect(seen.statuses.isEmpty)
    for _ in 0..<2 {
      #expect(await DataLoader(configuration: configuration).outcome(of: origin.url("/5000")).body == noise(5000))
    }
    #expect(cache.currentDiskUsage == 0)
    #expect(cache.cachedResponse(for: URLRequest(url: origin.url("/5000"))) == nil)
    #expect(seen.statuses == [1])
    #expect(origin.log.requests.count == 2)
  }

  @Test("The store is opened on first use")
  func lazy() async throws {
    let origin = try NukeOrigin(respond: answer)
    defer { origin.stop() }
    let folder = DiskFolder()
    let cache = HTTPCache(
      name: "images", environment: ["XDG_CACHE_HOME": folder.path], warnings: Warnings { _ in Issue.record("warned") }
    )
    cache.diskCapacity = 1 << 20
    var configuration = makeConfiguration()
    configuration.urlCache = cache
    let loader = DataLoader(configuration: configuration)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    _ = await loader.outcome(of: origin.url("/5000"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/images"))
    #expect(await loader.outcome(of: origin.url("/5000")).head?.caching?.isFromCache == true)
    _ = await loader.outcome(of: origin.url("/700000"))
    cache.flush()
    #expect(cache.currentDiskUsage <= 1 << 20)
  }

  @Test("Random requests get allowed responses, and each ends once")
  func random() async throws {
    let generator = RandomExchanges()
    let bench = try CacheBench { generator.answer($0) }
    for seed in 0..<1000 {
      bench.clock.pass(seconds: Double(seed % 7))
      let request = generator.request(seed, bench.origin)
      let state = await bench.load(request)
      #expect(state.ends.count == 1)
      #expect(state.heads.count <= 1)
      // A body says which URL and version it is of; none is put together from two.
      if state.error == nil, state.head?.status == 200, request.httpMethod == "GET" {
        #expect(generator.isBody(state.body, of: request.url!), "\(seed): \(request) \(state.cacheStatus ?? "")")
      }
    }
  }
}
