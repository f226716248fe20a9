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

  @Test("Decoding returns the same image as the failable initializer")
  func decoding() throws {
    let fixture = PNGFixture.named("rgba8")
    let image = try Bitmap(decoding: fixture.data())
    #expect(image.pixelBytes == (try fixture.premultiplied()))
    #expect(image.scale == 1 && !image.isOpaque)
  }

  @Test("Decoding reports why data is not an image")
  func decodingErrors() throws {
    let page = Data("<!DOCTYPE html><html><body>Not found</body></html>".utf8)
    #expect(throws: CodecError.unrecognizedFormat(looksLike: "HTML")) { try Bitmap(decoding: page) }
    let truncated = try PNGFixture.named("rgba8").data().prefix(200)
    #expect(throws: CodecError.self) { try Bitmap(decoding: truncated) }
  }

  @Test("A header that states a hostile size is refused by default, before memory is allocated")
  func hostileSizes() {
    #expect(throws: CodecError.tooLarge(.bmp, width: 20_000, height: 1, limit: .side(16_384))) {
      try Bitmap(decoding: bitmapHeader(width: 20_000, height: 1))
    }
    #expect(throws: CodecError.tooLarge(.bmp, width: 16_000, height: 16_000, limit: .pixelCount(100_000_000))) {
      try Bitmap(decoding: bitmapHeader(width: 16_000, height: 16_000))
    }
    #expect(Bitmap(data: bitmapHeader(width: 16_000, height: 16_000)) == nil)
  }

  @Test("Limits for decoding can be lowered")
  func lowerLimits() throws {
    #expect(throws: CodecError.tooLarge(.bmp, width: 40, height: 30, limit: .pixelCount(1000))) {
      try Bitmap(decoding: bitmapHeader(width: 40, height: 30), limits: CodecLimits(maximumPixelCount: 1000))
    }
    let image = try Bitmap(
      decoding: PNGFixture.named("rgba8").data(), limits: CodecLimits(maximumPixelCount: 1_000_000))
    #expect(image.pixelWidth == PNGFixture.named("rgba8").width)
  }

  /// Returns a Windows bitmap with 24 bits per pixel that ends after its headers.
  private func bitmapHeader(width: Int32, height: Int32) -> Data {
    var bytes = Array("BM".utf8)
    func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    for number in [54, 0, 54, 40] as [UInt32] { append(number) }
    append(width)
    append(height)
    append(1 as UInt16)
    append(24 as UInt16)
    for _ in 0..<6 { append(0 as UInt32) }
    return Data(bytes)
  }

  @Test("Pixels are rows from the top without padding, in premultiplied RGBA")
  func layout() throws {
    // Red, half-transparent blue; below them transparent, and white.
    let pixels: [UInt8] = [255, 0, 0, 255, 0, 0, 128, 128, 0, 0, 0, 0, 255, 255, 255, 255]
    let image = try #require(Bitmap(pixelWidth: 2, pixelHeight: 2) { $0.copyBytes(from: pixels) })
    let decoded = try Bitmap(decoding: try #require(image.pngData()))
    #expect(decoded.bytesPerRow == 8 && decoded.byteCount == 16)
    #expect(decoded.withUnsafeBytes { Array($0) } == pixels)
    #expect(Bitmap().withUnsafeBytes { $0.count } == 0)
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
