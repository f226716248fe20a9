#if AVIF || HEIC || JPEGXL
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Thumbnails in AVIF, HEIC and JPEG XL")
  struct EmbeddedThumbnailTests {
    private func reader(_ name: String, _ format: ImageFormat) throws -> any ImageReader {
      try ImageReaders.reader(for: DeepFixture.named(name, format).data())
    }

    @Test("The JPEG in EXIF is a thumbnail", arguments: DeepReaderTests.formats)
    func exif(_ format: ImageFormat) throws {
      let thumbnail = try #require(try reader("exif-thumbnail", format).thumbnailReader(limits: CodecLimits()))
      #expect(thumbnail.header.format == .jpeg)
      #expect(try thumbnail.decode(DecodeOptions()).pixelWidth == 14)
    }

    #if HEIC
      @Test(
        "The thumbnail of a HEIC is what heif-convert decodes of that item",
        arguments: [("thumbnail", [16, 10]), ("thumbnail-turned", [10, 16])])
      func item(_ name: String, _ size: [Int]) throws {
        let thumbnail = try #require(try reader(name, .heic).thumbnailReader(limits: CodecLimits()))
        #expect([thumbnail.header.pixelWidth, thumbnail.header.pixelHeight] == size)
        let image = try thumbnail.decode(DecodeOptions())
        let reference = [UInt8](try Data(contentsOf: Fixtures.file("HEIC/\(name).small.rgba")))
        #expect([image.pixelWidth, image.pixelHeight] == size)
        #expect(largestDifference(image.pixelBytes, reference) <= 1)
        #expect(thumbnail.thumbnailReader(limits: CodecLimits()) == nil)
      }

      @Test("A thumbnail that is not turned as the image is would show something else, and is not used")
      func turned() throws {
        #expect(try reader("thumbnail-not-turned", .heic).thumbnailReader(limits: CodecLimits()) == nil)
        #expect(try reader("rgb", .heic).thumbnailReader(limits: CodecLimits()) == nil)
      }

      @Test("A thumbnail larger than the limits is none")
      func limits() throws {
        let limits = CodecLimits(maximumPixelCount: 100)
        #expect(try reader("thumbnail", .heic).thumbnailReader(limits: limits) == nil)
      }
    #endif
  }
#endif
