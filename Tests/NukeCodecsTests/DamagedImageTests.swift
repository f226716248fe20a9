import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged images that are decoded as far as possible")
struct DamagedImageTests {
  /// A file that `Scripts/fixtures/jpeg.py` damages, with the share of rows that there is data for.
  struct DamagedJPEG: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let size: [Int]
    let least: Double
    let most: Double
    var testDescription: String { name }

    static let all: [DamagedJPEG] = Fixtures.manifest("DamagedJPEG")

    static func data(_ name: String) throws -> Data {
      try Data(contentsOf: Fixtures.file("DamagedJPEG/\(name).jpg"))
    }
  }

  /// Decodes what a damaged file has, after the reader has failed.
  private func part(
    of data: Data, _ options: DecodeOptions = DecodeOptions()
  ) throws -> (image: Bitmap, damage: ImageDamage) {
    let error = try #require(throws: CodecError.self) { try ImageReaders.reader(for: data).decode(DecodeOptions()) }
    let damaged = try #require(DamagedImage(data, limits: CodecLimits(), reason: error))
    let (image, damage) = try damaged.decode(options)
    #expect(damage.reason == error)
    return (image, damage)
  }

  @Test("A damaged JPEG has the pixels that djpeg gives, and its reader reports the damage", arguments: DamagedJPEG.all)
  func jpeg(_ file: DamagedJPEG) throws {
    let (image, damage) = try part(of: DamagedJPEG.data(file.name))
    #expect([image.pixelWidth, image.pixelHeight] as [Int] == file.size)
    let difference = try #require(
      PixelDifference(image, rgb: Data(contentsOf: Fixtures.file("DamagedJPEG/\(file.name).rgb"))))
    #expect(difference.largest <= 1)
    #expect(image.isOpaque && image.hasOnlyOpaquePixels)
    #expect((file.least...file.most).contains(damage.rowFraction), "\(damage.rowFraction)")
  }

  @Test("A damaged JPEG is decoded at every reduction", arguments: [2, 4, 8])
  func reduction(_ denominator: Int) throws {
    let (image, damage) = try part(
      of: DamagedJPEG.data("cut"), DecodeOptions(scaleDenominator: denominator))
    #expect(image.pixelWidth == 96 / denominator)
    #expect(0.3...0.8 ~= damage.rowFraction)
  }

  @Test("A JPEG that ends in its headers, or before its first row of blocks, stays an error")
  func nothing() throws {
    let data = try DamagedJPEG.data("cut")
    let scan = try #require(data.firstRange(of: Data([0xFF, 0xDA]))).upperBound
    for count in [20, scan - 2, scan + 11] {
      let prefix = data.prefix(count)
      let error = CodecError.truncated(.jpeg, byteCount: count)
      let damaged = DamagedImage(prefix, limits: CodecLimits(), reason: error)
      #expect(throws: error, "\(count)") { try damaged?.decode(DecodeOptions()) ?? { throw error }() }
    }
  }

  @Test("Errors other than damage are not tolerated")
  func otherErrors() throws {
    let data = try DamagedJPEG.data("cut")
    for error in [
      CodecError.tooLarge(.jpeg, width: 1, height: 1, limit: .side(1)), .cancelled(.jpeg),
      .unsupported(.jpeg, feature: "a"), .outOfMemory(.jpeg, byteCount: 1),
    ] {
      #expect(DamagedImage(data, limits: CodecLimits(), reason: error) == nil)
    }
    let limits = CodecLimits(maximumPixelCount: 100)
    #expect(DamagedImage(data, limits: limits, reason: .truncated(.jpeg, byteCount: data.count)) == nil)
  }

  @Test("Decoding of a damaged JPEG can be canceled")
  func cancellation() throws {
    let data = try DamagedJPEG.data("cut-progressive")
    let damaged = try #require(
      DamagedImage(data, limits: CodecLimits(), reason: .truncated(.jpeg, byteCount: data.count)))
    #expect(throws: CodecError.cancelled(.jpeg)) { try damaged.decode(DecodeOptions(isCancelled: { true })) }
  }

  /// Colors that compress badly, so that the rows take their share of a file.
  private static func photo() throws -> Bitmap {
    let bitmap = Bitmap(pixelWidth: 120, pixelHeight: 90, isOpaque: true) { bytes in
      for pixel in 0..<120 * 90 {
        let (x, y) = (pixel % 120, pixel / 120)
        for (channel, value) in [x * 7 + y * 3, x * 2 + y * 11, (x ^ y) * 5, 255].enumerated() {
          bytes[pixel * 4 + channel] = UInt8(truncatingIfNeeded: value)
        }
      }
    }
    return try #require(bitmap)
  }

  static let writers: [any ImageWriter] = [
    PNGWriter(), GIFWriter(), WebPWriter(quality: 0.9), WebPWriter(isLossless: true),
  ]

  @Test("A cut image has its first rows, and the others are transparent", arguments: writers)
  func rows(_ writer: any ImageWriter) throws {
    let data = try writer.encode(Self.photo())
    let whole = try ImageReaders.reader(for: data).decode(DecodeOptions())
    let (image, damage) = try part(of: data.prefix(data.count * 7 / 10))
    #expect(damage.rowFraction > 0.2 && damage.rowFraction < 1)
    #expect(image.pixelWidth == 120)
    #expect(image.pixelHeight == 90)
    #expect(!image.isOpaque)
    let count = Int((damage.rowFraction * 90).rounded()) * 120 * 4
    #expect(image.pixelBytes.prefix(count).elementsEqual(whole.pixelBytes.prefix(count)))
    #expect(image.pixelBytes.dropFirst(count).allSatisfy { $0 == 0 })
  }

  @Test("An image with changed bytes has the rows before them", arguments: writers.prefix(2))
  func changed(_ writer: any ImageWriter) throws {
    var data = try writer.encode(Self.photo())
    let whole = try ImageReaders.reader(for: data).decode(DecodeOptions())
    let middle = data.count * 7 / 10
    data.replaceSubrange(middle..<middle + 8, with: repeatElement(0xFF, count: 8))
    let (image, damage) = try part(of: data)
    #expect(damage.rowFraction > 0.2)
    let count = 18 * 120 * 4
    #expect(image.pixelBytes.prefix(count).elementsEqual(whole.pixelBytes.prefix(count)))
  }

  @Test("Formats without a means to decode a part stay errors")
  func otherFormats() throws {
    let data = try Data(contentsOf: Fixtures.file("BMP/header-40-24.bmp")).prefix(200)
    #expect(DamagedImage(data, limits: CodecLimits(), reason: .truncated(.bmp, byteCount: 200)) == nil)
  }
}
