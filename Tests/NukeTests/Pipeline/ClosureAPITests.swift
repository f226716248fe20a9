import Dispatch
import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Loading with completion handlers", .timeLimit(.minutes(1)))
struct ClosureAPITests {
  let url = imageURL("a.png")
  let original = SampleImage.png(width: 20, height: 10)
  let loader = FakeDataLoader()
  let log = CallLog()
  let pipeline: ImagePipeline

  init() {
    pipeline = .fake(loader: loader)
    loader.answer(url, with: .data(original))
  }

  private func text(_ result: Result<ImageResponse, ImagePipeline.Error>) -> String {
    switch result {
    case .success(let response): "\(response.image.pixelWidth) pixels wide"
    case .failure(let error): "\(error)"
    }
  }

  private func text(_ result: Result<(data: Data, response: URLResponse?), ImagePipeline.Error>) -> String {
    switch result {
    case .success(let loaded): "\(loaded.data.count) bytes, response \(loaded.response != nil)"
    case .failure(let error): "\(error)"
    }
  }

  // MARK: On the main actor

  @Test("The completion handler is called on the main actor, once")
  func completion() async {
    let (log, text) = (log, text as @Sendable (Result<ImageResponse, ImagePipeline.Error>) -> String)
    pipeline.loadImage(with: url) { result in
      MainActor.preconditionIsolated()
      log.append("url \(text(result))")
    }
    await log.entries(count: 1)
    pipeline.loadImage(with: ImageRequest(url: url, options: .disableMemoryCacheReads)) { result in
      MainActor.preconditionIsolated()
      log.append("request \(text(result))")
    }
    await log.entries(count: 2)
    await mainQueueDone()
    #expect(log.entries == ["url 20 pixels wide", "request 20 pixels wide"])
  }

