import Foundation
import Nuke
import NukeTesting
import Testing

/// The tests are deprecated themselves, so that the names they use do not warn.
@Suite("The API of version 8", .timeLimit(.minutes(1)))
struct Nuke8Tests {
  let url = imageURL("a.png")
  let loader = FakeDataLoader()
  let original = SampleImage.png(width: 20, height: 10)

  init() { loader.answer(url, with: .data(original)) }

  // MARK: Requests

  @Test("A filtered URL identifies the image")
  @available(*, deprecated)
  func filteredURL() {
    let options = ImageRequestOptions(filteredURL: url.absoluteString)
    let token = URL(string: url.absoluteString + "?token=1")!
    for request in [
      ImageRequest(url: token, options: options), ImageRequest(urlRequest: URLRequest(url: token), options: options),
    ] {
      #expect(request.url == token)
      #expect(request.imageID == url.absoluteString)
      #expect(ImageCacheKey(request: request) == ImageCacheKey(request: ImageRequest(url: url)))
      #expect(request.options == [])
    }
    #expect(ImageRequest(url: token, options: ImageRequestOptions()).imageID == token.absoluteString)
  }

  @Test("Options determine the use of the memory cache")
  @available(*, deprecated)
  func memoryCacheOptions() {
    var options = ImageRequestOptions()
    options.memoryCacheOptions.isReadAllowed = false
    let request = ImageRequest(url: url, processors: [FakeProcessor("p")], priority: .low, options: options)
    #expect(request.options == .disableMemoryCacheReads)
    #expect(request.processors.count == 1)
    #expect(request.priority == .low)
    let none = ImageRequestOptions(memoryCacheOptions: .init(isReadAllowed: false, isWriteAllowed: false))
    #expect(ImageRequest(url: url, options: none).options == .disableMemoryCache)
  }

  // MARK: The memory cache

  @Test("The memory cache stores and returns the images of requests")
  @available(*, deprecated)
  func memoryCache() {
    let cache = ImageCache(costLimit: 1 << 20)
    let request = ImageRequest(url: url, processors: [FakeProcessor("p")])
    let image = SampleImage.bitmap(width: 4, height: 4)
    cache[request] = image
    let found: PlatformImage? = cache[request]
    #expect(found === image)
    #expect(cache[ImageCacheKey(request: request)]?.image === image)
    let plain: PlatformImage? = cache[ImageRequest(url: url)]
    #expect(plain == nil)
    cache[request] = ImageContainer(image: image, type: .gif)
    let container: ImageContainer? = cache[request]
    #expect(container?.type == .gif)
    cache[request] = nil
    #expect(cache.totalCount == 0)
  }

  // MARK: The configuration

  @Test("Deduplication is coalescing")
  @available(*, deprecated)
  func deduplication() {
    var configuration = ImagePipeline.Configuration()
    #expect(configuration.isDeduplicationEnabled)
    configuration.isDeduplicationEnabled = false
    #expect(!configuration.isTaskCoalescingEnabled)
  }

  @Test("Two switches determine what is stored on disk")
  @available(*, deprecated)
  func dataCaching() {
    var configuration = ImagePipeline.Configuration()
    var switches: [Bool] {
      [
        configuration.isDataCachingForOriginalImageDataEnabled, configuration.isDataCachingForProcessedImagesEnabled,
      ]
    }
    #expect(switches == [true, false])
    configuration.isDataCachingForProcessedImagesEnabled = true
    #expect(configuration.dataCachePolicy == .storeAll)
    configuration.isDataCachingForOriginalImageDataEnabled = false
    #expect(configuration.dataCachePolicy == .storeEncodedImages)
    #expect(switches == [false, true])
    configuration.isDataCachingForProcessedImagesEnabled = false
    #expect(switches == [false, false])
    configuration.isDataCachingForProcessedImagesEnabled = true
    #expect(configuration.dataCachePolicy == .storeEncodedImages)
    configuration.isDataCachingForOriginalImageDataEnabled = true
    configuration.isDataCachingForProcessedImagesEnabled = false
    #expect(configuration.dataCachePolicy == .storeOriginalData)
    configuration.dataCachePolicy = .automatic
    #expect(switches == [true, true])
  }

  @Test("With both switches off nothing is stored, and existing entries are used")
  @available(*, deprecated)
  func readOnly() async throws {
    let other = imageURL("b.png")
    let cache = FakeDataCache([other.absoluteString: original])
    var configuration = ImagePipeline.Configuration.fake(loader: loader) { $0.dataCache = cache }
    configuration.isDataCachingForOriginalImageDataEnabled = false
    let pipeline = ImagePipeline(configuration: configuration)
    _ = try await pipeline.image(for: ImageRequest(url: url, processors: [FakeProcessor("/p")]))
    _ = try await pipeline.data(for: ImageRequest(url: url))
    #expect(try await pipeline.imageTask(with: other).response.cacheType == .disk)
    await pipeline.encodingsDone()
    #expect(cache.writes.isEmpty)
    configuration.dataCachePolicy = .storeOriginalData
    _ = try await ImagePipeline(configuration: configuration).data(for: ImageRequest(url: url))
    #expect(cache.writes == [url.absoluteString])
  }

