import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The default encoder")
struct ImageEncodersTests {
  let encoder = ImageEncoders.Default()

  @Test("makes a JPEG of an opaque picture and a PNG of one that is not")
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

  @Test("gives nothing for an empty picture")
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
