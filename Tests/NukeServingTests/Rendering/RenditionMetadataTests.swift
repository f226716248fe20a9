import Foundation
import NukeCodecs
import NukeImaging
import NukeTesting
import Testing

@testable import NukeServing

@Suite("The metadata of a rendition")
struct RenditionMetadataTests {
  /// EXIF in big endian: a camera, a copyright, an orientation of 6, and a place.
  static let exif: Data = {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      bytes(tag, 2) + bytes(type, 2) + bytes(count, 4) + value
    }
    // A directory of four entries, its texts, and the directory of the place with its own.
    let texts = 8 + 2 + 4 * 12 + 4
    let place = texts + 20
    let main =
      bytes(4, 2) + entry(0x010F, 2, 10, bytes(texts, 4)) + entry(0x0112, 3, 1, [0, 6, 0, 0])
      + entry(0x8298, 2, 10, bytes(texts + 10, 4)) + entry(0x8825, 4, 1, bytes(place, 4)) + bytes(0, 4)
    let degrees = place + 2 + 2 * 12 + 4
    let directory =
      bytes(2, 2) + entry(1, 2, 2, Array("N".utf8) + [0, 0, 0]) + entry(2, 5, 3, bytes(degrees, 4)) + bytes(0, 4)
    let rationals = [48, 1, 51, 1, 29, 1].flatMap { bytes($0, 4) }
    return Data(
      Array("MM\0*".utf8) + bytes(8, 4) + main + Array("Cameraman\0(c) Owner\0".utf8) + directory + rationals)
  }()

  static let rationals = Data([0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 51])

  static func source(as format: ImageFormat = .jpeg, xmp: String? = nil) throws -> Data {
    var options = EncodeOptions()
    let metadata = ImageMetadata(exif: exif, xmp: xmp.map { Data($0.utf8) }, hasColorProfile: true)
    let image = SampleImage.bitmap(width: 24, height: 16)
    if format == .jpeg {
      // Written as it is, with its orientation.
      var writer = JPEGWriter()
      writer.metadata = metadata
      return try writer.encode(image)
    }
    options.metadata = metadata
    options.keptMetadata = .all
    return try ImageWriters.writer(for: format, options: options).encode(image)
  }

  @Test(
    "The resolution of the options is stated whether metadata is removed, and whether the image is decoded in bands")
  func resolution() async throws {
    for (strips, bands) in [(true, Int?.none), (false, nil), (true, 1), (false, 1)] {
      var renderer = Renderer()
      renderer.leastPixelCountOfBands = bands
      for format in [ImageFormat.jpeg, .png] {
        let file = try await Rendering.render(try Self.source(as: format), with: renderer, as: format) {
          ($0.pixelsPerInch, $0.stripsMetadata) = (300, strips)
        }
        // 300 is 0x012C, and 11811 per meter is 0x2E23.
        let stated: [UInt8] = format == .jpeg ? [1, 1, 0x2C, 1, 0x2C] : [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1]
        let start = format == .jpeg ? 13 : 41
        #expect(
          Array(file.data[start..<start + stated.count]) == stated, "\(format), \(strips), \(String(describing: bands))"
        )
        let plain = try await Rendering.render(try Self.source(as: format), with: renderer, as: format) {
          $0.stripsMetadata = strips
        }
        #expect(try Rendering.image(file).pixelBytes == Rendering.image(plain).pixelBytes)
      }
    }
  }

  @Test("The source of these tests contains a location")
  func location() throws {
    let header = try ImageReaders.reader(for: try Self.source()).header
    #expect(header.exif?.hasLocation == true)
    #expect(header.exif?.make == "Cameraman")
    #expect(header.orientation == .right)
    #expect(try Self.source().range(of: Self.rationals) != nil)
  }

  @Test("By default, only the copyright is kept", arguments: [ImageFormat.jpeg, .png, .webp])
  func copyright(format: ImageFormat) async throws {
    let file = try await Rendering.render(try Self.source(), as: format) { $0.width = 8 }
    #expect(file.data.range(of: Data("(c) Owner".utf8)) != nil)
    #expect(file.data.range(of: Data("Cameraman".utf8)) == nil)
    #expect(file.data.range(of: Self.rationals) == nil)
    let none = try await Rendering.render(try Self.source(), as: format) { $0.keepsCopyright = false }
    #expect(none.data.range(of: Data("Owner".utf8)) == nil)
    var settings = RenderSettings()
    settings.keepsCopyright = false
    let bare = try await Rendering.render(try Self.source(), with: Renderer(settings: settings), as: format)
    #expect(bare.data.range(of: Data("Owner".utf8)) == nil)
  }

  @Test(
    "If metadata is kept, the orientation is upright and the location is removed",
    arguments: [ImageFormat.jpeg, .png, .webp], [true, false])
  func everything(format: ImageFormat, rotates: Bool) async throws {
    let file = try await Rendering.render(try Self.source(), as: format) {
      $0.stripsMetadata = false
      $0.autoRotates = rotates
    }
    let header = try ImageReaders.reader(for: file.data).header
    #expect(header.exif?.make == "Cameraman")
    #expect(header.exif?.hasLocation == false)
    #expect(header.orientation == .up)
    #expect(header.profileName == "sRGB")
    #expect(header.pixelWidth == (rotates ? 16 : 24))
    #expect(file.data.range(of: Data("(c) Owner".utf8)) != nil)
    #expect(file.data.range(of: Self.rationals) == nil)
  }

  @Test("Locations are kept if the server is configured for it")
  func keptLocation() async throws {
    var settings = RenderSettings()
    settings.stripsMetadata = false
    settings.keepsLocation = true
    let file = try await Rendering.render(try Self.source(), with: Renderer(settings: settings))
    #expect(try ImageReaders.reader(for: file.data).header.exif?.hasLocation == true)
    // A URL may still have it left out.
    let bare = try await Rendering.render(try Self.source(), with: Renderer(settings: settings)) {
      $0.stripsMetadata = true
    }
    #expect(bare.data.range(of: Self.rationals) == nil)
  }

  @Test("XMP with a location is removed, and other XMP is kept")
  func xmp() async throws {
    let place = try Self.source(xmp: #"<x:xmpmeta exif:GPSLatitude="48,51.5N">Title</x:xmpmeta>"#)
    let title = try Self.source(xmp: "<x:xmpmeta>Title</x:xmpmeta>")
    for (data, isKept) in [(place, false), (title, true)] {
      let file = try await Rendering.render(data) { $0.stripsMetadata = false }
      #expect((try ImageReaders.reader(for: file.data).metadata.xmp != nil) == isKept)
      #expect(file.data.range(of: Data("48,51.5N".utf8)) == nil)
    }
  }

  @Test("Damaged EXIF causes no crash and keeps no location")
  func damagedPlaces() throws {
    let whole = try #require(ImageMetadata(exif: Self.exif).withoutLocation.exif)
    #expect(EXIF(tiff: whole)?.hasLocation == false)
    #expect(EXIF(tiff: whole)?.make == "Cameraman")
    #expect(whole.count == Self.exif.count)
    var numbers = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      var damaged = Self.exif
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        damaged[Int.random(in: 0..<damaged.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      damaged = damaged.prefix(Int.random(in: 0...damaged.count * 2, using: &numbers))
      let kept = ImageMetadata(exif: damaged).withoutLocation.exif
      #expect(kept.flatMap { EXIF(tiff: $0)?.hasLocation } != true)
    }
  }
}
