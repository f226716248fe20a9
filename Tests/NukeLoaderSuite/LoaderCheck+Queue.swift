import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let queue: [LoaderCheck] = [
    LoaderCheck("serves requests that wait for a host in their order") { loaders in
      let order = try await loaders.order(of: ["a", "b", "c"]) { _ in }
      #expect(order == ["a", "b", "c"])
    },
    LoaderCheck("serves higher priorities first") { loaders in
      let order = try await loaders.order(of: ["a", "b", "c", "d", "e", "f"]) { transfers in
        transfers["a"]?.setPriority(.veryLow)
        transfers["b"]?.setPriority(.low)
        transfers["d"]?.setPriority(.high)
        transfers["e"]?.setPriority(.veryHigh)
      }
      #expect(order == ["e", "d", "c", "f", "b", "a"])
    },
    LoaderCheck("serves higher priorities first among requests made while the slot was released") { loaders in
      let order = try await loaders.orderAtEnd(of: ["a", "b", "c"]) { transfers in
        transfers["a"]?.setPriority(.veryLow)
        transfers["c"]?.setPriority(.high)
      }
      #expect(order == ["c", "b", "a"])
    },
    LoaderCheck("applies a priority change made while the slot was released") { loaders in
      let order = try await loaders.orderAtEnd(of: ["c"], behind: ["a", "b"]) { $0["a"]?.setPriority(.low) }
      #expect(order == ["b", "c", "a"])
    },
    LoaderCheck("applies priority changes to waiting requests, and removes canceled ones") { loaders in
      let order = try await loaders.order(of: ["a", "b", "c", "d", "e"]) { transfers in
        for priority in [WorkPriority.high, .normal, .veryHigh, .low] {
          transfers["a"]?.setPriority(priority)
        }
        transfers["c"]?.setPriority(.high)
        transfers["b"]?.cancel()
        transfers["e"]?.setPriority(.high)
        transfers["c"]?.cancel()
      }
      #expect(order == ["e", "d", "a"])
    },
    LoaderCheck("releases requests that are canceled while they wait for a busy host") { loaders in
      let busy = try loaders.origin { _ in NukeOrigin.Response().scripted(.stall) }
      let other = try loaders.origin { _ in .data(Data("x".utf8)) }
      let loader = loaders.make { $0.maximumConnectionsPerHost = 1 }
      let (running, first) = loader.record(URLRequest(url: busy.url("/first")))
      try await busy.waitUntil { $0.requests.count == 1 }
      let cancelled = await loader.cancelledWaiting(for: busy.url("/second"), beside: other.url("/"))
      // By its end the loader has done with what it was asked before.
      #expect(await loader.outcome(of: other.url("/")).hasError == false)
      #expect(cancelled.transfer == nil)
      first.cancel()
      #expect(await running.finished().error == .cancelled)
    },
  ]
}

private struct WeakTransfer {
  weak var transfer: (any Transfer)?
}

extension StreamingDataLoading {
  /// A transfer that was canceled in the queue, after its priority had changed there.
  ///
  /// - Parameter other: is loaded at once.
  fileprivate func cancelledWaiting(for url: URL, beside other: URL) async -> WeakTransfer {
    let (recorder, transfer) = record(URLRequest(url: url))
    for priority in [WorkPriority.high, .veryLow] {
      transfer.setPriority(priority)
      #expect(await outcome(of: other).hasError == false)
    }
    transfer.cancel()
    #expect(await recorder.finished().error == .cancelled)
    return WeakTransfer(transfer: transfer)
  }
}

extension Loaders {
  /// Holds the one connection that there is with a first request, lets the others wait, and says in which order the
  /// origin saw them.
  fileprivate func order(
    of paths: [String], _ change: ([String: any Transfer]) -> Void
  ) async throws -> [String] {
    let gate = ScriptGate()
    let origin = try origin { _ in .data(Data("x".utf8)).held(by: gate) }
    let loader = make { $0.maximumConnectionsPerHost = 1 }
    let first = loader.record(URLRequest(url: origin.url("/first"))).recorder
    try await origin.waitUntil { $0.requests.count == 1 }
    var transfers: [String: any Transfer] = [:]
    var recorders: [Recorder] = []
    for path in paths {
      let (recorder, transfer) = loader.record(URLRequest(url: origin.url("/\(path)")))
      transfers[path] = transfer
      recorders.append(recorder)
    }
    change(transfers)
    gate.open()
    for recorder in [first] + recorders { await recorder.finished() }
    return origin.log.requests.dropFirst().map { String($0.path.dropFirst()) }
  }

  /// The same where all is asked for in the moment in which the first request ends: the loader's thread is held within the
  /// last call before that, and finds the end and what is asked for together.
  ///
  /// - Parameter waiting: are asked for before that moment.
  fileprivate func orderAtEnd(
    of paths: [String], behind waiting: [String] = [], _ change: ([String: any Transfer]) -> Void
  ) async throws -> [String] {
    let gate = ScriptGate()
    let origin = try origin { _ in .data(Data("x".utf8)).held(by: gate) }
    let loader = make { $0.maximumConnectionsPerHost = 1 }
    let (holding, hold) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    let first = Recorder(onChunk: {
      hold.finish()
      release.wait()
    })
    _ = loader.stream(URLRequest(url: origin.url("/first")), limit: nil, observer: first)
    try await origin.waitUntil { $0.requests.count == 1 }
    var transfers: [String: any Transfer] = [:]
    var recorders = [first]
    func ask(for paths: [String]) {
      for path in paths {
        let (recorder, transfer) = loader.record(URLRequest(url: origin.url("/\(path)")))
        transfers[path] = transfer
        recorders.append(recorder)
      }
    }
    ask(for: waiting)
    gate.open()
    for await _ in holding {}
    ask(for: paths)
    change(transfers)
    release.signal()
    for recorder in recorders { await recorder.finished() }
    return origin.log.requests.dropFirst().map { String($0.path.dropFirst()) }
  }
}
