import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The decode budget of a pipeline", .timeLimit(.minutes(1)))
struct DecodeBudgetPipelineTests {
  private let loader = FakeDataLoader { _ in .data(Data([1])) }

  private func pipeline(_ budget: DecodeBudget, _ decoder: ScriptedDecoder, atOnce: Int = 1) -> ImagePipeline {
    ImagePipeline(
      configuration: .fake(loader: loader) {
        $0.makeImageDecoder = { _ in decoder }
        $0.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: atOnce)
      }, decodeBudget: budget)
  }

  @Test("Concurrent large images never exceed the budget")
  func limit() async throws {
    let budget = DecodeBudget(limit: 2500)
    let most = Lock(0)
    let decoder = ScriptedDecoder(byteCount: 1000, gate: Gate(isOpen: true)) {
      most.withLock { $0 = max($0, budget.usedByteCount) }
    }
    let pipeline = pipeline(budget, decoder, atOnce: 10)
    let tasks = (0..<10).map { pipeline.imageTask(with: imageURL("\($0)")) }
    for task in tasks { _ = try await task.image }
    #expect(decoder.log.entries.count == 10)
    #expect((1000...2000).contains(most.withLock { $0 }))
    #expect(budget.usedByteCount == 0)
  }

  @Test("An image that exceeds the whole budget is decoded")
  func oversized() async throws {
    let budget = DecodeBudget(limit: 100)
    let decoder = ScriptedDecoder(byteCount: 1_000_000, gate: Gate(isOpen: true))
    let pipeline = pipeline(budget, decoder)
    let tasks = (0..<3).map { pipeline.imageTask(with: imageURL("\($0)")) }
    for task in tasks { _ = try await task.image }
    #expect(budget.usedByteCount == 0)
  }

  @Test("A canceled waiting decode leaves the queue")
  func cancellingWaiting() async throws {
    let budget = DecodeBudget(limit: 1000)
    let occupant = Occupant(bytes: 1000)
    #expect(budget.enter(occupant))
    let decoder = ScriptedDecoder(byteCount: 900, gate: Gate(isOpen: true))
    let pipeline = pipeline(budget, decoder)
    let tasks = (0..<3).map { pipeline.imageTask(with: imageURL("\($0)")) }
    await loader.requests(count: 3)
    tasks[0].cancel()
    tasks[1].cancel()
    budget.leave(1000)
    _ = try await tasks[2].image
    #expect(decoder.log.entries == ["done"])
    #expect(budget.usedByteCount == 0)
  }

  @Test("The decode whose priority is highest by now comes first")
  func raisingPriority() async throws {
    let budget = DecodeBudget(limit: 1000)
    #expect(budget.enter(Occupant(bytes: 1000)))
    let log = CallLog()
    let urls = ["first", "second", "urgent"].map { imageURL($0) }
    let decoders = Dictionary(
      uniqueKeysWithValues: urls.map { url in
        (
          url,
          ScriptedDecoder(byteCount: 900, gate: Gate(isOpen: true)) { log.append(url.lastPathComponent) }
        )
      })
    let pipeline = ImagePipeline(
      configuration: .fake(loader: loader) {
        $0.makeImageDecoder = { context in context.request.url.flatMap { decoders[$0] } }
      }, decodeBudget: budget)
    var tasks: [ImageTask] = []
    for (index, url) in urls.enumerated() {
      tasks.append(pipeline.imageTask(with: url))
      try await waitUntil { budget.waitingCount > index }
    }
    tasks[2].priority = .veryHigh
    budget.leave(1000)
    for task in tasks { _ = try await task.image }
    #expect(log.entries == ["urgent", "first", "second"])
  }

  @Test("A failed decode returns its share")
  func failing() async throws {
    let budget = DecodeBudget(limit: 1 << 30)
    let truncated = SampleImage.png(width: 200, height: 200).prefix(2000)
    let loader = FakeDataLoader { _ in .data(truncated) }
    let pipeline = ImagePipeline(
      configuration: .fake(loader: loader) {
        $0.makeImageDecoder = { ImageDecoders.Default(context: $0, tolerance: .strict) }
      }, decodeBudget: budget)
    let error = await loadFailure(try await pipeline.image(for: imageURL("a.png")))
    guard case .decodingFailed = error else { throw Unexpected(error) }
    #expect(budget.usedByteCount == 0)
  }

  private final class Occupant: DecodeBudget.Waiter {
    let wantedBytes: Int
    let currentPriority = WorkPriority.normal
    init(bytes: Int) { wantedBytes = bytes }
    func hasRoom() {}
  }
}
