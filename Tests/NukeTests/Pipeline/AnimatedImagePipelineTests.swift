import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@Suite("Loading animated images", .timeLimit(.minutes(1)))
struct AnimatedImagePipelineTests {
  let url = imageURL("moving.gif")
  let data = SampleGIF.data(grays: [10, 20, 30])
  let loader = FakeDataLoader()

  init() { loader.answer(url, with: .data(data)) }

  private func load(
    _ processors: [any ImageProcessing] = [], on pipeline: ImagePipeline? = nil,
    _ configure: (inout ImageRequest) -> Void = { _ in }
  ) async throws -> ImageContainer {
    var request = ImageRequest(url: url, processors: processors)
    configure(&request)
    return try await (pipeline ?? .fake(loader: loader)).imageTask(with: request).response.container
  }

  private func frames(_ container: ImageContainer) throws -> [Bitmap] {
    let frames = try #require(container.animation).frames()
    var result: [Bitmap] = []
    while let frame = try frames.next() { result.append(frame.image) }
    return result
  }

  /// Changes each color channel.
  private static func changed(_ image: Bitmap, _ change: (UInt8) -> UInt8) -> Bitmap {
    let bytes = image.pixels
    return Bitmap(pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight, scale: image.scale) {
      (result: UnsafeMutableRawBufferPointer) in
      for place in 0..<bytes.count {
        let isAlpha = place % 4 == 3
        result[place] = isAlpha ? bytes[place] : change(bytes[place])
      }
    }!
  }

  /// Adds to each color channel.
  private func adding(_ value: UInt8, _ id: String) -> FakeProcessor {
    FakeProcessor(id) { image in Self.changed(image) { $0 + value } }
  }

  private func grays(_ images: [Bitmap]) -> [UInt8] { images.map { $0.pixels[0] } }

  // MARK: Data

  @Test("The result is the first frame, with the data")
  func container() async throws {
    let container = try await load()
    #expect(container.type == .gif)
    #expect(container.data == data)
    #expect(container.image.pixels[0] == 10)
    let animation = try #require(container.animation)
    #expect(animation.frameCount == 3)
    #expect(animation.delays == [0.1, 0.1, 0.1])
    #expect(animation.loopCount == 0)
    #expect(grays(try frames(container)) == [10, 20, 30])
  }

