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

    @Test("The first element may follow a license of 12,000 bytes, also in a compressed drawing")
    func license() throws {
      let comment = "<!-- " + String(repeating: "Permission is granted. ", count: 520) + "-->"
      let data = Data("<?xml version='1.0'?>\n\(comment)".utf8) + Self.drawing("width='20' height='12'")
      for file in [data, GzipText.stored(data)] {
        #expect(ImageFormat(sniffing: file) == .svg)
        #expect(try ImageReaders.reader(for: file).header.storedWidth == 20)
        for count in [100, 1023, 1024, 1025, 11_000] {
          #expect(try ImageReaders.header(ofPrefix: file.prefix(count)) == nil)
        }
      }
      #expect(ImageFormat(sniffing: Data("<!-- \(comment) \(comment)".utf8)) == nil)
    }

    @Test("A drawing that is cut off anywhere has no header yet, and is no error")
    func prefixes() throws {
      let content = """
        <style>@import url(https://fonts.example/css?family=A;b);
        /* } */ .x /* a */, .y { fill: red; stroke-dasharray: 1 2 }</style>
        <!-- a comment --><![CDATA[ text ]]><text class="x y">&lt;&#65;&amp;</text><g><path d="M0 0 L1"/></g>
        """
      let data =
        Data("<?xml version='1.0'?><?xml-stylesheet href='https://fonts.example/a.css'?>".utf8)
        + Self.drawing("width='20' height='12'", content)
      for count in 0..<data.count {
        #expect(try ImageReaders.header(ofPrefix: data.prefix(count)) == nil, "\(count) bytes")
      }
      #expect(try ImageReaders.header(ofPrefix: data)?.storedWidth == 20)
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

    @Test("A drawing is rejected if the size at which it would be drawn is above the limits")
    func limits() throws {
      let limits = CodecLimits(maximumPixelCount: 10_000, maximumSide: 200)
      func draw(_ attributes: String, at size: DecodeOptions.TargetSize? = nil) throws -> Bitmap {
        try SVGReader(data: Self.drawing(attributes), limits: limits).decode(DecodeOptions(targetSize: size))
      }
      #expect(throws: CodecError.tooLarge(.svg, width: 101, height: 100, limit: .pixelCount(10_000))) {
        try draw(#"width="101" height="100""#)
      }
      #expect(throws: CodecError.tooLarge(.svg, width: 1_000_000_000, height: 1, limit: .side(200))) {
        try draw(#"width="1e30" height="1""#)
      }
      #expect(throws: CodecError.tooLarge(.svg, width: 300, height: 3, limit: .side(200))) {
        try draw(#"width="10" height="10""#, at: .init(width: 300, height: 3))
      }
      #expect(throws: CodecError.self) { try draw(#"width="10" height="10""#, at: .init(width: 0, height: 3)) }
      #expect(try draw(#"width="101" height="100""#, at: .init(width: 100, height: 99)).pixelHeight == 99)
    }

    @Test(
      "The size that a drawing states may be larger than every image",
      arguments: [
        #"width="355572" height="355572""#, #"viewBox="0 0 355572 355572""#,
        #"width="355572" height="355572" viewBox="0 0 355572 355572""#,
      ])
    func large(_ attributes: String) throws {
      let data = Self.drawing(attributes, "<rect width='177786' height='355572' fill='#00f'/>")
      #expect(try SVGReader.header(ofPrefix: data)?.pixelWidth == 355_572)
      let reader = try reader(data)
      #expect((reader.header.pixelWidth, reader.header.pixelHeight) == (355_572, 355_572))
      let image = try reader.decode(DecodeOptions(targetSize: .init(width: 128, height: 128)))
      for y in [0, 64, 127] {
        #expect(pixel(image, 63, y) == [0, 0, 255, 255])
        #expect(pixel(image, 64, y) == [0, 0, 0, 0])
      }
      #expect(throws: CodecError.tooLarge(.svg, width: 355_572, height: 355_572, limit: .side(16_384))) {
        try reader.decode(DecodeOptions())
      }
    }

    @Test("Pixels that cannot be counted are rejected")
    func uncountable() throws {
      #expect(throws: CodecError.self) { try reader(Self.drawing(#"width="1e30" height="1e30""#)) }
      // The bytes of all layers can be counted, with as many layers as there may be.
      let layers = String(repeating: "<g opacity='.5'>", count: 200) + String(repeating: "</g>", count: 200)
      let countable = try reader(Self.drawing(#"width="2e7" height="2e7""#, layers))
      #expect(countable.workingByteCount == 200 * 20_000_000 * 20_000_000 * 4)
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
          "<style>@import url(\"\(link)\");</style>", "<?xml-stylesheet href='\(link)'?>",
          "<image width='4' height='4' href='\(link)'/>", "<image width='4' height='4' xlink:href='\(link)'/>",
          "<use href='\(link)#a'/>", "<filter id='f'><feImage href='\(link)'/></filter><g filter='url(#f)'/>",
          "<rect width='4' height='4' fill='url(\"\(link)#a\") none'/>",
        ] {
          let image = try reader(Self.drawing(#"width="4" height="4""#, content)).decode(DecodeOptions())
          #expect(image.pixelBytes.allSatisfy { $0 == 0 }, "\(content)")
        }
      }
    }

    private static func link(to text: String, _ type: String) -> String {
      "data:\(type);base64,\(Data(text.utf8).base64EncodedString())"
    }

    private static let sheet = link(to: "rect { fill: red }", "text/css")
    private static let other = link(
      to: String(
        decoding: drawing(
          #"width="20" height="10""#,
          "<linearGradient id='g'><stop stop-color='red'/></linearGradient><filter id='f'><feFlood flood-color='red'/>"
            + "</filter><rect id='a' width='20' height='10' fill='red'/>"), as: UTF8.self), "image/svg+xml")

    static let sheets = [
      "<style>@import url('https://fonts.example/css?family=Roboto');</style>",
      "<defs><style type='text/css'><![CDATA[@import url(//fonts.example/css2?family=A;b);]]></style></defs>",
      "<style>@import '\(sheet)';</style>", "<style>@IMPORT url(\(sheet));</style>",
      "<style>@import '\(sheet)'</style>", "<style>&#64;import url(\(sheet));</style>",
      "<style>@\\69mport '\(sheet)';</style>",
      "<style>@imp<!-- -->ort '\(sheet)';</style>", "<style>@<![CDATA[import]]> '\(sheet)';</style>",
      "<style>/* */@import/**/'\(sheet)';</style>", "<style>&lt;!-- --> @import '\(sheet)';</style>",
      "<style>@charset 'x'; @import '\(sheet)' screen;</style>", "<style>x{y:'}@import'}@import '\(sheet)';</style>",
      "<style>@media all { rect { fill: red } } @import '\(sheet)';</style>",
      "<x\u{600}:style xmlns:x\u{600}='http://www.w3.org/2000/svg'>@import '\(sheet)';</x\u{600}:style>",
      "<style>@font-face { font-family: a; src: url(\(sheet)) }</style>",
    ]

    static let links = [
      "<use href='\(other)#a'/>", "<use xlink:href='\(other)#a'/>", "<use href='https://a.example/b.svg#a'/>",
      "<linearGradient id='z' href='\(other)#g'/><rect width='20' height='10' fill='url(#z)'/>",
      "<rect width='20' height='10' fill='url(\(other)#g) #0f0'/>",
      "<rect width='20' height='10' fill='URL(  \"\(other)#g\" ) #0f0'/>",
      "<rect width='20' height='10' style='fill:url(\(other)#g) #0f0'/>",
      "<rect width='20' height='10' style='fill:/**/url(\"\(other)#g\") #0f0'/>",
      "<style>.x { fill: url(\(other)#g) #0f0 }</style><rect class='x' width='20' height='10'/>",
      "<rect width='20' height='10' fill='#0f0' filter='url(\(other)#f)'/>",
      "<filter id='z'><feImage href='\(other)'/></filter><rect width='20' height='10' fill='#0f0' filter='url(#z)'/>",
    ]

    static let images = [
      other, "data:image/svg+xml;utf8,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E", "data:image/png;base64,AAAA",
      "data:image/png;base64,iVBORw0KGgo=", "data:image/avif;base64,AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZg==",
      "data:image/png;base64,?", "data:image/png,%89PNG", "data:;base64,Qk0=", "data:,", "data:",
      "https://a.example/b.png", "a.png", "",
    ].map { "<image width='20' height='10' href='\($0)'/>" }

    @Test("What is not in a drawing itself is ignored, and the rest is drawn", arguments: sheets + links + images)
    func external(_ content: String) throws {
      let area = "<rect width='20' height='10' fill='#0f0'/>"
      let image = try reader(Self.drawing(#"width="20" height="10""#, area + content)).decode(DecodeOptions())
      #expect(image.pixelBytes == (0..<200).flatMap { _ in [0, 255, 0, 255] as [UInt8] })
    }

    @Test(
      "A processing instruction with a style sheet is ignored",
      arguments: ["https://fonts.example/css?family=Lobster", "a.css", sheet])
    func instruction(_ link: String) throws {
      let data =
        Data("<?xml version='1.0'?><?xml-stylesheet type='text/css' href='\(link)'?>".utf8)
        + Self.drawing(#"width="2" height="1""#, "<rect width='2' height='1' fill='#0f0'/>")
      #expect(try reader(data).decode(DecodeOptions()).pixelBytes == [0, 255, 0, 255, 0, 255, 0, 255])
    }

    @Test(
      "Rules apply whatever is around them",
      arguments: [
        "@import url(a;b);.x{fill:#0f0}", "@media all{.x{fill:red}}.x{fill:#0f0}", "@a b{c(})}.x{fill:#0f0}",
        "/*}*/.x/*{*/{fill:/**/#0f0}", ".y{a:'}';b:\"{\"}.x{fill:#0f0}", ".y{a:'\\'}';}.x{fill:#0f0}",
        "&lt;!-- .x{fill:#0f0} --&gt;", ".x{fill:#0f0", ".x{fill:#0f0;a:(", ".y\\{.z{}.x{fill:#0f0}",
        ".y[a='@']{fill:red}.x{fill:#0f0}", ".y{a:url(x}y)}.x{fill:#0f0}", ".y{a:@b;fill:red}.x{fill:#0f0}",
        "rect/**/.x{fill:#0f0}", ".y,\n.x{\nfill:\n#0f0\n}", ".x{fi<!-- -->ll:#0<![CDATA[f0]]>}",
        ".y:not(.x]){fill:red}.x{fill:#0f0}", ".x{fill:#0f0}.x:not(rect){fill:red}", ".x{fill:#0f0}{.x{fill:red}}",
      ])
    func rules(_ sheet: String) throws {
      let content = "<style>\(sheet)</style><rect class='x' width='2' height='1' fill='red'/>"
      let image = try reader(Self.drawing(#"width="2" height="1""#, content)).decode(DecodeOptions())
      #expect(image.pixelBytes == [0, 255, 0, 255, 0, 255, 0, 255])
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
