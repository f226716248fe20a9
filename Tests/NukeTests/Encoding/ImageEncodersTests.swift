import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The default encoder")
struct ImageEncodersTests {
  let encoder = ImageEncoders.Default()

  @Test("makes a JPEG of an opaque image and a PNG of one that is not")
  func formats() throws {
    let opaque = try #require(encoder.encode(SampleImage.bitmap(width: 20, height: 10)))
    #expect(AssetType(opaque) == .jpeg)
    let transparent = SampleImage.bitmap(width: 20, height: 10, isOpaque: false)
    let encoded = try #require(encoder.encode(transparent))
    #expect(AssetType(encoded) == .png)
    #expect(PlatformImage(data: encoded)?.pixels.count == transparent.pixels.count)
  }

  @Test("makes smaller files at a lower quality")
  func quality() throws {
    let image = SampleImage.bitmap(width: 64, height: 64)
    let low = try #require(ImageEncoders.Default(compressionQuality: 0.1).encode(image))
    let high = try #require(ImageEncoders.Default(compressionQuality: 1).encode(image))
    #expect(low.count < high.count)
    #expect(encoder.compressionQuality == 0.8)
    let short: ImageEncoders.Default = .default(compressionQuality: 0.3)
    #expect(short.compressionQuality == 0.3)
  }

  @Test("takes the wish for HEIF and writes what it can")
  func heif() throws {
    #expect(!encoder.isHEIFPreferred)
    var preferring = encoder
    preferring.isHEIFPreferred = true
    let data = try #require(preferring.encode(SampleImage.bitmap(width: 20, height: 10)))
    #expect(AssetType(data) == .jpeg)
  }

  @Test("gives nothing for an empty image")
  func empty() { #expect(encoder.encode(PlatformImage()) == nil) }

  @Test("keeps the data of a GIF, which says more than its pixels")
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

  @Test("writes the format that it is told to", arguments: [.jpeg, .png, .webp] as [AssetType])
  func formats(type: AssetType) throws {
    #expect(ImageEncoders.ImageIO.isSupported(type: type))
    let data = try #require(ImageEncoders.ImageIO(type: type).encode(image))
    #expect(AssetType(data) == type)
    #expect(PlatformImage(data: data)?.pixelWidth == 64)
    let short: ImageEncoders.ImageIO = .imageIO(type: type, compressionRatio: 0.3)
    #expect(short.type == type)
    #expect(short.compressionRatio == 0.3)
  }

  @Test("writes smaller files at a lower ratio where the format allows it", arguments: [.jpeg, .webp] as [AssetType])
  func ratio(type: AssetType) throws {
    let low = try #require(ImageEncoders.ImageIO(type: type, compressionRatio: 0.1).encode(image))
    let usual = try #require(ImageEncoders.ImageIO(type: type).encode(image))
    #expect(low.count < usual.count)
    #expect(ImageEncoders.ImageIO(type: type).compressionRatio == 0.8)
  }

  @Test(
    "writes nothing in a format that this build only reads, or does not know",
    arguments: [.ico, .heic, "own"] as [AssetType])
  func unsupported(type: AssetType) {
    #expect(!ImageEncoders.ImageIO.isSupported(type: type))
    #expect(ImageEncoders.ImageIO(type: type).encode(image) == nil)
  }

  @Test("writes nothing of an empty image")
  func empty() { #expect(ImageEncoders.ImageIO(type: .png).encode(PlatformImage()) == nil) }
}
