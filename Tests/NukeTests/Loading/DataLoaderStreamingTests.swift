import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin
import Testing

@Suite("A stream over HTTP")
struct DataLoaderStreamingTests {
  @Test("delivers the head before there is a body")
  func headFirst() async throws {
    let gate = Gate()
    let origin = try NukeOrigin { _ in .data(Data("body".utf8)).scripted(.head, .wait(gate), .rest) }
    defer { origin.stop() }
    let (recorder, _) = makeLoader().record(URLRequest(url: origin.url("/")))
    let state = await recorder.waitUntil { !$0.heads.isEmpty }
    #expect(state.head?.expectedLength == 4)
    #expect(state.body.isEmpty)
    gate.open()
    #expect(await recorder.finished().body == Data("body".utf8))
  }

  @Test("delivers each part as it is sent")
  func trickle() async throws {
    let gates = [Gate(), Gate()]
    let origin = try NukeOrigin { _ in
      .data(Data("onetwothree".utf8))
        .scripted(.head, .bytes(3), .wait(gates[0]), .bytes(3), .wait(gates[1]), .rest)
    }
    defer { origin.stop() }
    let (recorder, _) = makeLoader().record(URLRequest(url: origin.url("/")))
    #expect(await recorder.waitUntil { $0.body.count >= 3 }.body == Data("one".utf8))
    gates[0].open()
    #expect(await recorder.waitUntil { $0.body.count >= 6 }.body == Data("onetwo".utf8))
    gates[1].open()
    #expect(await recorder.finished().body == Data("onetwothree".utf8))
  }

  @Test("holds the origin up while it is paused, and delivers everything once it is resumed")
  func backpressure() async throws {
    let body = noise(48 << 20)
    let gate = Gate()
    let origin = try NukeOrigin { _ in .data(body).held(by: gate) }
    defer { origin.stop() }
    let stored = Lock<(any Transfer)?>(nil)
    // Paused from within the first call, before a byte of the body.
    let recorder = Recorder(onHead: { stored.withLock { $0 }?.pause() })
    let transfer = makeLoader().stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
    stored.withLock { $0 = transfer }
    gate.open()
    await recorder.waitUntil { !$0.heads.isEmpty }
    let log = try await origin.waitUntil { $0.blockedSends > 0 && $0.bytesSent > 0 }
    #expect(log.bytesSent < body.count)
    #expect(recorder.state.body.isEmpty)
    transfer.resume()
    let state = await recorder.finished()
    #expect(state.error == nil)
    #expect(state.body == body)
  }

