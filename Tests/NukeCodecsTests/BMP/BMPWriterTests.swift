import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing BMP")
struct BMPWriterTests {
  @Test("What is written is read again exactly", arguments: [true, false], [1, 2, 3, 4, 61])
  func roundTrip(isOpaque: Bool, width: Int) throws {
    let image = try randomImage(width: width, height: 47, isOpaque: isOpaque)
    let data = try ImageWriters.writer(for: .bmp).encode(image)
    let reader = try BMPReader(data: data, limits: CodecLimits())
    #expect(reader.header.hasAlpha == !isOpaque)
    #expect(reader.header.profileName == (isOpaque ? nil : "sRGB"))
    let again = try reader.decode(DecodeOptions())
    #expect(again.pixelBytes == image.pixelBytes)
    #expect(again.isOpaque == isOpaque)
  }

  @Test("ImageMagick reads what is written", .enabled(if: ImageMagick.isInstalled), arguments: [true, false])
  func magick(isOpaque: Bool) throws {
    let image = try randomImage(width: 61, height: 47, isOpaque: isOpaque)
    let pixels = try ImageMagick.straightRGBA(BMPWriter().encode(image), fileExtension: "bmp")
    #expect(premultipliedByDefinition(pixels) == image.pixelBytes)
  }

  @Test("An empty image cannot be written")
  func empty() {
    #expect(throws: CodecError.encodingFailed(.bmp, reason: "the image is empty")) {
      try BMPWriter().encode(Bitmap())
    }
  }
}

/// An image of random premultiplied pixels with every alpha.
func randomImage(width: Int, height: Int, isOpaque: Bool) throws -> Bitmap {
  var random = SplitMix64(state: 5)
  return try #require(
    Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque) { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        let alpha = isOpaque ? 255 : UInt8(truncatingIfNeeded: offset / 4)
        for channel in 0..<3 { bytes[offset + channel] = UInt8.random(in: 0...alpha, using: &random) }
        bytes[offset + 3] = alpha
      }
    })
}
