import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Priorities of loads", .timeLimit(.minutes(1)))
struct PriorityTests {
  let log = CallLog()
  let loader: FakeDataLoader
  let pipeline: ImagePipeline
  let queue = TaskQueue(maxConcurrentOperationCount: 1)

  init() {
    let queue = queue
    loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
    pipeline = .fake(loader: loader) { $0.dataLoadingQueue = queue }
    queue.isSuspended = true
  }

  private func start(_ name: String, _ priority: ImageRequest.Priority = .normal) -> ImageTask {
    pipeline.imageTask(
      with: ImageRequest(url: URL(string: "http://pictures.test/")!.appendingPathComponent(name), priority: priority))
  }

  /// The names of what was loaded, in order, once all has been.
  private func order(of tasks: [ImageTask]) async throws -> [String] {
    queue.isSuspended = false
    for task in tasks { _ = try await task.image }
    return loader.requests.map { $0.url!.lastPathComponent }
  }

  @Test("The highest priority starts first")
  func order() async throws {
    let tasks = [start("a", .low), start("b"), start("c", .veryHigh), start("d", .veryLow), start("e")]
    #expect(try await order(of: tasks) == ["c", "b", "e", "a", "d"])
  }

  @Test("A changed priority applies immediately")
  func change() async throws {
    let tasks = ["a", "b", "c"].map { start($0) }
    tasks[2].priority = .high
    #expect(tasks[2].priority == .high)
    #expect(tasks[2].status.priority == .high)
    #expect(try await order(of: tasks) == ["c", "a", "b"])
  }

  @Test("A priority reaches the download through all steps")
  func chain() async throws {
    let processors = [FakeProcessor("p"), FakeProcessor("q")]
    let first = start("a")
    let second = pipeline.imageTask(with: ImageRequest(url: imageURL("b"), processors: processors))
    second.priority = .high
    #expect(try await order(of: [first, second]) == ["b", "a"])
  }

  @Test("Shared work has the highest priority of its tasks")
  func shared() async throws {
    let tasks = [start("a"), start("b", .low), start("b", .high)]
    #expect(try await order(of: tasks) == ["b", "a"])
  }

  @Test("The priority of shared work falls when the urgent task leaves")
  func leaving() async throws {
    let (low, other) = (start("b", .low), start("a"))
    let urgent = start("b", .veryHigh)
    urgent.cancel()
    #expect(try await order(of: [low, other]) == ["a", "b"])
  }

  @Test("The priority of shared work falls when the urgent task becomes less urgent")
  func lowering() async throws {
    let (low, other) = (start("b", .low), start("a"))
    let urgent = start("b", .veryHigh)
    urgent.priority = .veryLow
    #expect(try await order(of: [low, other, urgent]) == ["a", "b"])
  }

  @Test("Changing the priority of a finished task has no effect")
  func afterTheEnd() async throws {
    let task = start("a")
    _ = try await order(of: [task])
    task.priority = .veryHigh
    #expect(task.priority == .veryHigh)
    #expect(pipeline.load == (0, 0))
  }

  @Test("The most recently set priority applies, from any thread")
  func concurrentChanges() async throws {
    for number in 0..<100 {
      queue.isSuspended = true
      let tasks = [start("other \(number)"), start("changed \(number)")]
      await withTaskGroup(of: Void.self) { group in
        for priority in [ImageRequest.Priority.low, .high, .low, .high] {
          group.addTask { tasks[1].priority = priority }
        }
      }
      let expected =
        tasks[1].priority == .high
        ? ["changed \(number)", "other \(number)"] : ["other \(number)", "changed \(number)"]
      #expect(try await order(of: tasks).suffix(2) == expected)
    }
  }
}
