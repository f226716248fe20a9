import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Bitmaps and encoded data")
struct BitmapCodingTests {
  @Test("A bitmap is created from encoded data, and encoded as PNG")
  func png() throws {
    let fixture = PNGFixture.named("rgba8")
    let image = try #require(Bitmap(data: fixture.data()))
    #expect(image.size == CGSize(width: fixture.width, height: fixture.height))
    #expect(image.scale == 1)
    #expect(!image.isOpaque)
    #expect(image.pixelBytes == (try fixture.premultiplied()))
    let data = try #require(image.pngData())
    let again = try #require(Bitmap(data: data))
    #expect(again.pixelBytes == image.pixelBytes)
  }

  @Test("Data that is not an image has no bitmap")
  func noImage() throws {
    #expect(Bitmap(data: Data()) == nil)
    #expect(Bitmap(data: Data("<html>".utf8)) == nil)
    #expect(Bitmap(data: try PNGFixture.named("rgba8").data().prefix(200)) == nil)
  }

  @Test("A bitmap is encoded as JPEG, smaller at lower quality, with a white background")
  func jpeg() throws {
    let image = try #require(Bitmap(data: PNGFixture.named("rgba8").data()))
    let best = try #require(image.jpegData(compressionQuality: 1))
    let worst = try #require(image.jpegData(compressionQuality: 0.1))
    #expect(ImageFormat(sniffing: best) == .jpeg)
    #expect(worst.count < best.count)
    let again = try #require(Bitmap(data: best))
    #expect(again.size == image.size)
    #expect(again.isOpaque)
    // The first row of the fixture is fully transparent.
    #expect(image.pixelBytes.prefix(image.bytesPerRow).allSatisfy { $0 == 0 })
    #expect(again.pixelBytes.prefix(image.bytesPerRow).allSatisfy { $0 > 230 })
  }

  @Test("An empty bitmap has no encoded data")
  func empty() {
    #expect(Bitmap().pngData() == nil)
    #expect(Bitmap().jpegData(compressionQuality: 0.8) == nil)
  }
}