  @Test("The format can be WebP")
  func webP() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../NukeCodecsTests/Fixtures/WebP/animated-loops.webp").standardized
    let data = try Data(contentsOf: file)
    loader.answer(url, with: .data(data))
    let container = try await load()
    #expect(container.type == .webp)
    #expect(container.data == data)
    #expect(try frames(container).count == container.animation?.frameCount)
    #expect(try frames(container).first?.pixels == container.image.pixels)
  }

  @Test("The format can be PNG, and the encoder keeps the data")
  func png() async throws {
    let file = try PNGWriter().encode(try #require(try ImageReaders.reader(for: data).animation()))
    loader.answer(url, with: .data(file))
    let container = try await load()
    #expect(container.type == .png)
    #expect(container.data == file)
    #expect(grays(try frames(container)) == [10, 20, 30])
    #expect(container.animation?.delays == [0.1, 0.1, 0.1])
    let context = ImageEncodingContext(request: ImageRequest(url: url), image: container.image, urlResponse: nil)
    #expect(ImageEncoders.Default().encode(container, context: context) == file)
    let processed = try await load([adding(1, "a")])
    #expect(grays(try frames(processed)) == [11, 21, 31])
    #expect(ImageEncoders.Default().encode(processed, context: context) != file)
  }

  @Test("An image with one frame is not animated, and only a GIF keeps its data")
  func still() async throws {
    for data in [SampleGIF.data(grays: [10]), SampleImage.png(width: 4, height: 4)] {
      loader.answer(url, with: .data(data))
      let container = try await load()
      #expect(container.data == (container.type == .gif ? data : nil))
      #expect(container.animation == nil)
      #expect(AnimatedImage(container) == nil)
    }
  }

  @Test("Animations are found in data that a custom decoder keeps, if it is an image")
  func ownDecoder() throws {
    let image = SampleImage.bitmap(width: 1, height: 1)
    #expect(try frames(ImageContainer(image: image, data: data)).count == 3)
    #expect(ImageContainer(image: image, data: Data("not an image at all".utf8)).animation == nil)
    #expect(ImageContainer(image: image, isPreview: true, data: data).animation == nil)
    var container = ImageContainer(image: image, data: data)
    container.type = .gif
    container.userInfo = ["a": 1]
    #expect(try frames(container).count == 3)
    container.data = nil
    #expect(container.animation == nil)
  }

  @Test("The data counts towards the memory cost")
  func cost() async throws {
    let cache = ImageCache(costLimit: 1 << 20)
    _ = try await load(on: .fake(loader: loader, imageCache: cache))
    #expect(cache.totalCost == 8 * 6 * 4 + data.count)
  }

  @Test("The image carries its data if that is enabled, until it is processed")
  func animatedImageData() async throws {
    #expect(!LegacySettings.isEnabled)
    #expect(try await load().image.legacyData == nil)
    LegacySettings.isEnabled = true
    defer { LegacySettings.isEnabled = false }
    let container = try await load { $0.scale = 2 }
    #expect(container.image.legacyData == data)
    #expect(container.image.scale == 2)
    #expect(try await load([.resize(width: 4, unit: .pixels)]).image.legacyData == nil)
  }

  // MARK: Processors

  @Test("Each frame is processed when it is pulled, and not before")
  func processed() async throws {
    let processor = adding(1, "a")
    let container = try await load([processor])
    #expect(container.image.pixels[0] == 11)
    #expect(container.data == data)
    #expect(processor.count == 1)
    let reader = try #require(container.animation).frames()
    #expect(processor.count == 1)
    let expected: [UInt8] = [11, 21, 31]
    for (index, gray) in expected.enumerated() {
      #expect(try reader.next()?.image.pixels[0] == gray)
      #expect(processor.count == 2 + index)
    }
    #expect(try reader.next() == nil)
    let received = processor.receivedContainers
    #expect(grays(received.map(\.image)) == [10, 10, 20, 30])
    for container in received.dropFirst() {
      #expect(container.data == nil)
      #expect(container.type == .gif)
    }
  }

  @Test("All frames are resized equally")
  func resized() async throws {
    let container = try await load([.resize(width: 4, unit: .pixels)])
    let animation = try #require(container.animation)
    #expect(animation.pixelWidth == 4 && animation.pixelHeight == 3)
    #expect(try frames(container).map(\.pixelWidth) == [4, 4, 4])
    #expect(grays(try frames(container)) == [10, 20, 30])
  }

  @Test("Chains and compositions apply in order")
  func chain() async throws {
    let double = ImageProcessors.Anonymous(id: "double") { image in Self.changed(image) { $0 * 2 } }
    let chains: [[any ImageProcessing]] = [
      [adding(1, "a"), double, adding(3, "b")],
      [ImageProcessors.Composition([adding(1, "a"), double]), adding(3, "b")],
      [ImageProcessors.Composition([adding(1, "a"), double, adding(3, "b")])],
    ]
    for chain in chains {
      let container = try await load(chain)
      #expect(container.image.pixels[0] == 25)
      #expect(grays(try frames(container)) == [25, 45, 65])
    }
  }

  @Test("A thumbnail stays animated")
  func thumbnail() async throws {
    let container = try await load([adding(1, "a")]) { $0.thumbnail = .init(maxPixelSize: 4) }
    #expect(container.image.pixelWidth == 4)
    #expect(try frames(container).map(\.pixelWidth) == [4, 4, 4])
    #expect(grays(try frames(container)) == [11, 21, 31])
  }

  @Test("Each frame has the scale", arguments: [0, 1])
  func scale(processorCount: Int) async throws {
    let container = try await load((0..<processorCount).map { adding(1, "\($0)") }) { $0.scale = 3 }
    #expect(container.image.scale == 3)
    #expect(try frames(container).map(\.scale) == [3, 3, 3])
  }

  @Test("Each step is applied once if a shorter chain is in memory")
  func shorterChain() async throws {
    let (a, b) = (adding(1, "a"), adding(5, "b"))
    let pipeline = ImagePipeline.fake(loader: loader)
    let first = try await load([a], on: pipeline)
    let second = try await load([a, b], on: pipeline)
    #expect(a.count == 1 && b.count == 1)
    #expect(grays(try frames(first)) == [11, 21, 31])
    #expect(grays(try frames(second)) == [16, 26, 36])
    let again = try await load([a], on: pipeline)
    #expect(grays(try frames(again)) == [11, 21, 31])
  }

  @Test("Two requests share decoding and processing")
  func coalescing() async throws {
    let gate = Gate()
    loader.answer(url, with: .data(data).held(by: gate))
    let processor = adding(1, "a")
    let pipeline = ImagePipeline.fake(loader: loader)
    let tasks = (0..<2).map { _ in pipeline.imageTask(with: ImageRequest(url: url, processors: [processor])) }
    gate.open()
    for task in tasks {
      let container = try await task.response.container
      #expect(grays(try frames(container)) == [11, 21, 31])
    }
    #expect(pipeline.counters.decodes == 1)
    #expect(pipeline.counters.processes == 1)
  }

  @Test("A processor that returns other data, or none, determines the animation")
  func replaced() async throws {
    struct Replacing: ImageProcessing {
      let data: Data?
      var identifier: String { "replace \(data?.count ?? 0)" }
      func process(_ image: PlatformImage) -> PlatformImage? { nil }
      func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
        ImageContainer(image: container.image, type: .gif, data: data)
      }
    }
    let other = SampleGIF.data(grays: [1, 2])
    let alone = try await load([Replacing(data: other)])
    #expect(grays(try frames(alone)) == [1, 2])
    let between = try await load([adding(9, "a"), Replacing(data: other), adding(5, "b")])
    #expect(grays(try frames(between)) == [6, 7])
    #expect(try await load([Replacing(data: nil)]).animation == nil)
  }

  @Test("A frame that cannot be processed fails with the processor's error")
  func processingFailure() async throws {
    struct Refusal: Error {}
    let processor = FakeProcessor("picky") { image in
      if image.pixels[0] == 20 { throw Refusal() }
      return image
    }
    let container = try await load([processor])
    let reader = try #require(container.animation).frames()
    #expect(try reader.next()?.index == 0)
    for _ in 0..<2 {
      #expect { try reader.next() } throws: { error in
        guard case ImagePipeline.Error.processingFailed(let failed, _, let reason) = error else { return false }
        return failed.identifier == "picky" && reason is Refusal
      }
    }
    let image = try #require(AnimatedImage(container))
    _ = try await image.loadFrame(at: 0)
    await #expect(throws: AnimatedImage.Error.self) { try await image.loadFrame(at: 1) }
    await #expect(throws: AnimatedImage.Error.self) { try await image.loadFrame(at: 2) }
    #expect(image.playableFrameCount == 1)
  }

  @Test("Playback processes off the caller's thread")
  func played() async throws {
    let log = CallLog()
    let processor = FakeProcessor("where") { image in
      log.append(WorkerPool.isWorker ? "worker" : "elsewhere")
      return image
    }
    let image = try #require(AnimatedImage(try await load([processor])))
    var shown: [UInt8] = []
    for try await frame in image.frames { shown.append(frame.image.pixels[0]) }
    #expect(shown == [10, 20, 30])
    #expect(!log.entries.contains("elsewhere"))
  }

  // MARK: Disk

  @Test(
    "The original is stored on disk instead of a variant without animation",
    arguments: [
      ImagePipeline.DataCachePolicy.automatic, .storeOriginalData, .storeEncodedImages, .storeAll,
    ], [false, true])
  func disk(policy: ImagePipeline.DataCachePolicy, isThumbnail: Bool) async throws {
    let cache = FakeDataCache()
    func pipeline() -> ImagePipeline {
      .fake(loader: loader) {
        $0.dataCache = cache
        $0.dataCachePolicy = policy
      }
    }
    let processors = isThumbnail ? [] : [adding(1, "/a")]
    let configure: (inout ImageRequest) -> Void = { if isThumbnail { $0.thumbnail = .init(maxPixelSize: 4) } }
    let first = pipeline()
    _ = try await load(processors, on: first, configure)
    await first.encodingsDone()
    #expect(cache.contents == [url.absoluteString: data])
    #expect(cache.writes.count == 1)

    let second = pipeline()
    let container = try await load(processors, on: second, configure)
    await second.encodingsDone()
    #expect(second.counters.downloads == 0)
    let expected: [UInt8] = isThumbnail ? [10, 20, 30] : [11, 21, 31]
    #expect(grays(try frames(container)) == expected)
    #expect(cache.writes.count == 1)
  }

  @Test("An unprocessed animated image is stored unchanged", arguments: [nil, 2.0])
  func diskOriginal(scale: CGFloat?) async throws {
    let cache = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataCache = cache
      $0.dataCachePolicy = .storeEncodedImages
    }
    _ = try await load(on: pipeline) { if let scale { $0.scale = scale } }
    await pipeline.encodingsDone()
    #expect(cache.contents == [url.absoluteString: data])
    pipeline.cache.removeAll(caches: .memory)
    #expect(try frames(try #require(pipeline.cache.cachedImage(for: ImageRequest(url: url)))).count == 3)
  }

  @Test("A processed animated image is not stored explicitly")
  func storedByHand() async throws {
    let cache = FakeDataCache()
    let pipeline = ImagePipeline.fake(loader: loader) { $0.dataCache = cache }
    let request = ImageRequest(url: url, processors: [adding(1, "/a")])
    let container = try await ImagePipeline.fake(loader: loader).imageTask(with: request).response.container
    pipeline.cache.storeCachedImage(container, for: request)
    #expect(cache.contents.isEmpty)
    #expect(pipeline.cache.cachedImage(for: request)?.animation != nil)
    let original = try await ImagePipeline.fake(loader: loader).imageTask(with: url).response.container
    pipeline.cache.storeCachedImage(original, for: ImageRequest(url: url))
    #expect(cache.contents == [url.absoluteString: data])
  }

  // MARK: On the way, and bad input

  @Test("Its first frame is a preview while it loads")
  func preview() async throws {
    let gates = [Gate(), Gate()]
    loader.answer(url, with: .parts(of: data, cutAt: [data.count - 80], heldBy: gates))
    let pipeline = ImagePipeline.fake(loader: loader) { $0.decodeEveryPart() }
    let processor = adding(1, "a")
    let task = pipeline.imageTask(with: ImageRequest(url: url, processors: [processor]))
    var previews = task.previews.makeAsyncIterator()
    gates[0].open()
    let preview = try #require(await previews.next())
    #expect(preview.image.pixels[0] == 11)
    #expect(preview.isPreview)
    #expect(preview.container.animation == nil)
    gates[1].open()
    let container = try await task.response.container
    #expect(grays(try frames(container)) == [11, 21, 31])
  }

  @Test("The frames before a damaged one are played")
  func damaged() async throws {
    loader.answer(url, with: .data(SampleGIF.data(grays: [10, 20, 30, 40], damaged: 2)))
    let container = try await load()
    let told = CallLog()
    let image = try #require(AnimatedImage(container) { told.append("\($0)") })
    var shown: [UInt8] = []
    var failures: [any Error] = []
    do {
      for try await frame in image.frames { shown.append(frame.image.pixels[0]) }
    } catch {
      failures.append(error)
    }
    guard case AnimatedImage.Error.frameFailed(index: 2, let reason)? = failures.first,
      case CodecError.malformed(.gif, _, _)? = reason as? CodecError
    else { throw Unexpected(failures) }
    #expect(shown == [10, 20])
    await told.entries(count: 1)
    #expect(told.entries.count == 1)
    #expect(image.playableFrameCount == 2)
  }

  @Test("Too many frames are rejected, with the limits of the pipeline that loaded the image")
  func limits() async throws {
    let pipeline = ImagePipeline.fake(loader: loader) { $0.codecLimits.maximumFrameCount = 2 }
    let error = await loadFailure(try await pipeline.image(for: url))
    guard case .decodingFailed(_, _, CodecError.tooManyFrames(.gif, count: 3, limit: 2))? = error else {
      throw Unexpected(error)
    }
    let many = SampleGIF.data(width: 1, height: 1, grays: [UInt8](repeating: 7, count: 10_001))
    loader.answer(url, with: .data(many))
    let generous = ImagePipeline.fake(loader: loader) { $0.codecLimits.maximumFrameCount = 20_000 }
    #expect(try await load(on: generous).animation?.frameCount == 10_001)
    await #expect(throws: ImagePipeline.Error.self) { try await load() }
  }
}

/// The spelling of version 8, reached in a way that a build without warnings allows.
private protocol LegacyAnimatedImage {
  var animatedImageData: Data? { get }
}

extension Bitmap: LegacyAnimatedImage {
  fileprivate var legacyData: Data? { (self as any LegacyAnimatedImage).animatedImageData }
}

private protocol LegacyAnimationSettings {
  static var isAnimatedImageDataEnabled: Bool { get set }
}

extension ImagePipeline.Configuration: LegacyAnimationSettings {}

private enum LegacySettings {
  static var isEnabled: Bool {
    get { (ImagePipeline.Configuration.self as any LegacyAnimationSettings.Type).isAnimatedImageDataEnabled }
    set { (ImagePipeline.Configuration.self as any LegacyAnimationSettings.Type).isAnimatedImageDataEnabled = newValue }
  }
}
