import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Memory after the last load", .timeLimit(.minutes(1)))
struct ReleaseTests {
  /// Keeps the closures it was given for as long as it lives, as loaders do whose transfers are objects.
  private final class KeepingLoader: DataLoading {
    private final class Transfer: Cancellable {
      let didReceiveData: @Sendable (Data, URLResponse) -> Void
      let completion: @Sendable ((any Error)?) -> Void
      let canary: Canary
      init(
        _ didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
        _ completion: @escaping @Sendable ((any Error)?) -> Void, _ canary: Canary
      ) {
        self.didReceiveData = didReceiveData
        self.completion = completion
        self.canary = canary
      }
      func cancel() {}
    }

    let gate: Gate
    let log: CallLog
    init(gate: Gate, log: CallLog) {
      self.gate = gate
      self.log = log
    }

    func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable {
      let transfer = Transfer(didReceiveData, completion, Canary("transfer", log))
      Task { [weak transfer, gate] in
        await gate.wait()
        let data = SampleImage.png(width: 4, height: 4)
        transfer?.didReceiveData(data, response(to: request, length: data.count))
        transfer?.completion(nil)
      }
      return transfer
    }
  }

  private func configuration(gate: Gate, log: CallLog) -> ImagePipeline.Configuration {
    .fake(loader: KeepingLoader(gate: gate, log: log)) {
      $0.dataCache = FakeDataCache()
      $0.dataCachePolicy = .storeAll
    }
  }

  private func request(_ log: CallLog) -> ImageRequest {
    let canary = Canary("processor", log)
    return ImageRequest(
      url: imageURL("a"),
      processors: [
        FakeProcessor("p") { image in
          _ = canary
          return image
        }
      ])
  }

  @Test(
    "A pipeline is released with its jobs, tasks and transfers, with and without a delegate",
    arguments: [true, false])
  func completed(hasDelegate: Bool) async throws {
    let log = CallLog()
    weak var weakTask: ImageTask?
    weak var weakPipeline: ImagePipeline?
    do {
      let pipeline = ImagePipeline(
        configuration: configuration(gate: Gate(isOpen: true), log: log),
        delegate: hasDelegate ? CanaryDelegate(Canary("delegate", log)) : nil)
      let task = pipeline.imageTask(with: request(log))
      _ = try await task.image
      weakTask = task
      weakPipeline = pipeline
    }
    let expected = Set(["transfer", "processor"] + (hasDelegate ? ["delegate"] : []))
    #expect(Set(await log.entries(count: expected.count)) == expected)
    // The task has the request and the pipeline the delegate: what they kept is gone, so they are.
    #expect(weakTask == nil)
    if hasDelegate { #expect(weakPipeline == nil) }
  }

  @Test("A canceled load whose loader never completes retains nothing")
  func cancelled() async throws {
    let log = CallLog()
    do {
      let pipeline = ImagePipeline(
        configuration: configuration(gate: Gate(), log: log), delegate: CanaryDelegate(Canary("delegate", log)))
      let closure = Canary("closure", log)
      pipeline.loadImage(with: request(log), on: nil) { _ in _ = closure }.cancel()
    }
    // The load may have started its transfer before it was canceled.
    let released = Set(await log.entries(count: 3))
    let count = released.contains("transfer") ? 4 : 3
    #expect(Set(await log.entries(count: count)).subtracting(["transfer"]) == ["closure", "processor", "delegate"])
  }

  @Test("A load whose running transfer was canceled retains nothing")
  func cancelledTransfer() async throws {
    let log = CallLog()
    let gate = Gate()
    let loader = FakeDataLoader { _ in .data(Data([1])).held(by: gate) }
    do {
      let pipeline = ImagePipeline(
        configuration: .fake(loader: loader), delegate: CanaryDelegate(Canary("delegate", log)))
      let task = pipeline.imageTask(with: request(log))
      await loader.requests(count: 1)
      task.cancel()
    }
    // The gate keeps whoever it holds back.
    gate.open()
    #expect(Set(await log.entries(count: 2)) == ["processor", "delegate"])
  }

  @Test("A load from a closure retains nothing of its events and observers")
  func closures() async throws {
    let log = CallLog()
    do {
      let pipeline = ImagePipeline(
        configuration: .fake(), delegate: CanaryDelegate(Canary("delegate", log)))
      let canary = Canary("closure", log)
      let request = ImageRequest(
        id: "mine",
        data: {
          _ = canary
          return SampleImage.png(width: 2, height: 2)
        })
      let observed = Canary("completion", log)
      let task = pipeline.loadImage(with: request, on: nil) { _ in _ = observed }
      for await _ in task.events {}
    }
    #expect(Set(await log.entries(count: 3)) == ["closure", "completion", "delegate"])
  }

  @Test("A memory hit retains nothing")
  func memoryHit() async throws {
    let log = CallLog()
    do {
      let pipeline = ImagePipeline(configuration: .fake(), delegate: CanaryDelegate(Canary("delegate", log)))
      let request = request(log)
      pipeline.cache[request] = ImageContainer(image: SampleImage.bitmap(width: 1, height: 1))
      _ = try await pipeline.image(for: request)
    }
    #expect(Set(await log.entries(count: 2)) == ["processor", "delegate"])
  }
}
