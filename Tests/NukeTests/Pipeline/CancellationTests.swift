import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Cancellation of loads", .timeLimit(.minutes(1)))
struct CancellationTests {
  let url = imageURL("a.jpg")
  let gate = Gate()
  let loader = FakeDataLoader()
  let pipeline: ImagePipeline

  init() {
    pipeline = .fake(loader: loader)
    loader.answer(url, with: .data(SampleImage.jpeg(width: 64, height: 48)).held(by: gate))
  }

  @Test("A canceled load ends at once, and so does its download")
  func download() async throws {
    let task = pipeline.imageTask(with: url)
    await loader.requests(count: 1)
    task.cancel()
    #expect(task.isCancelled)
    #expect(task.state == .cancelled)
    #expect(task.status.isCancelled)
    let error = task.status.result?.error
    guard case .cancelled = error else { throw Unexpected(error) }
    // The loader may have been about to give the transfer just then.
    #expect(await loader.cancelledRequests(count: 1).map(\.url) == [url])
    #expect(pipeline.load == (0, 0))
  }

  @Test("Work that another task needs continues")
  func sharedWork() async throws {
    let (first, second) = (pipeline.imageTask(with: url), pipeline.imageTask(with: url))
    await loader.requests(count: 1)
    first.cancel()
    gate.open()
    #expect(try await second.image.pixelWidth == 64)
    #expect(first.isCancelled)
    #expect(loader.cancelledRequests.isEmpty)
    #expect(loader.requests.count == 1)
  }

  @Test("Shared work stops when the last task leaves")
  func lastOne() async {
    let tasks = (0..<5).map { _ in pipeline.imageTask(with: url) }
    await loader.requests(count: 1)
    for task in tasks.dropLast() { task.cancel() }
    #expect(loader.cancelledRequests.isEmpty)
    tasks.last?.cancel()
    #expect(await loader.cancelledRequests(count: 1).count == 1)
    #expect(pipeline.load == (0, 0))
  }

  /// The ways to start a load that nobody awaits.
  enum Start: CaseIterable {
    case task, closure, closureOnQueue, dataClosure, dataClosureOnQueue

    func callAsFunction(_ request: ImageRequest, on pipeline: ImagePipeline) -> ImageTask {
      switch self {
      case .task: pipeline.imageTask(with: request)
      case .closure: pipeline.loadImage(with: request) { _ in }
      case .closureOnQueue: pipeline.loadImage(with: request, on: nil) { _ in }
      case .dataClosure: pipeline.loadData(with: request) { _ in }
      case .dataClosureOnQueue: pipeline.loadData(with: request, on: nil) { _ in }
      }
    }
  }

  @Test(
    "A load that is canceled right after its creation, while its download is queued, never calls the loader",
    arguments: Start.allCases)
  func queuedDownload(start: Start) async throws {
    let next = imageURL("next.jpg")
    loader.answer(next, with: .data(SampleImage.jpeg(width: 8, height: 8)))
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    let task = start(ImageRequest(url: url), on: pipeline)
    task.cancel()
    #expect(pipeline.load == (0, 0))
    let other = start(ImageRequest(url: next), on: pipeline)
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    _ = try await other.response
    #expect(loader.requests.map(\.url) == [next])
    #expect(loader.cancelledRequests.isEmpty)
  }

  @Test("An async load in a Swift task that is canceled already never calls the loader", arguments: [true, false])
  func cancelledBeforeLoading(loadsData: Bool) async throws {
    let request = ImageRequest(url: url)
    let waiting = Task { [pipeline] in
      withUnsafeCurrentTask { $0?.cancel() }
      guard loadsData else { return await loadFailure(try await pipeline.image(for: request)) }
      return await loadFailure(try await pipeline.data(for: request))
    }
    let error = try await waiting.value
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(loader.requests.isEmpty)
    #expect(pipeline.load == (0, 0))
  }

  @Test("A queued decode is removed, and returns its share of the budget")
  func queuedDecode() async throws {
    let budget = DecodeBudget(limit: 1000)
    let decoder = ScriptedDecoder(byteCount: 600, gate: Gate(isOpen: true))
    let pipeline = ImagePipeline(
      configuration: .fake(loader: loader) { $0.makeImageDecoder = { _ in decoder } }, decodeBudget: budget)
    pipeline.configuration.imageDecodingQueue.isSuspended = true
    gate.open()
    let task = pipeline.imageTask(with: url)
    await decoder.queued(count: 1)
    #expect(budget.usedByteCount == 600)
    task.cancel()
    #expect(budget.usedByteCount == 0)
    pipeline.configuration.imageDecodingQueue.isSuspended = false
    _ = try await pipeline.image(for: url)
    #expect(decoder.log.entries == ["done"], "of the second task alone")
  }

