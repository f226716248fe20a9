import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// A writer that loses nothing, and images that it may write in forms of their own.
struct ExactWriter: Sendable, CustomTestStringConvertible {
  let name: String
  let fileExtension: String
  var isGray = false
  let writer: any ImageWriter

  var testDescription: String { name }

  static let all: [ExactWriter] = {
    var all = [
      ExactWriter(name: "BMP", fileExtension: "bmp", writer: BMPWriter()),
      ExactWriter(name: "PNG", fileExtension: "png", writer: PNGWriter()),
      ExactWriter(name: "gray PNG", fileExtension: "png", isGray: true, writer: PNGWriter()),
    ]
    #if TIFF
      for compression in [TIFFWriter.Compression.none, .lzw, .deflate] {
        all.append(
          ExactWriter(
            name: "TIFF \(compression)", fileExtension: "tif", writer: TIFFWriter(compression: compression)))
      }
    #endif
    return all
  }()
}

@Suite("Lossless writers")
struct ExactWriterTests {
  @Test(
    "Written images are read back exactly, and encoding is reproducible", arguments: ExactWriter.all, [true, false])
  func roundTrip(_ exact: ExactWriter, isOpaque: Bool) throws {
    for width in [1, 2, 3, 4, 61, 611] {
      let image = try randomImage(width: width, height: 47, isOpaque: isOpaque, isGray: exact.isGray)
      let data = try exact.writer.encode(image)
      let reader = try ImageReaders.reader(for: data)
      let again = try reader.decode(DecodeOptions())
      #expect(again.pixelBytes == image.pixelBytes)
      #expect(again.isOpaque == isOpaque)
      #expect(try exact.writer.encode(again) == data)
      #expect(reader.header.hasAlpha == !isOpaque)
      #expect(reader.header.colorModel == (exact.isGray ? .gray : .rgb))
      #expect(reader.header.profileName == (exact.fileExtension == "bmp" && isOpaque ? nil : "sRGB"))
      #expect(reader.header.orientation == .up)
    }
  }

  @Test(
    "ImageMagick reads the written images", .enabled(if: ImageMagick.isInstalled), arguments: ExactWriter.all,
    [true, false])
  func magick(_ exact: ExactWriter, isOpaque: Bool) throws {
    let image = try randomImage(width: 61, height: 47, isOpaque: isOpaque, isGray: exact.isGray)
    let pixels = try ImageMagick.straightRGBA(exact.writer.encode(image), fileExtension: exact.fileExtension)
    #expect(premultipliedByDefinition(pixels) == image.pixelBytes)
  }
}
