import Foundation
import NukeTesting
import Testing

@testable import Nuke

/// Of the fixtures, whose upper left quadrant has a gray of 20 times the number of the frame, at 10 frames per second.
@Suite("Loading videos", .timeLimit(.minutes(1)), .enabled(if: ImageFormat.mp4.isReadable))
struct VideoPipelineTests {
  private let url = imageURL("clip.mp4")
  private let loader = FakeDataLoader()
  private let cache = FakeDataCache()
  private let data: Data

  init() throws {
    data = try Self.fixture("h264.mp4")
    loader.answer(url, with: .data(data))
  }

  private static func fixture(_ name: String) throws -> Data {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try Data(contentsOf: folder.appending(path: "../../NukeCodecsTests/Fixtures/Video/\(name)").standardized)
  }

  private func request(
    _ posterFrame: PosterFrame = .first, _ processors: [any ImageProcessing] = []
  ) -> ImageRequest {
    var request = ImageRequest(url: url, processors: processors)
    request.posterFrame = posterFrame
    return request
  }

  private func isFrame(_ index: Int, _ image: PlatformImage) -> Bool {
    abs(Int(image.pixels[(8 * image.pixelWidth + 8) * 4]) - 20 * index) <= 6
  }

  @Test(
    "The result is a frame, with the type and the data of the video",
    arguments: [("h264.mp4", AssetType.mp4), ("upright.mov", .mov), ("odd.webm", .webm), ("long.mp4", .mp4)])
  func container(_ name: String, _ type: AssetType) async throws {
    let data = try Self.fixture(name)
    loader.answer(url, with: .data(data))
    let container = try await ImagePipeline.fake(loader: loader).imageTask(with: request()).response.container
    #expect(container.type == type)
    #expect(container.data == data)
    #expect((container.animation == nil) == (name == "long.mp4"))
    let context = ImageEncodingContext(request: request(), image: container.image, urlResponse: nil)
    #expect(ImageEncoders.Default().encode(container, context: context) == data)
  }

  @Test("A 3GPP file has no type of its own, and its data is kept like that of an MP4")
  func mobile() async throws {
    var mobile = data
    mobile.replaceSubrange(8..<12, with: Data("3gp4".utf8))
    #expect(AssetType(mobile) == nil)
    loader.answer(url, with: .data(mobile))
    let container = try await ImagePipeline.fake(loader: loader).imageTask(with: request()).response.container
    #expect(container.type == .mp4)
    #expect(container.data == mobile)
    #expect(isFrame(0, container.image))
  }

  @Test("Requests for several frames share one download, and no cached image")
  func frames() async throws {
    let pipeline = ImagePipeline.fake(loader: loader, imageCache: ImageCache()) { $0.dataCache = cache }
    let requests = [request(), request(.time(0.55)), request(.time(0.85)), request(.representative(of: 4))]
    for (index, request) in zip([0, 5, 8], requests) {
      #expect(isFrame(index, try await pipeline.image(for: request)))
    }
    _ = try await pipeline.image(for: requests[3])
    #expect(loader.requests.count == 1)
    for (index, request) in requests.enumerated() {
      #expect(pipeline.cache[request] != nil)
      for other in requests[..<index] { #expect(ImageCacheKey(request: request) != ImageCacheKey(request: other)) }
    }
    #expect(await cache.writes(count: 1) == [url.absoluteString])
  }

  @Test("Requests at the same time share the download, and decode each frame")
  func coalescing() async throws {
    let pipeline = ImagePipeline.fake(loader: loader)
    async let first = pipeline.image(for: request())
    async let sixth = pipeline.image(for: request(.time(0.55)))
    let images = try await (first, sixth)
    #expect(isFrame(0, images.0) && isFrame(5, images.1))
  }

  @Test("The frame is a part of the disk cache keys of processed images and thumbnails, not of the video's key")
  func diskKeys() {
    let pipeline = ImagePipeline.fake(loader: loader)
    func key(_ request: ImageRequest) -> String {
      pipeline.dataCacheKey(for: request, processorCount: request.processors.count)
    }
    let resize = ImageProcessors.Resize(width: 32, unit: .pixels)
    #expect(key(request()) == url.absoluteString)
    #expect(key(request(.time(2))) == url.absoluteString)
    let processed = [PosterFrame.first, .time(1), .time(2), .representative(of: 2)].map { key(request($0, [resize])) }
    #expect(Set(processed).count == 4)
    #expect(processed[0] == url.absoluteString + resize.identifier)
    var thumbnails = [request(), request(.time(1))]
    for index in thumbnails.indices { thumbnails[index].thumbnail = .init(maxPixelSize: CGFloat(32)) }
    #expect(key(thumbnails[0]) != key(thumbnails[1]))
    #expect(pipeline.originalDataCacheKey(for: thumbnails[1]) == url.absoluteString)
  }

  @Test("Processors get the frame, and each frame of the animation")
  func processors() async throws {
    let resize = ImageProcessors.Resize(width: 32, unit: .pixels)
    let container = try await ImagePipeline.fake(loader: loader)
      .imageTask(with: request(.time(0.75), [resize])).response.container
    #expect(container.image.pixelWidth == 32)
    #expect(isFrame(7, container.image))
    let frames = try #require(container.animation).frames()
    for index in 0..<12 { #expect(isFrame(index, try #require(try frames.next()).image)) }
  }

  @Test("A short video is played by the player of animations")
  func player() async throws {
    let container = try await ImagePipeline.fake(loader: loader).imageTask(with: request()).response.container
    let animated = try #require(AnimatedImage(container))
    var indices: [Int] = []
    for try await frame in animated.frames {
      #expect(isFrame(frame.index, frame.image))
      indices.append(frame.index)
    }
    #expect(indices == Array(0..<12))
  }

  @Test("A registered decoder selects the frame of requests that select none")
  func ownDecoder() async throws {
    let registry = ImageDecoderRegistry()
    registry.register { ImageDecoders.Video(context: $0, posterFrame: .time(0.35)) }
    let pipeline = ImagePipeline.fake(loader: loader) { $0.makeImageDecoder = { registry.decoder(for: $0) } }
    #expect(isFrame(3, try await pipeline.image(for: request())))
    #expect(isFrame(9, try await pipeline.image(for: request(.time(0.95)))))
    let container = try ImageDecoders.Video(posterFrame: .time(0.45)).decode(data)
    #expect(isFrame(4, container.image))
    #expect(container.data == data)
    let other = ImageDecodingContext(request: request(), data: SampleImage.png(width: 4, height: 4))
    #expect(ImageDecoders.Video(context: other) == nil)
  }
}
