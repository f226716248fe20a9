import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("The curl thread", .timeLimit(.minutes(1)))
struct CurlLoopTests {
  /// Starts another transfer at its own end, and then holds the loader's thread until the gate opens.
  private final class Successor: StreamObserver {
    let recorder = Recorder()
    let end = Recorder()
    private let gate: DispatchSemaphore?
    private let start: @Sendable (Recorder) -> Void
    init(gate: DispatchSemaphore? = nil, start: @escaping @Sendable (Recorder) -> Void) {
      self.gate = gate
      self.start = start
    }

    func didReceive(_ head: ResponseHead) {}
    func didReceive(_ bytes: UnsafeRawBufferPointer) {}
    func didFinish(_ error: (any Error)?) {
      start(recorder)
      end.didFinish(error)
      gate?.wait()
    }
  }

  @Test("Transfers deferred by a cancellation start, even if an observer is slow")
  func slowObserver() async throws {
    let origin = try NukeOrigin { $0.path == "/next" ? .data(noise(10)) : NukeOrigin.Response().scripted(.stall) }
    defer { origin.stop() }
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    func successor(by loader: DataLoader, gate: DispatchSemaphore? = nil) -> Successor {
      let next = origin.url("/next")
      return Successor(gate: gate) { _ = loader.stream(URLRequest(url: next), limit: nil, observer: $0) }
    }
    func cancelTransfer(of loader: DataLoader, observer: Successor) async throws {
      let count = origin.log.requests.count
      let transfer = loader.stream(URLRequest(url: origin.url("/")), limit: nil, observer: observer)
      try await origin.waitUntil { $0.requests.count == count + 1 }
      transfer.cancel()
      await observer.end.finished()
    }
    let (loader, other) = (makeOwnLoader(), makeOwnLoader())
    let observer = successor(by: loader, gate: gate)
    try await cancelTransfer(of: loader, observer: observer)
    // The cancellation of another thread's transfer comes later. Once that thread starts what it held back, the time for
    // which the first holds its own back has passed too.
    let clock = successor(by: other)
    try await cancelTransfer(of: other, observer: clock)
    #expect(await clock.recorder.finished().body == noise(10))
    #expect(!observer.recorder.state.isFinished)
    gate.signal()
    #expect(await observer.recorder.finished().body == noise(10))
  }
}
