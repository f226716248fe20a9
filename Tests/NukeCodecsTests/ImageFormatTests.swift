import Foundation
import NukeCodecs
import Testing

@Suite("Image formats")
struct ImageFormatTests {
  @Test(
    "The format is recognized by the first bytes",
    arguments: [
      ("II*\0\u{8}\0\0\0", .tiff),
      ("MM\0*\0\0\0\u{8}", .tiff),
      ("BM6\0\0\0\0\0\0\0\u{36}", .bmp),
      ("\0\0\u{1}\0\u{2}\0\u{10}\u{10}", .ico),
      ("\0\0\0\u{20}ftypavif\0\0\0\0avifmif1miafMA1B", .avif),
      ("\0\0\0\u{1C}ftypmif1\0\0\0\0mif1avifmiaf", .avif),
      ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1heic", .heic),
      ("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", .heic),
      ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", .svg),
      ("\u{FEFF}  <?xml version=\"1.0\"?>\n<!-- <html> by hand -->\n<!DOCTYPE svg PUBLIC \"x\">\n<svg:svg>", .svg),
      ("GIF89a", .gif),
      ("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41", .mp4),
      ("\0\0\0\u{1C}ftypisom\0\0\u{2}\0isomavifmif1", .avif),
      ("\0\0\0\u{18}ftypM4V \0\0\0\u{1}isommp42", .mp4),
      ("\0\0\0\u{14}ftypqt  \0\0\u{2}\0qt  ", .mov),
    ] as [(String, ImageFormat)])
  func text(_ text: String, format: ImageFormat) {
    #expect(ImageFormat(sniffing: Data(text.utf8)) == format)
    #expect(ImageFormat(sniffing: Data([8, 8]) + Data(text.utf8)) == nil)
    #expect(ImageFormat(sniffing: (Data([9, 9]) + Data(text.utf8)).dropFirst(2)) == format)
  }

  @Test(
    "The format is recognized by bytes above 127",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      ([0xFF, 0x0A, 0xFA, 0x1F], .jxl),
      ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jxl),
      ([0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6D], .webm),
    ] as [([UInt8], ImageFormat)])
  func bytes(_ bytes: [UInt8], format: ImageFormat) {
    #expect(ImageFormat(sniffing: Data(bytes)) == format)
  }

  @Test(
    "Web pages, sounds and other data have no format",
    arguments: [
      "<html><body><svg/></body></html>", "<!-- <svg> -->", "<3", "RIFF\u{24}\0\0\0WAVEfmt ",
      "\0\0\0\u{18}ftypM4A \0\0\u{2}\0isommp42", "\0\0\u{3}\0\u{1}\0\u{20}\u{20}", "BMW is not an image", "",
    ])
  func none(_ text: String) {
    #expect(ImageFormat(sniffing: Data(text.utf8)) == nil)
  }

  @Test("Each format has its own media type and file extension")
  func names() {
    #expect(Set(ImageFormat.allCases.map(\.mediaType)).count == ImageFormat.allCases.count)
    #expect(Set(ImageFormat.allCases.map(\.fileExtension)).count == ImageFormat.allCases.count)
    #expect(ImageFormat.svg.mediaType == "image/svg+xml")
    #expect([ImageFormat.mp4, .mov, .webm].map(\.mediaType) == ["video/mp4", "video/quicktime", "video/webm"])
    #expect(ImageFormat.allCases.filter(\.isVideo) == [.mp4, .mov, .webm])
    #expect(ImageFormat.jxl.displayName == "JPEG XL")
  }

  @Test("Files are recognized by their content, and decoded if the build has the format")
  func found() throws {
    var built: Set<ImageFormat> = [.bmp, .gif, .ico, .jpeg, .png, .webp]
    #if AVIF
      built.insert(.avif)
      #expect(ImageFormat.avif.isWritable)
    #endif
    #if HEIC
      built.insert(.heic)
      #expect(!ImageFormat.heic.isWritable)
    #endif
    #if JPEGXL
      built.insert(.jxl)
    #endif
    for (format, file) in [
      (ImageFormat.jpeg, "JPEG/s420.jpg"), (.png, "PNG/rgb8.png"), (.gif, "GIF/stripes.gif"),
      (.webp, "WebP/lossy.webp"),
      (.avif, "AVIF/rgb420.avif"), (.heic, "HEIC/rgb.heic"), (.jxl, "JXL/lossless.jxl"), (.jxl, "JXL/container.jxl"),
    ] where built.contains(format) {
      let data = try Data(contentsOf: Fixtures.file(file))
      #expect(try ImageReaders.reader(for: data).header.format == format)
      #expect(try ImageReaders.header(ofPrefix: data)?.format == format)
      #expect(format.isReadable)
    }
  }

  @Test("A missing format is reported as unsupported")
  func built() {
    #expect(Set(ImageFormat.readable).isSuperset(of: [.jpeg, .png, .webp, .gif]))
    #expect(Set(ImageFormat.writable).isSuperset(of: [.jpeg, .png, .webp]))
    for format in ImageFormat.allCases {
      #expect(format.isReadable || format.trait != nil)
      if !format.isWritable {
        #expect(throws: CodecError.notBuilt(format, .writing)) { try ImageWriters.writer(for: format) }
      }
    }
    let drawing = Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
    if !ImageFormat.svg.isReadable {
      #expect(throws: CodecError.notBuilt(.svg, .reading)) { try ImageReaders.reader(for: drawing) }
    }
    if !ImageFormat.mp4.isReadable {
      #expect(throws: CodecError.notBuilt(.mp4, .reading)) {
        try ImageReaders.reader(for: Data("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41".utf8))
      }
    }
    #expect(
      CodecError.notBuilt(.avif, .reading).description
        == "AVIF cannot be read by this build: it needs the package's trait AVIF")
  }
}
