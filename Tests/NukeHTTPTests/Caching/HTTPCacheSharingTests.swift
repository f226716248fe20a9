import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import NukeTesting
import Testing

/// Loaders as processes have them: what they share is the folder alone.
@Suite("Loaders that share an HTTP cache folder", .timeLimit(.minutes(1)))
struct HTTPCacheSharingTests {
  private let time = ManualTime()
  private let clock = CacheClock()
  private let gate = ScriptGate()
  private let origins = Origins()
  private let one: CacheBench
  private let two: CacheBench

  init() throws {
    let folder = DiskFolder()
    one = try CacheBench(folder: folder, clock: clock, leaseTime: time)
    two = try CacheBench(folder: folder, clock: clock, leaseTime: time)
  }

  /// An origin that holds its first answer to a request without conditions, or with them, back.
  private func origin(
    holdsValidation: Bool = false, _ cacheControl: String = "max-age=60"
  ) throws -> NukeOrigin {
    let calls = CallCounter()
    return try origins.start { [gate] request in
      let isValidation = request.header("If-None-Match") != nil
      let answer =
        isValidation
        ? NukeOrigin.Response.notModified(("ETag", "\"v1\""), ("Cache-Control", cacheControl))
        : .fields(noise(5000), ("ETag", "\"v1\""), ("Cache-Control", cacheControl))
      return isValidation == holdsValidation && calls.next() == 1 ? answer.held(by: gate) : answer
    }
  }

  /// A load by the first that the origin has, and by the second that waits for it.
  private func loads(
    _ origin: NukeOrigin, requests: Int = 1
  ) async throws -> (first: Task<Recorder.State, Never>, second: Task<Recorder.State, Never>) {
    let url = origin.url("/a")
    let first = Task { [one] in await one.load(url) }
    try await origin.waitUntil { $0.requests.count == requests }
    let second = Task { [two] in await two.load(url) }
    await time.log.entries(count: 1)
    return (first, second)
  }

  private func pass() { time.pass(milliseconds: 10) }

  @Test("Loaders with separate caches send one request")
  func miss() async throws {
    let origin = try origin()
    let (first, second) = try await loads(origin)
    gate.open()
    #expect(await first.value.cacheStatus == "Nuke; fwd=uri-miss; stored")
    one.cache.flush()
    pass()
    let answer = await second.value
    #expect(answer.body == noise(5000))
    #expect(answer.cacheStatus == "Nuke; fwd=uri-miss; collapsed; ttl=60")
    #expect(origin.log.requests.count == 1)
  }

  @Test("Loaders with one cache send one request")
  func oneCache() async throws {
    let origin = try origin()
    let url = origin.url("/a")
    async let first = one.load(url)
    try await origin.waitUntil { $0.requests.count == 1 }
    async let second = one.load(url)
    await time.log.entries(count: 1)
    gate.open()
    #expect(await first.body == noise(5000))
    let answer = await second
    #expect(answer.body == noise(5000))
    #expect(answer.cacheStatus == "Nuke; fwd=uri-miss; collapsed; ttl=60")
    // Who comes later has waited for nobody.
    #expect(await one.load(url).cacheStatus == "Nuke; hit; ttl=60")
    #expect(origin.log.requests.count == 1)
  }

  @Test("A stale response is validated once")
  func validation() async throws {
    let origin = try origin(holdsValidation: true)
    _ = await one.load(origin.url("/a"))
    one.cache.flush()
    clock.pass(seconds: 60)
    let (first, second) = try await loads(origin, requests: 2)
    gate.open()
    #expect(await first.value.cacheStatus == "Nuke; fwd=stale; fwd-status=304; ttl=60")
    one.cache.flush()
    pass()
    let answer = await second.value
    #expect(answer.body == noise(5000))
    #expect(answer.cacheStatus == "Nuke; fwd=stale; collapsed; ttl=60")
    #expect(origin.log.requests.count == 2)
  }

  @Test("A stale response is validated once in the background, without delaying the response")
  func validationBehind() async throws {
    let origin = try origin(holdsValidation: true, "max-age=1, stale-while-revalidate=60")
    _ = await one.load(origin.url("/a"))
    one.cache.flush()
    clock.pass(seconds: 5)
    for bench in [one, two] { #expect(await bench.load(origin.url("/a")).body == noise(5000)) }
    try await origin.waitUntil { $0.requests.count == 2 }
    #expect(await two.load(origin.url("/a")).body == noise(5000))
    gate.open()
    #expect(origin.log.requests.count == 2)
    #expect(time.log.entries.isEmpty)
  }

  @Test("Loaders continue on their own as soon as the response turns out not to be stored")
  func notKept() async throws {
    let body = ScriptGate()
    let calls = CallCounter()
    let origin = try origins.start { [gate] _ in
      let answer = NukeOrigin.Response.fields(noise(5000), ("Cache-Control", "no-store"))
      return calls.next() == 1 ? answer.scripted(.wait(gate), .head, .bytes(10), .wait(body), .rest) : answer
    }
    let url = origin.url("/a")
    let recording = one.loader.record(URLRequest(url: url))
    try await origin.waitUntil { $0.requests.count == 1 }
    let second = Task { [two] in await two.load(url) }
    await time.log.entries(count: 1)
    gate.open()
    await recording.recorder.waitUntil { !$0.body.isEmpty }
    pass()
    #expect(await second.value.body == noise(5000))
    body.open()
    #expect(await recording.recorder.finished().body == noise(5000))
    #expect(origin.log.requests.count == 2)
  }

  @Test("Loaders continue on their own if the first is canceled, or after the time limit", arguments: [true, false])
  func takeover(isCancelled: Bool) async throws {
    let origin = try origin()
    let recording = one.loader.record(URLRequest(url: origin.url("/a")))
    try await origin.waitUntil { $0.requests.count == 1 }
    let second = Task { [two] in await two.load(origin.url("/a")) }
    await time.log.entries(count: 1)
    if isCancelled {
      recording.transfer.cancel()
      _ = await recording.recorder.finished()
    } else {
      time.pass(milliseconds: 4_990)
      #expect(origin.log.requests.count == 1)
    }
    pass()
    #expect(await second.value.body == noise(5000))
    #expect(origin.log.requests.count == 2)
    gate.open()
  }

  @Test("A loader that waits ends at once when it is canceled")
  func cancelled() async throws {
    let origin = try origin()
    let first = Task { [one] in await one.load(origin.url("/a")) }
    try await origin.waitUntil { $0.requests.count == 1 }
    let waiting = two.loader.record(URLRequest(url: origin.url("/a")))
    await time.log.entries(count: 1)
    waiting.transfer.cancel()
    #expect(await waiting.recorder.finished().error == .cancelled)
    gate.open()
    _ = await first.value
    pass()
    #expect(origin.log.requests.count == 1)
  }

  @Test("Loaders do not wait for ranges and request bodies, nor if leases are disabled", arguments: 0..<3)
  func notShared(_ way: Int) async throws {
    let origin = try origin()
    let first = Task { [one] in await one.load(origin.url("/a")) }
    try await origin.waitUntil { $0.requests.count == 1 }
    var request = URLRequest(url: origin.url("/a"))
    switch way {
    case 0: request.setValue("bytes=0-9", forHTTPHeaderField: "Range")
    case 1: request.httpMethod = "POST"
    default: two.cache.leaseTimeout = 0
    }
    #expect(await two.load(request).head?.status == 200)
    #expect(time.log.entries.isEmpty)
    gate.open()
    _ = await first.value
  }
}
