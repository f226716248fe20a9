import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Progressive images", .timeLimit(.minutes(1)))
struct ProgressiveTests {
  let url = imageURL("progressive.jpg")
  let data: Data

  init() throws {
    data = try SampleImage.progressiveJPEG()
  }

  /// A load of `data` in parts, each of which comes when its gate is opened.
  private func load(
    _ data: Data, parts: Int, cache: FakeImageCache? = nil, processors: [any ImageProcessing] = [],
    configure: (inout ImagePipeline.Configuration) -> Void = { $0.isProgressiveDecodingEnabled = true }
  ) -> (task: ImageTask, gates: [Gate], pipeline: ImagePipeline) {
    let loader = FakeDataLoader(delivery: .synchronous)
    let gates = (0..<parts).map { _ in Gate() }
    let size = (data.count + parts - 1) / parts
    loader.answer(url, with: .parts(of: data, cutAt: (1..<parts).map { $0 * size }, heldBy: gates))
    var configuration = ImagePipeline.Configuration(dataLoader: loader)
    configuration.imageCache = cache
    configuration.progressiveDecodingInterval = 0
    configure(&configuration)
    let pipeline = ImagePipeline(configuration: configuration)
    return (pipeline.imageTask(with: ImageRequest(url: url, processors: processors)), gates, pipeline)
  }

  @Test("Previews are shown while an image loads, and then the image")
  func previews() async throws {
    let (task, gates, _) = load(data, parts: 3)
    var previews = task.previews.makeAsyncIterator()
    var scans: [Int] = []
    for gate in gates.dropLast() {
      gate.open()
      let preview = try #require(await previews.next())
      #expect(preview.isPreview)
      #expect(preview.image.pixelWidth == 160)
      scans.append(try #require(preview.container.userInfo[.scanNumberKey] as? Int))
    }
    #expect(scans == scans.sorted() && Set(scans).count == scans.count)
    gates[2].open()
    let response = try await task.response
    #expect(!response.isPreview)
    let whole = try ImageReaders.reader(for: data).decode(.init())
    #expect(response.image.pngData() == whole.pngData())
  }

  @Test("Previews are processed")
  func processed() async throws {
    let (task, gates, _) = load(data, parts: 2, processors: [.resize(width: 40, unit: .pixels)])
    var previews = task.previews.makeAsyncIterator()
    gates[0].open()
    let preview = try #require(await previews.next())
    #expect(preview.isPreview)
    #expect(preview.image.pixelWidth == 40)
    gates[1].open()
    #expect(try await task.image.pixelWidth == 40)
  }

  @Test(
    "Previews are stored in memory until the image is loaded, unless the configuration disables it",
    arguments: [true, false])
  func storedPreview(isStoring: Bool) async throws {
    let (task, gates, pipeline) = load(data, parts: 2, cache: FakeImageCache()) {
      $0.isProgressiveDecodingEnabled = true
      $0.isStoringPreviewsInMemoryCache = isStoring
    }
    var previews = task.previews.makeAsyncIterator()
    gates[0].open()
    _ = try #require(await previews.next())
    #expect(pipeline.cache[url]?.isPreview == (isStoring ? true : nil))
    var later = pipeline.imageTask(with: url).events.makeAsyncIterator()
    gates[1].open()
    _ = try await task.response
    #expect(pipeline.cache[url]?.isPreview == false)
    while let event = await later.next() {
      if case .finished(let result) = event { #expect(try result.get().isPreview == false) }
    }
  }

  @Test("There are no previews if the configuration does not enable them")
  func disabled() async throws {
    let (task, gates, _) = load(data, parts: 2) { _ in }
    let events = task.events
    for gate in gates { gate.open() }
    for await event in events { if case .preview = event { Issue.record("a preview has come") } }
    _ = try await task.response
  }

  @Test("Two sizes share the decode of a preview")
  func sharedPreview() async throws {
    let decoders = CallLog()
    let (task, gates, pipeline) = load(data, parts: 2, processors: [.resize(width: 40, unit: .pixels)]) {
      $0.isProgressiveDecodingEnabled = true
      $0.makeImageDecoder = { context in
        if !context.isCompleted { decoders.append("preview") }
        return ImageDecoders.Default(previewPolicy: context.previewPolicy)
      }
    }
    let second = pipeline.imageTask(
      with: ImageRequest(url: url, processors: [.resize(width: 20, unit: .pixels)]))
    var first = task.previews.makeAsyncIterator()
    var other = second.previews.makeAsyncIterator()
    gates[0].open()
    #expect(await first.next()?.image.pixelWidth == 40)
    #expect(await other.next()?.image.pixelWidth == 20)
    gates[1].open()
    _ = try await (task.image, second.image)
    #expect(await decoders.entries(count: 1) == ["preview"])
  }

  @Test("The first bytes determine whether previews are worthwhile")
  func policy() {
    #expect(ImagePipeline.PreviewPolicy.default(for: data) == .incremental)
    #expect(ImagePipeline.PreviewPolicy.default(for: data.prefix(20)) == .disabled)
    #expect(ImagePipeline.PreviewPolicy.default(for: SampleImage.jpeg(width: 8, height: 8)) == .disabled)
    #expect(ImagePipeline.PreviewPolicy.default(for: SampleImage.png(width: 8, height: 8)) == .disabled)
  }
}
