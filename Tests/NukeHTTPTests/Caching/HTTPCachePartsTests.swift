import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("Partial bodies in the HTTP cache")
struct HTTPCachePartsTests {
  private static let body = noise(600_000)

  /// Sends the first bytes, then waits for whoever closes the connection. A request for the rest gets it.
  private func answer(sent: Int = 400_000) -> @Sendable (NukeOrigin.Request) -> NukeOrigin.Response {
    { request in
      let response = NukeOrigin.Response.ranged(
        Self.body, etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
      return request.header("Range") == nil && request.connection == 0
        ? response.scripted(.head, .bytes(sent), .stall) : response
    }
  }

  private func cancelMidway(_ bench: CacheBench, after count: Int = 400_000) async {
    let (recorder, transfer) = bench.loader.record(bench.request("/a"))
    await recorder.waitUntil { $0.body.count >= count }
    transfer.cancel()
    let state = await recorder.finished()
    #expect(state.ends.count == 1)
    #expect(state.error == .cancelled)
  }

  @Test("A canceled body is stored partially, and completed by a later request", arguments: [40_000, 400_000])
  func completed(sent: Int) async throws {
    let bench = try CacheBench(answer: answer(sent: sent))
    await cancelMidway(bench, after: sent)
    let state = await bench.load("/a")
    #expect(state.head?.status == 200)
    #expect(state.head?.expectedLength == 600_000)
    #expect(state.field("Content-Range") == nil)
    #expect(state.body == Self.body)
    #expect(state.error == nil)
    let request = try #require(bench.origin.log.requests.last)
    #expect(request.header("Range") == "bytes=\(sent)-")
    #expect(request.header("If-Range") == "\"v1\"")
    // Now it is whole.
    let hit = await bench.load("/a")
    #expect(hit.body == Self.body)
    #expect(hit.cacheStatus == "Nuke; hit; ttl=60")
    #expect(bench.origin.log.requests.count == 2)
  }

  @Test("A partial body is completed by another process too")
  func otherLoader() async throws {
    let bench = try CacheBench(answer: answer())
    await cancelMidway(bench)
    bench.cache.flush()
    let other = try CacheBench(folder: bench.folder, clock: bench.clock)
    #expect(await other.load(bench.request("/a")).body == Self.body)
    #expect(bench.origin.log.requests.last?.header("Range") == "bytes=400000-")
    // The first sees what the second has stored.
    other.cache.flush()
    #expect(await bench.load("/a").cacheStatus == "Nuke; hit; ttl=60")
  }

  @Test("If the body has changed, it is loaded from the beginning")
  func changed() async throws {
    let other = noise(300_000)
    let bench = try CacheBench { request in
      request.connection == 0
        ? .ranged(Self.body, etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
          .scripted(.head, .bytes(400_000), .stall)
        : .ranged(other, etag: "\"v2\"", headers: [("Cache-Control", "max-age=60")], for: request)
    }
    await cancelMidway(bench)
    #expect(await bench.load("/a").body == other)
    #expect(await bench.load("/a").cacheStatus == "Nuke; hit; ttl=60")
    #expect(bench.origin.log.requests.count == 2)
  }

  @Test("If the rest does not match, the body is loaded again, with one response to the program")
  func doesNotFit() async throws {
    let bench = try CacheBench { request in
      if request.connection == 0 {
        return .ranged(Self.body, etag: "\"v1\"", for: request).scripted(.head, .bytes(400_000), .stall)
      }
      // A 206 of other bytes than were asked for.
      guard request.header("Range") != nil else { return .fields(Self.body, ("ETag", "\"v1\"")) }
      var response = NukeOrigin.Response.fields(
        Self.body.prefix(10), ("ETag", "\"v2\""), ("Content-Range", "bytes 7-16/600000"))
      response.status = 206
      return response
    }
    await cancelMidway(bench)
    let state = await bench.load("/a")
    #expect(state.body == Self.body)
    #expect(state.heads.count == 1)
    #expect(state.ends.count == 1)
    #expect(bench.origin.log.requests.map { $0.header("Range") } == [nil, "bytes=400000-", nil])
  }

  @Test("If the rest is encoded, the body is loaded again")
  func encodedRest() async throws {
    let body = Self.body.prefix(32 << 10)
    let attempts = CallCounter()
    let bench = try CacheBench { request in
      var response = NukeOrigin.Response.ranged(
        body, etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
      if attempts.next() == 1 { return response.scripted(.head, .bytes(16 << 10), .close) }
      if response.status == 206 { response.headers.append(("Content-Encoding", "gzip")) }
      return response
    }
    #expect(await bench.load("/a").error != nil)
    for _ in 0..<2 {
      let state = await bench.load("/a")
      #expect(state.body == body)
      #expect(state.heads.count == 1)
    }
    #expect(bench.origin.log.requests.map { $0.header("Range") } == [nil, "bytes=16384-", nil])
  }

  @Test("A body is completed in several attempts")
  func attempts() async throws {
    let attempts = CallCounter()
    let bench = try CacheBench { request in
      let response = NukeOrigin.Response.ranged(
        Self.body, etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
      return attempts.next() <= 2 ? response.scripted(.head, .bytes(150_000), .close) : response
    }
    for _ in 0..<2 {
      let state = await bench.load("/a")
      #expect(state.error != nil)
      #expect(state.ends.count == 1)
    }
    #expect(await bench.load("/a").body == Self.body)
    #expect(bench.origin.log.requests.map { $0.header("Range") } == [nil, "bytes=150000-", "bytes=300000-"])
    #expect(await bench.load("/a").cacheStatus == "Nuke; hit; ttl=60")
  }

  @Test("Without a strong validator, no partial body is stored")
  func weak() async throws {
    let bench = try CacheBench { request in
      let response = NukeOrigin.Response.fields(Self.body, ("ETag", "W/\"v1\""), ("Cache-Control", "max-age=60"))
      return request.connection == 0 ? response.scripted(.head, .bytes(400_000), .stall) : response
    }
    await cancelMidway(bench)
    bench.cache.flush()
    #expect(bench.entries.isEmpty)
    #expect(await bench.load("/a").body == Self.body)
    #expect(bench.origin.log.requests.last?.header("Range") == nil)
  }

  @Test("Without a known length, no partial body is stored")
  func chunked() async throws {
    let bench = try CacheBench { request in
      .fields(Self.body, ("ETag", "\"v1\""), ("Cache-Control", "max-age=60")).framed(.chunked)
        .scripted(.head, .bytes(400_000), .close)
    }
    let state = await bench.load("/a")
    #expect(state.error?.description.contains("lost") == true)
    bench.cache.flush()
    #expect(bench.entries.isEmpty)
  }

  @Test("A stated length that no disk has is not reserved, and the body counts as interrupted")
  func hugeLength() async throws {
    let bench = try CacheBench { _ in
      .fields(Self.body, ("Cache-Control", "max-age=60")).framed(.declared(.max)).scripted(.head, .bytes(1000), .close)
    }
    let state = await bench.load("/a")
    guard case .connectionLost? = state.error else { throw Unexpected(state.ends) }
    #expect(state.body == Self.body.prefix(1000))
    bench.cache.flush()
    #expect(bench.entries.isEmpty)
  }

  @Test("A partial body does not replace a complete one")
  func whole() async throws {
    let attempts = CallCounter()
    let bench = try CacheBench { request in
      switch attempts.next() {
      case 1: .fields(noise(50_000), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1, stale-if-error=1000"))
      case 2: .fields(Self.body, ("ETag", "\"v2\"")).scripted(.head, .bytes(400_000), .close)
      default: .status(500)
      }
    }
    _ = await bench.load("/a")
    bench.clock.pass(seconds: 2)
    #expect(await bench.load("/a").error != nil)
    #expect(await bench.load("/a").body == noise(50_000))
  }
}
