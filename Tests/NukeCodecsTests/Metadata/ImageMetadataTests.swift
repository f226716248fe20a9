import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Metadata")
struct ImageMetadataTests {
  static let formats: [ImageFormat] = {
    var formats: [ImageFormat] = [.jpeg, .png, .webp]
    #if AVIF
      if AVIFWriter.isAvailable { formats.append(.avif) }
    #endif
    #if JPEGXL
      formats.append(.jxl)
    #endif
    return formats
  }()

  private static func jpeg(_ name: String) throws -> Data {
    try Data(contentsOf: Fixtures.file("JPEG/\(name).jpg"))
  }

  /// EXIF of one directory: texts, and an orientation of 6.
  private static func exif(_ texts: [(tag: Int, text: String)], isLittleEndian: Bool = false) -> Data {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
      return isLittleEndian ? bytes.reversed() : bytes
    }
    let start = 8 + 2 + (texts.count + 1) * 12 + 4
    var entries: [UInt8] = bytes(0x0112, 2) + bytes(3, 2) + bytes(1, 4) + bytes(6, 2) + [0, 0]
    var values: [UInt8] = []
    for (tag, text) in texts {
      entries += bytes(tag, 2) + bytes(2, 2) + bytes(text.utf8.count + 1, 4) + bytes(start + values.count, 4)
      values += Array(text.utf8) + [0]
    }
    let head = (isLittleEndian ? Array("II".utf8) : Array("MM".utf8)) + bytes(42, 2) + bytes(8, 4)
    return Data(head + bytes(texts.count + 1, 2) + entries + bytes(0, 4) + values)
  }

  private static let source = ImageMetadata(
    exif: exif([(0x010F, "Camera Works"), (0x013B, "A. Painter"), (0x8298, "(c) A. Painter")]),
    xmp: Data(#"<x:xmpmeta tiff:Orientation="6"><tiff:Orientation>8</tiff:Orientation>place</x:xmpmeta>"#.utf8),
    hasColorProfile: true)

  private func written(
    _ format: ImageFormat, _ parts: ImageMetadata.Parts, of metadata: ImageMetadata = source, isOpaque: Bool = true,
    isLossless: Bool = true
  ) throws -> Data {
    var options = EncodeOptions(isLossless: isLossless)
    options.metadata = metadata
    options.keptMetadata = parts
    let image = try randomImage(width: 33, height: 21, isOpaque: isOpaque)
    return try ImageWriters.writer(for: format, options: options).encode(image)
  }

  private func reader(_ data: Data) throws -> any ImageReader { try ImageReaders.reader(for: data) }

  @Test("Metadata is written only on request", arguments: formats)
  func nothing(_ format: ImageFormat) throws {
    let data = try written(format, [])
    let metadata = try reader(data).metadata
    #expect(metadata.exif == nil)
    #expect(metadata.xmp == nil)
    #expect(data.range(of: Data("Painter".utf8)) == nil)
    // Only in these formats, sRGB needs a profile. The others name it in a field of their own, which is always written.
    #expect(metadata.hasColorProfile == ![.jpeg, .webp].contains(format))
  }

  @Test("Written metadata is complete, and has the orientation up", arguments: formats, [true, false])
  func everything(_ format: ImageFormat, isOpaque: Bool) throws {
    let data = try written(format, .all, isOpaque: isOpaque)
    let reader = try reader(data)
    #expect(reader.header.exif?.make == "Camera Works")
    #expect(reader.header.orientation == .up)
    #expect(reader.header.exif?.orientation == .up)
    #expect(reader.header.profileName == "sRGB")
    #expect(reader.metadata.exif?.count == Self.source.exif?.count)
    let xmp = try #require(reader.metadata.xmp)
    #expect(
      String(decoding: xmp, as: UTF8.self)
        == #"<x:xmpmeta tiff:Orientation="1"><tiff:Orientation>1</tiff:Orientation>place</x:xmpmeta>"#)
    #expect(reader.metadata.keeping(.all) == reader.metadata)
    let plain = try self.reader(written(format, [], isOpaque: isOpaque)).decode(DecodeOptions())
    #expect(try reader.decode(DecodeOptions()).pixelBytes == plain.pixelBytes)
  }

  @Test("If only the copyright is kept, nothing else is written", arguments: formats)
  func copyright(_ format: ImageFormat) throws {
    let data = try written(format, .copyright)
    let metadata = try reader(data).metadata
    let exif = try #require(metadata.exif)
    #expect(exif.range(of: Data("A. Painter\0".utf8)) != nil)
    #expect(exif.range(of: Data("(c) A. Painter\0".utf8)) != nil)
    #expect(data.range(of: Data("Camera".utf8)) == nil)
    #expect(metadata.xmp == nil)
    #expect(try reader(data).header.exif?.orientation == nil)
    // It can be kept again.
    #expect(metadata.keeping(.copyright).exif == exif)
  }

  @Test("If the source had a profile, sRGB is written", arguments: [ImageFormat.jpeg, .webp])
  func profile(_ format: ImageFormat) throws {
    let kept = try reader(written(format, .colorProfile))
    #expect(kept.header.profileName == "sRGB")
    #expect(kept.metadata.exif == nil)
    let none = try reader(written(format, .colorProfile, of: ImageMetadata(exif: Self.source.exif)))
    #expect(none.header.profileName == nil)
  }

  @Test("Metadata does not change the pixels of a lossy or transparent WebP", arguments: [true, false])
  func webP(isOpaque: Bool) throws {
    let plain = try reader(written(.webp, [], isOpaque: isOpaque, isLossless: false))
    let full = try reader(written(.webp, .all, isOpaque: isOpaque, isLossless: false))
    #expect(try plain.decode(DecodeOptions()).pixelBytes == full.decode(DecodeOptions()).pixelBytes)
    #expect(full.header.hasAlpha == !isOpaque)
    #expect(full.header.exif?.make == "Camera Works")
  }

  @Test("Camera metadata is preserved in both byte orders", arguments: ["camera-II", "camera-MM"])
  func camera(_ name: String) throws {
    let source = try reader(try Self.jpeg(name))
    let exif = try #require(source.header.exif)
    for format in Self.formats {
      let copy = try reader(written(format, .all, of: source.metadata)).header.exif
      #expect(copy?.make == exif.make)
      #expect(copy?.lensModel == exif.lensModel)
      #expect(copy?.exposureTime == exif.exposureTime)
      #expect(copy?.hasLocation == exif.hasLocation)
      #expect(copy?.orientation == .up)
      let bare = try reader(written(format, [.copyright, .colorProfile], of: source.metadata)).header.exif
      #expect(bare?.make == nil)
      #expect(bare?.hasLocation != true)
    }
  }

  static let filesOfOthers: [String] = {
    var files: [String] = []
    #if AVIF
      files.append("AVIF/exif.avif")
    #endif
    #if JPEGXL
      files.append("JXL/exif-thumbnail.jxl")
    #endif
    #if HEIC
      files += ["HEIC/exif.heic", "HEIC/xmp.heic"]
    #endif
    return files
  }()

  @Test("EXIF and XMP that other programs have written can be kept", arguments: filesOfOthers)
  func others(_ file: String) throws {
    let metadata = try reader(Data(contentsOf: Fixtures.file(file))).metadata
    let kept = try reader(written(.jpeg, .all, of: metadata))
    #expect(kept.header.exif?.make == "Seed")
    #expect(kept.header.exif?.orientation == .up)
    let xmp = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><tiff:Orientation>1</tiff:Orientation></x:xmpmeta>"#
    #expect(kept.metadata.xmp == (file == "HEIC/xmp.heic" ? Data(xmp.utf8) : nil))
  }

  @Test("The orientation is set to up in every field type")
  func orientation() throws {
    for isLittleEndian in [true, false] {
      let exif = Self.exif([(0x010F, "Camera")], isLittleEndian: isLittleEndian)
      let kept = try #require(ImageMetadata(exif: exif).keeping(.all).exif)
      let image = try reader(written(.png, .all, of: ImageMetadata(exif: exif)))
      #expect(image.header.orientation == .up)
      // Nothing else is touched.
      #expect(zip(kept, exif).count { $0 != $1 } == 1)
    }
  }

  @Test("Damaged metadata is dropped, and the image is written")
  func damage() throws {
    let exif = try #require(Self.source.exif)
    var random = SplitMix64(state: 11)
    for round in 0..<600 {
      var damaged = exif
      if round % 3 == 0 { damaged = damaged.prefix(Int(random.next() % UInt64(exif.count))) }
      for _ in 0..<3 where !damaged.isEmpty {
        damaged[damaged.startIndex + Int(random.next() % UInt64(damaged.count))] = UInt8(
          truncatingIfNeeded: random.next())
      }
      let format = Self.formats[round % Self.formats.count]
      let parts: ImageMetadata.Parts = round % 2 == 0 ? .all : .copyright
      let image = try reader(written(format, parts, of: ImageMetadata(exif: damaged, xmp: damaged)))
      #expect(image.header.orientation == .up)
      #expect(try image.decode(DecodeOptions()).pixelWidth == 33)
    }
    #expect(ImageMetadata(exif: Data("no EXIF".utf8), xmp: Data([0xFF])).keeping(.all) == ImageMetadata())
  }

  @Test("Values too long for a JPEG segment are omitted, and values too long for every format are never read")
  func lengths() throws {
    let long = Self.exif([(0x010F, "Camera Works"), (0x010E, String(repeating: "a", count: 70_000))])
    let metadata = ImageMetadata(exif: long)
    #expect(try reader(written(.jpeg, .all, of: metadata)).header.exif == nil)
    #expect(try reader(written(.png, .all, of: metadata)).header.exif?.make == "Camera Works")
    let longer = ImageMetadata(exif: Self.exif([(0x010E, String(repeating: "a", count: 1 << 20))]))
    #expect(longer.keeping(.all).exif == nil)
  }

  #if TIFF
    @Test("Text fields of TIFF are converted to those of other formats")
    func tiff() throws {
      let data = try written(.tiff, .all)
      let reader = try reader(data)
      #expect(reader.header.exif?.make == "Camera Works")
      #expect(reader.header.orientation == .up)
      #expect(reader.metadata.xmp?.count == Self.source.xmp?.count)
      let copy = try self.reader(written(.jpeg, .copyright, of: reader.metadata))
      #expect(copy.metadata.exif == ImageMetadata(exif: Self.source.exif).keeping(.copyright).exif)
      let bare = try written(.tiff, [])
      #expect(bare.range(of: Data("Painter".utf8)) == nil)
      let camera = try self.reader(Data(contentsOf: Fixtures.file("TIFF/camera.tif"))).metadata
      #expect(camera.keeping(.copyright).exif?.range(of: Data("(c) Someone\0".utf8)) != nil)
    }
  #endif
}
