import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The default decoder")
struct DefaultDecoderTests {
  private func context(
    _ data: Data, isCompleted: Bool = true, configure: (inout ImageRequest) -> Void = { _ in }
  ) -> ImageDecodingContext {
    var request = ImageRequest(url: imageURL("a"))
    configure(&request)
    return ImageDecodingContext(request: request, data: data, isCompleted: isCompleted)
  }

  @Test("The decoder of the registry decodes the requested thumbnail")
  func thumbnail() throws {
    let data = SampleImage.png(width: 40, height: 20)
    let context = context(data) { $0.thumbnail = .init(maxPixelSize: 10) }
    let decoder = try #require(ImageDecoderRegistry().decoder(for: context))
    let image = try decoder.decode(data).image
    #expect((image.pixelWidth, image.pixelHeight) == (10, 5))
    #expect(try ImageDecoders.Default().decode(data).image.pixelWidth == 40)
  }

  @Test("The embedded thumbnail is used if the options allow it")
  func embeddedThumbnail() throws {
    let data = CameraImage(embedded: (64, 48)).data
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 64)
    options.createThumbnailFromImageAlways = false
    let decoder = try #require(ImageDecoders.Default(context: context(data) { $0.thumbnail = options }))
    #expect(try decoder.decode(data).image.isRed)
    #expect(try #require(options.makeThumbnail(with: data)).isRed)
  }

  @Test("A thumbnail is made from data that is an image, and only from that")
  func makingThumbnails() throws {
    let side: CGFloat = 10
    let data = SampleImage.png(width: 40, height: 20)
    let image = try #require(ImageRequest.ThumbnailOptions(maxPixelSize: side).makeThumbnail(with: data))
    #expect((image.pixelWidth, image.pixelHeight) == (10, 5))
    let filled = ImageRequest.ThumbnailOptions(size: CGSize(width: 10, height: 10), unit: .pixels)
    #expect(filled.makeThumbnail(with: data)?.pixelWidth == 20)
    #expect(ImageRequest.ThumbnailOptions(maxPixelSize: side).makeThumbnail(with: Data("text".utf8)) == nil)
  }

  @Test("The images of a decoder for a context have the scale of its request")
  func scale() throws {
    let data = SampleImage.png(width: 40, height: 20)
    func decoded(_ configure: (inout ImageRequest) -> Void) throws -> PlatformImage {
      try #require(ImageDecoders.Default(context: context(data, configure: configure))).decode(data).image
    }
    let thumbnail = try decoded {
      $0.thumbnail = .init(maxPixelSize: 10)
      $0.scale = 2
    }
    #expect((thumbnail.pixelWidth, thumbnail.scale) == (10, 2))
    #expect(thumbnail.size == CGSize(width: 5, height: 2.5))
    #expect(try decoded { $0.scale = 3 }.scale == 3)
    #expect(try decoded { $0.thumbnail = .init(maxPixelSize: 10) }.scale == 1)
  }

  @Test("The thumbnail of a request is made once, and a stored thumbnail is decoded unchanged")
  func pipelineThumbnail() async throws {
    let data = SampleImage.png(width: 40, height: 20)
    let dataCache = FakeDataCache()
    let pipeline = ImagePipeline.fake {
      $0.dataCache = dataCache
      $0.dataCachePolicy = .storeEncodedImages
    }
    var request = ImageRequest(id: "image", data: { data })
    request.thumbnail = .init(maxPixelSize: 10)
    #expect(try await pipeline.image(for: request).pixelWidth == 10)
    await pipeline.encodingsDone()
    #expect(pipeline.cache.cachedImage(for: request, caches: .disk)?.image.pixelWidth == 10)
  }

  @Test("The data of every GIF is kept, because a GIF is stored unchanged")
  func dataOfGIF() throws {
    let still = SampleGIF.data(grays: [80])
    let container = try ImageDecoders.Default().decode(still)
    #expect(container.data == still)
    #expect(container.animation == nil)
    let context = ImageEncodingContext(
      request: ImageRequest(url: nil), image: container.image, urlResponse: nil)
    #expect(ImageEncoders.Default().encode(container, context: context) == still)
    let bare = ImageContainer(image: container.image, type: .gif)
    #expect(ImageEncoders.Default().encode(bare, context: context) == nil)
  }
}
