import Foundation
import NukeImaging
import Testing

@testable import NukeCodecs

@Suite("The resolution of files") struct ResolutionTests {
  private static let image = Bitmap(pixelWidth: 3, pixelHeight: 2, isOpaque: true) {
    $0.initializeMemory(as: UInt8.self, repeating: 255)
  }!

  @Test("JPEG states the resolution in its first segment")
  func jpeg() throws {
    let plain = try JPEGWriter(EncodeOptions()).encode(Self.image)
    let changed = plain.withResolution(300, .jpeg)
    // The unit is the inch, and 300 is 0x012C.
    #expect(Array(changed[13..<18]) == [1, 1, 0x2C, 1, 0x2C])
    #expect(changed.prefix(13) == plain.prefix(13) && changed.dropFirst(18) == plain.dropFirst(18))
    #expect(Array(plain.withResolution(65_535, .jpeg)[13..<18]) == [1, 255, 255, 255, 255])
    #expect(Array(plain.withResolution(0.1, .jpeg)[13..<18]) == [1, 0, 1, 0, 1])
  }

  @Test("PNG states it in a chunk, in pixels per meter")
  func png() throws {
    let plain = try PNGWriter(EncodeOptions()).encode(Self.image)
    let changed = plain.withResolution(300, .png)
    // 300 / 0.0254 = 11811, which is 0x2E23. The checksum is that of Python's zlib.crc32.
    let chunk: [UInt8] = [
      0, 0, 0, 9, 0x70, 0x48, 0x59, 0x73, 0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1, 0x78, 0xA5, 0x3F, 0x76,
    ]
    #expect(Array(changed[33..<54]) == chunk)
    #expect(changed.prefix(33) == plain.prefix(33) && changed.dropFirst(54) == plain.dropFirst(33))
    let image = try ImageReaders.reader(for: changed).decode(DecodeOptions())
    #expect(image.pixelWidth == 3)
  }

  #if TIFF
    @Test("TIFF states it in its directory")
    func tiff() throws {
      let changed = try TIFFWriter(EncodeOptions()).encode(Self.image).withResolution(72.5, .tiff)
      let block = try #require(TIFFBlock(changed))
      let main = try #require(block.directory(at: block.firstDirectory))
      #expect(main.rational(.xResolution) == 72.5 && main.rational(.yResolution) == 72.5)
      #expect(main.integer(.resolutionUnit) == 2)
    }
  #endif

  @Test("Other formats, damaged files, and impossible resolutions are not changed")
  func unchanged() throws {
    let jpeg = try JPEGWriter(EncodeOptions()).encode(Self.image)
    for resolution in [0, -1, 70_000, Double.nan, .infinity] {
      for format in ImageFormat.allCases { #expect(jpeg.withResolution(resolution, format) == jpeg) }
    }
    #expect(jpeg.withResolution(300, .webp) == jpeg)
    for format in [ImageFormat.jpeg, .png, .tiff] {
      for count in 0..<18 { #expect(jpeg.prefix(count).withResolution(300, format) == jpeg.prefix(count)) }
    }
  }

  @Test("The resolution in EXIF is changed in place, in both byte orders", arguments: [false, true])
  func exif(isLittle: Bool) throws {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    func entry(_ tag: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
      bytes(tag, 2) + bytes(type, 2) + bytes(1, 4) + value
    }
    let mark: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
    let head = mark + bytes(42, 2) + bytes(8, 4) + bytes(3, 2)
    // The values follow the directory, at 8 + 2 + 3 · 12 + 4 = 50.
    let entries = entry(0x011A, 5, bytes(50, 4)) + entry(0x011B, 5, bytes(58, 4))
    func block(_ unit: Int, _ numerator: Int, _ denominator: Int) -> Data {
      let value = bytes(numerator, 4) + bytes(denominator, 4)
      let last = entry(0x0128, 3, bytes(unit, 2) + [0, 0]) + bytes(0, 4)
      return Data(head + entries + last + value + value)
    }
    let metadata = ImageMetadata(exif: block(3, 28, 1), xmp: Data([1]))
    #expect(metadata.withResolution(300) == ImageMetadata(exif: block(2, 300_000, 1000), xmp: Data([1])))
    let named = Data("Exif\0\0".utf8)
    #expect(
      ImageMetadata(exif: named + block(3, 28, 1)).withResolution(96.5).exif == named + block(2, 96_500, 1000))
    for count in 0..<66 {
      let cut = Data(block(3, 28, 1).prefix(count))
      #expect(ImageMetadata(exif: cut).withResolution(300).exif?.count == count)
    }
  }
}
