import Foundation
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Random source URLs")
struct SourceAddressFuzzTests {
  private static let pieces = [
    "http", "https", "local", "s3", "://", ":", "/", "//", "\\", "@", "?", "#", "..", ".", "%2e", "%2f", "%5c", "%00",
    "%", "%zz", "[::1]", "[", "]", "127.0.0.1", "0x7f.1", "2130706433", "example.com", "evil.org", "EXAMPLE.com", ":80",
    ":8080", ":0", "a", "b c", "ü", "。", "\t", "\n", ";", "&", "=", "*", "xn--a", "-", "_", "user:pw@", "|", "^", "\"",
  ]

  @Test("All URL parsers agree on accepted URLs, and normalizing them again changes nothing")
  func forms() throws {
    var generator = SeededGenerator(seed: 7)
    var accepted = 0
    for _ in 0..<20_000 {
      let beginning = ["http://example.com", "https://", "http://", "local://", "s3://bucket", ""].randomElement(
        using: &generator)!
      let rest = (0..<Int.random(in: 0...7, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator)!
      }
      let text = beginning + rest.joined()
      guard let address = try? SourceAddress(text) else { continue }
      accepted += 1
      #expect(try SourceAddress(address.text).text == address.text, "\(text)")
      let url = try #require(URL(string: address.text), "\(text)")
      #expect(url.absoluteString == address.text)
      #expect(url.scheme == address.scheme)
      #expect(url.user == nil && url.password == nil)
      let host = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
      #expect(host == address.authority.replacingOccurrences(of: "[", with: "").replacingOccurrences(of: "]", with: ""))
      #expect(!url.path.split(separator: "/").contains { $0 == ".." || $0 == "." }, "\(text)")
      #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    }
    #expect(accepted > 500)
  }

  @Test("No spelling of a URL bypasses the rules")
  func rules() throws {
    var rules = SourceRules()
    rules.allowed = [try #require(SourcePattern("http://example.com/photos/"))]
    var generator = SeededGenerator(seed: 11)
    var accepted = 0
    for _ in 0..<20_000 {
      let rest = (0..<Int.random(in: 0...6, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator)!
      }
      let beginning = ["http://example.com/photos/", "http://example.com", "http://", "HTTP://"].randomElement(
        using: &generator)!
      guard let url = try? rules.source(beginning + rest.joined()) else { continue }
      accepted += 1
      #expect(url.host == "example.com")
      #expect(url.port == nil)
      #expect(url.absoluteString.hasPrefix("http://example.com/photos/"))
      #expect(url.standardized.path.hasPrefix("/photos/") || url.path == "/photos")
    }
    #expect(accepted > 100)
  }
}
