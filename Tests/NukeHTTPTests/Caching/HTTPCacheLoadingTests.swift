import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTestSupport
import Testing

@Suite("A data loader with an HTTP cache")
struct HTTPCacheLoadingTests {
  @Test("A fresh response is served from the cache, and nothing is sent", arguments: [0, 1, 20_000, 700_000])
  func fresh(length: Int) async throws {
    let body = noise(length)
    let bench = try CacheBench { _ in .fields(body, ("Cache-Control", "max-age=60"), ("Content-Type", "image/png")) }
    let first = await bench.load("/a")
    #expect(first.body == body)
    #expect(first.cacheStatus == "Nuke; fwd=uri-miss; stored")
    #expect(first.head?.caching?.isFromCache == false)
    bench.clock.pass(seconds: 59)
    let second = await bench.load("/a")
    #expect(second.error == nil)
    #expect(second.ends.count == 1)
    #expect(second.body == body)
    #expect(second.head?.status == 200)
    #expect(second.head?.url == bench.origin.url("/a"))
    #expect(second.head?.expectedLength == length)
    #expect(second.field("Age") == "59")
    #expect(second.field("Content-Type") == "image/png")
    #expect(second.cacheStatus == "Nuke; hit; ttl=1")
    #expect(second.head?.caching?.isFromCache == true)
    #expect(second.head?.caching?.isStale == false)
    #expect(bench.origin.log.requests.count == 1)
  }

  @Test("A cache that is released after loads closes its files at once", .timeLimit(.minutes(1)))
  func release() async throws {
    let folder = DiskFolder()
    let origin = try NukeOrigin { _ in .fields(noise(3000), ("Cache-Control", "max-age=60")) }
    defer { origin.stop() }
    let (closed, signal) = AsyncStream.makeStream(of: Never.self)
    do {
      var options = DiskStore.Options()
      let canary = Canary { signal.finish() }
      options.now = { withExtendedLifetime(canary) { 1_000_000_000 } }
      let cache = try HTTPCache(path: folder.url, diskCapacity: 1 << 20, options: options)
      let loader = DataLoader(configuration: makeConfiguration { $0.urlCache = cache })
      for isFromCache in [false, true] {
        let state = await loader.record(URLRequest(url: origin.url("/a")), limit: nil).recorder.finished()
        #expect(state.head?.caching?.isFromCache == isFromCache)
        cache.flush()
      }
    }
    for await _ in closed {}
  }

  @Test("The closures of DataLoading receive a response from the cache")
  func closures() async throws {
    let bench = try CacheBench { _ in .fields(noise(3000), ("Cache-Control", "max-age=60")) }
    _ = await bench.load("/a")
    let received = Lock<HTTPURLResponse?>(nil)
    await withCheckedContinuation { continuation in
      _ = bench.loader.loadData(with: bench.request("/a")) { _, response in
        received.withLock { $0 = response as? HTTPURLResponse }
      } completion: { _ in
        continuation.resume()
      }
    }
    let response = received.withLock { $0 }
    #expect(response?.statusCode == 200)
    #expect(response?.value(forHTTPHeaderField: "Age") == "0")
    #expect(response?.expectedContentLength == 3000)
    #expect(bench.origin.log.requests.count == 1)
  }

  @Test("A stale response is validated, and served if it has not changed", arguments: [5000, 400_000])
  func notModified(length: Int) async throws {
    let body = noise(length)
    let bench = try CacheBench { request in
      request.header("If-None-Match") == "\"v1\""
        ? .notModified(("ETag", "\"v1\""), ("Cache-Control", "max-age=100"), ("X-New", "yes"))
        : .fields(body, ("ETag", "\"v1\""), ("Cache-Control", "max-age=10"))
    }
    _ = await bench.load("/a")
    bench.clock.pass(seconds: 10)
    let second = await bench.load("/a")
    #expect(second.head?.status == 200)
    #expect(second.body == body)
    #expect(second.field("X-New") == "yes")
    #expect(second.cacheStatus == "Nuke; fwd=stale; fwd-status=304; ttl=100")
    // It is fresh again, by what the 304 said.
    bench.clock.pass(seconds: 99)
    let third = await bench.load("/a")
    #expect(third.body == body)
    #expect(third.field("X-New") == "yes")
    #expect(third.cacheStatus == "Nuke; hit; ttl=1")
    #expect(bench.origin.log.requests.count == 2)
  }

