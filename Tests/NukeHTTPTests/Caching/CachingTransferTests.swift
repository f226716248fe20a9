import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("Transfers through the HTTP cache")
struct CachingTransferTests {
  private static let body = noise(1_000_000)

  private let answer: @Sendable (NukeOrigin.Request) -> NukeOrigin.Response = { _ in
    .fields(body, ("Cache-Control", "max-age=60"), ("ETag", "\"v1\""))
  }

  private func stored() async throws -> CacheBench {
    let bench = try CacheBench(answer: answer)
    _ = await bench.load("/a")
    return bench
  }

  @Test("A paused transfer delivers nothing, and everything in the end")
  func paused() async throws {
    let bench = try await stored()
    let box = TransferBox()
    let pauses = Lock(0)
    // Pauses after each chunk; another thread resumes.
    let recorder = Recorder(onChunk: {
      pauses.withLock { $0 += 1 }
      box.transfer.pause()
      DispatchQueue.global().async { box.transfer.resume() }
    })
    box.start { bench.loader.stream(bench.request("/a"), limit: nil, observer: recorder) }
    let state = await recorder.finished()
    #expect(state.body == Self.body)
    #expect(state.ends.count == 1)
    #expect(pauses.withLock { $0 } > 4)
  }

  @Test("A paused transfer can be canceled, and ends once")
  func cancelledWhilePaused() async throws {
    let bench = try await stored()
    let box = TransferBox()
    let recorder = Recorder(onChunk: { box.transfer.pause() })
    box.start { bench.loader.stream(bench.request("/a"), limit: nil, observer: recorder) }
    let paused = await recorder.waitUntil { !$0.body.isEmpty }
    #expect(paused.ends.isEmpty)
    box.transfer.cancel()
    box.transfer.cancel()
    let state = await recorder.finished()
    #expect(state.error == .cancelled)
    #expect(state.body.count < Self.body.count)
    box.transfer.resume()
    box.transfer.cancel()
    _ = await bench.load("/a")
    #expect(recorder.state.ends.count == 1)
  }

  @Test("A transfer can be paused before its head, from the cache and from the origin", arguments: [true, false])
  func pausedAtOnce(isStored: Bool) async throws {
    let bench = try CacheBench(answer: answer)
    if isStored { _ = await bench.load("/a") }
    let box = TransferBox()
    let recorder = Recorder(onHead: { box.transfer.pause() })
    box.start { bench.loader.stream(bench.request("/a"), limit: nil, observer: recorder) }
    await recorder.waitUntil { !$0.heads.isEmpty }
    #expect(recorder.state.body.isEmpty)
    box.transfer.resume()
    #expect(await recorder.finished().body == Self.body)
    #expect(bench.origin.log.requests.count == 1)
  }

  @Test("The body limit applies to the cache and the origin")
  func limit() async throws {
    let bench = try CacheBench(answer: answer)
    #expect(await bench.load("/a", limit: 999_999).error == .bodyTooLarge(limit: 999_999))
    _ = await bench.load("/a")
    let state = await bench.load("/a", limit: 999_999)
    #expect(state.error == .bodyTooLarge(limit: 999_999))
    #expect(state.body.isEmpty)
    #expect(await bench.load("/a", limit: 1_000_000).body == Self.body)
  }

  @Test("The body limit applies if the length is unknown")
  func chunkedLimit() async throws {
    let bench = try CacheBench { _ in .fields(Self.body, ("Cache-Control", "max-age=60")).framed(.chunked) }
    let state = await bench.load("/a", limit: 300_000)
    #expect(state.error == .bodyTooLarge(limit: 300_000))
    #expect(state.body.count <= 300_000)
    bench.cache.flush()
    #expect(bench.entries.isEmpty)
  }

  @Test("A transfer that is canceled immediately ends once, possibly before reaching the origin")
  func cancelledAtOnce() async throws {
    let bench = try CacheBench(answer: answer)
    for _ in 0..<100 {
      let (recorder, transfer) = bench.loader.record(bench.request("/a"))
      transfer.cancel()
      let state = await recorder.finished()
      #expect(state.ends.count == 1)
      #expect(state.error == nil || state.error == .cancelled)
    }
  }

  @Test("Many concurrent equal requests each get the whole body, and one response is stored")
  func equal() async throws {
    let bench = try CacheBench(answer: answer)
    let url = bench.origin.url("/a")
    await withTaskGroup(of: Recorder.State.self) { group in
      for _ in 0..<32 { group.addTask { await bench.load(url) } }
      for await state in group {
        #expect(state.body == Self.body)
        #expect(state.ends.count == 1)
      }
    }
    bench.cache.flush()
    #expect(bench.entries.count == 1)
    let count = bench.origin.log.requests.count
    #expect(await bench.load(url).body == Self.body)
    #expect(bench.origin.log.requests.count == count)
  }

  @Test("Many concurrent bodies are all stored, long ones while they arrive")
  func many() async throws {
    let bench = try CacheBench(capacity: 200 << 20) { request in
      let count = Int(request.path.dropFirst()) ?? 0
      return .fields(noise(count * 40_000), ("Cache-Control", "max-age=60"))
    }
    for expected in [40, 40] {
      await withTaskGroup(of: (Int, Recorder.State).self) { group in
        for count in 1...40 { group.addTask { (count, await bench.load("/\(count)")) } }
        for await (count, state) in group { #expect(state.body == noise(count * 40_000)) }
      }
      #expect(bench.origin.log.requests.count == expected)
    }
  }
}

/// A transfer that its observer may ask for before it is there.
private final class TransferBox: Sendable {
  private let held = Lock<(any Transfer)?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func start(_ body: () -> any Transfer) {
    let transfer = body()
    held.withLock { $0 = transfer }
    isThere.signal()
  }

  var transfer: any Transfer {
    if let transfer = held.withLock({ $0 }) { return transfer }
    isThere.wait()
    isThere.signal()
    return held.withLock { $0! }
  }
}
