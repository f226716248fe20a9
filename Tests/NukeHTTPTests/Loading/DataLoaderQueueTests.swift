import Dispatch
import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("The queue of a data loader", .timeLimit(.minutes(1)))
struct DataLoaderQueueTests {
  private let origins = Origins()

  @Test("A slow host does not delay others", arguments: [500])
  func fairness(count: Int) async throws {
    let slow = try origins.start { _ in NukeOrigin.Response().scripted(.stall) }
    let other = try origins.start { .data(Data($0.path.utf8)) }
    let loader = makeOwnLoader()
    let waiting = (0..<count).map { loader.record(URLRequest(url: slow.url("/\($0)"))) }
    try await slow.waitUntil { $0.requests.count == 6 }
    let recorders = (0..<100).map { loader.record(URLRequest(url: other.url("/\($0)"))).recorder }
    for (number, recorder) in recorders.enumerated() {
      #expect(await recorder.finished().body == Data("/\(number)".utf8))
    }
    #expect(waiting.allSatisfy { !$0.recorder.state.isFinished })
    #expect(slow.log.requests.count == 6)
    for (_, transfer) in waiting { transfer.cancel() }
    for (recorder, _) in waiting { #expect(await recorder.finished().error == .cancelled) }
  }

  @Test("No queued request starts when all are canceled at once, the running ones first")
  func cancelAll() async throws {
    let origin = try origins.start { _ in NukeOrigin.Response().scripted(.stall) }
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
    let plain = try origins.start { _ in .data(Data("x".utf8)) }
    let (blocking, _) = blocker.record(URLRequest(url: plain.url("/")))
    for await _ in holding {}
    for (_, transfer) in transfers { transfer.cancel() }
    release.signal()
    for (recorder, _) in transfers { #expect(await recorder.finished().error == .cancelled) }
    #expect(await blocking.finished().error == nil)
    try await origin.waitUntil { $0.closedEarly == 6 }
    #expect(origin.log.requests.count == 6)
  }

  @Test("The priority of a pipeline's request applies, also when it changes")
  func pipeline() async throws {
    let loader = ListeningLoader()
    let pipeline = ImagePipeline.fake(loader: loader)
    var request = ImageRequest(url: imageURL("a"))
    request.priority = .low
    let task = pipeline.imageTask(with: request)
    var priorities = loader.priorities.makeAsyncIterator()
    #expect(await priorities.next() == .low)
    task.priority = .veryHigh
    #expect(await priorities.next() == .veryHigh)
    task.cancel()
  }
}

/// A loader that hears of priorities, and never answers.
private final class ListeningLoader: StreamingDataLoading {
  let configuration = DataLoader.Configuration()
  let priorities: AsyncStream<WorkPriority>
  private let heard: AsyncStream<WorkPriority>.Continuation

  init() { (priorities, heard) = AsyncStream.makeStream() }

  func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    Listener(heard: heard)
  }

  private final class Listener: Transfer {
    let heard: AsyncStream<WorkPriority>.Continuation
    init(heard: AsyncStream<WorkPriority>.Continuation) { self.heard = heard }
    func cancel() {}
    func pause() {}
    func resume() {}
    func setPriority(_ priority: WorkPriority) { heard.yield(priority) }
  }
}