  @Test("A new response replaces a stale one")
  func replaced() async throws {
    let bodies = [noise(5000), noise(6000), noise(300_000)]
    let bench = try CacheBench { request in
      let version = Int(request.header("If-None-Match")?.dropFirst(2).dropLast() ?? "0") ?? 0
      return .fields(bodies[version], ("ETag", "\"v\(version + 1)\""), ("Cache-Control", "max-age=10"))
    }
    for body in bodies {
      #expect(await bench.load("/a").body == body)
      #expect(await bench.load("/a").body == body)
      bench.clock.pass(seconds: 10)
    }
    #expect(bench.origin.log.requests.count == 3)
    bench.cache.flush()
    #expect(bench.entries.count == 1)
  }

  @Test("Responses are not stored if the server or the request forbids it")
  func noStore() async throws {
    let bench = try CacheBench { request in
      .fields(noise(5000), ("Cache-Control", request.path == "/private" ? "no-store" : "max-age=60"))
    }
    for _ in 0..<2 {
      #expect(await bench.load("/private").cacheStatus?.hasSuffix("detail=no-store") == true)
      let request = bench.request("/a", ["Cache-Control": "no-store"])
      #expect(await bench.load(request).body == noise(5000))
    }
    bench.cache.flush()
    #expect(bench.folder.files.isEmpty)
    #expect(bench.origin.log.requests.count == 4)
  }

  @Test("Variants of a response are stored separately")
  func variants() async throws {
    let bench = try CacheBench { request in
      let type = request.header("Accept") ?? ""
      return .fields(Data("body of \(type)".utf8), ("Cache-Control", "max-age=60"), ("Vary", "Accept"))
    }
    for _ in 0..<2 {
      for type in ["image/avif", "image/webp", "image/jxl"] {
        let state = await bench.load(bench.request("/a", ["Accept": type]))
        #expect(state.body == Data("body of \(type)".utf8))
      }
    }
    #expect(bench.origin.log.requests.count == 3)
    // All of them go together.
    bench.cache.removeCachedResponse(for: bench.request("/a"))
    bench.cache.flush()
    #expect(bench.folder.files.isEmpty)
  }

  @Test("A variant in use stays reachable while others are evicted")
  func usedVariant() async throws {
    let bench = try CacheBench(capacity: 100 << 10) { request in
      request.path == "/a"
        ? .fields(noise(10), ("Cache-Control", "max-age=60"), ("Vary", "Accept"))
        : .fields(noise(10_000), ("Cache-Control", "max-age=60"))
    }
    let used = bench.request("/a", ["Accept": "image/webp"])
    for request in [bench.request("/a", ["Accept": "image/avif"]), used] { _ = await bench.load(request) }
    for number in 0..<20 {
      _ = await bench.load("/\(number)")
      bench.cache.flush()
      #expect(await bench.load(used).cacheStatus == "Nuke; hit; ttl=60", "after \(number)")
    }
  }

  @Test("Responses for different credentials are stored separately, and credentials are not written to disk")
  func credentials() async throws {
    let bench = try CacheBench { request in
      let user = request.header("Authorization") ?? "nobody"
      return .fields(
        Data(user.reversed().map(String.init).joined().utf8), ("Cache-Control", "max-age=60"), ("Vary", "Authorization")
      )
    }
    for _ in 0..<2 {
      for user in ["secret-one", "secret-two"] {
        let state = await bench.load(bench.request("/a", ["Authorization": user]))
        #expect(state.body == Data(user.reversed().map(String.init).joined().utf8))
      }
    }
    #expect(bench.origin.log.requests.count == 2)
    bench.cache.flush()
    #expect(bench.folder.files.count >= 4)
    for file in bench.folder.files {
      let bytes = try Data(contentsOf: bench.folder.url.appendingPathComponent(file))
      #expect(bytes.range(of: Data("secret".utf8)) == nil)
    }
  }

