import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// What holds for readers of every format alike.
@Suite("Readers of every format")
struct ReaderTests {
  /// The files but for those of formats that this build does not read. A missing one stays, for its test to fail.
  private static func readable(_ files: String...) -> [String] {
    files.filter { file in
      (try? Data(contentsOf: Fixtures.file(file))).flatMap { ImageFormat(sniffing: $0) }?.isReadable != false
    }
  }

  static let cancelled = readable(
    "BMP/header-40-24.bmp", "GIF/noise.gif", "ICO/bitmap-32.ico", "JPEG/cmyk.jpg", "JPEG/s420.jpg",
    "JPEG/s420-progressive.jpg", "PNG/rgb8.png", "PNG/rgba8-interlaced.png", "TIFF/rgb-8.tif", "TIFF/rgb-8-tiles.tif",
    "TIFF/ycbcr-420.tif", "WebP/animated-lossy.webp", "WebP/lossy.webp")

  @Test("Decoding stops on cancellation", arguments: cancelled)
  func cancellation(_ file: String) throws {
    let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file(file)))
    #expect(throws: CodecError.cancelled(reader.header.format)) {
      try reader.decode(DecodeOptions(isCancelled: { true }))
    }
  }

  static let shared = readable("PNG/iccp-wide-alpha.png", "SVG/filter.svg", "TIFF/profile-wide-alpha.tif")

  @Test("Several threads can use one reader at the same time", arguments: shared)
  func concurrently(_ file: String) async throws {
    let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file(file)))
    try await expectEqualPixels(of: reader, byThreads: 16)
  }

  static let sliced = readable(
    "APNG/hidden-corner.png", "APNG/indexed8.png", "APNG/orientation.png", "AVIF/alpha.avif", "AVIF/sequence.avif",
    "BMP/profile-wide.bmp", "GIF/disposal-mixed.gif", "HEIC/alpha.heic", "JPEG/camera-II.jpg", "JXL/alpha.jxl",
    "JXL/animated.jxl", "JXL/container.jxl", "PNG/iccp-wide-alpha.png", "WebP/animated-corner.webp",
    "WebP/orientation-6.webp", "WebP/profile-alpha.webp")

  @Test("A slice whose indices do not start at 0 is read like data of its own", arguments: sliced)
  func slice(_ file: String) throws {
    let data = try Data(contentsOf: Fixtures.file(file))
    let slice = (Data([1, 2, 3, 4, 5]) + data + Data([6])).dropFirst(5).dropLast()
    let (whole, reader) = (try ImageReaders.reader(for: data), try ImageReaders.reader(for: slice))
    #expect(try reader.decode(DecodeOptions()).pixelBytes == whole.decode(DecodeOptions()).pixelBytes)
    #expect(reader.header.profileName == whole.header.profileName && reader.header.exif == whole.header.exif)
    #expect(reader.embeddedThumbnail == whole.embeddedThumbnail)
    let header = try #require(try ImageReaders.header(ofPrefix: slice))
    #expect(header.profileName == whole.header.profileName && header.frameCount == whole.header.frameCount)
    let expected = try whole.animation().map { try frames(of: $0).map(\.image.pixelBytes) }
    #expect(try reader.animation().map { try frames(of: $0).map(\.image.pixelBytes) } == expected)
  }
}
