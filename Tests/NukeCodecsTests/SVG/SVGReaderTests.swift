#if SVG
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Drawing SVG")
  struct SVGReaderTests {
    static let fixtures = PixelFixture.all(in: "SVG")

    /// A drawing of some size with some content.
    static func drawing(_ attributes: String, _ content: String = "") -> Data {
      Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(attributes)>\(content)</svg>
        """.utf8)
    }

    private func reader(_ data: Data) throws -> SVGReader { try SVGReader(data: data, limits: CodecLimits()) }

    private func pixel(_ image: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
      let start = (y * image.pixelWidth + x) * 4
      return Array(image.pixelBytes[start..<start + 4])
    }

    @Test("Every drawing has the pixels of rsvg-convert", arguments: fixtures)
    func pixels(_ fixture: PixelFixture) throws {
      let reader = try ImageReaders.reader(for: fixture.data())
      #expect(reader is SVGReader)
      #expect(reader.header.format == .svg)
      #expect(reader.header.hasAlpha)
      #expect(reader.header.pixelWidth == fixture.width)
      #expect(reader.isVector)
      try fixture.expectPixels(of: reader.decode(DecodeOptions()))
    }

    @Test("Pixels are premultiplied RGBA, and transparent where nothing is drawn")
    func colors() throws {
      let image = try reader(
        Self.drawing(
          #"width="3" height="1""#,
          ##"<rect width="1" height="1" fill="#102030"/><rect x="1" width="1" height="1" fill="#f00" opacity=".6"/>"##)
      ).decode(DecodeOptions())
      #expect(image.pixelBytes == [0x10, 0x20, 0x30, 255, 153, 0, 0, 153, 0, 0, 0, 0])
      #expect(!image.isOpaque)
      let filled = Self.drawing(#"width="2" height="2""#, #"<rect width="2" height="2"/>"#)
      #expect(try reader(filled).decode(DecodeOptions()).isOpaque)
    }

    @Test(
      "The intrinsic size is width and height, the view box, or 300 by 150",
      arguments: [
        (#"width="20" height="10""#, 20, 10), (#"width="1in" height="2.54cm""#, 96, 96),
        (#"width="12.6" height="0.2""#, 13, 1), (#"viewBox="0 0 24 16""#, 24, 16), ("", 300, 150),
        (#"width="100%" height="100%" viewBox="0 0 7 9""#, 7, 9), (#"width="48" viewBox="0 0 24 16""#, 48, 32),
        (#"height="8" viewBox="0 0 24 16""#, 12, 8), (#"width="100%" height="100%""#, 300, 150),
        (#"width="0" height="0" viewBox="0 0 4 5""#, 4, 5),
      ])
    func size(_ attributes: String, _ width: Int, _ height: Int) throws {
      let header = try reader(Self.drawing(attributes)).header
      #expect((header.pixelWidth, header.pixelHeight) == (width, height))
    }

    @Test("A requested size of any aspect ratio is rendered with sharp edges")
    func targetSize() throws {
      let reader = try reader(
        Self.drawing(#"viewBox="0 0 4 2""#, ##"<rect width="2" height="2" fill="#00f"/>"##))
      for (width, height) in [(400, 200), (2, 1), (40, 60)] {
        let image = try reader.decode(DecodeOptions(targetSize: .init(width: width, height: height)))
        #expect((image.pixelWidth, image.pixelHeight) == (width, height))
        for y in [0, height / 2, height - 1] {
          #expect(pixel(image, width / 2 - 1, y) == [0, 0, 255, 255])
          #expect(pixel(image, width / 2, y) == [0, 0, 0, 0])
        }
      }
    }

    @Test("An intrinsic or requested size above the limits is rejected")
    func limits() throws {
      let limits = CodecLimits(maximumPixelCount: 10_000, maximumSide: 200)
      #expect(throws: CodecError.tooLarge(.svg, width: 101, height: 100, limit: .pixelCount(10_000))) {
        try SVGReader(data: Self.drawing(#"width="101" height="100""#), limits: limits)
      }
      #expect(throws: CodecError.tooLarge(.svg, width: 1_000_000_000, height: 1, limit: .side(200))) {
        try SVGReader(data: Self.drawing(#"width="1e30" height="1""#), limits: limits)
      }
      let small = try SVGReader(data: Self.drawing(#"width="10" height="10""#), limits: limits)
      #expect(throws: CodecError.tooLarge(.svg, width: 300, height: 3, limit: .side(200))) {
        try small.decode(DecodeOptions(targetSize: .init(width: 300, height: 3)))
      }
      #expect(throws: CodecError.self) { try small.decode(DecodeOptions(targetSize: .init(width: 0, height: 3))) }
    }

    @Test("No external file, URL, style sheet or drawing is loaded")
    func outside() throws {
      // An image that would be red if it were read.
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let red = folder.appendingPathComponent("red.svg")
      try Self.drawing(#"width="4" height="4""#, #"<rect id="a" width="4" height="4" fill="red"/>"#).write(to: red)
      let rows = [UInt8](repeating: 255, count: 16).enumerated().flatMap { _ in [255, 0, 0, 255] as [UInt8] }
      let bitmap = try #require(Bitmap(pixelWidth: 4, pixelHeight: 4) { $0.copyBytes(from: rows) })
      let png = folder.appendingPathComponent("red.png")
      try #require(bitmap.pngData()).write(to: png)

      let links = [red, png].flatMap { [$0.absoluteString, $0.path, "file:" + $0.path] }
      for link in links + ["http://127.0.0.1:9/a.png", "//127.0.0.1:9/a.png", "red.png"] {
        for content in [
          "<image width='4' height='4' href='\(link)'/>", "<image width='4' height='4' xlink:href='\(link)'/>",
          "<use href='\(link)#a'/>", "<filter id='f'><feImage href='\(link)'/></filter><g filter='url(#f)'/>",
          "<rect width='4' height='4' fill='url(\"\(link)#a\") none'/>",
        ] {
          let image = try reader(Self.drawing(#"width="4" height="4""#, content)).decode(DecodeOptions())
          #expect(image.pixelBytes.allSatisfy { $0 == 0 }, "\(content)")
        }
        #expect(throws: CodecError.self) {
          try reader(Self.drawing(#"width="4" height="4""#, "<style>@import url(\"\(link)\");</style>"))
        }
      }
    }

    @Test("The header is known when the drawing is complete")
    func headerOfPrefix() throws {
      let data = Self.drawing(#"width="20" height="10""#, "<rect/>")
      for count in 5..<data.count { #expect(try SVGReader.header(ofPrefix: data.prefix(count)) == nil) }
      #expect(try SVGReader.header(ofPrefix: data)?.pixelWidth == 20)
    }

    @Test("The beginning of a file without its first element needs more data")
    func prefixBeforeElement() throws {
      let data =
        Data(#"<?xml version="1.0" encoding="ISO-8859-1"?><!-- by hand -->"#.utf8)
        + Data(#"<!DOCTYPE svg [ <!ENTITY tone "red"> ]>"#.utf8) + Self.drawing(#"width="20" height="10""#)
      for count in 0..<data.count { #expect(try ImageReaders.header(ofPrefix: data.prefix(count)) == nil) }
      #expect(try ImageReaders.header(ofPrefix: data)?.pixelWidth == 20)
      #expect(throws: CodecError.self) { try ImageReaders.header(ofPrefix: Data("<?xml version='1.0'?><feed/>".utf8)) }
    }

    @Test(
      "Once the drawing has ended, the header stays known, whatever follows",
      arguments: ["<!-- edited -->", "</svg>", "<g><g/>", "<?xml-stylesheet href='a.css'?>", "\u{E9}t\u{E9}", "&#"])
    func prefixAfterElement(rest: String) throws {
      let drawing = Self.drawing(#"width="20" height="10""#)
      let data = drawing + Data(rest.utf8)
      for count in drawing.count...data.count {
        #expect(try ImageReaders.header(ofPrefix: data.prefix(count))?.pixelWidth == 20)
        #expect(try SVGReader(data: data.prefix(count), limits: .init()).decode(.init()).pixelWidth == 20)
      }
    }

    @Test("More data is needed if it ends within a character")
    func prefixWithinCharacter() throws {
      let data = Self.drawing(#"width="20" height="10""#, "<text>\u{1F5BC}</text>")
      for count in 5..<data.count { #expect(try SVGReader.header(ofPrefix: data.prefix(count)) == nil) }
      #expect(try SVGReader.header(ofPrefix: data)?.pixelWidth == 20)
    }

    @Test("Drawing stops on cancellation")
    func cancellation() throws {
      let reader = try reader(Self.drawing(#"width="4" height="4""#))
      #expect(throws: CodecError.cancelled(.svg)) { try reader.decode(DecodeOptions(isCancelled: { true })) }
    }
  }
#endif
