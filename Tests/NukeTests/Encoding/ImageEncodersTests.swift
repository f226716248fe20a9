import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The default encoder")
struct ImageEncodersTests {
  let encoder = ImageEncoders.Default()

  @Test("An opaque image becomes a JPEG, and another one a PNG")
  func formats() throws {
    let opaque = try #require(encoder.encode(SampleImage.bitmap(width: 20, height: 10)))
    #expect(AssetType(opaque) == .jpeg)
    let transparent = SampleImage.bitmap(width: 20, height: 10, isOpaque: false)
    let encoded = try #require(encoder.encode(transparent))
    #expect(AssetType(encoded) == .png)
    #expect(PlatformImage(data: encoded)?.pixels.count == transparent.pixels.count)
  }

  @Test("A lower quality makes smaller files")
  func quality() throws {
    let image = SampleImage.bitmap(width: 64, height: 64)
    let low = try #require(ImageEncoders.Default(compressionQuality: 0.1).encode(image))
    let high = try #require(ImageEncoders.Default(compressionQuality: 1).encode(image))
    #expect(low.count < high.count)
    #expect(encoder.compressionQuality == 0.8)
    let short: ImageEncoders.Default = .default(compressionQuality: 0.3)
    #expect(short.compressionQuality == 0.3)
  }

  @Test("A request for HEIF is accepted, and a supported format is written")
  func heif() throws {
    #expect(!encoder.isHEIFPreferred)
    var preferring = encoder
    preferring.isHEIFPreferred = true
    let data = try #require(preferring.encode(SampleImage.bitmap(width: 20, height: 10)))
    #expect(AssetType(data) == .jpeg)
  }

  @Test("An empty image is not encoded")
  func empty() { #expect(encoder.encode(PlatformImage()) == nil) }

  @Test("A drawing becomes a PNG, even if it is opaque and processed, and keeps every pixel")
  func drawings() throws {
    let image = SampleImage.bitmap(width: 20, height: 10)
    let context = ImageEncodingContext(request: ImageRequest(url: nil), image: image, urlResponse: nil)
    let drawing = ImageContainer(image: image, type: .svg)
    for container in [drawing, drawing.map { $0.withScale(2) }] {
      let data = try #require(encoder.encode(container, context: context))
      #expect(AssetType(data) == .png)
      #expect(PlatformImage(data: data)?.pixels == image.pixels)
    }
    let photo = try #require(encoder.encode(ImageContainer(image: image, type: .tiff), context: context))
    #expect(AssetType(photo) == .jpeg)
  }

  @Test("The data of a GIF is kept, because it contains more than the image")
  func containers() throws {
    let image = SampleImage.bitmap(width: 4, height: 4)
    let context = ImageEncodingContext(request: ImageRequest(url: nil), image: image, urlResponse: nil)
    let gif = ImageContainer(image: image, type: .gif, data: Data([1, 2, 3]))
    #expect(encoder.encode(gif, context: context) == Data([1, 2, 3]))
    let png = ImageContainer(image: image, type: .png, data: Data([1, 2, 3]))
    #expect(encoder.encode(png, context: context) == encoder.encode(image))
  }
}

@Suite("The encoder for one format")
struct ImageIOEncoderTests {
  let image = SampleImage.bitmap(width: 64, height: 48)

  @Test("The given format is written", arguments: [.jpeg, .png, .webp] as [AssetType])
  func formats(type: AssetType) throws {
    #expect(ImageEncoders.ImageIO.isSupported(type: type))
    let data = try #require(ImageEncoders.ImageIO(type: type).encode(image))
    #expect(AssetType(data) == type)
    #expect(PlatformImage(data: data)?.pixelWidth == 64)
    let short: ImageEncoders.ImageIO = .imageIO(type: type, compressionRatio: 0.3)
    #expect(short.type == type)
    #expect(short.compressionRatio == 0.3)
  }

  @Test("A lower ratio makes smaller files if the format supports it", arguments: [.jpeg, .webp] as [AssetType])
  func ratio(type: AssetType) throws {
    let low = try #require(ImageEncoders.ImageIO(type: type, compressionRatio: 0.1).encode(image))
    let usual = try #require(ImageEncoders.ImageIO(type: type).encode(image))
    #expect(low.count < usual.count)
    #expect(ImageEncoders.ImageIO(type: type).compressionRatio == 0.8)
  }

  @Test(
    "Formats that this build cannot write are not written",
    arguments: [.heic, "own"] as [AssetType])
  func unsupported(type: AssetType) {
    #expect(!ImageEncoders.ImageIO.isSupported(type: type))
    #expect(ImageEncoders.ImageIO(type: type).encode(image) == nil)
  }

  @Test("An empty image is not encoded")
  func empty() { #expect(ImageEncoders.ImageIO(type: .png).encode(PlatformImage()) == nil) }
}
