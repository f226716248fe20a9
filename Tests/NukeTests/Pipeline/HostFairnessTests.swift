import Foundation
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("Fairness among hosts", .timeLimit(.minutes(1)))
struct HostFairnessTests {
  private let slow: NukeOrigin
  private let other: NukeOrigin
  private let gate = ScriptGate()
  private let pipeline = ImagePipeline.fake(loader: makeOwnLoader(), imageCache: nil)

  init() throws {
    slow = try NukeOrigin { _ in NukeOrigin.Response().scripted(.stall) }
    let (image, gate) = (SampleImage.png(width: 4, height: 4), gate)
    other = try NukeOrigin { $0.path.hasPrefix("/held") ? .data(image).held(by: gate) : .data(image) }
  }

  private func start(_ path: String, of origin: NukeOrigin, _ priority: ImageRequest.Priority = .normal) -> ImageTask {
    pipeline.imageTask(with: ImageRequest(url: origin.url(path), priority: priority))
  }

  /// Has twenty images wanted of a host that never answers, and waits until it has as many requests as it gets.
  private func stall(_ priority: ImageRequest.Priority = .normal, slots: Int = 6) async throws -> [ImageTask] {
    let tasks = (0..<20).map { start("/\($0)", of: slow, priority) }
    try await slow.waitUntil { $0.requests.count == slots }
    return tasks
  }

  private func end(_ tasks: [ImageTask]) {
    for task in tasks { task.cancel() }
    slow.stop()
    other.stop()
  }

  @Test("A host that never responds does not delay loads of another")
  func fairness() async throws {
    let stalled = try await stall()
    for number in 0..<10 { #expect(try await start("/\(number)", of: other).image.pixelWidth == 4) }
    // It has what it had.
    #expect(slow.log.requests.count == 6)
    end(stalled)
  }

  @Test("A host that never responds does not delay prefetching from another")
  func prefetched() async throws {
    let stalled = try await stall(.low, slots: 5)
    #expect(try await start("/a", of: other, .low).image.pixelWidth == 4)
    let urgent = start("/b", of: slow, .high)
    // The slot that is kept for what is urgent is still there.
    try await slow.waitUntil { $0.requests.count == 6 }
    end(stalled + [urgent])
  }

  @Test("Priorities apply, however few loads may run")
  func priorities() async throws {
    let stalled = try await stall()
    let first = start("/held", of: other)
    try await other.waitUntil { $0.requests.count == 1 }
    let tasks = [
      start("/a", of: other, .low), start("/b", of: other, .high), start("/c", of: other),
      start("/d", of: other, .veryHigh),
    ]
    tasks[2].priority = .veryLow
    try await waitUntil { pipeline.configuration.dataLoadingQueue.status.waiting >= 18 }
    #expect(other.log.requests.count == 1)
    gate.open()
    for task in [first] + tasks { _ = try await task.image }
    #expect(other.log.requests.map(\.path) == ["/held", "/d", "/b", "/a", "/c"])
    end(stalled)
  }

  @Test("With one slot, loads start in order, whatever their host")
  func single() async throws {
    pipeline.configuration.dataLoadingQueue.maxConcurrentOperationCount = 1
    let first = start("/held", of: other)
    try await other.waitUntil { $0.requests.count == 1 }
    let stalled = start("/a", of: slow)
    try await waitUntil { pipeline.configuration.dataLoadingQueue.status.waiting >= 1 }
    #expect(pipeline.configuration.dataLoadingQueue.status.running == 1)
    gate.open()
    _ = try await first.image
    try await slow.waitUntil { $0.requests.count == 1 }
    end([stalled])
  }

  @Test("With a custom loader, the limit of the queue is never exceeded")
  func ownLoader() async throws {
    let loader = FakeDataLoader { _ in .init([]) }
    let pipeline = ImagePipeline.fake(loader: loader)
    let tasks = (0..<20).map { pipeline.imageTask(with: imageURL("\($0)")) }
    await loader.requests(count: 6)
    let other = pipeline.imageTask(with: URL(string: "http://other.test/a")!)
    let queue = pipeline.configuration.dataLoadingQueue
    try await waitUntil { queue.status.waiting >= 15 }
    #expect(queue.status.running == 6)
    for task in tasks + [other] { task.cancel() }
  }

  @Test("While the queue is suspended, all loads wait")
  func suspended() async throws {
    let queue = pipeline.configuration.dataLoadingQueue
    queue.isSuspended = true
    let tasks = [start("/a", of: slow), start("/a", of: other)]
    try await waitUntil { queue.status.waiting >= 2 }
    #expect(queue.status.running == 0)
    queue.isSuspended = false
    #expect(try await tasks[1].image.pixelWidth == 4)
    end(tasks)
  }
}
