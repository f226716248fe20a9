import Foundation
import Testing

@testable import Nuke

/// The rule is that of the WHATWG's URL standard: each component has a percent-encode set, whose bytes are escaped in
/// UTF-8 with uppercase digits, and a percent sign is in none of them (https://url.spec.whatwg.org/#percent-encoded-bytes).
@Suite("URLs with characters that must be escaped")
struct URLEscapingTests {
  /// Texts and the `href` that Node.js 20 (`new URL(text).href`, by the same standard as browsers) has for them.
  static let references = [
    // Path
    ("http://a.test/a%20b c.png", "http://a.test/a%20b%20c.png"),
    ("http://a.test/%E3%81%82 あ.png", "http://a.test/%E3%81%82%20%E3%81%82.png"),
    ("http://a.test/\"<>`{}x%2F", "http://a.test/%22%3C%3E%60%7B%7Dx%2F"),
    ("http://a.test/a%2fb%2Fc d", "http://a.test/a%2fb%2Fc%20d"),
    ("http://a.test/foo%41%7a", "http://a.test/foo%41%7a"),
    ("http://a.test/~!$&'()*+,;=:@-._/", "http://a.test/~!$&'()*+,;=:@-._/"),
    ("http://a.test:8080/a%C3%A9é", "http://a.test:8080/a%C3%A9%C3%A9"),
    ("http://[::1]/a%20b c", "http://[::1]/a%20b%20c"), ("file:///caf%E9 x.png", "file:///caf%E9%20x.png"),
    // Query and fragment
    ("http://a.test/x?q=%26 a", "http://a.test/x?q=%26%20a"), ("http://a.test/a b?q=%26", "http://a.test/a%20b?q=%26"),
    ("http://a.test/a%20b?q= \"<>x", "http://a.test/a%20b?q=%20%22%3C%3Ex"),
    ("http://a.test/a?b?c d", "http://a.test/a?b?c%20d"),
    ("http://a.test/é?é#é", "http://a.test/%C3%A9?%C3%A9#%C3%A9"),
    ("http://a.test/x#a%20b c", "http://a.test/x#a%20b%20c"),
    // User name and password
    ("http://u%20x y:p%40[@a.test/", "http://u%20x%20y:p%40%5B@a.test/"),
    ("http://u@v@a.test/", "http://u%40v@a.test/"),
  ]

  @Test("Each component escapes what browsers escape in it, and keeps its escapes", arguments: references)
  func browsers(text: String, url: String) throws {
    #expect(URL(escaping: text)?.absoluteString == url)
    // A request and a redirect have the same URL. A redirect to another server has no user name.
    #expect(ImageRequest(stringLiteral: text).url?.absoluteString == url)
    guard text.hasPrefix("http"), !text.contains("@a.test") else { return }
    let target = try Destination(url: "http://b.test/").redirected(
      status: 302, location: Array(text.utf8), method: "GET", configuration: .init())
    #expect(target?.location?.absoluteString == url)
    #expect(target?.url == url)
  }

  @Test(
    "What browsers leave and URL cannot contain is escaped, and escapes stay",
    arguments: [
      ("http://a.test/[%5B]|^\\x", "http://a.test/%5B%5B%5D%7C%5E%5Cx"),
      ("http://a.test/x?[%5B]|{}^`\\", "http://a.test/x?%5B%5B%5D%7C%7B%7D%5E%60%5C"),
      ("http://a.test/x#a#%23b", "http://a.test/x#a%23%23b"), ("http://a.test/100%", "http://a.test/100%25"),
      ("http://a.test/%zz%2 %20", "http://a.test/%25zz%252%20%20"),
      ("http://a.test/a\tb\u{7F}", "http://a.test/a%09b%7F"),
      ("data:,a\"b<c>d`e%20f g", "data:,a%22b%3Cc%3Ed%60e%20f%20g"),
      ("data:image/svg+xml; charset=utf-8,é%C3%A9", "data:image/svg+xml;%20charset=utf-8,%C3%A9%C3%A9"),
    ])
  func others(text: String, url: String) {
    #expect(URL(escaping: text)?.absoluteString == url)
  }

  @Test(
    "Valid URLs are those of URL(string:)",
    arguments: [
      "http://a.test", "HTTP://A.test:80/%2e%2e/a//b/../c?d=e/f?g'h'#i/j?", "http://a%2Fb/", "http://u:p:q@a.test/",
      "http://me;x@a.test/;a=b,c", "http://[fe80::1]:8080/", "//a.test/b", "../a?b", "#a", "?a", "a/b:c",
      "mailto:a@b", "data:image/png;base64,iVBORw0KGgo+/w==", "s3://bucket_x/a", "file:///a%00b", "http://a.test/%E9",
    ])
  func valid(text: String) throws {
    #expect(URL(string: text, encodingInvalidCharacters: false) != nil)
    #expect(URL.escaped(Array(text.utf8)) == Array(text.utf8))
    #expect(URL(escaping: text) == URL(string: text))
  }

  @Test(
    "The host is never changed, and ends where it ended before",
    arguments: [
      "http://a.test\\@b.test/ x", "http://a.test/@b.test/ x", "http://a.test?@b.test/ x", "http://a.test#@b.test/ x",
      "http://a.test;@b.test/ x", "http://a.test:80@b.test/ x", "http://a@b.test@c.test/ x", "http://bücher.test/ü x",
      "http:a.test/ x", "http:/a.test/ x", "//a.test/ x", "http:///a x", "s3://Bucket_x/a b", "http://a%20b/ x",
    ])
  func host(text: String) throws {
    let (ours, foundation) = (try #require(URL(escaping: text)), try #require(URL(string: text)))
    #expect(ours.host == foundation.host && ours.port == foundation.port && ours.scheme == foundation.scheme)
    #expect(ours.user == foundation.user && ours.password == foundation.password)
  }

  @Test(
    "A text with other characters in its host is no URL",
    arguments: [
      "http://a b/", "http://a<b>.test/", "http://a.test:8x/", "http://a.test\\.b.test/", "http:// /a", "1a://b c",
    ])
  func invalid(text: String) { #expect(URL(escaping: text) == nil) }

  @Test("Bytes that are not UTF-8 are escaped as they are, and are no host")
  func bytes() {
    #expect(URL(escaping: Array("http://a.test/caf".utf8) + [0xE9])?.absoluteString == "http://a.test/caf%E9")
    #expect(URL(escaping: Array("http://caf".utf8) + [0xE9]) == nil)
  }

  @Test("An SVG image in a data: URL, as style sheets have it, is decoded")
  func inlineSVG() throws {
    let url = try #require(
      URL(escaping: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='5'%3E%3C/svg%3E"))
    let (data, response) = try LocalResource.load(url)
    #expect(String(decoding: data, as: UTF8.self) == "<svg xmlns='http://www.w3.org/2000/svg' width='5'></svg>")
    #expect(response.mimeType == "image/svg+xml")
  }
}