  @Test("is not timed while it is paused")
  func pausedIdle() async throws {
    let body = noise(1000)
    let origin = try NukeOrigin { $0.path == "/stall" ? .data(body).scripted(.stall) : .data(body) }
    defer { origin.stop() }
    let loader = makeLoader { $0.idleTimeout = 0.2 }
    var request = URLRequest(url: origin.url("/"))
    request.timeoutInterval = 0.2
    // A busy machine may let the limit pass before there is an answer.
    var (recorder, transfer) = loader.pausedAtHead(request)
    while await recorder.waitUntil({ !$0.heads.isEmpty || $0.isFinished }).heads.isEmpty {
      (recorder, transfer) = loader.pausedAtHead(request)
    }
    // Two stalls in a row last longer than the limit that the paused one does not run into.
    for _ in 0..<2 { #expect(await loader.outcome(of: origin.url("/stall")).error != nil) }
    #expect(!recorder.state.isFinished)
    transfer.resume()
    #expect(await recorder.finished().body == body)
  }

  @Test("ends once with .cancelled when cancelled in the middle, and closes the connection")
  func cancelMidway() async throws {
    let origin = try NukeOrigin { _ in .data(noise(1000)).scripted(.head, .bytes(10), .stall) }
    defer { origin.stop() }
    let (recorder, transfer) = makeLoader().record(URLRequest(url: origin.url("/")))
    await recorder.waitUntil { $0.body.count == 10 }
    transfer.cancel()
    transfer.cancel()
    #expect(await recorder.finished().error == .cancelled)
    try await origin.waitUntil { $0.closedEarly == 1 && $0.connectionsOpen == 0 }
    #expect(recorder.state.ends.count == 1)
  }

  @Test("ends once with .cancelled when cancelled before the answer")
  func cancelBeforeHead() async throws {
    let origin = try NukeOrigin { _ in NukeOrigin.Response().scripted(.stall) }
    defer { origin.stop() }
    let (recorder, transfer) = makeLoader().record(URLRequest(url: origin.url("/")))
    try await origin.waitUntil { $0.requests.count == 1 }
    transfer.cancel()
    #expect(await recorder.finished().error == .cancelled)
    try await origin.waitUntil { $0.closedEarly == 1 }
  }

  @Test("can be cancelled and paused from within its own calls")
  func cancelWithin() async throws {
    let body = noise(4 << 20)
    let gate = Gate()
    let origin = try NukeOrigin { _ in .data(body).held(by: gate) }
    defer { origin.stop() }
    let stored = Lock<(any Transfer)?>(nil)
    let recorder = Recorder(onChunk: { stored.withLock { $0 }?.cancel() })
    let transfer = makeLoader().stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
    stored.withLock { $0 = transfer }
    gate.open()
    let state = await recorder.finished()
    #expect(state.error == .cancelled)
    #expect(state.chunkSizes.count == 1)
  }

  @Test("ends once when cancelled while the host is looked up, or before anything was done")
  func cancelEarly() async throws {
    let loader = makeLoader()
    var recorders: [Recorder] = []
    for number in 0..<50 {
      let (recorder, transfer) = loader.record(URLRequest(url: URL(string: "http://a\(number).invalid/")!))
      transfer.cancel()
      recorders.append(recorder)
    }
    for recorder in recorders { #expect(await recorder.finished().error != nil) }
    #expect(recorders.allSatisfy { $0.state.ends.count == 1 })
  }

  @Test("is never seen by the origin when cancelled in the queue")
  func cancelQueued() async throws {
    let gate = Gate()
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)).held(by: gate) }
    defer { origin.stop() }
    let loader = makeLoader { $0.maximumConnectionsPerHost = 2 }
    let running = (0..<2).map { loader.record(URLRequest(url: origin.url("/running/\($0)"))).recorder }
    try await origin.waitUntil { $0.requests.count == 2 }
    let queued = (0..<20).map { loader.record(URLRequest(url: origin.url("/queued/\($0)"))) }
    let wanted = loader.record(URLRequest(url: origin.url("/wanted"))).recorder
    for (_, transfer) in queued { transfer.cancel() }
    for (recorder, _) in queued { #expect(await recorder.finished().error == .cancelled) }
    gate.open()
    for recorder in running + [wanted] { #expect(await recorder.finished().error == nil) }
    #expect(origin.log.requests.count == 3)
    #expect(queued.allSatisfy { $0.recorder.state.ends.count == 1 })
  }

  @Test("starts no queued request when all are cancelled at once, the running ones first")
  func cancelAll() async throws {
    let origin = try NukeOrigin { _ in NukeOrigin.Response().scripted(.stall) }
    defer { origin.stop() }
    let loader = makeLoader()
    // The loader's thread is kept in a callback, so that it sees all cancellations in one go.
    let release = DispatchSemaphore(value: 0)
    let (holding, hold) = AsyncStream<Void>.makeStream()
    let blocker = DataLoader(configuration: makeConfiguration()) { _ in
      hold.finish()
      release.wait()
      return nil
    }
    let transfers = (0..<100).map { loader.record(URLRequest(url: origin.url("/\($0)"))) }
    try await origin.waitUntil { $0.requests.count == 6 }
    let plain = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { plain.stop() }
    let (blocking, _) = blocker.record(URLRequest(url: plain.url("/")))
    for await _ in holding {}
    for (_, transfer) in transfers { transfer.cancel() }
    release.signal()
    for (recorder, _) in transfers { #expect(await recorder.finished().error == .cancelled) }
    #expect(await blocking.finished().error == nil)
    try await origin.waitUntil { $0.closedEarly == 6 }
    #expect(origin.log.requests.count == 6)
  }
}

extension DataLoader {
  /// A transfer that its observer pauses at the head.
  fileprivate func pausedAtHead(_ request: URLRequest) -> (Recorder, any Transfer) {
    let started = Lock<(any Transfer)?>(nil)
    let recorder = Recorder(onHead: { started.withLock { $0 }?.pause() })
    // Under the lock, so that the head finds it.
    let transfer = started.withLock { started in
      let transfer = stream(request, limit: nil, observer: recorder)
      started = transfer
      return transfer
    }
    return (recorder, transfer)
  }
}
