import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

extension DelegateTests {
  /// A task that a delegate cancels, once.
  private final class Victim: Sendable {
    private let task = Lock<ImageTask?>(nil)

    func set(_ task: ImageTask) { self.task.withLock { $0 = task } }
    func cancel() { task.withLock { $0.take() }?.cancel() }
  }

  /// Hooks that cancel a task while the delegate returns the loader of the transfer.
  ///
  /// The delegate is asked for the loader before that too: for its HTTP cache, and for its limit of each host. So the
  /// call that counts is the one after the request was prepared.
  private func cancelInDataLoader(_ victim: Victim, once gate: Gate, _ hooks: inout Hooks) {
    let (log, loader, url) = (log, loader, url)
    hooks.willLoad = { request, urlRequest in
      guard request.url == url else { return urlRequest }
      await gate.wait()
      log.append("prepared")
      return urlRequest
    }
    hooks.loader = { _ in
      guard log.entries == ["prepared"] else { return loader }
      log.append("canceled")
      victim.cancel()
      return PassingLoader(loader, log)
    }
  }

  @Test(
    "A load that is canceled while the delegate returns its loader does not call that loader, and returns its slot",
    arguments: [[], .skipDataLoadingQueue] as [ImageRequest.Options])
  func cancelledInDataLoader(options: ImageRequest.Options) async throws {
    let (gate, victim, next) = (Gate(), Victim(), imageURL("next"))
    let pipeline = hooked({ $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 1) }) {
      cancelInDataLoader(victim, once: gate, &$0)
    }
    let task = pipeline.imageTask(with: ImageRequest(url: url, options: options))
    victim.set(task)
    gate.open()
    // The pipeline releases the loader when it has decided whether to call it.
    #expect(await log.entries(count: 3) == ["prepared", "canceled", "released"])
    let error = await loadFailure(try await task.image)
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(pipeline.load == (0, 0))
    #expect(pipeline.configuration.dataLoadingQueue.status.running == 0)
    loader.answer(next, with: .data(original))
    // One at a time: the slot is free again.
    _ = try await pipeline.image(for: next)
    #expect(loader.requests.map(\.url) == [next])
  }

  @Test("If another task needs the load that is canceled while the delegate returns its loader, the loader is called")
  func cancelledInDataLoaderOfTwo() async throws {
    let (gate, victim) = (Gate(), Victim())
    let pipeline = hooked { cancelInDataLoader(victim, once: gate, &$0) }
    let (first, second) = (pipeline.imageTask(with: url), pipeline.imageTask(with: url))
    victim.set(first)
    gate.open()
    #expect(try await second.image.pixelWidth == 20)
    let error = await loadFailure(try await first.image)
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(log.entries.prefix(3) == ["prepared", "canceled", "called"])
    #expect(loader.requests.map(\.url) == [url])
    #expect(loader.cancelledRequests.isEmpty)
    #expect(pipeline.configuration.dataLoadingQueue.status.running == 0)
    #expect(pipeline.load == (0, 0))
  }

  /// A loader that passes calls on, and logs them and its release.
  private final class PassingLoader: DataLoading {
    private let loader: FakeDataLoader
    private let log: CallLog

    init(_ loader: FakeDataLoader, _ log: CallLog) {
      self.loader = loader
      self.log = log
    }

    deinit { log.append("released") }

    func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable {
      log.append("called")
      return loader.loadData(with: request, didReceiveData: didReceiveData, completion: completion)
    }
  }

  @Test("The delegate does not prevent the cancellation of a download")
  func cancelledDownload() async {
    let gate = Gate()
    let loader = FakeDataLoader { _ in .data(Data([1])).held(by: gate) }
    let pipeline = ImagePipeline(configuration: .fake(loader: loader), delegate: PlainDelegate())
    for count in 1...500 {
      let task = pipeline.imageTask(with: url)
      await loader.requests(count: count)
      task.cancel()
      await loader.cancelledRequests(count: count)
    }
    #expect(loader.cancelledRequests.count == 500)
    #expect(pipeline.load == (0, 0))
  }
}