  @Test("It is not called before the method returns, not even for a memory hit")
  @MainActor
  func memoryHit() async {
    let log = log
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 5, height: 5))
    let task = pipeline.loadImage(with: url) { log.append("\((try? $0.get())?.cacheType == .memory)") }
    #expect(task.state == .completed)
    #expect(log.entries.isEmpty)
    #expect(await log.entries(count: 1) == ["true"])
    #expect(loader.requests.isEmpty)
  }

  @Test("Progress is reported on the main actor, before the completion", arguments: [true, false])
  func progress(withURL: Bool) async {
    loader.answer(url, with: .data(original, chunkSize: original.count / 2 + 1))
    let log = log
    let progress: @MainActor @Sendable (ImageResponse?, Int64, Int64) -> Void = { preview, completed, total in
      MainActor.preconditionIsolated()
      log.append("\(preview == nil) \(completed) of \(total)")
    }
    let completion: @MainActor @Sendable (Result<ImageResponse, ImagePipeline.Error>) -> Void = { _ in
      log.append("end")
    }
    if withURL {
      pipeline.loadImage(with: url, progress: progress, completion: completion)
    } else {
      pipeline.loadImage(with: ImageRequest(url: url), progress: progress, completion: completion)
    }
    let all = original.count
    #expect(
      await log.entries(count: 3) == ["true \(all / 2 + 1) of \(all)", "true \(all) of \(all)", "end"])
  }

  @Test("Data is delivered on the main actor, after its progress")
  func data() async {
    let (log, text) = (
      log, text as @Sendable (Result<(data: Data, response: URLResponse?), ImagePipeline.Error>) -> String
    )
    let all = original.count
    pipeline.loadData(with: ImageRequest(url: url)) { result in
      MainActor.preconditionIsolated()
      log.append(text(result))
    }
    await log.entries(count: 1)
    pipeline.loadData(
      with: ImageRequest(url: url, processors: [FakeProcessor("p")]),
      progress: { log.append("\($0) of \($1)") }, completion: { log.append(text($0)) })
    #expect(
      await log.entries(count: 3) == [
        "\(all) bytes, response true", "\(all) of \(all)", "\(all) bytes, response true",
      ])
    #expect(pipeline.counters.decodes == 0)
  }

  @Test("A failed load completes with its error")
  func failure() async {
    let log = log
    pipeline.loadImage(with: ImageRequest(url: nil)) { log.append("\($0.error.map { "\($0)" } ?? "")") }
    #expect(
      await log.entries(count: 1) == ["Failed to load image data. Underlying error: The request has no valid URL."])
  }

  @Test("No closure is called after the task was canceled, but its waiter receives the error")
  func cancellation() async {
    let (gate, log) = (Gate(), log)
    loader.answer(url, with: .data(original).held(by: gate))
    let task = pipeline.loadImage(with: url) { log.append("\($0.error.map { "\($0)" } ?? "")") }
    loader.answer(imageURL("data"), with: .data(original).held(by: gate))
    let data = pipeline.loadData(with: ImageRequest(url: imageURL("data"))) {
      log.append("\($0.error.map { "\($0)" } ?? "")")
    }
    await loader.requests(count: 2)
    task.cancel()
    data.cancel()
    gate.open()
    for task in [task, data] {
      let error = await #expect(throws: ImagePipeline.Error.self) { try await task.response }
      guard case .cancelled? = error else { Issue.record("\(task) ended with \(String(describing: error))"); continue }
    }
    await mainQueueDone()
    #expect(log.entries == [])
  }

  @Test("An image that is on its way to the queue is not delivered after a cancellation")
  func cancellationOnTheWay() async throws {
    let (log, queue) = (log, DispatchQueue(label: "suspended"))
    queue.suspend()
    let task = pipeline.loadImage(
      with: ImageRequest(url: url), on: queue, progress: { _, _, _ in log.append("progress") },
      completion: { _ in log.append("end") })
    _ = try await task.response
    task.cancel()
    queue.resume()
    queue.sync {}
    #expect(log.entries == [])
  }

  @Test("The completion handler is optional")
  func noCompletion() async throws {
    let task = pipeline.loadImage(with: url)
    #expect(try await task.image.pixelWidth == 20)
    #expect(pipeline.cache[url] != nil)
    let resized = ImageRequest(url: url, processors: [FakeProcessor("p")])
    _ = try await pipeline.loadImage(with: resized).image
    #expect(pipeline.cache[resized] != nil)
  }

  // MARK: On a queue, or on none

  @Test("Closures are called on the given queue, progress first")
  func queue() async {
    let (log, key) = (log, DispatchSpecificKey<String>())
    let queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: "callbacks")
    let place: @Sendable () -> String = { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }
    pipeline.loadImage(
      with: ImageRequest(url: url), on: queue, progress: { _, _, _ in log.append("progress \(place())") },
      completion: { _ in log.append("end \(place())") })
    #expect(await log.entries(count: 2) == ["progress callbacks", "end callbacks"])
    pipeline.loadData(
      with: ImageRequest(url: url), on: queue, progress: { _, _ in log.append("progress \(place())") },
      completion: { _ in log.append("end \(place())") })
    #expect(await log.entries(count: 4).suffix(2) == ["progress callbacks", "end callbacks"])
  }

  @Test("Without a queue, closures are called on a thread of the pipeline, progress first")
  func noQueue() async {
    let log = log
    let all = original.count
    let place: @Sendable () -> String = { WorkerPool.isWorker ? "on a worker" : "elsewhere" }
    pipeline.loadImage(
      with: ImageRequest(url: url), on: nil, progress: { _, completed, _ in log.append("\(completed) \(place())") },
      completion: { log.append("\((try? $0.get())?.image.pixelWidth ?? 0) pixels \(place())") })
    #expect(await log.entries(count: 2) == ["\(all) on a worker", "20 pixels on a worker"])
    pipeline.loadData(
      with: ImageRequest(url: url), on: nil, progress: { completed, _ in log.append("\(completed) \(place())") },
      completion: { log.append("\((try? $0.get())?.data.count ?? 0) bytes \(place())") })
    #expect(await log.entries(count: 4).suffix(2) == ["\(all) on a worker", "\(all) bytes on a worker"])
  }

  @Test("Without a queue, a memory hit completes before the method returns")
  func memoryHitOnNoQueue() {
    let log = log
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 5, height: 5))
    pipeline.loadImage(with: ImageRequest(url: url), on: nil) {
      log.append("\((try? $0.get())?.image.pixelWidth ?? 0)")
    }
    #expect(log.entries == ["5"])
  }

  @Test("No closure is called after a cancellation, with or without a queue")
  func cancellationElsewhere() async {
    let (gate, log, queue) = (Gate(), log, DispatchQueue(label: "queue"))
    loader.answer(url, with: .data(original).held(by: gate))
    pipeline.loadImage(with: ImageRequest(url: url), on: nil) { _ in log.append("on no queue") }.cancel()
    pipeline.loadData(with: ImageRequest(url: url), on: queue) { _ in log.append("on a queue") }.cancel()
    queue.sync {}
    #expect(log.entries == [])
  }
}
