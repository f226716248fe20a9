import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Loading into a view", .timeLimit(.minutes(1)))
@MainActor struct LoadImageTests {
  let url = imageURL("a.png")
  let image = SampleImage.bitmap(width: 20, height: 10)
  let loader = FakeDataLoader()
  let log = CallLog()
  let view: FakeImageView
  let pipeline: ImagePipeline
  var options = ImageLoadingOptions()

  init() {
    view = FakeImageView(log: log)
    pipeline = .fake(loader: loader)
    loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10)))
    options.pipeline = pipeline
  }

  /// Notes a completion.
  private func note(_ result: Result<ImageResponse, ImagePipeline.Error>) {
    switch result {
    case .success(let response): log.append("complete \(response.image.pixelWidth)")
    case .failure(let error): log.append("fail: \(error)")
    }
  }

  /// Loads `nil`, in one of the ways in which a program can ask for nothing.
  private func loadNothing(_ kind: Int, _ options: ImageLoadingOptions) {
    let task =
      kind == 0
      ? loadImage(with: nil as URL?, options: options, into: view, completion: note)
      : loadImage(with: nil as ImageRequest?, options: options, into: view, completion: note)
    #expect(task == nil)
  }

  // MARK: From memory

  @Test("An image in memory is shown and completed before the call returns")
  func memoryHit() throws {
    pipeline.cache[url] = ImageContainer(image: image)
    var options = options
    options.placeholder = PlatformImage()
    options.transition = .fadeIn(duration: 1)
    var cacheType: ImageResponse.CacheType?
    let task = loadImage(with: url, options: options, into: view) { result in
      cacheType = try? result.get().cacheType
      note(result)
    }
    #expect(task == nil)
    #expect(log.entries == ["show success", "complete 20"])
    #expect(view.image === image)
    #expect(view.presentations.map(\.isAnimated) == [false])
    #expect(cacheType == .memory)
    #expect(loader.requests.isEmpty)
  }

  @Test("An image in memory is shown with a transition if that is enabled")
  func alwaysTransition() {
    pipeline.cache[url] = ImageContainer(image: image)
    var options = options
    options.transition = .fadeIn(duration: 0.25)
    options.alwaysTransition = true
    loadImage(with: url, options: options, into: view)
    #expect(view.presentations.map(\.fadeDuration) == [0.25])
  }

  @Test("A memory cache that the request disables is not read")
  func memoryForbidden() async {
    pipeline.cache[url] = ImageContainer(image: PlatformImage())
    let request = ImageRequest(url: url, options: .disableMemoryCacheReads)
    #expect(loadImage(with: request, options: options, into: view) != nil)
    #expect(await view.presentations(count: 2).last?.image?.pixelWidth == 20)
  }

  // MARK: From elsewhere

  @Test("The placeholder is shown, then the image with its transition, and the load completes")
  func miss() async throws {
    var options = options
    options.placeholder = image
    options.transition = .fadeIn(duration: 0.5)
    let task = loadImage(with: url, options: options, into: view) { result in
      MainActor.preconditionIsolated()
      note(result)
    }
    #expect(log.entries == ["show placeholder"])
    #expect(view.image === image)
    #expect(await log.entries(count: 3) == ["show placeholder", "show success", "complete 20"])
    #expect(view.presentations.map(\.fadeDuration) == [0, 0.5])
    #expect(try await task?.image === view.image)
  }

  @Test("The view is cleared first, unless that is disabled")
  func prepareForReuse() async {
    loadImage(with: url, options: options, into: view)
    #expect(log.entries == ["show nothing"])
    await log.entries(count: 2)
    pipeline.cache[url] = nil
    var options = options
    options.isPrepareForReuseEnabled = false
    loadImage(with: url, options: options, into: view)
    #expect(await log.entries(count: 3) == ["show nothing", "show success", "show success"])
  }

  @Test("Progress is reported")
  func progress() async {
    let data = SampleImage.png(width: 40, height: 40)
    loader.answer(url, with: .data(data, chunkSize: data.count / 2 + 1))
    let log = log
    loadImage(
      with: url, options: options, into: view,
      progress: { preview, completed, total in
        MainActor.preconditionIsolated()
        log.append("\(preview == nil) \(completed * 2 > total) \(total == data.count)")
      }, completion: note)
    let entries = await log.entries(count: 5)
    #expect(entries == ["show nothing", "true true true", "true true true", "show success", "complete 40"])
  }

  // MARK: Failures

  @Test("The failure image is shown with its transition, and the load completes with the error")
  func failure() async {
    loader.answer(url, with: .data(Data()))
    var options = options
    options.placeholder = PlatformImage()
    options.failureImage = image
    options.failureImageTransition = .fadeIn(duration: 0.1)
    options.transition = .fadeIn(duration: 9)
    loadImage(with: url, options: options, into: view, completion: note)
    let entries = await log.entries(count: 3)
    #expect(entries == ["show placeholder", "show failure", "fail: \(ImagePipeline.Error.dataIsEmpty)"])
    #expect(view.image === image)
    #expect(view.presentations.last?.fadeDuration == 0.1)
  }

  @Test("A failed load without a failure image clears the view")
  func failureWithoutImage() async {
    loader.answer(url, with: .data(Data()))
    var options = options
    options.placeholder = image
    loadImage(with: url, options: options, into: view, completion: note)
    let entries = await log.entries(count: 3)
    #expect(entries == ["show placeholder", "show nothing", "fail: \(ImagePipeline.Error.dataIsEmpty)"])
    #expect(view.image == nil)
  }

  @Test("A failed load leaves the view unchanged without a failure image and preparation for reuse")
  func failureOfUnprepared() async {
    loader.answer(url, with: .data(Data()))
    var options = options
    options.isPrepareForReuseEnabled = false
    options.placeholder = image
    loadImage(with: url, options: options, into: view, completion: note)
    #expect(await log.entries(count: 2) == ["show placeholder", "fail: \(ImagePipeline.Error.dataIsEmpty)"])
  }

  @Test("A nil request shows the failure image at once, and completes", arguments: 0..<2)
  func nothing(kind: Int) {
    var options = options
    options.failureImage = image
    options.failureImageTransition = .fadeIn(duration: 1)
    loadNothing(kind, options)
    #expect(log.entries == ["show failure", "fail: \(ImagePipeline.Error.imageRequestMissing)"])
    #expect(view.presentations.last?.isAnimated == false)
  }

  @Test("A nil request without a failure image clears the view, and shows no placeholder", arguments: 0..<2)
  func nothingClears(kind: Int) {
    pipeline.cache[url] = ImageContainer(image: image)
    loadImage(with: url, options: options, into: view)
    var options = options
    options.placeholder = image
    loadNothing(kind, options)
    #expect(log.entries == ["show success", "show nothing", "fail: \(ImagePipeline.Error.imageRequestMissing)"])
    #expect(view.image == nil)
    #expect(view.presentations.last?.phase == .failure)
  }

  @Test("A nil request leaves the image of a view without preparation for reuse", arguments: 0..<2)
  func nothingLeaves(kind: Int) {
    pipeline.cache[url] = ImageContainer(image: image)
    loadImage(with: url, options: options, into: view)
    var options = options
    options.isPrepareForReuseEnabled = false
    loadNothing(kind, options)
    #expect(log.entries == ["show success", "fail: \(ImagePipeline.Error.imageRequestMissing)"])
    #expect(view.image === image)
  }

  @Test("A request without a URL fails as in the pipeline")
  func withoutURL() async {
    var options = options
    options.failureImage = image
    let task = loadImage(with: ImageRequest(url: nil), options: options, into: view, completion: note)
    #expect(task != nil)
    let failure = ImagePipeline.Error.dataLoadingFailed(error: URLError(.badURL))
    #expect(await log.entries(count: 3) == ["show nothing", "show failure", "fail: \(failure)"])
  }

  // MARK: Options

  @Test("Content modes and tint colors depend on the kind of image")
  func looks() async {
    var options = options
    options.placeholder = image
    options.failureImage = image
    options.contentModes = .init(success: .aspectFill, failure: .center, placeholder: .scaleDown)
    options.tintColors = .init(success: nil, failure: .red, placeholder: .blue)
    loadImage(with: url, options: options, into: view)
    await view.presentations(count: 2)
    loadImage(with: nil as URL?, options: options, into: view)
    #expect(view.presentations.map(\.phase) == [.placeholder, .success, .failure])
    #expect(view.presentations.map(\.contentMode) == [.scaleDown, .aspectFill, .center])
    #expect(view.presentations.map(\.tintColor) == [.blue, nil, .red])
  }

  @Test("A custom transition shows the image itself")
  func customTransition() async {
    var options = options
    let (log, expected) = (log, view)
    options.transition = .custom { view, image in log.append("\(view === expected) \(image.pixelWidth)") }
    loadImage(with: url, options: options, into: view, completion: note)
    #expect(await log.entries(count: 3) == ["show nothing", "true 20", "complete 20"])
  }

  @Test("The processors of the options apply if the request has none")
  func processors() async {
    var options = options
    options.processors = [.resize(width: 10, unit: .pixels)]
    loadImage(with: url, options: options, into: view)
    #expect(await view.presentations(count: 2).last?.image?.pixelWidth == 10)
    let request = ImageRequest(url: url, processors: [.resize(width: 5, unit: .pixels)])
    loadImage(with: request, options: options, into: view)
    #expect(await view.presentations(count: 4).last?.image?.pixelWidth == 5)
    // Now in memory, under the name with the processors.
    loadImage(with: url, options: options, into: view)
    #expect(view.image?.pixelWidth == 10)
  }

  @Test("The processors of the pipeline apply if neither has any")
  func processorsOfThePipeline() async {
    var options = options
    options.pipeline = .fake(loader: loader) { $0.processors = [.resize(width: 4, unit: .pixels)] }
    loadImage(with: url, options: options, into: view)
    #expect(await view.presentations(count: 2).last?.image?.pixelWidth == 4)
    loadImage(with: url, options: options, into: view)
    #expect(view.presentations.count == 3)
  }
}
