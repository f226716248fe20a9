import Foundation
import Testing

@testable import NukeServing

@Suite("Options for watermarks and styles in URLs")
struct WatermarkOptionsTests {
  @Test("The size, rotation and shadow of a watermark, and styles, are parsed")
  func marks() throws {
    #expect(try options("wms:10:20") == ImageOptions { ($0.watermarkWidth, $0.watermarkHeight) = (10, 20) })
    #expect(try options("watermark_size::20") == ImageOptions { $0.watermarkHeight = 20 })
    #expect(try options("wmr:450") == options("watermark_rotate:90") && options("wm_rot:90").watermarkRotation == 90)
    #expect(try options("wmsh:2.5") == options("watermark_shadow:2.5") && options("wmsh:2.5").watermarkShadow == 2.5)
    // "a{}" in Base64.
    #expect(try options("st:YXt9") == options("style:YXt9") && options("st:YXt9").style == "a{}")
    #expect(try options("wms:1:1/wms:/wmr:1/wmr:/wmsh:1/wmsh:/st:YXt9/st:") == ImageOptions())
    for text in ["wms:-1", "wms:1:1:1", "wmr:x", "wmsh:-1", "wmsh:101", "st:!"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("A watermark has a URL in Base64, to which the rules of sources apply")
  func watermarkURL() throws {
    func wanted(_ source: String, _ rules: URLRules) throws(ServingError) -> String? {
      let path = "/x/wm:1/wmu:\(Base64URL.encode(source.utf8))/plain/http://a"
      return try rules.options(of: rules.url(path: path), now: 0).watermarkSource
    }
    var rules = URLRules()
    #expect(try wanted("https://A.example/a b%20c.png", rules) == "https://a.example/a%20b%20c.png")
    rules.sources = SourceRules()
    rules.sources?.base = "https://a.example/"
    rules.sources?.allowed = [SourcePattern("https://a.example/")!]
    #expect(try wanted("https://a.example/logo.png", rules) == "https://a.example/logo.png")
    #expect(throws: ServingError.sourceNotAllowed("https://b.example is not among the allowed sources.")) {
      try wanted("https://b.example/logo.png", rules)
    }
    for text in ["logo.png", "https://me@a.example/", "https://a.example/../b"] {
      let error = #expect(throws: ServingError.self) { try wanted(text, rules) }
      #expect(error?.name == "invalidOption")
    }
  }

  @Test("The server's watermark by URL applies to URLs that name none")
  func defaultWatermark() throws {
    var rules = URLRules()
    rules.watermark = URL(string: "https://a.example/own.png")
    let other = Base64URL.encode("https://a.example/other.png".utf8)
    for (text, expected) in [
      ("w:1", nil), ("wm:1", "https://a.example/own.png"), ("wm:1/wmu:\(other)", "https://a.example/other.png"),
      ("wm:0", nil),
    ] as [(String, String?)] {
      let options = try rules.options(of: rules.url(path: "/x/\(text)/plain/http://a"), now: 0)
      #expect(options.watermarkSource == expected)
    }
  }
}
