import Foundation
import NukeTesting
import Testing

@testable import Nuke

@Suite("The events of a load", .timeLimit(.minutes(1)))
struct EventTests {
  let url = imageURL("a.png")
  let data = SampleImage.png(width: 20, height: 10)

  /// A load whose every part comes when its gate is opened, and has been delivered when `open()` returns.
  private func load(parts: Int) -> (task: ImageTask, gates: [Gate], loader: FakeDataLoader) {
    let loader = FakeDataLoader(delivery: .synchronous)
    let gates = (0..<parts).map { _ in Gate() }
    let size = (data.count + parts - 1) / parts
    var steps: [FakeDataLoader.Answer.Step] = []
    for (number, gate) in gates.enumerated() {
      steps += [.wait(gate), .chunk(data.dropFirst(number * size).prefix(size))]
    }
    loader.answer(url, with: .init(steps + [.complete(nil)]))
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

  @Test("are the progress of each part, then exactly one end")
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

  @Test("reach each of several streams in full")
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

  @Test("begin with the progress so far for a stream that comes late")
  func late() async {
    let (task, gates, loader) = load(parts: 2)
    await loader.requests(count: 1)
    gates[0].open()
    let events = task.events
    gates[1].open()
    let size = (data.count + 1) / 2
    #expect(await texts(events) == ["\(size) of \(data.count)", "\(data.count) of \(data.count)", "20 pixels wide"])
  }

  @Test("are the end alone for a stream that comes after it")
  func afterTheEnd() async throws {
    let (task, gates, _) = load(parts: 1)
    gates[0].open()
    _ = try await task.image
    #expect(await texts(task.events) == ["20 pixels wide"])
    #expect(await texts(task.events) == ["20 pixels wide"])
  }

  @Test("end with the error where the load fails, and with the cancellation where it is canceled")
  func failures() async {
    let loader = FakeDataLoader { _ in .failure(FakeDataLoader.Failure.noAnswer(nil)) }
    let pipeline = ImagePipeline.fake(loader: loader)
    #expect(await texts(pipeline.imageTask(with: url).events).last == "Failed to load the image data: noAnswer(nil).")
    let (task, _, held) = load(parts: 1)
    let events = task.events
    await held.requests(count: 1)
    task.cancel()
    #expect(await texts(events) == ["The image task was canceled."])
  }

  @Test("are one end alone for an image in memory")
  func memory() async {
    let pipeline = ImagePipeline.fake()
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 5, height: 5))
    #expect(await texts(pipeline.imageTask(with: url).events) == ["5 pixels wide"])
  }

  @Test("tell the progress alone in a stream of their own")
  func progress() async {
    let (task, gates, loader) = load(parts: 2)
    let progress = task.progress
    await loader.requests(count: 1)
    for gate in gates { gate.open() }
    var counts: [Int64] = []
    for await step in progress { counts.append(step.completed) }
    #expect(counts == [Int64((data.count + 1) / 2), Int64(data.count)])
  }

  @Test("show in the task's own state")
  func state() async throws {
    let (task, gates, loader) = load(parts: 2)
    await loader.requests(count: 1)
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

  @Test("give everyone who waits the same outcome")
  func awaiters() async throws {
    let (task, gates, _) = load(parts: 1)
    let waiting = (0..<20).map { _ in Task { try await task.image } }
    gates[0].open()
    let image = try await task.image
    for waiting in waiting { #expect(try await waiting.value === image) }
  }

  @Test("have those who come while the end is told to logs and tracers wait for that")
  func untold() async {
    var guarded = ImageTask.Guarded(priority: .normal)
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

  @Test("are not told twice to a stream that comes while others are being told")
  func mailbox() async {
    var guarded = ImageTask.Guarded(priority: .normal)
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

@Suite("Progress of a load")
struct ProgressTests {
  @Test(
    "is a fraction from 0 to 1, whatever the source says",
    arguments: [(0, 0, 0), (5, 0, 0), (5, 10, 0.5), (10, 10, 1), (20, 10, 1)] as [(Int64, Int64, Float)])
  func fraction(completed: Int64, total: Int64, expected: Float) {
    #expect(ImageTask.Progress(completed: completed, total: total).fraction == expected)
  }
}
