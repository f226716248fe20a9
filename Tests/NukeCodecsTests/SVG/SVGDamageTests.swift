#if SVG
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Damaged and hostile SVG")
  struct SVGDamageTests: DamageSuite {
    typealias Reader = SVGReader

    private func drawing(_ content: String, _ size: Int = 100) -> Data {
      SVGReaderTests.drawing(#"width="\#(size)" height="\#(size)""#, content)
    }

    private func refusal(_ content: String, _ size: Int = 100) -> String? {
      switch error(drawing(content, size)) {
      case .unsupported(.svg, let feature): feature
      case .tooComplex(.svg, let work): work.name
      default: nil
      }
    }

    @Test("Entities that multiply, and external entities, are rejected")
    func entities() throws {
      func document(_ declarations: String) -> Data {
        Data("<!DOCTYPE svg [\(declarations)]>".utf8) + drawing("<text>&c;</text>")
      }
      let bomb = document(#"<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">"#)
      #expect(error(bomb) == .unsupported(.svg, feature: "entities within entities"))
      for declaration in [#"<!ENTITY c SYSTEM "file:///etc/passwd">"#, #"<!ENTITY % c "x">"#] {
        #expect(error(document(declaration)) == .unsupported(.svg, feature: "external entities"))
      }
      let long = String(repeating: "a", count: 100_000)
      let many = String(repeating: "&c;", count: 100)
      let large = Data("<!DOCTYPE svg [<!ENTITY c \"\(long)\">]>".utf8) + drawing("<text>\(many)</text>")
      #expect(error(large) == .tooComplex(.svg, .markup))
    }

    @Test("A file of more than 8 MB is rejected")
    func length() {
      let data = drawing("<!-- \(String(repeating: "a", count: 8 << 20)) -->")
      #expect(error(data) == .tooComplex(.svg, .markup))
    }

    @Test("Up to 256 nested elements are accepted, directly or by reference, even with a small stack")
    func depth() throws {
      func nested(_ count: Int) -> String {
        String(repeating: "<g opacity='.9'>", count: count) + "<rect width='9' height='9'/>"
          + String(repeating: "</g>", count: count)
      }
      func chained(_ kind: String, _ count: Int) -> String {
        let links = (1..<count).map {
          "<\(kind) id='a\($0)'><rect width='9' height='9' fill='red' "
            + (kind == "pattern" ? "fill='url(#a\($0 - 1))'" : "\(kind)='url(#a\($0 - 1))'") + "/></\(kind)>"
        }
        let joined = links.joined().replacingOccurrences(of: "fill='red' fill", with: "fill")
        return "<\(kind) id='a0'><rect width='9' height='9' fill='red'/></\(kind)>" + joined
          + "<rect width='9' height='9' fill='\(kind == "pattern" ? "url(#a\(count - 1))" : "red")'"
          + (kind == "mask" ? " mask='url(#a\(count - 1))'" : "") + "/>"
      }
      #expect(refusal(nested(300)) == "levels of nested elements")
      #expect(refusal(chained("mask", 200), 4) == "levels of nested elements")
      #expect(refusal(chained("pattern", 200), 4) == "levels of nested elements")

      let deep = [nested(250), chained("mask", 120), chained("pattern", 120)]
      let results = Outcomes()
      let thread = Thread { [self] in for text in deep { results.append(error(drawing(text, 4))) } }
      thread.stackSize = 512 << 10
      thread.start()
      // librsvg 2.60 has a limit of its own for nested groups and masks that need a surface. 2.54 does not.
      let ownLimit = CodecError.malformed(
        .svg, reason: "maximum depth of 50 nested layers has been exceeded", offset: nil)
      let found = results.wait(for: deep.count)
      #expect(found == [nil, nil, nil] || found == [ownLimit, ownLimit, nil])
    }

    /// What another thread found out.
    private final class Outcomes: @unchecked Sendable {
      private let condition = NSCondition()
      private var values: [CodecError?] = []

      func append(_ value: CodecError?) {
        condition.withLock {
          values.append(value)
          condition.broadcast()
        }
      }

      func wait(for count: Int) -> [CodecError?] {
        condition.withLock {
          while values.count < count { condition.wait() }
          return values
        }
      }
    }

    @Test("Elements that are drawn too often are rejected before drawing, and so are circular references")
    func copies() {
      func uses(_ levels: Int) -> String {
        let groups = (1...levels).map { level in
          "<g id='a\(level)'>" + String(repeating: "<use href='#a\(level - 1)'/>", count: 10) + "</g>"
        }
        return "<defs><rect id='a0' width='9' height='9'/>\(groups.joined())</defs><use href='#a\(levels)'/>"
      }
      #expect(refusal(uses(9)) == "elements to draw")
      #expect(error(drawing(uses(2))) == nil)
      let styled = uses(2).replacing("<rect ", with: "<rect class='b' ")
      let sheet = "<style>.b { fill: url(#p0) }</style>"
      let patterns = (0..<30).map { level in
        "<pattern id='p\(level)' width='9' height='9'>"
          + String(repeating: "<rect fill='url(#p\(level + 1))' width='9' height='9'/>", count: 9) + "</pattern>"
      }
      #expect(
        refusal(sheet + patterns.joined() + styled) == "elements to draw")
      // However the sheet is written.
      for rule in [
        ".b/* { */{ fill: url(#p0) }", ".b { /*}*/ fill: url(#p0) }", ".b { x: '}'; fill: url(#p0) }",
        ".b { fill: url(#p0); x: '{' }", "[class=b] { fill: url(#p0) }",
      ] {
        #expect(
          refusal("<style>\(rule)</style>" + patterns.joined() + styled)
            == "elements to draw", "\(rule)")
      }
      // Two elements of one name.
      let twice = "<defs><g id='a9'/></defs>" + uses(9)
      #expect(refusal(twice) != nil)
      #expect(refusal(String(repeating: "<g/>", count: 200_001)) == "elements")
      let marker = "<marker id='m'>" + String(repeating: "<rect width='9' height='9'/>", count: 100) + "</marker>"
      let path = "<path d='M0 0\(String(repeating: "L1 1", count: 50_000))'/>"
      #expect(refusal(marker + "<g marker-mid='url(#m)'>\(path)</g>", 1000) != nil)
      #expect(error(drawing("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>")) == nil)
      #expect(
        refusal(String(repeating: "<rect width='9' height='9' opacity='.5'/>", count: 900), 9000)
          == "pixels to draw")
    }

    @Test("The length of text and paths is limited")
    func lengths() {
      func text(_ length: Int) -> String { "<text>a<tspan>\(String(repeating: "b", count: length))</tspan></text>" }
      #expect(error(drawing(text(1000))) == nil)
      #expect(refusal(text(10_000)) == "squared bytes of texts")
      #expect(error(drawing("<title>\(String(repeating: "b", count: 10_000))</title>")) == nil)
      let path = "<path d='M0 0\(String(repeating: "V99V0", count: 100_000))'/>"
      #expect(error(drawing(path)) == nil)
      #expect(refusal("<g transform='scale(20)'>\(path)</g>") == "pixels of outlines")
    }

    @Test("Layers that need more than 1 GB are rejected")
    func layers() {
      let text = String(repeating: "<g opacity='.5'>", count: 30) + String(repeating: "</g>", count: 30)
      #expect(error(drawing(text, 3200)) == .outOfMemory(.svg, byteCount: 30 * 3200 * 3200 * 4))
    }

    @Test(
      "Filters that cost too much are rejected",
      arguments: [
        ("<feConvolveMatrix order='25'/>", "the filter feConvolveMatrix"),
        ("<feMorphology radius='999'/>", "the filter feMorphology"),
        ("<feTile/>", "the filter feTile"), ("<feTurbulence numOctaves='999'/>", "turbulence of 999 octaves"),
      ])
    func filters(_ step: String, _ feature: String) {
      #expect(refusal("<filter id='f'>\(step)</filter><rect filter='url(#f)' width='9' height='9'/>") == feature)
      #expect(refusal("<filter id='f'>\(step.replacing("<fe", with: "<x:fe"))</filter>") != nil)
    }

    @Test("The total size of embedded images is checked before decoding, and those of other formats do not count")
    func images() throws {
      func image(_ data: Data, _ element: String = "image") -> String {
        "<\(element) width='4' height='4' href='data:image/png;base64,\(data.base64EncodedString())'/>"
      }
      let png = try #require(try randomImage(width: 40, height: 40, isOpaque: true).pngData())
      #expect(error(drawing(image(png))) == nil)
      #expect(
        error(drawing(image(png) + image(png)), limits: CodecLimits(maximumPixelCount: 10_000)) == nil)
      #expect(
        error(drawing(image(png) + image(png), 40), limits: CodecLimits(maximumPixelCount: 3000))
          == .tooLarge(.svg, width: 40, height: 40, limit: .pixelCount(3000)))
      let large = SVGReaderTests.drawing("width='400' height='400'")
      let rest = image(large) + image(Data("BM".utf8)) + image(png, "feImage") + image(png.prefix(20))
      #expect(error(drawing(image(png) + rest, 40), limits: CodecLimits(maximumPixelCount: 3000)) == nil)
    }

    @Test("An embedded image that is too large is an error, because the drawing would lack it")
    func largeImage() throws {
      let png = try #require(try randomImage(width: 40, height: 4, isOpaque: true).pngData())
      let content = "<image width='4' height='4' href='data:image/png;base64,\(png.base64EncodedString())'/>"
      #expect(
        error(drawing(content, 8), limits: CodecLimits(maximumSide: 39))
          == .tooLarge(.png, width: 40, height: 4, limit: .side(39)))
      #expect(error(drawing(content, 8), limits: CodecLimits(maximumSide: 40)) == nil)
    }

    @Test(
      "An embedded image is checked and drawn in any notation",
      arguments: [
        "data:image/png;base64,", " data:image/png;base64,", "DATA:IMAGE/PNG;BASE64,", "&#100;ata:;base64,",
        "d&#x61;ta&#58;image/png;charset=x;base64,", "da&#10;ta:image/png; base64 ,", "&#9;data:image/svg+xml;base64,",
        "\n data:text/plain;base64,\n ",
      ])
    func links(_ start: String) throws {
      let red = try #require(
        Bitmap(pixelWidth: 4, pixelHeight: 4, isOpaque: true) { bytes in
          for index in bytes.indices { bytes[index] = index % 4 == 0 || index % 4 == 3 ? 255 : 0 }
        })
      let text = try #require(red.pngData()).base64EncodedString()
      let padless = String(text.prefix { $0 != "=" })
      let escaped = text.replacing("+", with: "%2B").replacing("/", with: "%2f")
      for link in [text, padless, escaped, text + "#a"].map({ start + $0 }) {
        for content in [
          "<image width='4' height='4' href='\(link)'/>", "<image width='4' height='4' xlink:href=\"\(link)\"/>",
        ] {
          let image = try SVGReader(data: drawing(content, 4), limits: CodecLimits()).decode(DecodeOptions())
          #expect(image.pixelBytes == (0..<16).flatMap { _ in [255, 0, 0, 255] as [UInt8] })
          #expect(error(drawing(content, 2), limits: CodecLimits(maximumSide: 3)) != nil)
        }
      }
    }

    @Test("Elements that include other documents are rejected")
    func documents() {
      let include = "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='data:,x'/>"
      #expect(refusal(include) == "included documents")
    }

    @Test(
      "Escapes in styles, which could hide references, are rejected",
      arguments: [
        "<style>rect { fill: u\\72l(#a) }</style>", "<rect style='fill: u\\72l(#a)'/>", "<rect fill='u\\72l(#a)'/>",
        "<rect clip-path='url(\\23 a)'/>", "<rect style='f\\69ll: red'/>", "<style>:n\\6ft(a) { fill: red }</style>",
        "<style>rect { fill: url('\\23 a') }</style>", "<clipPath clipPathUnits='o\\62jectBoundingBox'/>",
      ])
    func escapes(_ content: String) {
      #expect(refusal(content) == "escapes in styles")
    }

    @Test("Escapes that hide nothing are accepted")
    func harmlessEscapes() {
      let styles = "<style>.a\\:b { font-family: '\\5b8b\\4f53' } .c[d='\\'] { fill: red }</style>"
      #expect(error(drawing(styles + "<rect id='a\\b' class='c\\' data-name='\\'/>")) == nil)
    }

    @Test("An encoding that hides markup is rejected")
    func prologue() {
      for encoding in ["utf-7", "UTF-16", "EBCDIC-CP-US", "windows-1252"] {
        let data = Data("<?xml version='1.0' encoding='\(encoding)'?>".utf8) + drawing("")
        #expect(error(data) == .unsupported(.svg, feature: "the encoding \(encoding.lowercased())"))
      }
      #expect(
        error(drawing("<text>") + Data([0xFF]) + Data("</text></svg>".utf8))
          == .malformed(.svg, reason: "the text is not UTF-8", offset: nil))
    }

    @Test("Invalid markup is an error")
    func markup() {
      for content in ["<rect", "<rect width>", "<rect width=4/>", "</g></svg></svg>", "<>", "<!ELEMENT a>", "<g>"] {
        #expect(error(drawing(content)) != nil, "\(content)")
      }
    }
  }
#endif