  @Test("A request can reload and store the response")
  func reload() async throws {
    let bench = try CacheBench { _ in .fields(noise(5000), ("Cache-Control", "max-age=60")) }
    _ = await bench.load("/a")
    let state = await bench.load(bench.request("/a", policy: .reloadIgnoringLocalCacheData))
    #expect(state.cacheStatus == "Nuke; fwd=bypass; stored")
    _ = await bench.load("/a")
    #expect(bench.origin.log.requests.count == 2)
    #expect(bench.origin.log.requests.allSatisfy { $0.header("If-None-Match") == nil })
    // Stale, and wanted all the same.
    bench.clock.pass(seconds: 1000)
    let old = await bench.load(bench.request("/a", policy: .returnCacheDataElseLoad))
    #expect(old.head?.caching?.isStale == true)
    #expect(old.body == noise(5000))
    #expect(bench.origin.log.requests.count == 2)
  }

  @Test("An only-if-cached request without a stored response gets 504")
  func onlyIfCached() async throws {
    let bench = try CacheBench { _ in .fields(noise(5000), ("Cache-Control", "max-age=60")) }
    for request in [
      bench.request("/a", policy: .returnCacheDataDontLoad),
      bench.request("/a", ["Cache-Control": "only-if-cached"]),
    ] {
      let state = await bench.load(request)
      #expect(state.unacceptableStatus == 504)
      #expect(state.ends.count == 1)
    }
    #expect(bench.origin.log.requests.isEmpty)
    _ = await bench.load("/a")
    let state = await bench.load(bench.request("/a", policy: .returnCacheDataDontLoad))
    #expect(state.body == noise(5000))
    // A program may accept it.
    let lenient = try CacheBench(validation: .custom { _ in nil })
    let accepted = await lenient.load(bench.request("/a", policy: .returnCacheDataDontLoad))
    #expect(accepted.head?.status == 504)
    #expect(accepted.error == nil)
  }

  @Test("An only-if-cached request is never sent, with any body and without a cache", arguments: 0..<4)
  func onlyIfCachedOfAnyKind(_ kind: Int) async throws {
    let bench = try CacheBench { _ in .fields(noise(5000), ("Cache-Control", "max-age=60")) }
    var request = bench.request("/a", policy: .returnCacheDataDontLoad)
    switch kind {
    case 0: request.httpMethod = "POST"
    case 1: request.httpMethod = "PUT"
    case 2: request.httpBody = Data("which".utf8)
    default: break
    }
    let loader = kind == 3 ? makeLoader() : bench.loader
    let state = await loader.record(request).recorder.finished()
    #expect(state.unacceptableStatus == 504)
    #expect(state.ends.count == 1)
    #expect(bench.origin.log.requests.isEmpty)
  }

  @Test("A stale response is served if the origin cannot be reached")
  func disconnected() async throws {
    let bench = try CacheBench { request in
      request.header("If-None-Match") == nil
        ? .fields(
          noise(5000), ("ETag", "\"v1\""),
          ("Cache-Control", request.path == "/strict" ? "max-age=1, must-revalidate" : "max-age=1"))
        : .closed
    }
    for path in ["/a", "/strict"] { _ = await bench.load(path) }
    bench.clock.pass(seconds: 5)
    let state = await bench.load("/a")
    #expect(state.body == noise(5000))
    #expect(state.head?.caching?.isStale == true)
    #expect(state.cacheStatus == "Nuke; hit; ttl=-4; detail=disconnected")
    let strict = await bench.load("/strict")
    #expect(strict.error?.description.contains("lost") == true)
    #expect(strict.heads.isEmpty)
  }