  // MARK: Processing and encoding

  /// A processor as version 8 has them.
  @available(*, deprecated)
  private struct Old: ImageProcessing {
    let identifier = "old"
    let log: CallLog
    var hashableIdentifier: AnyHashable { identifier }

    func process(image: PlatformImage, context: ImageProcessingContext?) -> PlatformImage? {
      log.append(context?.request.url?.lastPathComponent ?? "no context")
      return ImageProcessor.Resize(width: 10, unit: .pixels).process(image: image, context: context)
    }
  }

  @Test("The context of a processor has an image and an optional request")
  @available(*, deprecated)
  func processor() async throws {
    let log = CallLog()
    let old = Old(log: log)
    #expect(
      try await ImagePipeline.fake(loader: loader).image(for: ImageRequest(url: url, processors: [old])).pixelWidth
        == 10)
    #expect(log.entries == ["a.png"])
    let image = SampleImage.bitmap(width: 20, height: 20)
    #expect(old.process(image)?.pixelWidth == 10)
    #expect(ImageProcessor.Composition([old, old]).process(image)?.pixelWidth == 10)
    #expect(log.entries == ["a.png", "no context", "no context", "no context"])
  }

  /// A processor that has forgotten to be one.
  @available(*, deprecated)
  private struct Neither: ImageProcessing {
    let identifier = "neither"
  }

  @Test("A processor that implements neither method does nothing")
  @available(*, deprecated)
  func neither() async throws {
    let image = SampleImage.bitmap(width: 4, height: 4)
    #expect(Neither().process(image) == nil)
    #expect(ImageProcessor.Composition([Neither()]).process(image) == nil)
    let error = await loadFailure(
      try await ImagePipeline.fake(loader: loader).image(for: ImageRequest(url: url, processors: [Neither()])))
    guard case .processingFailed(_, _, let reason)? = error else { throw Unexpected(error) }
    #expect((reason as? ImageProcessingError)?.description == "the processor returned no image")
  }

  // MARK: Views

  /// A view as version 8 has them.
  @available(*, deprecated)
  private final class OldView: Nuke_ImageDisplaying {
    var shown: [PlatformImage?] = []
    func nuke_display(image: PlatformImage?) { shown.append(image) }
  }

  /// A view that has forgotten to be one.
  @available(*, deprecated)
  private final class NeitherView: Nuke_ImageDisplaying {}

  @Test("A view receives only the image, and a view without the method shows nothing")
  @available(*, deprecated)
  @MainActor func view() async throws {
    let view = OldView()
    let image = SampleImage.bitmap(width: 4, height: 4)
    let pipeline = ImagePipeline.fake(loader: loader)
    pipeline.cache[url] = ImageContainer(image: image)
    var options = ImageLoadingOptions()
    options.pipeline = pipeline
    loadImage(with: url, options: options, into: view)
    view.display(ImagePresentation(container: nil, phase: .placeholder))
    #expect(view.shown.count == 2)
    #expect(view.shown.first! === image && view.shown.last! == nil)
    loadImage(with: url, options: options, into: NeitherView())
  }

  @Test("An encoder without arguments has the quality 0.8")
  @available(*, deprecated)
  func encoder() { #expect(ImageEncoder().compressionQuality == 0.8) }

  // MARK: Preheating

  @Test("A preheater starts and stops by URL and by request")
  @available(*, deprecated)
  func preheater() async {
    let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }
    let cache = FakeImageCache()
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: cache)
    let (preheater, completed) = (ImagePreheater(pipeline: pipeline), Gate())
    preheater.isPaused = true
    preheater.startPreheating(with: ["a", "b", "c"].map(imageURL))
    preheater.startPreheating(with: ["d", "e"].map { ImageRequest(url: imageURL($0)) })
    preheater.stopPreheating(with: [imageURL("a")])
    preheater.stopPreheating(with: [ImageRequest(url: imageURL("d"))])
    preheater.didComplete = { completed.open() }
    preheater.isPaused = false
    await completed.wait()
    #expect(loader.requests.compactMap { $0.url?.lastPathComponent }.sorted() == ["b", "c", "e"])
    preheater.isPaused = true
    preheater.startPreheating(with: [imageURL("f")])
    preheater.stopPreheating()
    preheater.isPaused = false
    #expect(loader.requests.count == 3)
  }
}
