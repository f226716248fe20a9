#if SVG
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @testable import NukeServing

  @Suite("Texts as watermarks")
  struct WatermarkTextTests {
    private typealias Run = WatermarkText.Run

    private static let rows: [(markup: String, lines: [[Run]])] = [
      ("Hello", [[Run(text: "Hello")]]), ("a\nb\r\n\nc", [[Run(text: "a")], [Run(text: "b")], [], [Run(text: "c")]]),
      ("1 &lt; 2 &amp;&#65;&#x42;", [[Run(text: "1 < 2 &AB")]]),
      (
        "a<b>b<i>c</i></b>d",
        [
          [
            Run(text: "a"), Run(text: "b", attributes: ["font-weight": "bold"]),
            Run(text: "c", attributes: ["font-weight": "bold", "font-style": "italic"]), Run(text: "d"),
          ]
        ]
      ),
      (
        "<b>a\nb</b>",
        [
          [Run(text: "a", attributes: ["font-weight": "bold"])], [Run(text: "b", attributes: ["font-weight": "bold"])],
        ]
      ),
      (
        "<span foreground='#f00' alpha=\"50%\">a</span>",
        [
          [Run(text: "a", attributes: ["fill": "#f00", "fill-opacity": "0.5"])]
        ]
      ),
      ("<span color=\"red\" size=\"20480\">a</span>", [[Run(text: "a", attributes: ["fill": "red"], size: 20)]]),
      ("<span size='32pt'><small>a</small></span>", [[Run(text: "a", size: 32 / 1.2)]]),
      (
        "<span font='Noto Serif Semi-Bold Italic 24'>a</span>",
        [
          [
            Run(
              text: "a", attributes: ["font-family": "Noto Serif", "font-weight": "600", "font-style": "italic"],
              size: 24)
          ]
        ]
      ),
      (
        "<span weight=\"700\" underline='single'>a</span>",
        [
          [Run(text: "a", attributes: ["font-weight": "700", "text-decoration": "underline"])]
        ]
      ),
    ]

    @Test("The markup of Pango is parsed", arguments: rows)
    private func markup(_ row: (markup: String, lines: [[Run]])) throws {
      #expect(try WatermarkText(row.markup).lines == row.lines)
    }

    @Test(
      "Invalid markup, and texts that are too long or too large, are errors that name the option",
      arguments: [
        "", " \n ", "a<b>", "a</b>", "<b>a</i>", "a < b", "a & b", "a &nbsp; b", "&#xD800;", "<blink>a</blink>",
        "<b x='1'>a</b>", "<span size>a</span>", "<span size=3>a</span>", "<span size='0'>a</span>",
        "<span size='9999pt'>a</span>", "<span foreground='url(#a)'>a</span>", "<span face='a;b'>a</span>",
        "<span onload='x'>a</span>", "<span weight='1000'>a</span>", "<span alpha='200%'>a</span>",
        String(repeating: "a", count: 257), String(repeating: "\n", count: 200) + "a",
        "<span size='500pt'>\(String(repeating: "a", count: 20))</span>",
        String(repeating: "<b>", count: 17) + "a" + String(repeating: "</b>", count: 17),
      ])
    func invalid(markup: String) {
      let error = #expect(throws: ServingError.self) { try WatermarkText(markup) }
      guard case .invalidOption("watermark_text", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("Text cannot add elements to the drawing")
    func escapes() throws {
      let text = try WatermarkText("&lt;/text&gt;&lt;image href=&quot;x&quot;/&gt;<span face='A B'>&amp;</span>")
      let drawing = String(decoding: text.drawing(isScaled: false), as: UTF8.self)
      #expect(drawing.contains("&lt;/text&gt;&lt;image href=&quot;x&quot;/&gt;</tspan>"))
      #expect(!drawing.contains("<image"))
      #expect(try ImageReaders.reader(for: Data(drawing.utf8)).header.format == .svg)
    }

    private func rendered(
      _ text: String, on color: Color = .white, _ ask: (inout ImageOptions) -> Void = { _ in }
    ) async throws -> Bitmap {
      let file = try await Rendering.render(try Rendering.encoded(.even(color, 200, 60), as: .png), as: .png) {
        $0.watermark = .init(opacity: 1, position: .at(.northWest))
        $0.watermarkText = text
        ask(&$0)
      }
      return try Rendering.image(file)
    }

    /// Returns the bounding box of the pixels that are not white: left, top, right and bottom.
    private func box(_ image: Bitmap) -> [Int] {
      var box: [Int] = []
      for y in 0..<image.pixelHeight {
        for x in 0..<image.pixelWidth where image.pixel(x, y) != [255, 255, 255, 255] {
          let old = box.isEmpty ? [x, y, x, y] : box
          box = [min(old[0], x), min(old[1], y), max(old[2], x), max(old[3], y)]
        }
      }
      return box
    }

    /// Whether the machine has a font for Latin letters.
    private func hasFont() async throws -> Bool { try await !box(rendered("H")).isEmpty }

    @Test("A text is drawn where its visible pixels are placed, in its size and color")
    func drawn() async throws {
      guard try await hasFont() else { return }
      let one = try await box(rendered("H"))
      #expect(Array(one.prefix(2)) == [0, 0])
      // Capital letters are about 0.7 of the font's size.
      #expect((8...14).contains(one[3]))
      let two = try await box(rendered("H\nH"))
      #expect(two[3] > one[3] + 12 && two[2] == one[2])
      let long = try await box(rendered("HHHH"))
      #expect(long[2] > 3 * one[2] && long[3] == one[3])
      let large = try await box(rendered("<span size='32pt'>H</span>"))
      #expect(abs(large[3] - 2 * one[3]) <= 2)
      let corner = try await box(rendered("H") { $0.watermark?.position = .at(.southEast) })
      #expect(corner[2] == 199 && corner[3] == 59)
      let red = try await rendered("<span color='#f00'>H</span>")
      #expect(red.pixel(0, 5)[0] == 255 && red.pixel(1, 5)[1] < 128)
    }

    @Test("A text is scaled into its size, and the server's watermark is not drawn")
    func scaled() async throws {
      guard try await hasFont() else { return }
      let image = try await rendered("H") { $0.watermarkHeight = 40 }
      #expect(box(image)[3] == 39)
      let data = try Rendering.encoded(.even(.white, 200, 60), as: .png)
      let renderer = Renderer(watermark: Watermark(image: .even(.red, 200, 60), id: "red"))
      let file = try await Rendering.render(data, with: renderer, as: .png) {
        ($0.watermark, $0.watermarkText) = (.init(opacity: 1), "H")
      }
      #expect(try Rendering.image(file).pixel(0, 0) == [255, 255, 255, 255])
    }

    @Test("A text takes the place of the URL of a watermark")
    func rules() throws {
      var rules = URLRules()
      rules.watermark = URL(string: "https://a.test/logo.png")
      // "Hi", and "http://a" in Base64.
      let url = try rules.url(path: "/x/wm:1/wmt:SGk/wmu:aHR0cDovL2E/plain/http://a")
      let options = try rules.options(of: url, now: 0)
      #expect(options.watermarkText == "Hi" && options.watermarkSource == nil)
      #expect(throws: ServingError.self) {
        // "<b>" in Base64.
        try rules.options(of: try rules.url(path: "/x/wm:1/wmt:PGI-/plain/http://a"), now: 0)
      }
    }
  }
#endif
