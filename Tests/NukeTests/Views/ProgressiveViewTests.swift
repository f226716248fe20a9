import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Progressive images in a view", .timeLimit(.minutes(1)))
@MainActor struct ProgressiveViewTests {
  let url = imageURL("progressive.jpg")
  let log = CallLog()
  let view: FakeImageView
  let gate = Gate()
  let loader = FakeDataLoader()
  let pipeline: ImagePipeline
  var options = ImageLoadingOptions()

  init() throws {
    view = FakeImageView(log: log)
    let data = try SampleImage.progressiveJPEG()
    loader.answer(url, with: .data(data, chunkSize: data.count / 2 + 1).held(by: gate, afterChunks: 1))
    pipeline = .fake(loader: loader) { $0.decodeEveryPart() }
    options.pipeline = pipeline
  }

  private func load(into view: FakeImageView, _ options: ImageLoadingOptions) {
    loadImage(
      with: url, options: options, into: view,
      progress: { [log] preview, _, _ in if let preview { log.append("preview \(preview.image.pixelWidth)") } },
      completion: { [log] result in log.append("complete \((try? result.get().isPreview) ?? true)") })
  }

  /// What the view was shown once it is shown the image, and its closures have been called.
  @discardableResult
  private func presentations(until phase: ImagePresentation.Phase) async -> [ImagePresentation] {
    while view.presentations.last?.phase != phase, !Task.isCancelled {
      await view.presentations(count: view.presentations.count + 1)
    }
    await mainQueueDone()
    return view.presentations
  }

  @Test("Previews are shown while the image loads, without a transition, and then the image")
  func shown() async {
    var options = options
    options.transition = .fadeIn(duration: 1)
    options.contentModes = .init(success: .aspectFill, failure: .center, placeholder: .center)
    load(into: view, options)
    #expect(await log.entries(count: 3) == ["show nothing", "show preview", "preview 160"])
    gate.open()
    // The second part may give a preview too.
    let shown = await presentations(until: .success)
    #expect(shown.map(\.phase).filter { $0 != .preview } == [.placeholder, .success])
    #expect(shown.map(\.isAnimated) == shown.map { $0.phase == .success })
    #expect(shown.map(\.contentMode) == shown.map { $0.phase == .placeholder ? .center : .aspectFill })
    #expect(log.entries.suffix(2) == ["show success", "complete false"])
  }

  @Test("Previews can be hidden; the closure still receives them")
  func notRendered() async {
    var options = options
    options.isProgressiveRenderingEnabled = false
    load(into: view, options)
    #expect(await log.entries(count: 2) == ["show nothing", "preview 160"])
    gate.open()
    await presentations(until: .success)
    #expect(view.presentations.map(\.phase) == [.placeholder, .success])
    #expect(log.entries.suffix(2) == ["show success", "complete false"])
  }

  @Test("A preview in memory is shown at once instead of the placeholder")
  func previewInMemory() async {
    var options = options
    options.placeholder = PlatformImage()
    load(into: view, options)
    await log.entries(count: 3)
    let second = FakeImageView()
    loadImage(with: url, options: options, into: second)
    #expect(second.presentations.map(\.phase) == [.preview])
    gate.open()
    while second.presentations.last?.phase != .success {
      await second.presentations(count: second.presentations.count + 1)
    }
    #expect(!second.presentations.contains { $0.phase == .placeholder })
  }
}
