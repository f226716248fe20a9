import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reducing the colors of a PNG")
struct PNGPaletteTests {
  private func meanDifference(_ one: [UInt8], _ other: [UInt8]) -> Double {
    Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
  }

  /// A gradient of many colors, or one that fades out to all sides.
  private func gradient(isOpaque: Bool) throws -> Bitmap {
    try .drawn(160, 120, isOpaque: isOpaque) { x, y in
      let distance = (x - 80) * (x - 80) + (y - 60) * (y - 60)
      return Bitmap.premultiplied(x + 60, y * 2, 200 - x, alpha: isOpaque ? 255 : max(0, 255 - distance / 12))
    }
  }

  @Test(
    "There are no more colors than allowed, and they are close to the original ones", arguments: [2, 3, 16, 100, 256],
    [true, false])
  func limit(count: Int, isOpaque: Bool) throws {
    for isDithered in [true, false] { try checkLimit(count, isOpaque: isOpaque, isDithered: isDithered) }
  }

  private func checkLimit(_ count: Int, isOpaque: Bool, isDithered: Bool) throws {
    let image = try gradient(isOpaque: isOpaque)
    let data = try PNGWriter(maximumColorCount: count, isDithered: isDithered).encode(image)
    #expect(data[25] == 3)
    let palette = try #require(pngChunks("PLTE", of: data).first)
    #expect(palette.count <= count * 3)
    #expect(data[24] == (count == 2 ? 1 : count == 3 ? 2 : count == 16 ? 4 : 8))
    let pixels = try readByLibpng(data)
    #expect(meanDifference(pixels, image.pixelBytes) < (count < 16 ? 45 : count < 100 ? 13 : 6))
    #expect(pngChunks("tRNS", of: data).isEmpty == isOpaque)
    // What is transparent stays so, and nothing else becomes it where there are alphas enough.
    for offset in stride(from: 3, to: pixels.count, by: 4) where image.pixelBytes[offset] == 0 {
      #expect(pixels[offset] == 0)
    }
    #expect(try PNGWriter(maximumColorCount: count, isDithered: isDithered).encode(image) == data)
  }

  @Test("Dithering keeps the mean of an area")
  func dithering() throws {
    let image = try Bitmap.drawn(64, 64, isOpaque: true) { x, _ in
      Bitmap.premultiplied(96 + x, 96 + x, 96 + x, alpha: 255)
    }
    func mean(_ bitmap: [UInt8]) -> Double { Double(bitmap.reduce(0) { $0 + Int($1) }) / Double(bitmap.count) }
    let dithered = try readByLibpng(PNGWriter(maximumColorCount: 2).encode(image))
    #expect(abs(mean(dithered) - mean(image.pixelBytes)) < 1)
  }

  @Test("Colors below the limit are stored exactly")
  func exact() throws {
    for form in PNGForm.all where form.colorType == 3 {
      let image = try form.image(width: 100, height: 50)
      #expect(try readByLibpng(PNGWriter(maximumColorCount: 256).encode(image)) == image.pixelBytes)
    }
  }

  @Test("The common options apply to the writer, and a lossless image keeps its colors")
  func options() throws {
    let image = try gradient(isOpaque: true)
    var options = EncodeOptions()
    options.maximumColorCount = 20
    options.effort = 1.0 / 3
    options.isDithered = false
    let writer = PNGWriter(options)
    #expect(writer.compressionLevel == 3 && writer.maximumColorCount == 20 && !writer.isDithered)
    #expect(GIFWriter(options).maximumColorCount == 20 && !GIFWriter(options).isDithered)
    options.isLossless = true
    #expect(try readByLibpng(PNGWriter(options).encode(image)) == image.pixelBytes)
    #expect(PNGWriter(EncodeOptions()).compressionLevel == 6)
    #expect(PNGWriter(maximumColorCount: 1).maximumColorCount == 2)
    #expect(PNGWriter(maximumColorCount: 1000).maximumColorCount == 256)
  }

  @Test("Pillow reads the same pixels as libpng from a reduced image", .enabled(if: PillowReader.isInstalled))
  func interchange() throws {
    let data = try PNGWriter(maximumColorCount: 50).encode(gradient(isOpaque: false))
    let frame = try #require(try PillowReader.read(data).frames.first)
    #expect(premultipliedByDefinition(frame) == (try readByLibpng(data)))
  }
}
