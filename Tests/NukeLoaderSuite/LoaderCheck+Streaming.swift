import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let streaming: [LoaderCheck] = [
    LoaderCheck("delivers the head before there is a body") { loaders in
      let gate = ScriptGate()
      let origin = try loaders.origin { _ in .data(Data("body".utf8)).scripted(.head, .wait(gate), .rest) }
      let (recorder, _) = loaders.make().record(URLRequest(url: origin.url("/")))
      let state = await recorder.waitUntil { !$0.heads.isEmpty }
      #expect(state.head?.expectedLength == 4)
      #expect(state.body.isEmpty)
      gate.open()
      #expect(await recorder.finished().body == Data("body".utf8))
    },
    LoaderCheck("delivers each part as it is sent") { loaders in
      let gates = [ScriptGate(), ScriptGate()]
      let origin = try loaders.origin { _ in
        .data(Data("onetwothree".utf8))
          .scripted(.head, .bytes(3), .wait(gates[0]), .bytes(3), .wait(gates[1]), .rest)
      }
      let (recorder, _) = loaders.make().record(URLRequest(url: origin.url("/")))
      #expect(await recorder.waitUntil { $0.body.count >= 3 }.body == Data("one".utf8))
      gates[0].open()
      #expect(await recorder.waitUntil { $0.body.count >= 6 }.body == Data("onetwo".utf8))
      gates[1].open()
      #expect(await recorder.finished().body == Data("onetwothree".utf8))
    },
    LoaderCheck("holds the origin up while it is paused, and delivers everything once it is resumed") { loaders in
      let body = noise(48 << 20)
      let gate = ScriptGate()
      let origin = try loaders.origin { _ in .data(body).held(by: gate) }
      let stored = Lock<(any Transfer)?>(nil)
      // Paused from within the first call, before a byte of the body.
      let recorder = Recorder(onHead: { stored.withLock { $0 }?.pause() })
      let transfer = loaders.make().stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
      stored.withLock { $0 = transfer }
      gate.open()
      await recorder.waitUntil { !$0.heads.isEmpty }
      let log = try await origin.waitUntil { $0.blockedSends > 0 && $0.bytesSent > 0 }
      #expect(log.bytesSent < body.count)
      #expect(recorder.state.body.isEmpty)
      transfer.resume()
      let state = await recorder.finished()
      #expect(state.hasError == false)
      #expect(state.body == body)
    },
    LoaderCheck("is not timed while it is paused") { loaders in
      let body = noise(1000)
      let origin = try loaders.origin { $0.path == "/stall" ? .data(body).scripted(.stall) : .data(body) }
      let loader = loaders.make { $0.idleTimeout = 0.3 }
      let request = URLRequest(url: origin.url("/"))
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
    },
  ]

  static let cancelling: [LoaderCheck] = [
    LoaderCheck("ends once with .cancelled when cancelled in the middle, and closes the connection") { loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).scripted(.head, .bytes(10), .stall) }
      let loader = loaders.make()
      let (recorder, transfer) = loader.record(URLRequest(url: origin.url("/")))
      await recorder.waitUntil { $0.body.count == 10 }
      transfer.cancel()
      transfer.cancel()
      #expect(await recorder.finished().error == .cancelled)
      try await origin.waitUntil { $0.closedEarly == 1 && $0.connectionsOpen == 0 }
      #expect(recorder.state.ends.count == 1)
    },
    LoaderCheck("ends once with .cancelled when cancelled before the answer") { loaders in
      let origin = try loaders.origin { _ in NukeOrigin.Response().scripted(.stall) }
      let loader = loaders.make()
      let (recorder, transfer) = loader.record(URLRequest(url: origin.url("/")))
      try await origin.waitUntil { $0.requests.count == 1 }
      transfer.cancel()
      #expect(await recorder.finished().error == .cancelled)
      try await origin.waitUntil { $0.closedEarly == 1 }
    },
    LoaderCheck("ends once with .cancelled when cancelled while it is paused, the body there or not") { loaders in
      for length in [1000, 8 << 20] {
        let origin = try loaders.origin { _ in .data(noise(length)) }
        let loader = loaders.make()
        let stored = Lock<(any Transfer)?>(nil)
        let other = try loaders.origin { _ in .data(Data("x".utf8)) }
        let recorder = Recorder(onHead: { stored.withLock { $0 }?.pause() })
        let transfer = stored.withLock { stored in
          let transfer = loader.stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
          stored = transfer
          return transfer
        }
        await recorder.waitUntil { !$0.heads.isEmpty }
        // What has come meanwhile is held back.
        #expect(await loader.outcome(of: other.url("/")).hasError == false)
        transfer.cancel()
        #expect(await recorder.finished().error == .cancelled)
        #expect(recorder.state.body.isEmpty)
        // The place is free again.
        for _ in 0..<7 { #expect(await loader.outcome(of: other.url("/")).hasError == false) }
        #expect(recorder.state.ends.count == 1)
      }
    },
    LoaderCheck("can be cancelled from within its own calls") { loaders in
      let body = noise(4 << 20)
      let gate = ScriptGate()
      let origin = try loaders.origin { _ in .data(body).held(by: gate) }
      let stored = Lock<(any Transfer)?>(nil)
      let recorder = Recorder(onChunk: { stored.withLock { $0 }?.cancel() })
      let loader = loaders.make()
      let transfer = loader.stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
      stored.withLock { $0 = transfer }
      gate.open()
      let state = await recorder.finished()
      #expect(state.error == .cancelled)
      #expect(state.chunkSizes.count == 1)
    },
    LoaderCheck("ends once when cancelled while the host is looked up, or before anything was done") { loaders in
      let loader = loaders.make()
      var recorders: [Recorder] = []
      for number in 0..<50 {
        let (recorder, transfer) = loader.record(URLRequest(url: URL(string: "http://a\(number).invalid/")!))
        transfer.cancel()
        recorders.append(recorder)
      }
      for recorder in recorders { #expect(await recorder.finished().error != nil) }
      #expect(recorders.allSatisfy { $0.state.ends.count == 1 })
    },
    LoaderCheck("is never seen by the origin when cancelled in the queue") { loaders in
      let gate = ScriptGate()
      let origin = try loaders.origin { _ in .data(Data("x".utf8)).held(by: gate) }
      let loader = loaders.make { $0.maximumConnectionsPerHost = 2 }
      let running = (0..<2).map { loader.record(URLRequest(url: origin.url("/running/\($0)"))).recorder }
      try await origin.waitUntil { $0.requests.count == 2 }
      let queued = (0..<20).map { loader.record(URLRequest(url: origin.url("/queued/\($0)"))) }
      let wanted = loader.record(URLRequest(url: origin.url("/wanted"))).recorder
      for (_, transfer) in queued { transfer.cancel() }
      for (recorder, _) in queued { #expect(await recorder.finished().error == .cancelled) }
      gate.open()
      for recorder in running + [wanted] { #expect(await recorder.finished().hasError == false) }
      #expect(origin.log.requests.count == 3)
      #expect(queued.allSatisfy { $0.recorder.state.ends.count == 1 })
    },
  ]
}

extension StreamingDataLoading {
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
