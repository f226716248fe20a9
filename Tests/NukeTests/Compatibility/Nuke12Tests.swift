import Dispatch
import Foundation
import Nuke
import NukeTesting
import Testing

/// The tests are deprecated themselves, so that the names they use do not warn.
@Suite("The API of version 12", .timeLimit(.minutes(1)))
struct Nuke12Tests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let log = CallLog()

  init() { loader.answer(url, with: .data(SampleImage.png(width: 20, height: 10))) }

  @Test("The user info sets the image ID, the scale and the thumbnail")
  @available(*, deprecated)
  func userInfoKeys() async throws {
    var request = ImageRequest(url: url)
    request.userInfo = [
      .imageIdKey: "mine", .scaleKey: Float(2), .thumbnailKey: ImageRequest.ThumbnailOptions(maxPixelSize: 10),
    ]
    #expect(request.imageID == "mine")
    let scale: CGFloat = request.scale
    #expect(scale == 2)
    #expect(request.thumbnail == .init(maxPixelSize: 10))

    var same = ImageRequest(url: url)
    same.imageID = "mine"
    same.scale = CGFloat(2)
    same.thumbnail = .init(maxPixelSize: 10)
    #expect(ImageCacheKey(request: request) == ImageCacheKey(request: same))
    let pipeline = ImagePipeline.fake(loader: loader)
    #expect(pipeline.cache.makeDataCacheKey(for: request) == pipeline.cache.makeDataCacheKey(for: same))
    let image = try await pipeline.image(for: request)
    #expect((image.pixelWidth, image.scale) == (10, 2))
    #expect(try await pipeline.imageTask(with: same).response.cacheType == .memory)
  }

  @Test("The most recent value applies, from the user info or a property")
  @available(*, deprecated)
  func lastWord() {
    var request = ImageRequest(url: url)
    let plain = ImageCacheKey(request: request)
    request.userInfo[.imageIdKey] = "first"
    let first = ImageCacheKey(request: request)
    #expect(first != plain)
    request.imageID = "second"
    #expect(request.imageID == "second")
    request.userInfo["other"] = 1
    #expect(request.imageID == "second")
    request.userInfo[.imageIdKey] = "first"
    #expect(request.imageID == "first")
    #expect(ImageCacheKey(request: request) == first)
    request.imageID = nil
    #expect(ImageCacheKey(request: request) == plain)
    #expect(request.userInfo["other"] as? Int == 1)

    request.userInfo[.thumbnailKey] = ImageRequest.ThumbnailOptions(maxPixelSize: 10)
    request.thumbnail = nil
    #expect(request.thumbnail == nil)
    request.userInfo[.scaleKey] = Float(3)
    request.userInfo[.scaleKey] = nil
    #expect(ImageCacheKey(request: request) == plain)
  }

  @Test("A scale is any positive number", arguments: [Float(2), Double(2), CGFloat(2), 2] as [any Sendable])
  @available(*, deprecated)
  func scales(value: any Sendable) {
    var request = ImageRequest(url: url)
    request.userInfo[.scaleKey] = value
    let scale: CGFloat = request.scale
    #expect(scale == 2)
    for nonsense in [Float(0), "2", Double.nan, -1] as [any Sendable] {
      request.userInfo[.scaleKey] = nonsense
      let scale: CGFloat = request.scale
      #expect(scale == 1)
    }
  }

  @Test("A request has an imageId")
  @available(*, deprecated)
  func imageId() {
    var request = ImageRequest(url: url)
    #expect(request.imageId == url.absoluteString)
    request.imageId = "mine"
    #expect(request.imageID == "mine")
  }

  @Test("Closures are called on the given queue")
  @available(*, deprecated)
  func queue() async {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: "callbacks")
    let log = log
    let note: @Sendable (String) -> Void = { log.append("\($0) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")") }
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    pipeline.loadImage(with: url, queue: queue, progress: { _, _, _ in note("progress") }) { _ in note("image") }
    await log.entries(count: 2)
    pipeline.loadImage(with: ImageRequest(url: url), queue: queue) { _ in note("image") }
    await log.entries(count: 3)
    pipeline.loadData(with: url, queue: queue, progress: { _, _ in note("progress") }) { _ in note("data") }
    await log.entries(count: 5)
    pipeline.loadData(with: ImageRequest(url: url), queue: queue) { _ in note("data") }
    #expect(
      await log.entries(count: 6)
        == ["progress", "image", "image", "progress", "data", "data"].map { "\($0) callbacks" })
  }

  @Test("Closures are called on the main queue by default")
  @available(*, deprecated)
  func mainQueue() async {
    let log = log
    let note: @Sendable (String) -> Void = { what in
      dispatchPrecondition(condition: .onQueue(.main))
      log.append(what)
    }
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
    pipeline.loadImage(with: url, queue: nil) { _ in note("image") }
    await log.entries(count: 1)
    pipeline.loadImage(with: ImageRequest(url: url), queue: nil) { _ in note("image") }
    await log.entries(count: 2)
    pipeline.loadData(with: url, queue: nil) { _ in note("data") }
    await log.entries(count: 3)
    pipeline.loadData(with: ImageRequest(url: url), queue: nil) { _ in note("data") }
    await log.entries(count: 4)
    pipeline.loadData(with: url) { _ in note("data") }
    await log.entries(count: 5)
    pipeline.loadData(with: url, progress: { _, _ in note("progress") }) { _ in note("data") }
    #expect(await log.entries(count: 7) == ["image", "image", "data", "data", "data", "progress", "data"])
  }

  @Test("Data is loaded by its URL")
  @available(*, deprecated)
  func data() async throws {
    let (data, response) = try await ImagePipeline.fake(loader: loader).data(for: url)
    #expect(data == SampleImage.png(width: 20, height: 10))
    #expect(response?.url == url)
  }
}
