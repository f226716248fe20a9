#if SVG
  import Foundation
  import NukeCodecs

  extension HostileShape {
    private static func svg(
      _ name: String, _ limit: DecodeWork, _ content: @escaping @Sendable () -> String, size: Int = 40
    ) -> HostileShape {
      HostileShape(name, .svg, limit) {
        Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="\#(size)" height="\#(size)">\#(content())</svg>"#.utf8)
      }
    }

    private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    private static func each(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined() }

    static let drawings = numbers + dashes + outlines + texts + references + sheets + hidden + external

    /// Numbers in attributes, and what enlarges them.
    private static let numbers: [HostileShape] = [
      svg("large circles", .outlineLines) { times(100, #"<circle r="8e6" stroke="red" stroke-width="7e6"/>"#) },
      svg("circles enlarged by a transform", .outlineLines) {
        #"<g transform="scale(1e6 1)">\#(times(300, #"<circle r="9"/>"#))</g>"#
      },
      svg("curves enlarged by nested view boxes", .outlineLines) {
        #"<svg viewBox="0 0 .1 .1"><svg viewBox="0 0 .001 .001">\#(times(300, "<path d='M0 0q3 0 3 3'/>"))</svg></svg>"#
      },
      svg("curves in a symbol that its use enlarges", .outlineLines) {
        "<symbol id='a' viewBox='0 0 1 1'>\(times(300, "<circle r='9'/>"))</symbol><use href='#a' width='1e6'/>"
      },
      svg("curves in a marker of a wide stroke", .outlineLines) {
        "<marker id='a' viewBox='0 0 1 1'>\(times(99, "<circle r='9'/>"))</marker>"
          + "<path marker-mid='url(#a)' stroke-width='1e6' d='M0 0\(times(9, "L1 1"))'/>"
      },
      svg("a clip path in units of a large element", .outlineLines) {
        "<clipPath id='a' clipPathUnits='objectBoundingBox'>\(times(300, "<circle r='9'/>"))</clipPath>"
          + "<rect width='1e6' height='1e6' clip-path='url(#a)'/>"
      },
      svg("a pattern in units of a large element", .outlineLines) {
        "<pattern id='a' patternContentUnits='objectBoundingBox'>\(times(300, "<circle r='9'/>"))</pattern>"
          + "<rect width='1e6' height='1e6' fill='url(#a)'/>"
      },
      HostileShape("a drawing without a width", .svg, DecodeWork.outlineLines) {
        Data("<svg xmlns='http://www.w3.org/2000/svg' width='1e-320' height='1'><circle r='1e308'/></svg>".utf8)
      },
    ]

    private static let dashes: [HostileShape] = [
      svg("dashes along a number with many zeros in front", .outlineLines) {
        "<path d='M0 1H.00000000000000000001e27' stroke='red' stroke-dasharray='1'/>"
      },
      svg("a path whose length is no number", .outlineLength) { "<path d='M0e400 1H1e999H-1e999' stroke='red'/>" },
      svg("a path beside one of another namespace", .outlineLines) {
        "<path xmlns:x='urn:x' d='M0 1H8e6' x:d='M0 0' x:transform='scale(1e-9)' stroke='red' stroke-dasharray='1'/>"
      },
      svg("dashes in a style that an attribute seems to remove", .outlineLines) {
        "<path d='M0 1H8e6' style='stroke-dasharray:.1' stroke-dasharray='none' stroke='red'/>"
      },
      svg("dashes that are inherited by name", .outlineLines) {
        "<g stroke-dasharray='.1'><path stroke-dasharray='inherit' d='M0 1H8e6' stroke='red'/></g>"
      },
      svg("short dashes", .outlineLines) { "<path d='M0 1H8e6' stroke='red' stroke-dasharray='1'/>" },
      svg("shortest dashes", .outlineLines) { "<path d='M0 1H8e4' stroke='red' stroke-dasharray='1e-5'/>" },
      svg("inherited dashes", .outlineLines) { "<g stroke-dasharray='.1'><line x2='8e5' stroke='red'/></g>" },
      svg("dashes of a style sheet", .outlineLines) {
        "<style>line { stroke-dasharray: .1 .2 }</style><line x2='8e6' stroke='red'/>"
      },
      svg("dashes in relative lengths", .outlineLines) {
        "<g font-size='1e-6'><line x2='8' stroke='red' stroke-dasharray='1em'/></g>"
      },
      svg("dashes with wide round ends", .outlineLines) {
        "<path stroke-linecap='round' stroke-width='1e6' stroke='red' d='M0 1H1e5' stroke-dasharray='1'/>"
      },
      svg("dashes with round ends that a transform enlarges", .outlineLines) {
        "<g stroke-width='1e3' stroke-dasharray='1' stroke-linecap='round'><g transform='scale(1e3)'>"
          + "<path stroke='red' d='M0 1H1e5'/></g></g>"
      },
      svg("dashes that do not grow with their path", .outlineLines) {
        "<g transform='scale(1e6)'><path vector-effect='non-scaling-stroke' d='M0 1H9' stroke-dasharray='1'/></g>"
      },
      svg("dashes of an arc", .outlineLines) { "<path d='M0 0a1e7 1e7 0 1 0 5 5' stroke-dasharray='1'/>" },
      svg("dashes of a polygon", .outlineLines) {
        "<polygon points='0 0 1e7 0 1e7 1e7' style='stroke-dasharray:1px'/>"
      },
    ]

    private static let outlines: [HostileShape] = [
      svg("round corners of wide strokes", .outlineLines) {
        "<path stroke-linejoin='round' stroke-width='1e6' d='M0 0\(times(10_000, "L3 5 7 1"))'/>"
      },
      svg("large letters", .outlineLines) { "<text font-size='9e5'>\(times(200, "m"))</text>" },
      svg("letters enlarged by a transform", .outlineLines) {
        "<g transform='scale(1e5)'><text>\(times(200, "m"))</text></g>"
      },
      svg("long lines", .outlineLength) { "<path d='M0 0\(times(50_000, "L9 9e3 0 0"))'/>" },
      svg("lines that cross each other", .crossings) {
        "<path d='M0 0\(each(5000) { "L\(40 - 0.008 * Double($0)) 40 \(0.008 * Double($0)) 0" })'/>"
      },
      svg("curves that cross each other", .crossings) {
        "<path d='M0 0\(each(5000) { "Q9 9 \(40 - 0.008 * Double($0)) 40T\(0.008 * Double($0)) 0" })'/>"
      },
      svg("a path that crosses itself, drawn often", .crossings) {
        "<path id='a' d='M0 0\(each(900) { "L\(40 - 0.04 * Double($0)) 40 \(0.04 * Double($0)) 0" })'/>"
          + times(20, "<use href='#a'/>")
      },
    ]

    private static let texts: [HostileShape] = [
      svg("a font size", .fontSize) { "<text font-size='1e7'>a</text>" },
      svg("nested relative font sizes", .fontSize) {
        "<g font-size='100em'><g font-size='1000%'><text><tspan style='font-size:999ex'>a</tspan></text></g></g>"
      },
      svg("a font shorthand in a style sheet", .fontSize) {
        "<style>text { font: bold 3e6px/2 serif }</style><text>a</text>"
      },
      svg("relative font sizes along references", .fontSize) {
        each(20) { "<g id='a\($0 + 1)' font-size='3em'><use href='#a\($0)'/></g>" } + "<text id='a0'>a</text>"
      },
      svg("a long text", .textLayout) { "<text>\(times(10_000, "b"))</text>" },
      svg("many texts", .drawnElements) { times(110_000, "<text>b</text>") },
    ]

    /// References, nesting and repetition.
    private static let references: [HostileShape] = [
      svg("many elements of one identifier, and the drawing itself is one of them", .references) {
        "<svg id='a'>\(times(20_000, "<g id='a'/>"))\(times(20_000, "<use href='#a'/>"))</svg>"
      },
      svg("many references in a rule for all elements", .references) {
        "<style>*{marker:url(\(each(10_000) { "#a\($0)" }))}</style>\(times(1000, "<g/>"))"
      },
      svg("uses of uses", .drawnElements) {
        "<g id='a0'/>" + each(9) { "<g id='a\($0 + 1)'>\(times(10, "<use href='#a\($0)'/>"))</g>" }
      },
      svg("patterns in patterns", .drawnElements) {
        each(30) { number in
          "<pattern id='p\(number)'>\(times(9, "<rect fill='url(#p\(number + 1))'/>"))</pattern>"
        } + "<rect fill='url(#p0)'/>"
      },
      svg("gradients with many stops", .drawnElements) {
        "<linearGradient id='a'>\(times(2000, "<stop/>"))</linearGradient>" + times(600, "<rect fill='url(#a)'/>")
      },
      svg(
        "filters of many steps", .layerPixels,
        {
          "<filter id='a'>\(times(100, "<feFlood/>"))</filter>" + times(100, "<rect filter='url(#a)'/>")
        }, size: 200),
      svg("one identifier for many elements", .references) {
        times(40_000, "<a id='x'/>") + "<g fill='url(\(times(1_000_001, "#x")))'/>"
      },
      svg("elements", .elements) { times(200_001, "<a/>") },
      svg("nested elements", .levels) { times(257, "<g>") + times(257, "</g>") },
      svg("nested masks", .levels) {
        each(300) { "<mask id='a\($0)'><rect mask='url(#a\($0 + 1))'/></mask>" } + "<rect mask='url(#a0)'/>"
      },
      svg("attributes", .attributes) { "<g \(each(1001) { "a\($0)='' " })/>" },
      HostileShape("an entity in many attributes", .svg, DecodeWork.markup) {
        let entity = "<!DOCTYPE svg [<!ENTITY a '\(times(100_000, "a"))'>]>"
        return Data(
          "\(entity)<svg xmlns='http://www.w3.org/2000/svg'><g \(each(100) { "a\($0)='&a;' " })/></svg>".utf8)
      },
      HostileShape("an entity repeated in one attribute", .svg, DecodeWork.markup) {
        let entity = "<!DOCTYPE svg [<!ENTITY a '\(times(100_000, "a"))'>]>"
        return Data("\(entity)<svg xmlns='http://www.w3.org/2000/svg'><g a='\(times(100, "&a;"))'/></svg>".utf8)
      },
    ]

    private static let sheets: [HostileShape] = [
      svg("rules and words of a class", .references) {
        "<style>\(times(9000, "a{fill:url(#b)}"))</style>" + times(200, "<a class='\(times(40, "a "))'/>")
      },
      svg("rules and elements", .references) {
        "<style>\(times(4000, "a{fill:url(#b)}"))</style>\(times(16_000, "<a/>"))"
      },
      svg("rules", .styleRules) { "<style>\(times(10_001, "a{fill:url(#b)}"))</style>" },
      svg("selectors and elements", .selectorMatches) {
        "<style>\(times(6000, "a,b,c{x:y}"))</style>\(times(6000, "<a/>"))"
      },
      svg("siblings", .selectorMatches) { "<style>a ~ b{x:y}</style>\(times(11_000, "<a/>"))" },
      svg("positions among siblings", .selectorMatches) { "<style>:nth-child(3){x:y}</style>\(times(11_000, "<a/>"))" },
      svg("selectors within selectors", .levels) {
        "<style>\(times(300, ":not("))a\(times(300, ")")){x:y}</style>"
      },
      svg("a list of selectors whose commas combine", .selectorMatches) {
        "<style>a\(times(20_000, ",\u{301}"))b{x:y}</style>\(times(6000, "<a/>"))"
      },
      svg("ancestors", .selectorMatches) {
        "<style>\(times(500, "a b c{x:y}"))</style>" + times(200, "<g>") + times(2000, "<a/>") + times(200, "</g>")
      },
    ]

    private static let patterns =
      each(30) { number in
        "<pattern id='p\(number)'>\(times(9, "<rect fill='url(#p\(number + 1))'/>"))</pattern>"
      }

    /// What costs much, written in a way that a reader may divide otherwise than librsvg.
    private static let hidden: [HostileShape] = [
      svg("a font size behind a comment in a string", .fontSize) {
        "<style>x{y:'/*'} text{font-size:1e7}</style><text>a</text>"
      },
      svg("a font size behind a comment in a string of an attribute", .fontSize) {
        "<text style=\"x:'/*';font-size:1e7\">a</text>"
      },
      svg("a font size behind a comment in a URL", .fontSize) { "<text style='x:url(/*);font-size:1e7'>a</text>" },
      svg("a font size behind a string across lines", .fontSize) {
        "<text style=\"x:'\n' ;font-size:1e7;y:'/*'\">a</text>"
      },
      svg("a font size before a bracket in a string", .fontSize) {
        "<style>text{font-size:1e7;x:'{'}</style><text>a</text>"
      },
      svg("a font size in the sheet after an open comment", .fontSize) {
        "<style>/*</style><style>text{font-size:1e7}</style><text>a</text>"
      },
      svg("a font size behind a semicolon that combines", .fontSize) {
        "<style>text{x:\u{600};font-size:1e7}</style><text>a</text>"
      },
      svg("a font size of a class that is a symbol", .fontSize) {
        "<style>.\u{1F389}{font-size:1e7}</style><text class='\u{1F389}'>a</text>"
      },
      svg("a stroke width behind a comment", .outlineLines) {
        "<path stroke-linejoin='round' stroke-width='/**/1e6' d='M0 0\(times(10_000, "L3 5 7 1"))'/>"
      },
      svg("view boxes with comments", .outlineLines) {
        "<svg viewBox='0 0 /**/.1 .1'><svg viewBox='0 0 .001/**/ .001'>\(times(300, "<path d='M0 0q3 0 3 3'/>"))"
          + "</svg></svg>"
      },
      svg("units in other letters", .outlineLines) {
        "<clipPath id='a' clipPathUnits=' OBJECTboundingbox/**/ '>\(times(300, "<circle r='9'/>"))</clipPath>"
          + "<rect width='1e6' height='1e6' clip-path='url(#a)'/>"
      },
      svg("a reference with a line terminator", .drawnElements) { patterns + "<rect fill='url(#p0&#10;)'/>" },
      svg("a reference to an identifier with a space", .drawnElements) {
        patterns.replacing("id='p0'", with: "id='p 0'") + "<rect fill='url(\"#p 0\")'/>"
      },
      svg("a reference to an identifier with a semicolon", .drawnElements) {
        patterns.replacing("id='p0'", with: "id='p;0'") + "<rect style='fill:url(\"#p;0\")'/>"
      },
      svg("a reference to an identifier that combines", .drawnElements) {
        patterns.replacing("id='p0'", with: "id='\u{301}p'") + "<rect fill='url(#\u{301}p)'/>"
      },
    ]

    private static func document(_ content: String) -> String {
      let text = "<svg xmlns='http://www.w3.org/2000/svg'>\(content)</svg>"
      return "data:image/svg+xml;base64,\(Data(text.utf8).base64EncodedString())"
    }

    /// What costs much in something that is not loaded, or not read.
    private static let external: [HostileShape] =
      ignored.enumerated().map { number, content in
        HostileShape("external content \(number)", .svg, .read) {
          Data("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\(content)</svg>".utf8)
        }
      } + [
        HostileShape("a compressed text of 32 MB", .svg, DecodeWork.markup) {
          GzipText.repeating(Array("<svg xmlns='http://www.w3.org/2000/svg'> ".utf8), count: 1 << 25)
        }
      ]

    private static let ignored = [
      "<rect width='9' height='9' fill='url(\(document(patterns))#p0)'/>",
      "<rect width='9' height='9' style='fill:url(\"\(document(patterns))#p0\")'/>",
      "<style>rect{fill:url(\(document(patterns))#p0)}</style><rect width='9' height='9'/>",
      "<use href='\(document(patterns + "<rect id='a' width='9' height='9' fill='url(#p0)'/>"))#a'/>",
      "<image width='9' height='9' href='\(document(patterns + "<rect width='9' height='9' fill='url(#p0)'/>"))'/>",
      "<style>@import 'data:text/css,text%7Bfont-size:1e7%7D';</style><text y='9'>a</text>",
      "<style>@\\69mport 'data:text/css,text%7Bfont-size:1e7%7D';</style><text y='9'>a</text>",
      "<style>@a \(times(200, "("))</style>", "<style>a{b:\(times(200, "["))</style>",
      "<style>\(times(300_000, "@a{}"))</style>",
    ]
  }
#endif