  @Test("A queued processing step is removed")
  func queuedProcessing() async throws {
    let log = CallLog()
    let decoder = FakeDecoder(SampleImage.bitmap(width: 4, height: 4), isAsynchronous: false)
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.makeImageDecoder = { _ in decoder }
      $0.imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: 1)
      $0.imageProcessingQueue.isSuspended = true
    }
    gate.open()
    let tasks = ["a", "b"].map {
      pipeline.imageTask(with: ImageRequest(url: url, processors: [FakeProcessor($0, log: log)]))
    }
    await decoder.decodes(count: 1)
    tasks[0].cancel()
    pipeline.configuration.imageProcessingQueue.isSuspended = false
    _ = try await tasks[1].image
    #expect(log.entries == ["process b"])
  }

  @Test("The Swift task of a closure is canceled")
  func closure() async {
    let log = CallLog()
    let request = ImageRequest(
      id: "mine",
      data: { [gate] in
        log.append("begins")
        await gate.wait()
        log.append(Task.isCancelled ? "cancelled" : "not cancelled")
        return Data()
      })
    let task = pipeline.imageTask(with: request)
    await log.entries(count: 1)
    task.cancel()
    #expect(await log.entries(count: 2) == ["begins", "cancelled"])
  }

  @Test("A closure that has not started is not called")
  func queuedClosure() async throws {
    let log = CallLog()
    func request(_ name: String) -> ImageRequest {
      ImageRequest(
        id: name,
        image: {
          log.append(name)
          return ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
        })
    }
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    let tasks = [pipeline.imageTask(with: request("a")), pipeline.imageTask(with: request("b"))]
    tasks[0].cancel()
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    _ = try await tasks[1].image
    #expect(log.entries == ["b"])
  }

  @Test("Canceling the Swift task that awaits the image cancels the load")
  func swiftTask() async throws {
    let waiting = Task { [pipeline, url] in await loadFailure(try await pipeline.image(for: url)) }
    await loader.requests(count: 1)
    waiting.cancel()
    let error = try await waiting.value
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(await loader.cancelledRequests(count: 1).count == 1)
  }

  @Test("A Swift task that was already canceled cancels the load when it awaits it")
  func cancelledBefore() async throws {
    let task = pipeline.imageTask(with: url)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await loadFailure(try await task.response)
    }
    let error = try await waiting.value
    guard case .cancelled = error else { throw Unexpected(error) }
    #expect(task.isCancelled)
  }

  @Test("All waiters of the task receive the cancellation")
  func awaiters() async throws {
    let task = pipeline.imageTask(with: url)
    let waiting = (0..<10).map { _ in Task { await loadFailure(try await task.image) } }
    await loader.requests(count: 1)
    task.cancel()
    for waiting in waiting {
      let error = try await waiting.value
      guard case .cancelled = error else { throw Unexpected(error) }
    }
  }

  @Test("Canceling a finished load sets isCancelled, keeps state and result, and cancels no transfer")
  func afterTheEnd() async throws {
    gate.open()
    let task = pipeline.imageTask(with: url)
    let image = try await task.image
    #expect(!task.isCancelled)
    task.cancel()
    #expect(task.isCancelled)
    #expect(task.state == .completed)
    #expect(try await task.image === image)
    #expect(loader.cancelledRequests.isEmpty)
  }

  @Test("The same image can be loaded again")
  func anew() async throws {
    let task = pipeline.imageTask(with: url)
    await loader.requests(count: 1)
    task.cancel()
    gate.open()
    #expect(try await pipeline.image(for: url).pixelWidth == 64)
    #expect(loader.requests.count == 2)
  }
}

extension HoldingWorkers {
  @Suite("Cancellation during decoding")
  struct RunningDecodeTests {
    @Test("The decoder is asked to stop, and the budget is returned when it does")
    func running() async throws {
      let loader = FakeDataLoader { _ in .data(Data([1])) }
      let budget = DecodeBudget(limit: 1000)
      let decoder = ScriptedDecoder(byteCount: 600)
      let pipeline = ImagePipeline(
        configuration: .fake(loader: loader) { $0.makeImageDecoder = { _ in decoder } }, decodeBudget: budget)
      let task = pipeline.imageTask(with: imageURL("a"))
      await decoder.gate.arrivals(count: 1)
      task.cancel()
      #expect(budget.usedByteCount == 600, "the decoder still works")
      decoder.gate.open()
      // One decode at a time: when the next has ended, so has that one.
      _ = try await pipeline.image(for: imageURL("b"))
      #expect(decoder.log.entries == ["told to stop", "done"])
      #expect(budget.usedByteCount == 0)
    }
  }
}
