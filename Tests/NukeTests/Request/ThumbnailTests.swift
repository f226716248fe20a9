import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Thumbnails of camera images", .timeLimit(.minutes(1)))
struct ThumbnailTests {
  let url = imageURL("a.jpg")

  private func image(
    of photo: CameraImage, _ thumbnail: ImageRequest.ThumbnailOptions, on pipeline: ImagePipeline? = nil
  ) async throws(ImagePipeline.Error) -> PlatformImage {
    let data = photo.data
    var request = ImageRequest(id: "camera", data: { data })
    request.thumbnail = thumbnail
    return try await (pipeline ?? .fake()).image(for: request)
  }

  private func options(
    _ side: Float, always: Bool = false, ifAbsent: Bool = true, turned: Bool = true
  ) -> ImageRequest.ThumbnailOptions {
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: side)
    options.createThumbnailFromImageAlways = always
    options.createThumbnailFromImageIfAbsent = ifAbsent
    options.createThumbnailWithTransform = turned
    return options
  }

  @Test("By default, a thumbnail is made from the image, upright")
  func defaults() async throws {
    let options = ImageRequest.ThumbnailOptions(maxPixelSize: 64)
    #expect(options.createThumbnailFromImageAlways)
    #expect(options.createThumbnailFromImageIfAbsent)
    #expect(options.createThumbnailWithTransform)
    #expect(options.shouldCacheImmediately)
    let image = try await image(of: .init(orientation: .right, embedded: (64, 48)), options)
    #expect((image.pixelWidth, image.pixelHeight) == (48, 64))
    #expect(!image.isRed)
  }

  @Test(
    "The embedded thumbnail is used if that is allowed and it is large enough",
    arguments: [(64, true), (40, true), (65, false), (200, false)] as [(Float, Bool)])
  func embedded(side: Float, isEmbedded: Bool) async throws {
    let image = try await image(of: .init(embedded: (64, 48)), options(side))
    #expect(image.isRed == isEmbedded)
    #expect(image.pixelWidth == Int(side))
    #expect(image.pixelHeight == Int((side * 0.75).rounded()))
  }

  @Test("An embedded thumbnail with another aspect ratio is not used")
  func shape() async throws {
    #expect(try await !image(of: .init(embedded: (64, 64)), options(40)).isRed)
    // A side that was rounded is no other shape.
    #expect(try await image(of: .init(width: 255, height: 192, embedded: (64, 48)), options(40)).isRed)
  }

  @Test("Without a readable embedded thumbnail, the image is used")
  func absent() async throws {
    #expect(try await image(of: .init(), options(64)).pixelWidth == 64)
    let damaged = CameraImage(embeddedData: Data([0xFF, 0xD8, 0xFF, 0xD9]))
    #expect(try await image(of: damaged, options(64)).pixelWidth == 64)
  }

  @Test("With both options off, an embedded thumbnail of any size and aspect ratio is used")
  func embeddedOnly() async throws {
    let image = try await image(of: .init(embedded: (32, 32)), options(64, ifAbsent: false))
    #expect(image.isRed)
    #expect((image.pixelWidth, image.pixelHeight) == (32, 32))
    let error = await loadFailure(try await self.image(of: .init(), options(64, ifAbsent: false)))
    guard case .decodingFailed(_, _, let reason)? = error else { throw Unexpected(error) }
    #expect(reason is ImageRequest.ThumbnailOptions.EmbeddedThumbnailMissing)
    #expect("\(reason)".contains("no embedded thumbnail"))
  }

  @Test("The thumbnail item of a HEIC is used", .enabled(if: ImageFormat.heic.isReadable))
  func heic() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../NukeCodecsTests/Fixtures/HEIC/thumbnail.heic").standardized
    let loader = FakeDataLoader()
    loader.answer(url, with: .data(try Data(contentsOf: file)))
    var request = ImageRequest(url: url)
    request.thumbnail = options(64, ifAbsent: false)
    let image = try await ImagePipeline.fake(loader: loader).image(for: request)
    #expect((image.pixelWidth, image.pixelHeight) == (16, 10))
  }

  @Test("Without transform, the stored orientation is kept", arguments: [false, true])
  func stored(always: Bool) async throws {
    let photo = CameraImage(orientation: .right, embedded: (64, 48))
    let upright = try await image(of: photo, options(64, always: always))
    #expect((upright.pixelWidth, upright.pixelHeight) == (48, 64))
    let stored = try await image(of: photo, options(64, always: always, turned: false))
    #expect((stored.pixelWidth, stored.pixelHeight) == (64, 48))
    #expect(stored.isRed == !always)
  }

  @Test("Options that affect the thumbnail distinguish it in caches and loads")
  func identity() async throws {
    var requests: [ImageRequest] = []
    for thumbnail in [
      options(64, always: true), options(64), options(64, ifAbsent: false), options(64, turned: false),
    ] {
      var request = ImageRequest(url: url)
      request.thumbnail = thumbnail
      requests.append(request)
    }
    #expect(Set(requests.map(ImageCacheKey.init(request:))).count == 4)
    let pipeline = ImagePipeline.fake()
    #expect(Set(requests.map(pipeline.cache.makeDataCacheKey)).count == 4)

    var same = ImageRequest(url: url)
    same.thumbnail = options(64, always: true, ifAbsent: false)
    same.thumbnail?.shouldCacheImmediately = false
    #expect(same.thumbnail?.shouldCacheImmediately == false)
    #expect(ImageCacheKey(request: same) == ImageCacheKey(request: requests[0]))
    #expect(
      pipeline.cache.makeDataCacheKey(for: same) == url.absoluteString
        + "com.github/kean/nuke/thumbnail?maxPixelSize=64.0,options=truetruetruetrue")
  }

  private static let keys: [(ImageRequest.ThumbnailOptions, String)] = {
    func pixels(_ mode: ImageProcessingOptions.ContentMode) -> ImageRequest.ThumbnailOptions {
      .init(size: CGSize(width: 40, height: 30.5), unit: .pixels, contentMode: mode)
    }
    func changed(_ change: (inout ImageRequest.ThumbnailOptions) -> Void) -> ImageRequest.ThumbnailOptions {
      var options = ImageRequest.ThumbnailOptions(maxPixelSize: 64)
      change(&options)
      return options
    }
    return [
      (.init(maxPixelSize: CGFloat(64)), "maxPixelSize=64.0,options=truetruetruetrue"),
      (.init(maxPixelSize: Float(64.5)), "maxPixelSize=64.5,options=truetruetruetrue"),
      (
        .init(size: CGSize(width: 4, height: 5), unit: .pixels),
        "width=4.0,height=5.0,contentMode=.aspectFill,options=truetruetruetrue"
      ),
      (pixels(.aspectFill), "width=40.0,height=30.5,contentMode=.aspectFill,options=truetruetruetrue"),
      (pixels(.aspectFit), "width=40.0,height=30.5,contentMode=.aspectFit,options=truetruetruetrue"),
      (changed { $0.createThumbnailFromImageAlways = false }, "maxPixelSize=64.0,options=truefalsetruetrue"),
      (
        changed {
          $0.createThumbnailFromImageAlways = false
          $0.createThumbnailFromImageIfAbsent = false
        }, "maxPixelSize=64.0,options=falsefalsetruetrue"
      ),
      (changed { $0.createThumbnailWithTransform = false }, "maxPixelSize=64.0,options=truetruefalsetrue"),
      // These two have no effect on the thumbnail.
      (changed { $0.createThumbnailFromImageIfAbsent = false }, "maxPixelSize=64.0,options=truetruetruetrue"),
      (changed { $0.shouldCacheImmediately = false }, "maxPixelSize=64.0,options=truetruetruetrue"),
      (changed { $0.reduction = .none }, "maxPixelSize=64.0,options=truetruetruetrue,reduction=none"),
    ]
  }()

  @Test("The key on disk contains the size and the options, in the documented form", arguments: keys)
  func keyOnDisk(options: ImageRequest.ThumbnailOptions, text: String) {
    var request = ImageRequest(url: url)
    request.thumbnail = options
    #expect(
      ImagePipeline.fake().cache.makeDataCacheKey(for: request)
        == url.absoluteString + "com.github/kean/nuke/thumbnail?" + text)
  }

  @Test("Thumbnails of one image share the download, and not the decode")
  func coalescing() async throws {
    let loader = FakeDataLoader()
    let gate = Gate()
    let photo = CameraImage(width: 96, height: 72, orientation: .right, embedded: (64, 48))
    loader.answer(url, with: .data(photo.data).held(by: gate))
    let pipeline = ImagePipeline.fake(loader: loader)
    // All are decoded without a reduction.
    let tasks = [options(64), options(64, always: true), options(64, turned: false)].map { thumbnail in
      var request = ImageRequest(url: url)
      request.thumbnail = thumbnail
      return pipeline.imageTask(with: request)
    }
    gate.open()
    var images: [PlatformImage] = []
    for task in tasks { images.append(try await task.image) }
    #expect(images.map(\.isRed) == [true, false, true])
    #expect(images.map(\.pixelWidth) == [48, 48, 64])
    #expect(loader.requests.count == 1)
    #expect(pipeline.counters.decodes == 3)
  }

  @Test("There are previews, except without transform")
  func previews() async throws {
    let (loader, gate) = (FakeDataLoader(delivery: .synchronous), Gate())
    let data = CameraImage(orientation: .right, embedded: (64, 48)).data
    loader.answer(url, with: .init([.chunk(data.dropLast(40)), .wait(gate), .chunk(data.suffix(40)), .complete(nil)]))
    let configuration = ImagePipeline.Configuration.fake(loader: loader) { $0.decodeEveryPart() }
    let pipeline = ImagePipeline(
      configuration: configuration, delegate: HookedDelegate { $0.previewPolicy = { _ in .thumbnail } })
    var (turned, stored) = (ImageRequest(url: url), ImageRequest(url: url))
    turned.thumbnail = options(16)
    stored.thumbnail = options(16, turned: false)
    // Both are in before any data comes, since the queue of downloads waits.
    pipeline.configuration.dataLoadingQueue.isSuspended = true
    let tasks = [pipeline.imageTask(with: turned), pipeline.imageTask(with: stored)]
    let events = tasks.map(\.events)
    pipeline.configuration.dataLoadingQueue.isSuspended = false
    var counts = [0, 0]
    for await event in events[0] {
      if case .preview = event {
        counts[0] += 1
        gate.open()
      }
    }
    for await event in events[1] { if case .preview = event { counts[1] += 1 } }
    #expect(counts == [1, 0])
  }
}
