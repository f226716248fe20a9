import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin
import Testing

@Suite("The thread of a data loader", .timeLimit(.minutes(1)))
struct CurlLoopTests {
  /// Starts another transfer at its own end, and holds the loader's thread for a while after that.
  private final class Successor: StreamObserver {
    let recorder = Recorder()
    private let start: @Sendable (Recorder) -> Void
    init(start: @escaping @Sendable (Recorder) -> Void) { self.start = start }

    func didReceive(_ head: ResponseHead) {}
    func didReceive(_ bytes: UnsafeRawBufferPointer) {}
    func didFinish(_ error: (any Error)?) {
      start(recorder)
      let end = DispatchTime.now().uptimeNanoseconds + 50_000_000
      while DispatchTime.now().uptimeNanoseconds < end {}
    }
  }

  @Test("starts what a cancellation held back, also where an observer takes longer than that")
  func slowObserver() async throws {
    let origin = try NukeOrigin { $0.path == "/next" ? .data(noise(10)) : NukeOrigin.Response().scripted(.stall) }
    defer { origin.stop() }
    let loader = makeOwnLoader()
    let next = origin.url("/next")
    let observer = Successor { _ = loader.stream(URLRequest(url: next), limit: nil, observer: $0) }
    let transfer = loader.stream(URLRequest(url: origin.url("/")), limit: nil, observer: observer)
    try await origin.waitUntil { $0.requests.count == 1 }
    transfer.cancel()
    #expect(await observer.recorder.finished().body == noise(10))
  }
}
