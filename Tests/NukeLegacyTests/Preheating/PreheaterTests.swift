import Foundation
import NukeLegacy
import NukeTesting
import Testing

@Suite("A preheater", .timeLimit(.minutes(1)))
struct PreheaterTests {
  private let image = SampleImage.bitmap(width: 4, height: 4)
  private let requests = (0..<4).map { Request(url: imageURL("\($0).jpg")) }

  private func names(_ loader: HeldLoader) -> [String] {
    loader.calls.compactMap { $0.request.urlRequest.url?.lastPathComponent }
  }

  @Test("It runs a limited number of loads, in order")
  func order() {
    let loader = HeldLoader()
    let preheater = Preheater(loader: loader)
    preheater.startPreheating(for: requests)
    #expect(names(loader) == ["0.jpg", "1.jpg"])
    loader.calls[1].fulfill(image)
    #expect(names(loader) == ["0.jpg", "1.jpg", "2.jpg"])
    loader.calls[0].reject(Failure())
    #expect(names(loader) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"])
    withExtendedLifetime(preheater) {}
  }

  @Test("It starts one load for two equal requests")
  func twice() {
    let loader = HeldLoader()
    let preheater = Preheater(loader: loader, maxConcurrentRequestCount: 5)
    preheater.startPreheating(for: [requests[0], requests[0]])
    preheater.startPreheating(for: [requests[0]])
    #expect(loader.calls.count == 1)
    withExtendedLifetime(preheater) {}
  }

  @Test("It cancels the running and waiting loads of the given requests only")
  func stopping() {
    let loader = HeldLoader()
    let preheater = Preheater(loader: loader)
    preheater.startPreheating(for: requests)
    preheater.stopPreheating(for: [requests[0], requests[2]])
    #expect(loader.calls.map { $0.token?.isCancelling } == [true, false, false])
    #expect(names(loader) == ["0.jpg", "1.jpg", "3.jpg"])
    preheater.stopPreheating()
    #expect(loader.calls.map { $0.token?.isCancelling } == [true, true, true])
  }

  @Test("It cancels all loads when it is deinitialized")
  func release() {
    let loader = HeldLoader()
    do {
      let preheater = Preheater(loader: loader)
      preheater.startPreheating(for: requests)
    }
    #expect(loader.calls.map { $0.token?.isCancelling } == [true, true])
  }

  @Test("It stores images in memory, where loads find them")
  func memory() async throws {
    let data = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
    let log = CallLog()
    let loader = LoggingLoader(base: Loader(pipeline: .fake(loader: data)), log: log)
    let preheater = Preheater(loader: loader)
    preheater.startPreheating(for: requests)
    await log.entries(count: 4)
    // Another one: the first may not have noted yet that the last load has ended.
    let other = Preheater(loader: loader)
    other.startPreheating(for: requests)
    await log.entries(count: 8)
    #expect(data.requests.count == 4)
    withExtendedLifetime((preheater, other)) {}
  }

  @Test("Its loads have low priority, and are shared with other requests")
  func priority() async throws {
    let delegate = PriorityDelegate()
    let gate = Gate()
    let data = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)).held(by: gate) }
    let loader = Loader(
      pipeline: ImagePipeline(configuration: .fake(loader: data), delegate: delegate))
    let preheater = Preheater(loader: loader)
    preheater.startPreheating(for: [requests[0]])
    #expect(delegate.priorities.entries == ["low"])
    let wanted = loader.loadImage(with: requests[0])
    gate.open()
    _ = try await wanted.value
    #expect(data.requests.count == 1)
    withExtendedLifetime(preheater) {}
  }

  @Test("Ten thousand loads that end immediately do not overflow the stack")
  func many() async {
    let log = CallLog()
    let preheater = Preheater(loader: ReadyLoader(image: image, log: log))
    preheater.startPreheating(for: (0..<10_000).map { Request(url: imageURL("\($0).jpg")) })
    #expect(await log.entries(count: 10_000) == Array(repeating: "load", count: 10_000))
  }
}

/// Notes the end of each load.
private struct LoggingLoader: Loading {
  let base: Loader
  let log: CallLog

  func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    base.loadImage(with: request, token: token).finally(on: .global()) { log.append("end") }
  }
}

private struct ReadyLoader: Loading {
  let image: Image
  let log: CallLog

  func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    log.append("load")
    return Promise(value: image)
  }
}

private final class PriorityDelegate: ImagePipeline.Delegate {
  let priorities = CallLog()
  func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) { priorities.append("\(task.priority)") }
}
