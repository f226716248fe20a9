// Tests of code that loads images, without a network and without sleeping. The article "Testing Code That Loads Images"
// explains them.
import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Portrait model", .timeLimit(.minutes(1)))
@MainActor struct PortraitModelTests {
  let ada = URL(string: "https://example.com/ada.png")!
  let grace = URL(string: "https://example.com/grace.png")!
  let loader = FakeDataLoader()
  let log = CallLog()
  let pipeline: ImagePipeline

  init() { pipeline = .fake(loader: loader) }

  /// Returns a model that logs its contents, and a gate that opens when it shows an image.
  private func makeModel(_ pipeline: ImagePipeline) -> (model: PortraitModel, shown: Gate) {
    let shown = Gate()
    let model = PortraitModel(pipeline: pipeline) { [log] content in
      log.append("\(content)")
      if case .image = content { shown.open() }
    }
    return (model, shown)
  }

  @Test("A row shows the image at its own size")
  func image() async {
    loader.answer(ada, with: .data(SampleImage.png(width: 640, height: 480)))
    let (model, shown) = makeModel(pipeline)
    model.show(ada)
    await shown.wait()
    #expect(model.content == .image(width: 64, height: 48))
  }

  @Test("A row shows the percentage that is loaded")
  func progress() async {
    let file = SampleImage.png(width: 640, height: 480)
    let gate = Gate()
    loader.answer(ada, with: .data(file, chunkSize: (file.count + 1) / 2).held(by: gate, afterChunks: 1))
    let (model, shown) = makeModel(pipeline)
    model.show(ada)
    // The gate holds back the second half.
    #expect(await log.entries(count: 2) == ["initials", "loading(percent: 50)"])
    gate.open()
    await shown.wait()
  }

  @Test("Two rows of the same person download the image once")
  func coalescing() async {
    let gate = Gate()
    loader.answer(ada, with: .data(SampleImage.png(width: 64, height: 64)).held(by: gate))
    let (first, firstShown) = makeModel(pipeline)
    let (second, secondShown) = makeModel(pipeline)
    first.show(ada)
    second.show(ada)
    gate.open()
    await firstShown.wait()
    await secondShown.wait()
    #expect(loader.requests.count == 1)
  }

  @Test("A row that shows another person cancels the first download")
  func reuse() async {
    let gate = Gate()
    loader.answer(ada, with: .data(SampleImage.png(width: 64, height: 64)).held(by: gate))
    loader.answer(grace, with: .data(SampleImage.png(width: 640, height: 320)))
    let (model, shown) = makeModel(pipeline)
    model.show(ada)
    await loader.requests(count: 1)
    model.show(grace)
    #expect(await loader.cancelledRequests(count: 1).map(\.url) == [ada])
    await shown.wait()
    #expect(model.content == .image(width: 64, height: 32))
  }

  @Test("A row without an image on the server is unavailable")
  func missing() async {
    loader.answer(ada, with: .status(404))
    let (model, _) = makeModel(pipeline)
    model.show(ada)
    #expect(await log.entries(count: 2) == ["initials", "unavailable"])
  }

  @Test("After a restart, a row shows the image from disk")
  func disk() async {
    loader.answer(ada, with: .data(SampleImage.png(width: 64, height: 64)))
    let cache = FakeDataCache()
    let (model, shown) = makeModel(.fake(loader: loader) { $0.dataCache = cache })
    model.show(ada)
    await shown.wait()
    await cache.writes(count: 1)

    let offline = FakeDataLoader()
    let (restarted, shownAgain) = makeModel(.fake(loader: offline) { $0.dataCache = cache })
    restarted.show(ada)
    await shownAgain.wait()
    #expect(offline.requests.isEmpty)
  }

  @Test("A row shows a recorded image")
  func recorded() async {
    // Here the samples of the command; in your package, a folder beside the tests.
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/NukeCLI/Samples").standardizedFileURL
    let (model, shown) = makeModel(.fake(loader: FakeDataLoader(fixtures: folder)))
    model.show(URL(string: "https://example.com/badge.png")!)
    await shown.wait()
    #expect(model.content == .image(width: 64, height: 64))
  }
}
