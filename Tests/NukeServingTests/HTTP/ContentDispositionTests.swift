import Foundation
import Testing

@testable import NukeServing

@Suite("RFC 6266: Content-Disposition") struct ContentDispositionTests {
  private func text(
    _ filename: String? = nil, isAttachment: Bool? = nil, type: String = "image/jpeg",
    source: String = "https://example.com/a/cat.png?x=1", byDefault: Bool = false
  ) -> String? {
    var options = ImageOptions()
    options.filename = filename
    options.isAttachment = isAttachment
    return ContentDisposition.text(
      options, source: URL(string: source)!, contentType: type, isAttachment: byDefault)
  }

  @Test("There is no Content-Disposition unless it is requested")
  func nothing() {
    #expect(text() == nil)
    #expect(text(isAttachment: false, byDefault: true) == nil)
  }

  @Test("The extension is that of the response's media type")
  func extensions() {
    #expect(text("dog") == "inline; filename=\"dog.jpg\"")
    #expect(text("dog", type: "image/webp") == "inline; filename=\"dog.webp\"")
    #expect(text("dog", type: "text/plain; charset=utf-8") == "inline; filename=\"dog.txt\"")
    #expect(text("dog", type: "application/octet-stream") == "inline; filename=\"dog\"")
  }

  @Test("Without a file name, the source's name is used")
  func ofSource() {
    #expect(text(isAttachment: true) == "attachment; filename=\"cat.jpg\"")
    #expect(text(byDefault: true) == "attachment; filename=\"cat.jpg\"")
    #expect(text(isAttachment: true, source: "https://example.com/") == "attachment; filename=\"image.jpg\"")
    #expect(text(isAttachment: true, source: "local:///%2e%2e") == "attachment; filename=\"image.jpg\"")
  }

  @Test("RFC 8187: a non-ASCII name is sent in both forms")
  func unicode() {
    #expect(text("Käse") == "inline; filename=\"K_se.jpg\"; filename*=UTF-8''K%C3%A4se.jpg")
    #expect(text("100%41") == "inline; filename=\"100_41.jpg\"; filename*=UTF-8''100%2541.jpg")
  }

  @Test(
    "A name cannot end the line or the quotation, or lead to another folder",
    arguments: [
      "a\r\nSet-Cookie: x=1", "a\"; filename=\"evil.exe", "..\\..\\x", "../../etc/passwd", "a\0b", "gpj.\u{202E}exe",
      "\u{2028}x", "con:stream", "/", "", "....", String(repeating: "ä", count: 100_000),
    ])
  func hostile(_ name: String) throws {
    let text = try #require(self.text(name))
    #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    #expect(text.utf8.count < 1000)
    let quotes = text.filter { $0 == "\"" }.count
    #expect(quotes == 2)
    #expect(!text.contains("/") && !text.contains("\\") && !text.contains("%E2%80"))
    #expect(text.hasPrefix("inline; filename=\"") && !text.hasPrefix("inline; filename=\"."))
  }
}