  @Test("A stale response is served instead of a server error if that is allowed")
  func staleIfError() async throws {
    let bench = try CacheBench { request in
      request.header("If-None-Match") == nil
        ? .fields(noise(5000), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1, stale-if-error=60")) : .status(503)
    }
    _ = await bench.load("/a")
    bench.clock.pass(seconds: 30)
    let state = await bench.load("/a")
    #expect(state.body == noise(5000))
    #expect(state.cacheStatus?.contains("fwd-status=503") == true)
    bench.clock.pass(seconds: 60)
    #expect(await bench.load("/a").unacceptableStatus == 503)
  }

  @Test("A stale response is served and validated in the background")
  func staleWhileRevalidate() async throws {
    let gate = ScriptGate()
    let bench = try CacheBench(connections: 1) { request in
      request.header("If-None-Match") == nil
        ? .fields(noise(5000), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1, stale-while-revalidate=60"))
        : .fields(noise(7000), ("ETag", "\"v2\""), ("Cache-Control", "max-age=60")).held(by: gate)
    }
    _ = await bench.load("/a")
    bench.clock.pass(seconds: 5)
    for _ in 0..<3 {
      let stale = await bench.load("/a")
      #expect(stale.body == noise(5000))
      #expect(stale.cacheStatus == "Nuke; hit; ttl=-4; detail=stale-while-revalidate")
    }
    // The answers came, and the origin has not said a word yet. It is asked once.
    try await bench.origin.waitUntil { $0.requests.count == 2 }
    gate.open()
    await bench.settle()
    let fresh = await bench.load("/a")
    #expect(fresh.body == noise(7000))
    #expect(fresh.cacheStatus == "Nuke; hit; ttl=60")
    #expect(bench.origin.log.requests(to: "/a").count == 2)
  }

  @Test("A missing resource is remembered for a short time")
  func negative() async throws {
    let bench = try CacheBench(connections: 1) { request in
      .status(request.path == "/gone" ? 410 : request.path == "/no" ? 404 : 403)
    }
    for _ in 0..<2 {
      #expect(await bench.load("/no").unacceptableStatus == 404)
      #expect(await bench.load("/gone").unacceptableStatus == 410)
      #expect(await bench.load("/forbidden").unacceptableStatus == 403)
      // The body is read behind the error.
      await bench.settle()
    }
    #expect(bench.origin.log.requests(to: "/no").count == 1)
    #expect(bench.origin.log.requests(to: "/gone").count == 1)
    #expect(bench.origin.log.requests(to: "/forbidden").count == 2)
    bench.clock.pass(seconds: 11)
    _ = await bench.load("/no")
    #expect(bench.origin.log.requests(to: "/no").count == 2)
  }

  @Test("A 404 response with a freshness lifetime is stored", arguments: [20_000, 300_000])
  func negativeAtLength(count: Int) async throws {
    let bench = try CacheBench(connections: 1) { request in
      var response = NukeOrigin.Response(status: 404, body: noise(count))
      if request.path == "/chunked" { response.framing = .chunked }
      return response
    }
    for path in ["/whole", "/chunked"] {
      for _ in 0..<2 {
        #expect(await bench.load(path).unacceptableStatus == 404)
        await bench.settle()
      }
      // What is longer than anybody apologises is not read.
      #expect(bench.origin.log.requests(to: path).count == (count < 262_144 ? 1 : 2))
    }
  }

  @Test("The heuristic lifetime is a tenth of the time since the last modification")
  func heuristic() async throws {
    let clock = CacheClock()
    let bench = try CacheBench(clock: clock) { _ in
      .fields(noise(5000), ("Date", clock.date()), ("Last-Modified", clock.date(in: -1000)))
    }
    _ = await bench.load("/a")
    clock.pass(seconds: 99)
    #expect(await bench.load("/a").cacheStatus == "Nuke; hit; ttl=1")
    clock.pass(seconds: 2)
    _ = await bench.load("/a")
    #expect(bench.origin.log.requests.count == 2)
    #expect(bench.origin.log.requests.last?.header("If-Modified-Since") == clock.date(in: -1101))
  }

  @Test("A response after a redirect is not stored")
  func redirects() async throws {
    let bench = try CacheBench { request in
      switch request.path {
      case "/a", "/b": .redirect(to: "/target", status: request.path == "/a" ? 302 : 301)
      default: .fields(noise(5000), ("Cache-Control", "max-age=60"), ("ETag", "\"t\""))
      }
    }
    for path in ["/a", "/b", "/a"] {
      let state = await bench.load(path)
      #expect(state.body == noise(5000))
      #expect(state.head?.url == bench.origin.url("/target"))
    }
    #expect(bench.origin.log.requests(to: "/a").count == 2)
    bench.cache.flush()
    #expect(bench.folder.files.isEmpty)
  }

  @Test("A 304 of another resource does not renew the response")
  func redirectedValidation() async throws {
    let moved = Lock(false)
    let bench = try CacheBench { request in
      if request.path == "/a", moved.withLock({ $0 }) { return .redirect(to: "/b") }
      if request.path == "/b", request.header("If-None-Match") == "\"v1\"" { return .notModified(("ETag", "\"v1\"")) }
      return .fields(Data(request.path.utf8), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1"))
    }
    #expect(await bench.load("/a").body == Data("/a".utf8))
    moved.withLock { $0 = true }
    bench.clock.pass(seconds: 2)
    let state = await bench.load("/a")
    #expect(state.body == Data("/b".utf8))
    #expect(state.ends.count == 1)
    #expect(bench.origin.log.requests(to: "/b").map { $0.header("If-None-Match") } == ["\"v1\"", nil])
  }

  @Test("An unsafe request invalidates the stored response")
  func unsafeMethods() async throws {
    let bench = try CacheBench { request in
      request.method == "GET" ? .fields(noise(5000), ("Cache-Control", "max-age=60")) : .init(status: 204)
    }
    _ = await bench.load("/a")
    var post = bench.request("/a")
    post.httpMethod = "POST"
    post.httpBody = Data("x".utf8)
    #expect(await bench.load(post).head?.status == 204)
    _ = await bench.load("/a")
    #expect(bench.origin.log.requests.map(\.method) == ["GET", "POST", "GET"])
  }

  @Test("Ranges and HEAD requests are answered from a stored body")
  func ranges() async throws {
    let body = noise(400_000)
    let bench = try CacheBench { _ in .fields(body, ("Cache-Control", "max-age=60"), ("ETag", "\"v1\"")) }
    _ = await bench.load("/a")
    let part = await bench.load(bench.request("/a", ["Range": "bytes=1000-300999"]))
    #expect(part.head?.status == 206)
    #expect(part.field("Content-Range") == "bytes 1000-300999/400000")
    #expect(part.body == body[1000..<301_000])
    let none = await bench.load(bench.request("/a", ["Range": "bytes=500000-"]))
    #expect(none.unacceptableStatus == 416)
    var head = bench.request("/a")
    head.httpMethod = "HEAD"
    let empty = await bench.load(head)
    #expect(empty.head?.status == 200)
    #expect(empty.head?.expectedLength == 400_000)
    #expect(empty.body.isEmpty)
    #expect(bench.origin.log.requests.count == 1)
  }

  @Test("The program's validation is called for stored responses")
  func validated() async throws {
    let seen = CacheSeen()
    let validate: @Sendable (URLResponse) -> (any Error)? = { response in
      seen.note((response as? HTTPURLResponse)?.statusCode ?? 0)
      return nil
    }
    let bench = try CacheBench(validation: .custom(validate)) { request in
      request.header("If-None-Match") == nil
        ? .fields(noise(5000), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1")) : .notModified(("ETag", "\"v1\""))
    }
    _ = await bench.load("/a")
    bench.clock.pass(seconds: 2)
    _ = await bench.load("/a")
    #expect(seen.statuses == [200, 200])
    #expect(bench.origin.log.requests.count == 2)
  }
}
