import Foundation
import NukeCodecs
import Testing

@testable import NukeServing

/// The maps in `deploy/nginx/nuke.conf` that reduce `Accept` to the formats in the key of nginx's cache.
/// `Scripts/deploy/nginx.py` tests them in nginx.
@Suite("The shipped nginx configuration selects formats as the server does") struct NginxFormatsTests {
  private struct Entry {
    let pattern: NSRegularExpression
    let text: String
  }

  private let entries: [Entry]

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../deploy/nginx/nuke.conf").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    // `map $http_accept $name { default ""; "~*PATTERN" "TEXT"; }`
    entries = try text.split(separator: "map $http_accept ").dropFirst().map { map in
      let parts = map.split(separator: "\n}", maxSplits: 1)[0].split(separator: "\"")
      let pattern = try #require(parts.first { $0.hasPrefix("~*") }).dropFirst(2)
      return Entry(
        pattern: try NSRegularExpression(pattern: String(pattern), options: .caseInsensitive),
        text: String(try #require(parts.last { $0.hasPrefix("image/") })))
    }
  }

  /// Returns what nodes receive in place of a client's `Accept`.
  private func reduced(_ accept: String) -> String {
    let range = NSRange(accept.startIndex..., in: accept)
    return entries.filter { $0.pattern.firstMatch(in: accept, range: range) != nil }.map(\.text).joined()
      + "*/*;q=0.1"
  }

  private let offers: [[ImageFormat]] = [
    [.avif, .webp, .jxl], [.webp], [.jxl, .avif], [.webp, .avif, .jxl], [],
  ]

  @Test("The maps are those of the formats that the server offers by default")
  func maps() {
    let offered = AnswerSettings().offeredFormats
    #expect(entries.map(\.text) == offered.map { "\($0.mediaType), " })
  }

  @Test(
    "Formats with full weight are selected as without nginx",
    arguments: [
      "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
      "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
      "image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,image/*;q=0.8,*/*;q=0.5",
      "image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5", "image/webp,*/*", "*/*", "image/*", "",
      "IMAGE/AVIF", "image/avif;q=1", "image/avif ; Q=1.000 ,\timage/webp",
      "image/avif;q=0, image/webp;q=1.0", "image/webp;q=0.5, image/webp", "image/avif;v=1", "image/avif;q=1;q=1",
      "image/avif/", "image/avif;q=", "image avif", "ximage/avif", "image/avifs", "image/avif;q=0", ",,image/jxl,,",
      "image/jxl;q=1., image/avif;q=2",
    ])
  func agreement(accept: String) {
    for offered in offers {
      #expect(
        ContentNegotiation.choice(accepting: reduced(accept), offered: offered)
          == ContentNegotiation.choice(accepting: accept, offered: offered), "\(offered)")
    }
    let fallback: Set<ImageFormat> = [.jpeg, .png, .gif]
    let best = ContentNegotiation.all(accepting: reduced(accept), offered: offers[0])
    let accepted = ContentNegotiation.all(accepting: accept, offered: offers[0])
    #expect(Set(best).subtracting(fallback).isSubset(of: accepted))
  }

  @Test(
    "Formats with a lower weight count as not accepted",
    arguments: ["image/webp;q=0.9", "image/avif;q=0.9, image/webp;q=0.9,*/*;q=0.1", "image/jxl;q=0.001"])
  func weights(accept: String) {
    #expect(reduced(accept) == "*/*;q=0.1")
    #expect(ContentNegotiation.format(accepting: reduced(accept), offered: offers[0]) == nil)
    #expect(reduced(accept + ", image/webp") == "image/webp, */*;q=0.1")
  }
}
