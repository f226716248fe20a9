import Foundation
import NukeTesting
import Testing

@testable import Nuke

@Suite("Events of a load", .timeLimit(.minutes(1)))
struct EventTests {
  let url = imageURL("a.png")
  let data = SampleImage.png(width: 20, height: 10)

  /// A load whose every part comes when its gate is opened, and has been delivered when `open()` returns.
  private func load(parts: Int) -> (task: ImageTask, gates: [Gate], loader: FakeDataLoader) {
    let loader = FakeDataLoader(delivery: .synchronous)
    let gates = (0..<parts).map { _ in Gate() }
    let size = (data.count + parts - 1) / parts
    loader.answer(url, with: .parts(of: data, cutAt: (1..<parts).map { $0 * size }, heldBy: gates))
    let pipeline = ImagePipeline.fake(loader: loader)
    return (pipeline.imageTask(with: url), gates, loader)
  }

  private func texts(_ events: AsyncStream<ImageTask.Event>) async -> [String] {
    var texts: [String] = []
    for await event in events {
      switch event {
      case .progress(let progress): texts.append("\(progress.completed) of \(progress.total)")
      case .preview: texts.append("a preview")
      case .finished(.success(let response)): texts.append("\(response.image.pixelWidth) pixels wide")
      case .finished(.failure(let error)): texts.append("\(error)")
      }
    }
    return texts
  }

  @Test("The events are the progress of each chunk and then one end")
  func order() async {
    let (task, gates, loader) = load(parts: 3)
    let events = task.events
    await loader.requests(count: 1)
    for gate in gates { gate.open() }
    let size = (data.count + 2) / 3
    let all = data.count
    #expect(
      await texts(events) == ["\(size) of \(all)", "\(size * 2) of \(all)", "\(all) of \(all)", "20 pixels wide"])
  }

  @Test("Each of several streams receives all events")
  func streams() async {
    let (task, gates, loader) = load(parts: 2)
    let streams = (0..<3).map { _ in task.events }
    await loader.requests(count: 1)
    for gate in gates { gate.open() }
    var all: [[String]] = []
    for stream in streams { all.append(await texts(stream)) }
    #expect(all[0].count == 3)
    #expect(all[1] == all[0])
    #expect(all[2] == all[0])
  }

  @Test("A late stream begins with the current progress")
  func late() async {
    let (task, gates, _) = load(parts: 2)
    await gates[0].arrivals(count: 1)
    gates[0].open()
    let events = task.events
    gates[1].open()
    let size = (data.count + 1) / 2
    #expect(await texts(events) == ["\(size) of \(data.count)", "\(data.count) of \(data.count)", "20 pixels wide"])
  }

  @Test("A stream after the end receives only the end")
  func afterTheEnd() async throws {
    let (task, gates, _) = load(parts: 1)
    gates[0].open()
    _ = try await task.image
    #expect(await texts(task.events) == ["20 pixels wide"])
    #expect(await texts(task.events) == ["20 pixels wide"])
  }

  @Test("After its progress, a failed load has its error as the only other event")
  func failed() async {
    let loader = FakeDataLoader { [data] _ in .failure(FakeDataLoader.Failure.noAnswer(nil), after: [data.prefix(5)]) }
    let task = ImagePipeline.fake(loader: loader).imageTask(with: url)
    #expect(await texts(task.events) == ["5 of 5", "Failed to load image data. Underlying error: noAnswer(nil)."])
  }

  @Test("After its progress, a canceled load has the cancellation as the only other event")
  func canceled() async {
    let (task, gates, _) = load(parts: 2)
    let events = task.events
    await gates[0].arrivals(count: 1)
    gates[0].open()
    task.cancel()
    let size = (data.count + 1) / 2
    #expect(await texts(events) == ["\(size) of \(data.count)", "The image task was canceled."])
  }

  @Test("A memory hit has one event")
  func memory() async {
    let pipeline = ImagePipeline.fake()
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 5, height: 5))
    #expect(await texts(pipeline.imageTask(with: url).events) == ["5 pixels wide"])
  }

  @Test("The progress stream contains only progress")
  func progress() async {
    let (task, gates, loader) = load(parts: 2)
    let progress = task.progress
    await loader.requests(count: 1)
    for gate in gates { gate.open() }
    var counts: [Int64] = []
    for await step in progress { counts.append(step.completed) }
    #expect(counts == [Int64((data.count + 1) / 2), Int64(data.count)])
  }

  @Test("The state of the task follows the events")
  func state() async throws {
    let (task, gates, _) = load(parts: 2)
    await gates[0].arrivals(count: 1)
    #expect(task.state == .running)
    #expect(task.currentProgress == .init(completed: 0, total: 0))
    #expect(task.currentProgress.fraction == 0)
    gates[0].open()
    #expect(task.currentProgress.completed == Int64((data.count + 1) / 2))
    #expect(task.currentProgress.fraction > 0.4)
    #expect(task.status.progress == task.currentProgress)
    #expect(task.status.result == nil)
    gates[1].open()
    _ = try await task.image
    #expect(task.state == .completed)
    #expect(task.status.result != nil)
  }

  @Test("All waiters receive the same outcome")
  func awaiters() async throws {
    let (task, gates, _) = load(parts: 1)
    let waiting = (0..<20).map { _ in Task { try await task.image } }
    gates[0].open()
    let image = try await task.image
    for waiting in waiting { #expect(try await waiting.value === image) }
  }

  @Test("Waiters that arrive while the end is logged and traced wait for that")
  func untold() async {
    var guarded = ImageTask.LockedState(priority: .normal)
    #expect(guarded.end(.failure(.cancelled), facts: nil, asCancelled: true) != nil)
    await withUnsafeContinuation { waiter in
      let waits = guarded.wait(waiter)
      #expect(waits)
      if waits { guarded.takeWaiters().resume() } else { waiter.resume() }
    }
    await withUnsafeContinuation { waiter in
      let waits = guarded.wait(waiter)
      #expect(!waits)
      waiter.resume()
    }
  }

  @Test("A stream that is created during delivery receives no event twice")
  func mailbox() async {
    var guarded = ImageTask.LockedState(priority: .normal)
    let first = AsyncStream<ImageTask.Event>.makeStream()
    guarded.listen(first.continuation)
    let hasMail = guarded.note(.init(completed: 1, total: 3))
    #expect(hasMail)
    let hasMore = guarded.note(.init(completed: 2, total: 3))
    #expect(!hasMore, "somebody delivers already")
    let second = AsyncStream<ImageTask.Event>.makeStream()
    guarded.listen(second.continuation)
    while let mail = guarded.takeDelivery() { mail.deliver() }
    first.continuation.finish()
    second.continuation.finish()
    #expect(await texts(first.stream) == ["1 of 3", "2 of 3"])
    #expect(await texts(second.stream) == ["1 of 3", "2 of 3"])
  }
}

@Suite("The progress of a load")
struct ProgressTests {
  @Test(
    "The fraction is from 0 to 1, whatever the source states",
    arguments: [(0, 0, 0), (5, 0, 0), (5, 10, 0.5), (10, 10, 1), (20, 10, 1)] as [(Int64, Int64, Float)])
  func fraction(completed: Int64, total: Int64, expected: Float) {
    #expect(ImageTask.Progress(completed: completed, total: total).fraction == expected)
  }
}
