import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("A pipeline under load", .timeLimit(.minutes(20)))
struct StressTests {
  private struct Tally: Sendable {
    var images = 0
    var cancelled = 0
    var failed = 0
    var streams = 0
    var tasks: [Trace] = []
    /// Pages of memory that the process had, now and then.
    var residentPages: [Int] = []

    static func + (lhs: Tally, rhs: Tally) -> Tally {
      Tally(
        images: lhs.images + rhs.images, cancelled: lhs.cancelled + rhs.cancelled,
        failed: lhs.failed + rhs.failed, streams: lhs.streams + rhs.streams, tasks: lhs.tasks + rhs.tasks,
        residentPages: lhs.residentPages + rhs.residentPages)
    }
  }

  /// `NUKE_STRESS_LOADS=100000` makes it the proof that is run before a release.
  private static let loads = ProcessInfo.processInfo.environment["NUKE_STRESS_LOADS"].flatMap { Int($0) } ?? 20_000
  private static let users = 8

  /// A task that is not kept.
  private struct Trace: Sendable {
    weak var task: ImageTask?
  }

  @Test("Every task ends exactly once, and nothing is retained", arguments: [1] as [UInt64])
  func everyTaskEnds(seed: UInt64) async throws {
    let images = (0..<8).map { SampleImage.jpeg(width: 16 + $0, height: 16) }
    let loader = Self.loader(of: images)
    let budget = DecodeBudget(limit: 64 << 10)
    let pipeline = ImagePipeline(
      configuration: .fake(loader: loader, imageCache: ImageCache(costLimit: 1 << 20, countLimit: 40)),
      decodeBudget: budget)
    let tally = await withTaskGroup(of: Tally.self) { group in
      for user in 0..<UInt64(Self.users) {
        group.addTask { await Self.use(pipeline, SeededGenerator(seed: seed &* 1000 &+ user)) }
      }
      return await group.reduce(Tally(), +)
    }
    #expect(tally.images + tally.cancelled + tally.failed == Self.loads, "seed \(seed)")
    #expect(tally.images > 0 && tally.cancelled > 0 && tally.failed > 0 && tally.streams > 0)
    #expect(pipeline.load == (0, 0), "seed \(seed)")
    // Decodes that were canceled while they ran end before the next one of the same queue.
    let last = ImageRequest(url: imageURL("0"), options: .disableMemoryCacheReads)
    _ = try await pipeline.image(for: last)
    #expect(budget.usedByteCount == 0, "seed \(seed)")
    #expect(pipeline.load == (0, 0), "seed \(seed)")
    #expect(tally.tasks.count == Self.loads)
    #expect(tally.tasks.count { $0.task != nil } == 0, "seed \(seed)")
    if let first = tally.residentPages.first, let most = tally.residentPages.max() {
      print("resident pages after a tenth and at most: \(first), \(most)")
      // The traces of the tasks themselves take 16 bytes each.
      #expect(most < first + first / 4 + 4096, "\(tally.residentPages)")
    }
  }

  /// `nil` if the test is not run for its memory, since others run beside it then.
  private static var residentPages: Int? {
    guard ProcessInfo.processInfo.environment["NUKE_STRESS_LOADS"] != nil,
      let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  /// Answers late, in parts, with failures, or not at all. It keeps nothing, which a fake that counts would.
  private static func loader(of images: [Data]) -> ClosureLoader {
    let queue = DispatchQueue(label: "loader")
    return ClosureLoader { request, didReceive, completion in
      let flag = Flag()
      queue.async {
        let number = Int(request.url!.lastPathComponent)!
        guard number % 23 != 22 else { return completion(FakeDataLoader.Failure.noAnswer(nil)) }
        let data = images[number % 8]
        let size = number % 3 == 0 ? 100 : data.count
        for start in stride(from: 0, to: data.count, by: size) {
          guard !flag.isSet else { return completion(FakeDataLoader.Failure.cancelled) }
          didReceive(data.subdata(in: start..<min(start + size, data.count)), response(to: request, length: data.count))
        }
        completion(nil)
      }
      return { flag.set() }
    }
  }

  private final class Flag: Sendable {
    private let value = Lock(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  private static func use(_ pipeline: ImagePipeline, _ generator: SeededGenerator) async -> Tally {
    var random = generator
    var tally = Tally()
    var waiting: [ImageTask] = []
    var streams: [Task<Bool, Never>] = []
    for number in 1...loads / users {
      let task = pipeline.imageTask(with: request(&random))
      tally.tasks.append(Trace(task: task))
      if number % (loads / users / 10) == 0, let pages = residentPages { tally.residentPages.append(pages) }
      if Int.random(in: 0..<20, using: &random) == 0 {
        let events = task.events
        streams.append(Task { await hasOneEndAtTheEnd(events) })
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: task.cancel()
      case 2:
        await Task.yield()
        task.cancel()
      case 3: task.priority = ImageRequest.Priority.allCases.randomElement(using: &random)!
      case 4:
        let waiter = Task { try? await task.image }
        waiter.cancel()
      case 5: _ = task.status.result
      default: break
      }
      waiting.append(task)
      if waiting.count > 30 {
        if Bool.random(using: &random) { waiting.randomElement(using: &random)?.cancel() }
        for task in waiting.prefix(20) { await count(task, &tally) }
        waiting.removeFirst(20)
        if streams.count > 20 { await check(&streams, &tally) }
      }
    }
    for task in waiting { await count(task, &tally) }
    await check(&streams, &tally)
    return tally
  }

  private static func request(_ random: inout SeededGenerator) -> ImageRequest {
    var request = ImageRequest(
      url: imageURL("\(Int.random(in: 0..<200, using: &random))"),
      priority: ImageRequest.Priority.allCases.randomElement(using: &random)!)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: request.processors = [.resize(width: 8, unit: .pixels)]
    case 2: request.processors = [.resize(width: 8, unit: .pixels), FakeProcessor("p")]
    case 3: request.thumbnail = .init(maxPixelSize: 4)
    case 4: request.options = .disableMemoryCacheReads
    default: break
    }
    return request
  }

  private static func check(_ streams: inout [Task<Bool, Never>], _ tally: inout Tally) async {
    for stream in streams {
      let isRight = await stream.value
      #expect(isRight)
      tally.streams += 1
    }
    streams = []
  }

  private static func count(_ task: ImageTask, _ tally: inout Tally) async {
    do throws(ImagePipeline.Error) {
      _ = try await task.image
      tally.images += 1
    } catch .cancelled {
      tally.cancelled += 1
    } catch {
      tally.failed += 1
    }
  }

  private static func hasOneEndAtTheEnd(_ events: AsyncStream<ImageTask.Event>) async -> Bool {
    var ends = 0
    for await event in events {
      if ends > 0 { return false }
      if case .finished = event { ends += 1 }
    }
    return ends == 1
  }
}
