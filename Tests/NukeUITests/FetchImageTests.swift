import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import NukeUI
import Testing

@Suite("FetchImage", .timeLimit(.minutes(1)))
@MainActor struct FetchImageTests {
  let url = URL(string: "http://pictures.test/a.png")!
  let held = URL(string: "http://pictures.test/held.png")!
  let gate = Gate()
  let loader = FakeDataLoader()
  let log = CallLog()
  let pipeline: ImagePipeline
  let image = FetchImage()

  init() {
    pipeline = .fake(loader: loader)
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)))
    loader.answer(held, with: .data(SampleImage.png(width: 8, height: 8), chunkSize: 40).held(by: gate, afterChunks: 1))
    image.pipeline = pipeline
    image.onStart = { [log] in log.append("start \($0.request.url?.lastPathComponent ?? "")") }
    image.onCompletion = { [log] result in
      log.append("complete \((try? result.get().image.pixelWidth) ?? 0)")
    }
  }

  // MARK: Loading

  @Test("It has the image after the load has completed")
  func loads() async throws {
    image.load(url)
    #expect(image.isLoading)
    #expect(image.image == nil && image.result == nil)
    #expect(await log.entries(count: 2) == ["start a.png", "complete 20"])
    #expect(!image.isLoading)
    #expect(image.image?.pixelWidth == 20)
    #expect(try image.result?.get().image === image.image)
    #expect(image.error == nil)
  }

  @Test("It has an image from memory before the call returns, without starting a task")
  func memoryHit() throws {
    let cached = SampleImage.bitmap(width: 4, height: 4)
    pipeline.cache[url] = ImageContainer(image: cached)
    image.load(url)
    #expect(image.image === cached)
    #expect(try image.result?.get().cacheType == .memory)
    #expect(!image.isLoading)
    #expect(log.entries == ["complete 4"])
  }

  @Test("It fails immediately without a request", arguments: 0..<2)
  func nothing(kind: Int) {
    image.load(url)
    if kind == 0 { image.load(nil as URL?) } else { image.load(nil as ImageRequest?) }
    guard case .imageRequestMissing = image.error as? ImagePipeline.Error else {
      Issue.record("failed with \(String(describing: image.error))")
      return
    }
    #expect(!image.isLoading)
    #expect(log.entries == ["start a.png", "complete 0"])
  }

  @Test("It has the error if the load fails")
  func failure() async {
    loader.answer(url, with: .data(Data()))
    image.load(url)
    await log.entries(count: 2)
    guard case .dataIsEmpty = image.error as? ImagePipeline.Error else {
      Issue.record("failed with \(String(describing: image.error))")
      return
    }
    #expect(image.image == nil && !image.isLoading)
  }

  @Test("It applies its processors if the request has none")
  func processors() async {
    image.processors = [.resize(width: 10, unit: .pixels)]
    image.load(url)
    await log.entries(count: 2)
    #expect(image.image?.pixelWidth == 10)
    image.load(ImageRequest(url: url, processors: [.resize(width: 5, unit: .pixels)]))
    await log.entries(count: 4)
    #expect(image.image?.pixelWidth == 5)
  }

  @Test("Its priority applies to its loads, and can change while they run")
  func priority() {
    var task: ImageTask?
    image.onStart = { task = $0 }
    image.load(ImageRequest(url: held, priority: .low))
    #expect(task?.priority == .low)
    image.priority = .veryHigh
    #expect(task?.priority == .veryHigh)
    image.priority = nil
    #expect(task?.priority == .low)
    image.priority = .high
    image.load(held)
    #expect(task?.request.priority == .high)
    #expect(task?.priority == .high)
  }

  @Test("It publishes progress and previews")
  func progress() async throws {
    var writer = JPEGWriter(quality: 0.9)
    writer.isProgressive = true
    let data = try writer.encode(SampleImage.bitmap(width: 160, height: 120))
    let half = data.count / 2 + 1
    loader.answer(url, with: .data(data, chunkSize: half).held(by: gate, afterChunks: 1))
    image.pipeline = .fake(loader: loader) {
      $0.isProgressiveDecodingEnabled = true
      $0.progressiveDecodingInterval = 0
    }
    image.load(url)
    try await waitUntil { image.imageContainer != nil }
    #expect(image.imageContainer?.isPreview == true)
    #expect(image.isLoading && image.result == nil)
    #expect(image.progress.completed == Int64(half) && image.progress.total == Int64(data.count))
    #expect(image.progress.fraction > 0.5 && image.progress.fraction < 1)
    // What this load left in memory is what another one begins with.
    let other = FetchImage()
    other.pipeline = image.pipeline
    other.load(url)
    #expect(other.imageContainer?.isPreview == true)
    gate.open()
    await log.entries(count: 2)
    #expect(image.imageContainer?.isPreview == false)
    #expect(image.progress.fraction == 1)
  }

  // MARK: Closures

  @Test("It loads an image with an async closure")
  func action() async {
    let pipeline = pipeline
    image.load { try await pipeline.imageTask(with: URL(string: "http://pictures.test/a.png")!).response }
    #expect(image.isLoading)
    #expect(await log.entries(count: 1) == ["complete 20"])
    #expect(image.image?.pixelWidth == 20 && !image.isLoading)
  }

  @Test("It has the error that the closure throws")
  func failingAction() async {
    struct Refused: Error {}
    image.load { throw Refused() }
    await log.entries(count: 1)
    #expect(image.error is Refused)
    #expect(!image.isLoading)
  }

  // MARK: Giving up

  @Test("A replaced load does not change it")
  func superseded() async {
    image.load(held)
    await loader.requests(count: 1)
    image.load(url)
    await loader.cancelledRequests(count: 1)
    gate.open()
    #expect(await log.entries(count: 3) == ["start held.png", "start a.png", "complete 20"])
  }

  @Test("A replaced closure does not change it")
  func supersededAction() async {
    let (gate, log) = (gate, log)
    image.load {
      await gate.wait()
      log.append("cancelled \(Task.isCancelled)")
      throw CancellationError()
    }
    await gate.arrivals(count: 1)
    image.load(url)
    let entries = await log.entries(count: 3)
    #expect(Set(entries) == ["start a.png", "cancelled true", "complete 20"])
    #expect(image.error == nil && image.image != nil)
  }

  @Test("Loading the same image again continues the download")
  func sameImage() async {
    image.load(held)
    await loader.requests(count: 1)
    image.load(held)
    gate.open()
    #expect(await log.entries(count: 3).last == "complete 8")
    #expect(loader.requests.count == 1 && loader.cancelledRequests.isEmpty)
  }

  @Test("It keeps its image after cancellation, and removes it on reset")
  func cancelAndReset() async {
    image.load(url)
    await log.entries(count: 2)
    let loaded = image.image
    image.cancel()
    #expect(image.image === loaded && image.result != nil)
    image.load(held)
    await loader.requests(count: 2)
    image.cancel()
    #expect(!image.isLoading)
    await loader.cancelledRequests(count: 1)
    image.load(url)
    #expect(image.image === loaded)
    image.reset()
    #expect(image.image == nil && image.result == nil && image.progress.completed == 0 && image.progress.total == 0)
    #expect(log.entries == ["start a.png", "complete 20", "start held.png", "complete 20"])
  }

  @Test("It is no longer loading after its task was canceled")
  func taskCancelled() async throws {
    var task: ImageTask?
    image.onStart = { task = $0 }
    image.load(held)
    task?.cancel()
    try await waitUntil { !image.isLoading }
    #expect(image.result == nil)
    #expect(log.entries.isEmpty)
  }

  @Test("It cancels the load when it is deinitialized")
  func destroyed() async {
    var image: FetchImage? = FetchImage()
    image?.pipeline = pipeline
    image?.load(held)
    await loader.requests(count: 1)
    image = nil
    await loader.cancelledRequests(count: 1)

    let (gate, log) = (gate, log)
    image = FetchImage()
    image?.load {
      await gate.wait()
      log.append("cancelled \(Task.isCancelled)")
      throw CancellationError()
    }
    await gate.arrivals(count: 1)
    image = nil
    #expect(await log.entries(count: 1) == ["cancelled true"])
  }
}
