import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("Partial bodies in the HTTP cache")
struct HTTPCachePartsTests {
  private static let body = noise(600_000)

  /// Sends the first bytes, then waits for whoever closes the connection. A request for the rest gets it.
  private func origin(
    _ fields: (name: String, value: String)..., sent: Int = 400_000,
    framing: NukeOrigin.Response.Framing = .contentLength
  ) throws -> NukeOrigin {
    let fields = fields
    return try NukeOrigin { request in
      var response = NukeOrigin.Response.ranged(
        Self.body, etag: "\"v1\"", headers: fields + [("Cache-Control", "max-age=60")], for: request)
      if request.header("Range") == nil, request.connection == 0 {
        response = response.scripted(.head, .bytes(sent), .stall).framed(framing)
      }
      return response
    }
  }

  private func cancelMidway(_ bench: CacheBench, _ url: URL, after count: Int = 400_000) async {
    let (recorder, transfer) = bench.loader.record(URLRequest(url: url))
    await recorder.waitUntil { $0.body.count >= count }
    transfer.cancel()
    let state = await recorder.finished()
    #expect(state.ends.count == 1)
    #expect(state.error == .cancelled)
  }

  @Test("A canceled body is stored partially, and completed by a later request", arguments: [40_000, 400_000])
  func completed(sent: Int) async throws {
    let origin = try origin(sent: sent)
    defer { origin.stop() }
    let bench = try CacheBench()
    await cancelMidway(bench, origin.url("/a"), after: sent)
    let state = await bench.load(origin.url("/a"))
    #expect(state.head?.status == 200)
    #expect(state.head?.expectedLength == 600_000)
    #expect(state.field("Content-Range") == nil)
    #expect(state.body == Self.body)
    #expect(state.error == nil)
    let request = try #require(origin.log.requests.last)
    #expect(request.header("Range") == "bytes=\(sent)-")
    #expect(request.header("If-Range") == "\"v1\"")
    // Now it is whole.
    let hit = await bench.load(origin.url("/a"))
    #expect(hit.body == Self.body)
    #expect(hit.cacheStatus == "Nuke; hit; ttl=60")
    #expect(origin.log.requests.count == 2)
  }

  @Test("A partial body is completed by another process too")
  func otherLoader() async throws {
    let origin = try origin()
    defer { origin.stop() }
    let bench = try CacheBench()
    await cancelMidway(bench, origin.url("/a"))
    bench.cache.flush()
    let other = try CacheBench(folder: bench.folder, clock: bench.clock)
    #expect(await other.load(origin.url("/a")).body == Self.body)
    #expect(origin.log.requests.last?.header("Range") == "bytes=400000-")
    // The first sees what the second has stored.
    other.cache.flush()
    #expect(await bench.load(origin.url("/a")).cacheStatus == "Nuke; hit; ttl=60")
  }

  @Test("If the body has changed, it is loaded from the beginning")
  func changed() async throws {
    let other = noise(300_000)
    let origin = try NukeOrigin { request in
      request.connection == 0
        ? .ranged(Self.body, etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
          .scripted(.head, .bytes(400_000), .stall)
        : .ranged(other, etag: "\"v2\"", headers: [("Cache-Control", "max-age=60")], for: request)
    }
    defer { origin.stop() }
    let bench = try CacheBench()
    await cancelMidway(bench, origin.url("/a"))
    #expect(await bench.load(origin.url("/a")).body == other)
    #expect(await bench.load(origin.url("/a")).cacheStatus == "Nuke; hit; ttl=60")
    #expect(origin.log.requests.count == 2)
  }

  @Test("If the rest does not match, the body is loaded again, with one response to the program")
  func doesNotFit() async throws {
    let origin = try NukeOrigin { request in
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
    defer { origin.stop() }
    let bench = try CacheBench()
    await cancelMidway(bench, origin.url("/a"))
    let state = await bench.load(origin.url("/a"))
    #expect(state.body == Self.body)
    #expect(state.heads.count == 1)
    #expect(state.ends.count == 1)
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=400000-", nil])
  }

  @Test("A body is completed in several attempts")
  func attempts() async throws {
    let attempts = Attempts()
    let origin = try NukeOrigin { request in
      let response = NukeOrigin.Response.ranged(
        Self.body, etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
      return attempts.next() < 2 ? response.scripted(.head, .bytes(150_000), .close) : response
    }
    defer { origin.stop() }
    let bench = try CacheBench()
    for _ in 0..<2 {
      let state = await bench.load(origin.url("/a"))
      #expect(state.error != nil)
      #expect(state.ends.count == 1)
    }
    #expect(await bench.load(origin.url("/a")).body == Self.body)
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=150000-", "bytes=300000-"])
    #expect(await bench.load(origin.url("/a")).cacheStatus == "Nuke; hit; ttl=60")
  }

  @Test("Without a strong validator, no partial body is stored")
  func weak() async throws {
    let origin = try NukeOrigin { request in
      let response = NukeOrigin.Response.fields(Self.body, ("ETag", "W/\"v1\""), ("Cache-Control", "max-age=60"))
      return request.connection == 0 ? response.scripted(.head, .bytes(400_000), .stall) : response
    }
    defer { origin.stop() }
    let bench = try CacheBench()
    await cancelMidway(bench, origin.url("/a"))
    bench.cache.flush()
    #expect(bench.entries.isEmpty)
    #expect(await bench.load(origin.url("/a")).body == Self.body)
    #expect(origin.log.requests.last?.header("Range") == nil)
  }

  @Test("Without a known length, no partial body is stored")
  func chunked() async throws {
    let origin = try NukeOrigin { request in
      .fields(Self.body, ("ETag", "\"v1\""), ("Cache-Control", "max-age=60")).framed(.chunked)
        .scripted(.head, .bytes(400_000), .close)
    }
    defer { origin.stop() }
    let bench = try CacheBench()
    let state = await bench.load(origin.url("/a"))
    #expect(state.error?.description.contains("lost") == true)
    bench.cache.flush()
    #expect(bench.entries.isEmpty)
  }

  @Test("A partial body does not replace a complete one")
  func whole() async throws {
    let attempts = Attempts()
    let origin = try NukeOrigin { request in
      switch attempts.next() {
      case 0: .fields(noise(50_000), ("ETag", "\"v1\""), ("Cache-Control", "max-age=1, stale-if-error=1000"))
      case 1: .fields(Self.body, ("ETag", "\"v2\"")).scripted(.head, .bytes(400_000), .close)
      default: .status(500)
      }
    }
    defer { origin.stop() }
    let bench = try CacheBench()
    _ = await bench.load(origin.url("/a"))
    bench.clock.pass(seconds: 2)
    #expect(await bench.load(origin.url("/a")).error != nil)
    #expect(await bench.load(origin.url("/a")).body == noise(50_000))
  }

  private final class Attempts: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    func next() -> Int {
      lock.withLock {
        defer { count += 1 }
        return count
      }
    }
  }
}
