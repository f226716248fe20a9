import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The decoder registry")
struct ImageDecoderRegistryTests {
  let registry = ImageDecoderRegistry()
  let context = ImageDecodingContext(request: ImageRequest(url: imageURL("a")), data: Data([1, 2, 3]))

  private func decoder(_ side: Int) -> FakeDecoder { FakeDecoder(SampleImage.bitmap(width: side, height: 1)) }

  @Test("The built-in decoder is registered initially")
  func builtIn() {
    #expect(registry.decoder(for: context) is ImageDecoders.Default)
  }

  @Test("Decoders registered last are asked first, and the next one if they decline")
  func order() {
    let (first, second) = (decoder(1), decoder(2))
    registry.register { _ in first }
    registry.register { $0.data.first == 1 ? second : nil }
    #expect(registry.decoder(for: context) as? FakeDecoder === second)
    var other = context
    other.data = Data([9])
    #expect(registry.decoder(for: other) as? FakeDecoder === first)
  }

  @Test("Unregistering removes one registration and no other")
  func unregistering() {
    let (first, second) = (decoder(1), decoder(2))
    registry.register { _ in first }
    let token = registry.register { _ in second }
    registry.unregister(token)
    registry.unregister(token)
    #expect(registry.decoder(for: context) as? FakeDecoder === first)
  }

  @Test("A cleared registry has no decoders, and can be filled again")
  func clearing() {
    registry.clear()
    #expect(registry.decoder(for: context) == nil)
    let first = decoder(1)
    registry.register { _ in first }
    #expect(registry.decoder(for: context) as? FakeDecoder === first)
  }
}

@Suite("The empty decoder")
struct EmptyDecoderTests {
  @Test("The data and the given type are kept with an empty image")
  func decoding() throws {
    let data = SampleImage.png(width: 2, height: 2)
    let container = try ImageDecoders.Empty().decode(data)
    #expect(container.data == data)
    #expect(container.image.pixelWidth == 0)
    #expect(container.type == nil)
    #expect(try ImageDecoders.Empty(assetType: .mp4).decode(data).type == .mp4)
    #expect(ImageDecoders.Empty().isAsynchronous == false)
  }

  @Test("A progressive decoder delivers the data downloaded so far as previews")
  func progressive() throws {
    let data = SampleImage.png(width: 2, height: 2).prefix(40)
    #expect(ImageDecoders.Empty().decodePartiallyDownloadedData(data) == nil)
    let decoder = ImageDecoders.Empty(assetType: .png, isProgressive: true)
    let preview = try #require(decoder.decodePartiallyDownloadedData(data))
    #expect(preview.isPreview)
    #expect(preview.data == data)
    #expect(preview.type == .png)
    #expect(try !decoder.decode(data).isPreview)
  }
}
